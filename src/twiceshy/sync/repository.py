"""The clone of the shared repository: bare, so no remote content becomes a file here."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

from twiceshy.core.moment import SECOND
from twiceshy.sync import rules
from twiceshy.sync.git import GitRunner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    Mark = Literal["seen", "taken", "before"]

_WHO = "twiceshy <twiceshy@localhost>"
_SUBJECT = b"Keep what was learned"
_THEIRS, _MADE, _MARKS = "refs/twiceshy/theirs", "refs/twiceshy/made", "refs/twiceshy/mark-"
_LEFT = ("tmp_", "fast_import_crash_")  # what a git leaves behind that ends early
_LOOKS = 3  # somebody may push the first commit between two looks at a remote
_OF = "twiceshy.of"  # of which remote and branch a clone is
_SEEN = "twiceshy.seen"  # the newest commit of a clone that was discarded
_PLAIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+/-]{0,200}")  # paths that need no quotes


class GitRepository:
    """A clone of one branch of a remote, for one process at a time."""

    def __init__(self, folder: str, remote: str, *, branch: str = "main") -> None:
        self._git = GitRunner(folder, rules.check_address(remote))
        self._branch = f"refs/heads/{branch}"
        self._begun = False

    @property
    def address(self) -> str:
        """Return which branch of which remote this is."""
        return f"{self._git.remote} {self._branch}"

    def fetch(self) -> str:
        """Return the newest commit of the remote; empty if none."""
        if not self._begun:  # only now: whoever fetches is the only one to use the clone
            self._prepare_clone()
        wanted = f"+{self._branch}:{_THEIRS}"
        words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc")
        said = self._git.run_git(*words, "--", self._git.remote, wanted, far=True)
        looks = 1
        while said.code and "couldn't find remote ref" in said.error and looks < _LOOKS:
            branches = self._list_branches()
            if not branches:
                return ""
            if self._branch not in branches:
                raise rules.SyncError(
                    f"{self._git.remote} has branches, but none called {self._branch[11:]}",
                    hint="give an empty repository, or set sync.branch to a name of its own",
                )
            said = self._git.run_git(*words, "--", self._git.remote, wanted, far=True)
            looks += 1
        if said.code:
            raise rules.explain_git_error(said.error, self._git.remote)
        return self._resolve_commit(_THEIRS)

    def list_files(self, commit: str) -> Mapping[str, str]:
        """Return the blob of every plain file of a commit by its path."""
        if not commit:
            return {}
        blobs: dict[str, str] = {}
        sizes: dict[str, int] = {}
        for row in self._git.run_or_raise("ls-tree", "-r", "-l", "-z", commit).split(b"\0")[:-1]:
            about, _, name = row.partition(b"\t")
            mode, _, blob, size = about.decode().split()
            path = name.decode("utf-8", "replace")
            # no device writes a larger file, and nobody reads one into memory
            plain = mode in ("100644", "100755") and _PLAIN.fullmatch(path)
            if plain and int(size) <= rules.LARGEST:
                blobs[path], sizes[path] = blob, int(size)
        rules.check_size(sizes)
        return blobs

    def read_blobs(self, blobs: Sequence[str]) -> Mapping[str, bytes]:
        """Return the contents of blobs."""
        asked = "".join(f"{blob}\n" for blob in blobs).encode()
        said = self._git.run_or_raise("cat-file", "--batch", given=asked) if blobs else b""
        found: dict[str, bytes] = {}
        at = 0
        for blob in blobs:
            end = said.index(b"\n", at)
            size = int(said[at:end].split()[2])
            found[blob] = said[end + 1 : end + 1 + size]
            at = end + size + 2
        return found

    def commit(self, parent: str, files: Mapping[str, bytes | None], *, at: int) -> str:
        """Return a commit with these files changed; None deletes a file."""
        stream = b"".join(_fast_import_stream(parent, files, at=at))
        self._git.run_or_raise("fast-import", "--quiet", "--force", "--done", given=stream)
        return self._resolve_commit(_MADE)

    def push(self, commit: str, *, over: str) -> bool:
        """Replace a remote commit; False if outdated."""
        lease = f"--force-with-lease={self._branch}:{over}"
        words = ("push", "--porcelain", "--no-verify", "--no-follow-tags", lease)
        there = (self._git.remote, f"{commit}:{self._branch}")
        said = self._git.run_git(*words, "--", *there, far=True)
        if not said.code:
            self._git.run_git("gc", "--auto", "--quiet")  # what it cannot clear up does no harm
            return True
        told = said.out.decode("utf-8", "replace") + said.error
        if rules.is_push_race(told):
            return False
        raise rules.explain_git_error(told, self._git.remote)

    def is_descendant(self, commit: str, ancestor: str) -> bool:
        """True if a commit descends from another commit."""
        return self._git.run_git("merge-base", "--is-ancestor", ancestor, commit).code == 0

    def read_mark(self, mark: Mark) -> str:
        """Return the marked commit of this device; empty if none."""
        if not os.path.isdir(self._git.folder):
            return ""
        commit = self._resolve_commit(_MARKS + mark)
        if commit or mark != "seen":
            return commit
        return self._git.run_git("config", _SEEN).out.decode().strip()

    def write_mark(self, mark: Mark, commit: str) -> None:
        """Mark a commit on this device."""
        self._git.run_or_raise("update-ref", _MARKS + mark, commit)

    def has_commit(self, commit: str) -> bool:
        """True if a commit is in the clone."""
        return self._git.run_git("cat-file", "-e", f"{commit}^{{commit}}").code == 0

    def discard_history(self) -> None:
        """Delete the clone, and note the commit that was seen last: a rewritten remote is still met."""
        seen = self.read_mark("seen")
        self.recreate_clone()
        if seen:
            self._git.run_or_raise("config", _SEEN, seen)

    def recreate_clone(self) -> None:
        """Delete the clone with its marks, and start again."""
        self._begun = False
        shutil.rmtree(self._git.folder)
        self._prepare_clone()

    def _prepare_clone(self) -> None:
        """Create the clone if missing, and clean up after a killed process."""
        folder = self._git.folder
        self._git.end_orphan_processes()
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        of = self.address
        there = os.path.isfile(os.path.join(folder, "HEAD"))
        if there and self._git.run_git("config", _OF).out.decode().strip() != of:
            shutil.rmtree(folder)  # of another remote, or never finished
            there = False
        if not there:
            self._git.run_or_raise("init", "--bare", "--quiet", "--template=", folder)
            self._git.run_or_raise("config", _OF, of)
        for place, _, names in os.walk(folder):
            for name in names:
                if name.endswith(".lock") or name.startswith(_LEFT):
                    os.unlink(os.path.join(place, name))
        self._begun = True

    def _list_branches(self) -> set[str]:
        """Return the branches of the remote."""
        heads = self._git.run_git("ls-remote", "--heads", "--", self._git.remote, far=True)
        if heads.code:
            raise rules.explain_git_error(heads.error, self._git.remote)
        rows = heads.out.decode("utf-8", "replace").splitlines()
        return {row.partition("\t")[2] for row in rows}

    def _resolve_commit(self, name: str) -> str:
        said = self._git.run_git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        return said.out.decode().strip()


class CommitContents:
    """The files of a commit, each read once on demand."""

    def __init__(self, repository: GitRepository, commit: str) -> None:
        self.blobs = repository.list_files(commit)
        self._repository = repository
        self._read: dict[str, bytes] = {}

    def read_files(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """Return the contents of files."""
        paths = list(paths)
        wanted = {path: self.blobs[path] for path in paths if path not in self._read}
        found = self._repository.read_blobs(list(dict.fromkeys(wanted.values())))
        self._read |= {path: found[blob] for path, blob in wanted.items()}
        return {path: self._read[path] for path in paths}

    def list_merged_files(self) -> list[str]:
        """Return the files with records to merge."""
        return [path for path in self.blobs if rules.is_merged_file(path)]

    def list_view_files(self) -> list[str]:
        """Return the pages for people."""
        return [path for path in self.blobs if path.startswith(rules.VIEWS)]


def _fast_import_stream(
    parent: str, files: Mapping[str, bytes | None], *, at: int
) -> Iterator[bytes]:
    """Encode a commit for fast-import."""
    yield f"reset {_MADE}\n\ncommit {_MADE}\n".encode()
    yield f"committer {_WHO} {at // SECOND} +0000\ndata {len(_SUBJECT)}\n".encode()
    yield _SUBJECT + b"\n"
    if parent:
        yield f"from {parent}\n".encode()
    for path, body in files.items():
        if body is None:
            yield f"D {path}\n".encode()
        else:
            yield f"M 100644 inline {path}\ndata {len(body)}\n".encode() + body + b"\n"
    yield b"done\n"

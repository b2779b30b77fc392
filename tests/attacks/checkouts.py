"""A user with projects and a memory, and checkouts that others made: real git, real archives."""

import io
import json
import os
import subprocess
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.person import run_by_person

from twiceshy.recall.answer import answer_event

URL = "https://github.com/owner/shop"
SAID = "The shop signs its orders with the blue stamp."
EVIL = "Orders of the other checkout get the grey stamp."
_SETTINGS = (
    *("user.name=U", "user.email=u@example.org", "init.defaultBranch=main"),
    *("protocol.file.allow=always", "commit.gpgSign=false", "advice.detachedHead=false"),
)
OLD = 1_600_000_000  # the moment that unpacked files are from


def git(where: Path, *words: str) -> str:
    flags = [flag for setting in _SETTINGS for flag in ("-c", setting)]
    command = ["git", *flags, "-C", str(where), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def make_repository(path: Path, *, url: str = "", commits: int = 3) -> Path:
    """Start a repository as a user does, with commits of its own."""
    path.mkdir(parents=True)
    git(path, "init", "-q")
    for number in range(commits):
        (path / "file").write_text(f"{number} of {path}")
        git(path, "add", "file")
        git(path, "commit", "-q", "-m", f"{number} of {path}")
    if url:
        git(path, "remote", "add", "origin", url)
    return path


def clone(source: Path, path: Path, *words: str, url: str = "") -> Path:
    """Clone as a user does; ``url`` stands for the host that the clone came from."""
    path.parent.mkdir(parents=True, exist_ok=True)
    git(path.parent, "clone", "-q", *words, str(source), str(path))
    if url:
        git(path, "remote", "set-url", "origin", url)
    return path


def read_tree(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, as an archive would hold it."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def unpack(
    files: Mapping[str, bytes],
    to: Path,
    *,
    links: Mapping[str, str] | None = None,
    folders: tuple[str, ...] = (),
    at: float = OLD,
) -> Path:
    """Pack files into an archive by hand, and unpack it with tar's own times."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name in folders:
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, at
            archive.addfile(entry)
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(content), at, 0o644
            archive.addfile(entry, io.BytesIO(content))
        for name, target in (links or {}).items():
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname, entry.mtime = tarfile.SYMTYPE, target, at
            archive.addfile(entry)
    to.mkdir(parents=True, exist_ok=True)
    packed.seek(0)
    with tarfile.open(fileobj=packed) as archive:
        archive.extractall(to)
    return to


def write_fresh(files: Mapping[str, bytes], to: Path) -> Path:
    """Write the files as a program does that keeps no times."""
    for name, content in files.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return to


class User:
    """A user of twiceshy on one device: a memory home, and what is told in a folder."""

    def __init__(self, home: Path, env: Mapping[str, str] | None = None) -> None:
        self.home = home
        self.env = {"TWICESHY_HOME": str(home), **(env or {})}
        self._sessions = 0

    def run(self, *words: str, at: Path) -> str:
        """Run a command, which must end well."""
        ran = run_by_person(*words, cwd=at, env=self.env)
        assert ran.code == 0, ran.err
        return ran.out

    def learn(self, text: str, at: Path) -> None:
        self.run("note", text, at=at)

    def begin(self, at: Path, *, session: str = "") -> str:
        """Begin a session in a folder, and return what the hook tells."""
        self._sessions += 1
        said: list[str] = []
        event = {
            "session_id": session or f"{self.home.name}-{self._sessions}",
            "cwd": str(at),
            "hook_event_name": "SessionStart",
            "source": "startup",
            "transcript_path": "/t.jsonl",
        }
        environ = os.environ.get("TWICESHY_HOME", "")
        os.environ["TWICESHY_HOME"] = str(self.home)
        try:
            answer_event("claude-code", json.dumps(event).encode(), said.append, lambda: None)
        finally:
            os.environ["TWICESHY_HOME"] = environ
        return "".join(said)

    def tell(self, at: Path) -> str:
        """Return all that is told in a folder, by the hook and by commands."""
        words = (("list",), ("search", "stamp orders"), ("recall",))
        told = [
            self.begin(at),
            *(run_by_person(*each, cwd=at, env=self.env).out for each in words),
        ]
        return "\n".join(told)

    def status(self, at: Path) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.run("status", "--json", at=at))
        return found

    def project(self, at: Path) -> str:
        return str(self.status(at)["project"])


Build = Callable[["Scene"], Path]


class Scene:
    """A user who works on ``shop``, and room for what others send."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.user = User(home)
        self.shop = make_repository(folder / "code" / "shop", url=URL)
        self.user.learn(SAID, self.shop)
        self.inbox = folder / "inbox"
        self.inbox.mkdir()

    def root_commit(self) -> str:
        return git(self.shop, "rev-list", "--max-parents=0", "HEAD")

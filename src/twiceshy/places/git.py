"""Ask git within a time limit: root commit, edits since a revision, and state of a checkout.

Nothing is fetched, no lock is taken, and no program of the repository is run, neither its
diff filters nor a file watcher of its settings.
"""

from __future__ import annotations

import os
import subprocess
from time import monotonic

from twiceshy.core.errors import NotFoundError
from twiceshy.core.value import Value
from twiceshy.files import list_program_folders
from twiceshy.places.repository import GitWorktree, find_repository

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

_GIT = "git"
DIFF_PATIENCE = 30.0  # seconds; a person waits
# All of a file stands around each change: a private passage may begin far above it.
FILTERS = r"filter\..*\.(clean|process|required)"  # settings that name programs
_DIFF = (
    *("-c", "core.quotePath=false", "-c", "core.fsmonitor=false", "diff", "--no-ext-diff"),
    *("--no-textconv", "--no-color", "--find-renames", "--ignore-submodules=all"),
    *("--diff-filter=MR", "--unified=1000000", "--src-prefix=a/", "--dst-prefix=b/"),
)
STATUS_PATIENCE = 3.0  # seconds
_STATUS = (
    *("-c", "core.fsmonitor=false", "status", "--porcelain=v2", "--branch", "-z"),
    *("--untracked-files=normal", "--ignore-submodules=dirty", "--no-renames"),
)
_DISTANCE = "# branch.ab "
# Programs that the settings of a repository may name, whatever is asked.
_SWITCHED_OFF = tuple(
    word
    for each in (
        *("protocol.allow=never", "core.fsmonitor=false", f"core.hooksPath={os.devnull}"),
        *("core.pager=cat", "core.sshCommand=false", "core.askPass=", "credential.helper="),
        *("diff.external=", "log.showSignature=false", "core.alternateRefsCommand="),
    )
    for word in ("-c", each)
)


class RootCommit(Value):
    """The first commit of a history, and when it was made, in seconds."""

    name: str
    at: int


class Checkout(Value):
    """A git repository as seen in its working tree and last fetch."""

    root: str
    changed: int
    ahead: int = 0
    behind: int = 0


def find_root_commit(root: str, revision: str, *, patience: float) -> RootCommit | None:
    """Return the first commit of a history; merging a foreign history does not change the answer.

    The content of the commit must fit its name: git does not look when it walks a history.
    TimeoutError when the time limit is reached, as for every question without a listing.
    """
    answer = _ask_git(
        root, "rev-list", "--first-parent", "--max-parents=0", revision, patience=patience
    )
    name = answer.split("\n", 1)[0] if answer else ""
    return _read_commit(root, name, patience=patience) if name else None


def _read_commit(root: str, name: str, *, patience: float) -> RootCommit | None:
    """Return a commit if its content is what its name says."""
    try:
        content = _run_git(root, "cat-file", "commit", name, patience=patience)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"git took longer than {patience} s") from late
    except (OSError, ValueError):
        return None
    if content is None:
        return None
    import hashlib  # noqa: PLC0415 - of a repository that is seen for the first time

    whole = b"commit %d\0" % len(content) + content
    kind = hashlib.sha256 if len(name) == 64 else hashlib.sha1
    if kind(whole).hexdigest() != name:
        return None
    head = content.partition(b"\n\n")[0].splitlines()
    stamp = next((line for line in head if line.startswith(b"committer ")), b"")
    at = stamp.split(b" ")[-2:-1]
    return RootCommit(name, int(at[0]) if at and at[0].isdigit() else 0)


def has_commit(root: str, commit: str, *, patience: float) -> bool:
    """True if a repository has a commit."""
    return _ask_git(root, "cat-file", "-e", f"{commit}^{{commit}}", patience=patience) is not None


def find_git_root(directory: str) -> str:
    """Return the repository root around a directory; empty if none."""
    found = find_repository(os.path.realpath(directory), home="")
    return found.root if isinstance(found, GitWorktree) else ""


def list_from_git(root: str, *question: str, patience: float, off: Sequence[str] = ()) -> str:
    """Return git's listing as far as received within the time limit; empty if git fails.

    ``off`` names settings to switch off.
    """
    try:
        said = _run_git(root, *question, patience=patience, off=off)
    except subprocess.TimeoutExpired as late:
        said = late.stdout
    except (OSError, ValueError):
        said = None
    return (said or b"").decode("utf-8", "replace")


def read_from_git(root: str, *question: str, patience: float, off: Sequence[str] = ()) -> str:
    """Return git's whole listing; TimeoutError if git is late, other OSErrors if git fails."""
    if patience <= 0:
        raise TimeoutError("git did not answer in time")
    try:
        said = _run_git(root, *question, patience=patience, off=off)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError("git did not answer in time") from late
    except (OSError, ValueError) as error:
        raise OSError("git could not be started") from error
    if said is None:
        raise OSError("git could not tell")
    return said.decode("utf-8", "replace")


def diff_since(directory: str, revision: str = "HEAD", *, patience: float = DIFF_PATIENCE) -> str:
    """Return the changes of a working tree since a revision, as a unified diff."""
    root = find_git_root(directory)
    if not root:
        raise NotFoundError(
            "there is no git repository here to compare with",
            hint="give two files: twiceshy analyze BEFORE AFTER",
        )
    if revision.startswith("-") or not _has_revision(root, revision, patience=patience):
        raise NotFoundError(
            f"git knows no commit {revision!r} here",
            hint="give one that git log shows, such as HEAD~1",
        )
    begun = monotonic()
    off = _list_filters(root, patience=patience)
    told = (
        ""
        if off is None
        else list_from_git(root, *_DIFF, revision, "--", patience=patience, off=off)
    )
    if monotonic() - begun >= patience:
        raise NotFoundError(
            f"git took longer than {patience:g} s",
            hint="look at one file: git diff HEAD -- FILE | twiceshy analyze -",
        )
    return told


def _list_filters(root: str, *, patience: float) -> list[str] | None:
    """Return the settings of a repository that name filter programs; None if git is late."""
    asked = ("config", "-z", "--name-only", "--get-regexp", f"^{FILTERS}$")
    try:
        said = _run_git(root, *asked, patience=patience)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return list(dict.fromkeys(filter(None, (said or b"").decode("utf-8", "replace").split("\0"))))


def _has_revision(root: str, revision: str, *, patience: float) -> bool:
    try:
        return has_commit(root, revision, patience=patience)
    except TimeoutError:
        return False


def read_git_state(directory: str, *, patience: float = STATUS_PATIENCE) -> Checkout | None:
    """Return the state of the repository around a directory; None if unknown."""
    root = find_git_root(directory)
    if not root:
        return None
    off = _list_filters(root, patience=patience)
    if off is None:
        return None
    told = list_from_git(root, *_STATUS, patience=patience, off=off).split("\0")
    heads = [line for line in told if line.startswith("# ")]
    if not heads:
        return None
    ahead, behind = _parse_distance(heads)
    changed = sum(bool(line) and not line.startswith("# ") for line in told)
    return Checkout(root, changed, ahead, behind)


def _parse_distance(heads: list[str]) -> tuple[int, int]:
    for line in heads:
        if line.startswith(_DISTANCE):
            ahead, _, behind = line.removeprefix(_DISTANCE).partition(" ")
            return abs(int(ahead)), abs(int(behind))
    return 0, 0


def _ask_git(root: str, *question: str, patience: float) -> str | None:
    """Return git's answer; None if git is missing, refuses or fails."""
    try:
        said = _run_git(root, *question, patience=patience)
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"git took longer than {patience} s") from late
    except (OSError, ValueError):
        return None
    return None if said is None else said.decode("ascii", "replace").strip()


def _run_git(root: str, *question: str, patience: float, off: Sequence[str] = ()) -> bytes | None:
    """Return git's output; None if git fails.

    A repository of another owner is refused (``safe.directory``): its config could name programs
    to run. For the same reason nothing is fetched, not even objects missing in a partial clone,
    and history is read as written, without replacements.
    """
    done = subprocess.run(
        [_GIT, "--no-replace-objects", *_SWITCHED_OFF, "-C", root, *question],
        env=_git_environment(root) | _switch_off(off),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=patience,
        check=False,
    )
    return None if done.returncode else done.stdout


def _switch_off(names: Sequence[str]) -> dict[str, str]:
    """Return variables that switch settings off; as an option, a name with = would be cut."""
    told = {"GIT_CONFIG_COUNT": str(len(names))} if names else {}
    for number, name in enumerate(names):
        told[f"GIT_CONFIG_KEY_{number}"] = name
        told[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
    return told


def _git_environment(root: str) -> dict[str, str]:
    """Return our environment without inherited git variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "PATH": list_program_folders(os.environ.get("PATH", os.defpath)),
        "GIT_CEILING_DIRECTORIES": os.path.dirname(root),  # never answer for a repository above
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }

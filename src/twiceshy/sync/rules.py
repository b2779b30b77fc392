"""Rules of the shared repository: file owners, limits, addresses, errors.

Each device writes only its own files, so git never merges. Records are merged through the
journal, entry by entry, on every device.
"""

import re
from collections.abc import Mapping, Sequence

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.maintenance import MaintenanceRun
from twiceshy.core.moment import SECOND
from twiceshy.core.text import fold_to_line, strip_unsafe

SYNC = "sync"  # the name of its lease and of its runs
LEASE_S = 600  # renewed before every step, and longer than git may take for one
VERSION = 1
FORMAT, README = "format", "README.md"
JOURNAL, DEVICES, VIEWS = "journal/", "devices/", "views/"
CHUNK = 4_000_000  # bytes after which a device begins its next file: the older ones are sent once
LARGEST = (
    64_000_000  # bytes of one file; a journal file has 4 MB and a line, and counters are fewer
)
_TITLE = "twiceshy-sync"
_REPOSITORY = re.compile(r"[0-9a-f]{32}")
_MINUTE = 60 * SECOND
_DIGITS = 9  # of the number of a part; nobody ever writes so many
_EVERYTHING = 2_000_000_000  # bytes; years of work are a few million
_ABOUT = """# What coding agents learned

Written by twiceshy (`twiceshy sync`). To get it onto another machine, install twiceshy there and run
`twiceshy recover --remote <the address of this repository>`.

- `views/` is for reading, and is written anew by every device.
- `journal/` and `devices/` are what is merged; each file is written by one device.
- `signed/` says which key signed which of these files.

A forgotten note leaves the files at once and the history of this repository with
`twiceshy backup --purge`.
"""
# what it means → what git or a server says, separated by bars; the first that fits
_SIGNS = (
    ("full", "no space left|out of diskspace|disk quota exceeded"),
    (
        "access",
        "permission denied|authentication failed|could not read username"
        "|could not read password|access denied|host key verification failed|error: 401"
        "|error: 403|repository not found|terminal prompts disabled|not authorized"
        "|unauthorized|returned error: 40|dubious ownership",
    ),
    (
        "away",
        "could not resolve|connection refused|connection timed out|unreachable"
        "|operation timed out|connection reset|failed to connect|no route to host"
        "|could not connect|temporary failure|connection closed|early eof|returned error: 429"
        "|returned error: 5",
    ),
    (
        "nothing",
        "does not appear to be a git repository|repository does not exist"
        "|no such file or directory|not found|does not exist|not a git repository",
    ),
    (
        "refused",
        "remote rejected|hook declined|protected branch|denied by|quota|no space|error: 413"
        "|http 413",
    ),
    ("away", "hung up|unexpected disconnect|rpc failed|broken pipe|empty reply"),
)
_MEANT = {
    "full": ("there is no room left for the clone: {said}", "make room, and run this again"),
    "access": (
        "you have no access to {remote}",
        "check that git can reach it without asking: git ls-remote {remote}",
    ),
    "away": ("{remote} cannot be reached", "try again later; nothing is lost, it waits here"),
    "nothing": (
        "there is no repository at {remote}",
        "create an empty one there, or give another address: --remote",
    ),
    "refused": (
        "{remote} refuses what was sent: {said}",
        "let this branch be pushed to, or set sync.branch",
    ),
    "": ("git failed with {remote}: {said}", "see what git says itself: git ls-remote {remote}"),
}
_THEIRS = "remote: "  # how git begins what the other side says
# what is said when two push at the same moment; the first two on this side, the others over there
_OUTRUN = ("stale info", "fetch first", "non-fast-forward")
_OUTRUN_THERE = ("cannot lock ref", "failed to update", "incorrect old value")


class SyncError(TwiceshyError):
    """The shared repository is not usable."""


def describe_repository(purges: int, repository: str = "") -> dict[str, bytes]:
    """Return the files that describe the repository; its id is what devices sign for."""
    said = f"{_TITLE} {VERSION}\npurges {purges}\n"
    said += f"repository {repository}\n" if repository else ""
    return {FORMAT: said.encode(), README: _ABOUT.encode()}


def parse_repository(body: bytes) -> str:
    """Return the id of the repository from ``format``; empty in one of before devices signed."""
    words = body[:200].decode("ascii", "replace").split()
    return words[5] if len(words) == 6 and _REPOSITORY.fullmatch(words[5]) else ""


def parse_format(body: bytes) -> tuple[int, int] | None:
    """Return the required version and the number of purges of ``format``; None if foreign."""
    words = body[:200].decode("ascii", "replace").split()
    if len(words) < 4 or words[0] != _TITLE or words[2] != "purges":
        return None
    if not (words[1].isdigit() and words[3].isdigit()):
        return None
    return int(words[1]), int(words[3])


def journal_path(device: str, number: int) -> str:
    """Return the journal path of a device; parts count from 1."""
    return f"{JOURNAL}{device}-{number:04}.jsonl"


def device_path(device: str) -> str:
    """Return the path of a device's counters and projects."""
    return f"{DEVICES}{device}.jsonl"


def journal_part(path: str, device: str) -> int:
    """Return the part number of a journal file of a device; 0 for foreign files."""
    number = path.removesuffix(".jsonl").rpartition("-")[2]
    if not (number.isdecimal() and len(number) <= _DIGITS):
        return 0
    return int(number) if path == journal_path(device, int(number)) else 0


def is_merged_file(path: str) -> bool:
    """True if a file holds mergeable records."""
    return path.startswith((JOURNAL, DEVICES)) and path.endswith(".jsonl")


def check_size(sizes: Mapping[str, int]) -> None:
    """Refuse files larger than any device writes."""
    if sum(sizes.values()) > _EVERYTHING:
        raise SyncError(
            "the repository is far larger than notes can be",
            hint="is it the right one? see: twiceshy config sync.remote",
        )


def check_address(remote: str) -> str:
    """Return a safe git address; refuse program addresses and passwords."""
    if not remote:
        raise SyncError(
            "no remote is set", hint="give a git repository of yours: twiceshy sync --remote URL"
        )
    if remote.startswith("-") or "::" in remote or not remote.isprintable():
        raise SyncError("this cannot be the address of a repository", hint="give a URL or a path")
    place = remote.partition("://")[2].partition("/")[0]
    user, at, _ = place.rpartition("@")
    if at and ":" in user:
        raise SyncError(
            "the address holds a password, which would lie in your settings",
            hint="leave it out, and let git's credential helper know it",
        )
    return remote


def explain_git_error(said: str, remote: str) -> SyncError:
    """Return advice for an error of git."""
    lines = [line.strip() for line in strip_unsafe(said).splitlines() if line.strip()]
    theirs = [line for line in lines if line.startswith(_THEIRS)]
    what, sign = _classify_error(lines, theirs)
    message, hint = _MEANT[what]
    # what the other side says itself is worth more than what git says about it
    told = [line.removeprefix(_THEIRS).strip() for line in theirs if what == "refused"]
    told += [line for line in lines if sign and sign in line.lower()]
    quoted = next(filter(None, (*told, *reversed(lines))), "")
    values = {"remote": remote, "said": fold_to_line(quoted, limit=200)}
    return SyncError(message.format(**values), hint=hint.format(**values))


def _classify_error(lines: Sequence[str], theirs: Sequence[str]) -> tuple[str, str]:
    """Classify an error text of git, with its sign; only our own disk can be full."""
    low = "\n".join(lines).lower()
    ours = "\n".join(line for line in lines if line not in theirs).lower()
    for what, signs in _SIGNS:
        text = ours if what == "full" else low
        for sign in signs.split("|"):
            if sign in text:
                return what, sign
    return "", ""


def is_disk_full(said: str) -> bool:
    """True if git ran out of disk space."""
    return _classify_error(said.splitlines(), ())[0] == "full"


def is_push_race(said: str) -> bool:
    """True if a push failed because of a faster push."""
    # a remote that takes no history written anew says "non-fast-forward" as well
    refused = "[remote rejected]" in said
    return any(sign in said for sign in (_OUTRUN_THERE if refused else (*_OUTRUN, *_OUTRUN_THERE)))


def is_backup_due(runs: Sequence[MaintenanceRun], *, every_minutes: int, now: int) -> bool:
    """True if an automatic backup is due; failures wait as long as successes."""
    last = max((run.began_at for run in runs if run.began_at <= now), default=None)
    return last is None or now - last >= every_minutes * _MINUTE

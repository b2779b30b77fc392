"""Take quotations out of the files in the memory home, and out of view files.

Only files of ours are changed. A file of the user's own that quotes is named, and stays.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from fnmatch import fnmatchcase

from twiceshy.core.erasure import ErasureReport
from twiceshy.files import open_plain
from twiceshy.files.lock import FileLock
from twiceshy.files.replace import DRAFT, replace_unchanged, stamp_file, stamp_status

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from twiceshy.language.quoted_words import QuoteFinder

    Change = Callable[[str], str | None]

LINES, DELETE = "lines", "delete"
# The files of a memory home below its folder: of lines the quoting ones go, what is made again is deleted.
OWN_FILES: tuple[tuple[str, str], ...] = (
    (f"*{DRAFT}*", DELETE),
    ("spool*", LINES),
    ("held/*", LINES),
    ("calls/*", LINES),
    ("transcripts/*", LINES),
    ("*.log", LINES),
    ("requests/*", DELETE),
    ("bug-report-*", DELETE),
    ("watch/*", DELETE),
    ("guard/*", DELETE),
    ("keeper/*", DELETE),
    ("settings/*", DELETE),
    ("projects.json", DELETE),
    ("skills.json", DELETE),
    ("hooks.bundle*", DELETE),
    ("*-rescued", DELETE),
    ("*.converting", DELETE),
)
# Swept in a way of their own: databases and what is made of them, the clone, what is not finished;
# and what an installation brings, which holds no words of notes.
_APART = ("backups", "copies", "rescued", "sync", "forgetting", "bin", "claude-code")
_LARGEST = 64 << 20
_TRIES = 5
_ITEMS = ("- ", "* ", "+ ")
_PATIENCE_S = 30.0


def sweep_home(
    home: str,
    finder: QuoteFinder,
    *,
    store: str,
    views: Collection[str] = (),
    plan: bool = False,
) -> ErasureReport:
    """Sweep every file below a memory home but those of the store and those that are swept apart."""
    places: dict[str, int] = {}
    left, kept = [], []
    for path in _list_files(home, store):
        if path in views:
            continue
        name = os.path.relpath(path, home)
        text = _read_text(path)
        if text is None:
            left.append(path)
            continue
        count = count_quoting(text, finder)
        if not count:
            continue
        how = next((how for pattern, how in OWN_FILES if fnmatchcase(name, pattern)), "")
        if not how:
            kept.append(path)
            continue
        place = name.partition(os.sep)[0] + (os.sep if os.sep in name else "")
        places[place] = places.get(place, 0) + count
        if not plan and not _sweep_file(path, finder, how):
            left.append(path)
    return ErasureReport(places, (), tuple(left), tuple(kept))


def sweep_log(path: str, finder: QuoteFinder, *, plan: bool = False) -> ErasureReport:
    """Sweep a log outside of the memory home."""
    text = _read_text(path) or ""
    count = count_quoting(text, finder)
    if not count:
        return ErasureReport()
    done = plan or _sweep_file(path, finder, LINES)
    return ErasureReport({"logs": count}, left=() if done else (path,))


def sweep_view(
    path: str, ours: str, finder: QuoteFinder, *, home: str, plan: bool = False
) -> ErasureReport:
    """Take quoting lines that are ours out of a view file; lines of the user's own stay, and are named."""
    text = _read_text(path) if os.path.lexists(path) else ""
    if text is None:
        return ErasureReport(left=(path,))
    if not finder.holds(text):
        return ErasureReport()
    with FileLock(os.path.join(home, "views.lock"), _PATIENCE_S) as free:
        done = free and (plan or _rewrite(path, lambda now: clean_view(now, ours, finder)))
    own = _has_own_lines(text, ours, finder)
    report = ErasureReport({"views": 1}, kept=(path,) if own else ())
    return report if done else report.but(left=(path,))


def clean_view(text: str, ours: str, finder: QuoteFinder) -> str:
    """Return a view without the lines that are ours and quote; JSON is cleaned value by value."""
    if text.lstrip("\ufeff \n")[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            cleaned = finder.clean_value(json.loads(text.removeprefix("\ufeff")))
            end = "\n" if text.endswith("\n") else ""
            return json.dumps(cleaned, ensure_ascii=False, indent=2) + end
    known = set(ours.splitlines())
    rows: list[str] = []
    for block, own in _group_lines(text, known):
        rows.append(block if own else _clean_block(block, finder))
    return "".join(rows)


def count_quoting(text: str, finder: QuoteFinder) -> int:
    """Return how many lines of a text quote; a quotation over several lines counts as one."""
    if not finder.holds(text):
        lines = text.splitlines() if "\\" in text or "{" in text else ()
        return sum(map(finder.holds, lines))
    return sum(map(finder.holds, text.splitlines())) or 1


def _has_own_lines(text: str, ours: str, finder: QuoteFinder) -> bool:
    known = set(ours.splitlines())
    return any(own and finder.holds(block) for block, own in _group_lines(text, known))


def _group_lines(text: str, known: set[str]) -> Iterator[tuple[str, bool]]:
    """Yield stretches of lines, each with whether the user wrote it."""
    block, own = "", False
    for line in text.splitlines(keepends=True):
        now = bool(line.strip()) and line.rstrip("\r\n") not in known
        if block and now != own:
            yield block, own
            block = ""
        block, own = block + line, now
    if block:
        yield block, own


def _clean_block(block: str, finder: QuoteFinder) -> str:
    if not finder.holds(block):
        return block
    inner = block.strip("\n")
    begin = block[: len(block) - len(block.lstrip("\n"))]
    end = block[len(begin) + len(inner) :]
    cleaned = finder.clean_plain(inner)
    return begin + (cleaned + end if cleaned else end[1:])


def _list_files(home: str, store: str) -> Iterator[str]:
    own = os.path.basename(store)
    skipped = {f"{own}{end}" for end in ("", "-wal", "-shm", "-journal")}
    for folder, folders, names in os.walk(home):
        if folder == home:
            folders[:] = [name for name in folders if name not in _APART]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not (folder == os.path.dirname(store) and name in skipped) and os.path.isfile(path):
                yield path


def _read_text(path: str) -> str | None:
    """Return the text of a file; None if it cannot be read."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, "rb", opener=open_plain) as file:
            return file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except OSError:
        return None


def _sweep_file(path: str, finder: QuoteFinder, how: str) -> bool:
    if how == DELETE:
        with suppress(FileNotFoundError):
            try:
                os.unlink(path)
            except PermissionError:
                return False
        return True
    return _rewrite(path, lambda text: clean_lines(text, finder))


def clean_lines(text: str, finder: QuoteFinder) -> str:
    """Return the lines of a file without those that quote; exact strings are replaced in their line."""
    rows = []
    for line in text.splitlines(keepends=True):
        said = finder.replace_exact(line)
        if not finder.holds(said):
            rows.append(said)
    left = "".join(rows)
    return "" if finder.holds(left) and "{" not in left else left  # a quotation over several lines


def _rewrite(path: str, change: Callable[[str], str]) -> bool:
    """Rewrite a file; False if others keep writing to it, or it cannot be written."""
    for _ in range(_TRIES):
        try:
            with open(path, "rb", opener=open_plain) as file:
                stamp, raw = stamp_status(os.fstat(file.fileno())), file.read()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        text = change(raw.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        if text == raw:
            return True
        try:
            mode = os.stat(path).st_mode & 0o777
            if stamp_file(path) == stamp and replace_unchanged(path, text, stamp, mode=mode):
                return True
        except OSError:
            return False
    return False


def list_view_files(records: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the text that we wrote last by the path of the file, from the table of views."""
    bodies: dict[str, str] = {}
    for path, body in records:
        file = path.rstrip("~+!")
        rows = body.splitlines()
        if path.endswith("+"):  # the whole of a hub: its items are read, the rest is the user's
            rows = [row for row in rows if row.lstrip().startswith(_ITEMS)]
        bodies[file] = "\n".join((bodies.get(file, ""), *rows))
    return bodies

"""Look for secrets in all that this memory keeps, with the present rules: the store, files, views and copies.

What was written under earlier rules stays as it was. A finding names the place and the format, never the
value. To erase what was found is the work of ``erasing``.
"""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

from twiceshy.core.errors import StoreError
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.recall.hook_log import locate_fallback
from twiceshy.safety.redact.found import FoundSecret, find_secrets, show_public_part
from twiceshy.store.read_texts import read_all_texts
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.app import App

    Text = tuple[str, str]

_LARGEST = 256 << 20
_PIECE = 200_000  # characters; a longer text is read in pieces that overlap
_OVERLAP = 20_000
# Made of code and numbers, and made again: they hold patterns of secrets, and no texts.
_NO_TEXTS = ("hooks.bundle", "patterns.cache", "rules.key", "found.key", "README")
_FOLDERS_WITHOUT = frozenset((".git", "bin", "claude-code", "found"))
_DATABASE, _PACKED = b"SQLite format 3\0", b"\x1f\x8b"


class ScanFinding(Value):
    """What was found in a place: the format, how often, and its public first letters."""

    place: str
    format: str
    count: int
    begins: str = ""


class ScanReport(Value):
    """Findings by place and format; ``unread`` are files that could not be looked at.

    ``secrets`` are the texts to erase. They are never printed.
    """

    texts: int
    findings: tuple[ScanFinding, ...] = ()
    unread: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


def scan_memory(app: App, *, tell: Callable[[str], object] = lambda _: None) -> ScanReport:
    """Look through everything; ``tell`` is told of each place."""
    return _MemoryScan(app, tell).scan_places()


class _MemoryScan:
    def __init__(self, app: App, tell: Callable[[str], object]) -> None:
        self._app, self._tell = app, tell
        self._known = app.redact.list_known()
        self._counts: dict[tuple[str, str, str], int] = {}
        self._secrets: dict[str, None] = {}
        self._unread: list[str] = []
        self._texts = 0

    def scan_places(self) -> ScanReport:
        store = self._app.config.store
        self._tell(worded("looking through the store …"))
        self._scan_database(store, "")
        self._tell(worded("looking through files …"))
        for path, place in self._list_files(store):
            self._scan_file(path, place)
        found = tuple(
            ScanFinding(*key[:2], count, key[2]) for key, count in sorted(self._counts.items())
        )
        return ScanReport(self._texts, found, tuple(self._unread), tuple(self._secrets))

    def _scan_database(self, path: str, within: str) -> None:
        try:
            for table, text in read_all_texts(path):
                self._scan_text(text, f"{within}{table}")
        except StoreError:
            self._unread.append(path)

    def _list_files(self, store: str) -> Iterator[Text]:
        """Yield each file of the memory home, of views, and the log outside, with the name of its place."""
        home = os.path.realpath(self._app.config.home)
        databases = {f"{os.path.realpath(store)}{end}" for end in ("", "-wal", "-shm", "-journal")}
        seen = set(databases)
        for folder, folders, names in os.walk(home):
            folders[:] = sorted(set(folders) - _FOLDERS_WITHOUT)
            for name in sorted(names):
                path = os.path.join(folder, name)
                if path not in seen and not name.startswith(_NO_TEXTS):
                    seen.add(path)
                    first = os.path.relpath(path, home).split(os.sep)
                    yield path, f"{first[0]}/" if len(first) > 1 else first[0]
        views = dict.fromkeys(view.path.rstrip("~+!") for view in self._app.store.list_views())
        for path in (*views, locate_fallback(home)):
            if os.path.realpath(path) not in seen:
                yield path, path

    def _scan_file(self, path: str, place: str) -> None:
        self._scan_text(os.path.basename(path), worded("names of files"))
        try:
            with open(path, "rb", opener=open_plain) as file:
                raw = file.read(_LARGEST + 1)
            if raw.startswith(_PACKED):
                raw = gzip.decompress(raw)
        except FileNotFoundError:
            return
        except (OSError, EOFError):
            self._unread.append(path)
            return
        if raw.startswith(_DATABASE):
            self._scan_database(path, place)
        elif len(raw) > _LARGEST:
            self._unread.append(path)
        else:
            self._scan_text(raw.decode("utf-8", "replace"), place)

    def _scan_text(self, text: str, place: str) -> None:
        self._texts += 1
        for at in range(0, max(1, len(text)), _PIECE - _OVERLAP):
            for found in find_secrets(text[at : at + _PIECE], self._known):
                self._count(found, place)
            if at + _PIECE >= len(text):
                return

    def _count(self, found: FoundSecret, place: str) -> None:
        key = (place, found.rule, show_public_part(found))
        self._counts[key] = self._counts.get(key, 0) + 1
        self._secrets[found.text] = None

"""Receive changes of other devices: merge only the new lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError
from twiceshy.core.history import Entry
from twiceshy.core.value import Value
from twiceshy.notes.conflict import WORDS, conflict
from twiceshy.sync.bundle import VERSION, read
from twiceshy.sync.intake import bring_in
from twiceshy.sync.journalfile import ENTRY, Row, line_of, lines, row_of, rows
from twiceshy.sync.rules import SyncError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from twiceshy.core.store import Store
    from twiceshy.sync.bundle import Watch
    from twiceshy.sync.contents import Contents
    from twiceshy.sync.intake import Imported

_FIRST = line_of({"twiceshy-bundle": VERSION})
# Projects before their notes and entries by age, as a bundle has them.
_ORDER = ("project", "alias", ENTRY, "signal", "exposure", "tally", "tombstone")


class Brought(Value):
    """Received changes, or planned changes; notes by id."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()  # rules, until someone approves of them
    conflicts: tuple[str, ...] = ()  # edited on two devices; the later wording stands
    refused: Mapping[str, str] = {}  # what was left out → why
    episodes: int = 0

    def and_then(self, more: Brought) -> Brought:
        """Combine two results; a note counted twice is one note."""
        return Brought.of(
            {name: _both(value, getattr(more, name)) for name, value in self.fields().items()}
        )


def bring(
    store: Store,
    old: Contents,
    new: Contents,
    *,
    redact: Callable[[str], str],
    plan: bool,
    watch: Watch | None,
) -> Brought:
    """Merge the lines of ``new`` absent from ``old``; a plan is rolled back."""
    arrived = _arrived(old, new)
    if not arrived:
        return Brought()
    known = {entry.id for entry in store.everything(only=(Entry,)) if isinstance(entry, Entry)}
    fresh = [row for row in arrived if row.key not in known]
    sound, refused = _sound([*fresh, *_referred(fresh, known, new)])
    if not sound:
        return Brought(refused=refused)
    bundle = read([_FIRST, *(row.line for row in sorted(sound, key=_place))])
    try:
        imported = bring_in(store, bundle, redact=redact, plan=plan, watch=watch)
    except BundleError as error:
        raise SyncError(
            f"what another device pushed makes no sense: {error}",
            hint="on that device, see: twiceshy doctor",
        ) from error
    conflicts = () if plan else _conflicts(store, fresh)
    return _brought(imported, conflicts, refused)


def _arrived(old: Contents, new: Contents) -> list[Row]:
    """Return the lines of changed files absent from the older version."""
    changed = [path for path in new.merged() if old.blobs.get(path) != new.blobs[path]]
    before = old.bodies(path for path in changed if path in old.blobs)
    found: dict[bytes, None] = {}
    for path, body in new.bodies(changed).items():
        had = set(lines(before.get(path, b"")))
        found |= dict.fromkeys(line for line in lines(body) if line not in had)
    return [row for row in map(row_of, found) if row and row.kind in _ORDER]


def _referred(fresh: Iterable[Row], known: Collection[str], new: Contents) -> list[Row]:
    """Return older entries referred to by new entries and absent here.

    They stay absent, together with the entries that revert them: undo records of another device
    do not concern this device.
    """
    fresh = list(fresh)
    has = {row.key for row in fresh}
    wanted = {row.refers for row in fresh} - {""} - has - set(known)
    if not wanted:
        return []
    everyone = {
        row.key: row
        for body in new.bodies(new.merged()).values()
        for row in rows(body)
        if row.kind == ENTRY
    }
    found: dict[str, Row] = {}
    while wanted:
        row = everyone.get(wanted.pop())
        if row and row.key not in found and row.key not in has:
            found[row.key] = row
            wanted |= {row.refers} - {""} - set(known)
    return list(found.values())


def _sound(found: Iterable[Row]) -> tuple[list[Row], dict[str, str]]:
    """Return valid rows, and the reasons of refusals; a refused note loses every entry."""
    sound: list[Row] = []
    refused: dict[str, str] = {}
    for row in found:
        try:
            read([_FIRST, row.line])
        except BundleError as error:
            refused[row.object or row.key[:60]] = str(error).removeprefix("line 2: ")
        else:
            sound.append(row)
    return [row for row in sound if row.object not in refused], refused


def _place(row: Row) -> tuple[int, str, bytes]:
    return _ORDER.index(row.kind), row.key if row.kind == ENTRY else "", row.line


def _conflicts(store: Store, fresh: Iterable[Row]) -> tuple[str, ...]:
    """Return notes reworded here and elsewhere at the same time."""
    edited = [row.object for row in fresh if _says_otherwise(row.body)]
    return tuple(each for each in dict.fromkeys(edited) if conflict(store.history(each)))


def _says_otherwise(body: Mapping[str, object]) -> bool:
    match body:
        case {"before": dict(before), "after": dict(after)}:
            return any(word in before and word in after for word in WORDS)
        case _:
            return False


def _brought(
    imported: Imported, conflicts: tuple[str, ...], refused: Mapping[str, str]
) -> Brought:
    return Brought(
        new=imported.new,
        changed=imported.changed,
        merged=tuple(gone for gone, _ in imported.merged),
        forgotten=imported.forgotten,
        waiting=imported.waiting,
        conflicts=conflicts,
        refused={**imported.refused, **refused},
        episodes=imported.episodes,
    )


def _both(one: object, other: object) -> object:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(dict.fromkeys((*one, *other)))
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **other}
    return int(str(one)) + int(str(other))

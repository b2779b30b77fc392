"""Receive changes of other devices: merge only the new lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.app import is_started_by_agent
from twiceshy.core.errors import BundleError
from twiceshy.core.history import JournalEntry
from twiceshy.core.value import Value
from twiceshy.notes.conflict import WORDS, find_conflicts
from twiceshy.sync.asking import ChangeSorter
from twiceshy.sync.bundle import VERSION, read_bundle
from twiceshy.sync.intake import merge_bundle
from twiceshy.sync.journal_file import (
    ENTRY,
    JournalLine,
    complete_lines,
    parse_row,
    parse_rows,
)
from twiceshy.sync.records import encode_line
from twiceshy.sync.rules import SyncError
from twiceshy.sync.statement import find_owner

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.history import Identity
    from twiceshy.core.store import Store
    from twiceshy.sync.bundle import Watch
    from twiceshy.sync.device_files import BelievedFiles
    from twiceshy.sync.known_devices import AskedChange, KnownDevices
    from twiceshy.sync.repository import CommitContents

_FIRST = encode_line({"twiceshy-bundle": VERSION})
# Projects before their notes and entries by age, as a bundle has them.
_ORDER = (
    *("project", "alias", ENTRY, "signal", "exposure", "evidence", "outcome"),
    *("outcomes", "tally", "tombstone"),
)


class ReceivedChanges(Value):
    """Received changes, or planned changes; notes by id."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()  # rules, until someone approves of them
    held: tuple[str, ...] = ()  # notes that an agent is not told, until someone has looked at them
    conflicts: tuple[str, ...] = ()  # edited on two devices; the later wording stands
    refused: Mapping[str, str] = {}  # what was left out → why
    twins: tuple[str, ...] = ()  # entries with the id of another one here; both are kept
    episodes: int = 0
    asking: tuple[AskedChange, ...] = ()  # changes that wait for an answer

    def combine_with(self, more: ReceivedChanges) -> ReceivedChanges:
        """Combine two results; a note counted twice is one note."""
        own = self.fields().items()
        joined = {name: _join_results(one, getattr(more, name)) for name, one in own}
        return self.but(**joined | {"asking": more.asking})  # the later look counts


class ArrivedFiles(Value):
    """What was looked at before, what is there now, and what of it is believed."""

    old: CommitContents
    new: CommitContents
    believed: BelievedFiles
    again: frozenset[str]  # devices whose lines may not have been merged yet


def receive_changes(
    app: App,
    files: ArrivedFiles,
    *,
    known_devices: KnownDevices,
    plan: bool,
    watch: Watch | None,
) -> ReceivedChanges:
    """Merge the believed lines that are new, and that ask nothing; a plan is rolled back."""
    arrived = _new_lines(files)
    if not arrived:
        return ReceivedChanges()
    known = {
        entry.id: entry.identity
        for entry in app.store.export_records(only=(JournalEntry,))
        if isinstance(entry, JournalEntry)
    }
    fresh = [(row, by) for row, by in arrived if known.get(row.key) != row.identity]
    valid, refused = _valid_rows(row for row, _ in fresh)
    kept = {row.line for row in valid}
    follow = app.config.flag("sync.follow") and not is_started_by_agent()
    sorter = ChangeSorter(app, known_devices, believed=files.believed.signers, follow=follow)
    chosen, asked = sorter.sort_lines(
        [(row, by) for row, by in fresh if row.line in kept], known_devices.answers
    )
    done = _merge_rows(app, chosen, known, files, plan=plan, watch=watch)
    return done.but(refused={**done.refused, **refused}, asking=tuple(asked))


def _merge_rows(
    app: App,
    fresh: Sequence[JournalLine],
    known: Mapping[str, Identity],
    files: ArrivedFiles,
    *,
    plan: bool,
    watch: Watch | None,
) -> ReceivedChanges:
    referred, refused = _valid_rows(_referred_entries(fresh, known, files))
    sound = [row for row in (*fresh, *referred) if row.object_id not in refused]
    if not sound:
        return ReceivedChanges(refused=refused)
    bundle = read_bundle([_FIRST, *(row.line for row in sorted(sound, key=_row_place))])
    try:
        imported = merge_bundle(app, bundle, plan=plan, watch=watch)
    except BundleError as error:
        raise SyncError(
            f"cannot merge the changes pushed by another device: {error}",
            hint="on that device, see: twiceshy doctor",
        ) from error
    return ReceivedChanges(
        new=imported.new,
        changed=imported.changed,
        merged=tuple(gone for gone, _ in imported.merged),
        forgotten=imported.forgotten,
        waiting=imported.waiting,
        held=imported.held,
        conflicts=() if plan else _find_conflicts(app.store, fresh),
        refused={**imported.refused, **refused},
        episodes=imported.episodes,
        twins=tuple(row.key for row in fresh if row.key in known),
    )


def _new_lines(files: ArrivedFiles) -> list[tuple[JournalLine, tuple[str, ...]]]:
    """Return the new lines of believed files, each with the devices that say it."""
    seen = {
        path: blob for path, blob in files.old.blobs.items() if find_owner(path) not in files.again
    }
    now = files.new.blobs
    changed = [path for path in files.believed.paths if seen.get(path) != now[path]]
    before = files.old.read_files(path for path in changed if path in seen)
    found: dict[bytes, dict[str, None]] = {}
    for path, body in files.new.read_files(changed).items():
        had = set(complete_lines(before.get(path, b"")))
        for line in complete_lines(body):
            if line not in had:
                found.setdefault(line, {})[files.believed.paths[path]] = None
    rows = ((parse_row(line), tuple(by)) for line, by in found.items())
    return [(row, by) for row, by in rows if row and row.kind in _ORDER]


def _referred_entries(
    fresh: Iterable[JournalLine], known: Collection[str], files: ArrivedFiles
) -> list[JournalLine]:
    """Return older entries referred to by new entries and absent here.

    They stay absent, together with the entries that revert them: undo records of another device
    do not concern this device.
    """
    fresh = list(fresh)
    has = {row.key for row in fresh}
    wanted = {row.referred_entry for row in fresh} - {""} - has - set(known)
    if not wanted:
        return []
    everyone = {
        row.key: row
        for body in files.new.read_files(files.believed.paths).values()
        for row in parse_rows(body)
        if row.kind == ENTRY
    }
    found: dict[str, JournalLine] = {}
    while wanted:
        row = everyone.get(wanted.pop())
        if row and row.key not in found and row.key not in has:
            found[row.key] = row
            wanted |= {row.referred_entry} - {""} - set(known)
    return list(found.values())


def _valid_rows(found: Iterable[JournalLine]) -> tuple[list[JournalLine], dict[str, str]]:
    """Return valid rows, and the reasons of refusals; a refused note loses every entry."""
    sound: list[JournalLine] = []
    refused: dict[str, str] = {}
    for row in found:
        try:
            read_bundle([_FIRST, row.line])
        except BundleError as error:
            refused[row.object_id or row.key[:60]] = str(error).removeprefix("line 2: ")
        else:
            sound.append(row)
    return [row for row in sound if row.object_id not in refused], refused


def _row_place(row: JournalLine) -> tuple[int, str, bytes]:
    return _ORDER.index(row.kind), row.key if row.kind == ENTRY else "", row.line


def _find_conflicts(store: Store, fresh: Iterable[JournalLine]) -> tuple[str, ...]:
    """Return notes reworded here and elsewhere at the same time."""
    edited = [row.object_id for row in fresh if _differs_in_words(row.body)]
    return tuple(each for each in dict.fromkeys(edited) if find_conflicts(store.history(each)))


def _differs_in_words(body: Mapping[str, object]) -> bool:
    match body:
        case {"before": dict(before), "after": dict(after)}:
            return any(word in before and word in after for word in WORDS)
        case _:
            return False


def _join_results(one: object, other: object) -> object:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return tuple(dict.fromkeys((*one, *other)))
    if isinstance(one, dict) and isinstance(other, dict):
        return {**one, **other}
    return int(str(one)) + int(str(other))

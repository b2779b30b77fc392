"""What an import brought beside notes: names of projects, counters, tombstones; so that its undo takes it back.

An entry of the journal remembers these records before and after. It concerns no note, and never
leaves this device.
"""

from __future__ import annotations

from twiceshy.core.history import UNDO
from twiceshy.core.store import Alias, KnownProject, NoteCounter, Tombstone

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.history import JournalEntry
    from twiceshy.core.store import Sideline, Store

IMPORTED = "i"  # ids of such objects begin with it, as those of notes do with "n"
SIDELINES: tuple[type[Sideline], ...] = (KnownProject, Alias, NoteCounter, Tombstone)
_NAMES: Mapping[str, type[Sideline]] = {cls.__name__: cls for cls in SIDELINES}
_KEYS = {
    "KnownProject": 1,
    "Alias": 1,
    "NoteCounter": 3,
    "Tombstone": 3,
}  # fields that are the key


def list_sidelines(store: Store) -> dict[tuple[str, ...], Sideline]:
    """Return these records of a store by their keys."""
    found = store.export_records(only=SIDELINES)
    return {_key_of(each): each for each in found if isinstance(each, SIDELINES)}


def describe_sidelines(
    before: Mapping[tuple[str, ...], Sideline], after: Mapping[tuple[str, ...], Sideline]
) -> dict[str, object]:
    """Return the fields of an entry: what is new or other than before, and what it was."""
    changed = {key: each for key, each in after.items() if before.get(key) != each}
    if not changed:
        return {}
    return {
        "now": [_to_list(each) for each in changed.values()],
        "was": [_to_list(before[key]) for key in changed if key in before],
    }


def take_back_sidelines(store: Store, entry: JournalEntry) -> None:
    """Bring these records to what they were before an entry, unless they changed since."""
    if is_taken_back(store, entry):
        return
    fields, here = entry.before or {}, list_sidelines(store)
    now, was = (_read_list(fields.get(name)) for name in ("now", "was"))
    due = [key for key in now | was if here.get(key) == now.get(key)]
    for key in due:
        if gone := now.get(key):
            store.drop_records(type(gone), "\x1f".join(key[1:]))
    store.import_records(was[key] for key in due if key in was)
    back = {
        "now": [_to_list(was[key]) for key in due if key in was],
        "was": [_to_list(now[key]) for key in due if key in now],
    }
    store.record_entry(UNDO, entry.object, None, before=back, refers=entry.id)


def is_taken_back(store: Store, entry: JournalEntry) -> bool:
    """True if there is nothing left to take back."""
    return any(one.refers == entry.id for one in store.history(entry.object))


def _key_of(record: Sideline) -> tuple[str, ...]:
    name = type(record).__name__
    values = list(record.fields().values())[: _KEYS[name]]
    return name, *map(str, values)


def _to_list(record: Sideline) -> list[object]:
    return [type(record).__name__, *record.fields().values()]


def _read_list(value: object) -> dict[tuple[str, ...], Sideline]:
    told = value if isinstance(value, list | tuple) else ()
    found = [_NAMES[name](*fields) for name, *fields in told]
    return {_key_of(each): each for each in found}

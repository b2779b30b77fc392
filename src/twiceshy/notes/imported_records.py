"""What an import brought beside notes: names of projects, counters, tombstones; so that its undo takes it back.

An entry of the journal remembers these records before and after. It concerns no note, and never
leaves this device.
"""

from __future__ import annotations

from twiceshy.core.history import UNDO
from twiceshy.core.store import Alias, KnownProject, NoteCounter, Tombstone

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    """Bring these records back to what they were, unless they changed since."""
    if is_taken_back(store, entry):
        return
    fields = entry.before or {}
    here = list_sidelines(store)
    brought = [each for each in _read_list(fields.get("now")) if here.get(_key_of(each)) == each]
    for each in brought:
        store.drop_records(type(each), "\x1f".join(_key_of(each)[1:]))
    keys = {_key_of(each) for each in brought}
    store.import_records(each for each in _read_list(fields.get("was")) if _key_of(each) in keys)
    store.record_entry(UNDO, entry.object, None, refers=entry.id)


def is_taken_back(store: Store, entry: JournalEntry) -> bool:
    """True if there is nothing left to take back."""
    history = store.history(entry.object)
    return entry.op == UNDO or any(one.op == UNDO for one in history)


def _key_of(record: Sideline) -> tuple[str, ...]:
    name = type(record).__name__
    values = list(record.fields().values())[: _KEYS[name]]
    return name, *map(str, values)


def _to_list(record: Sideline) -> list[object]:
    return [type(record).__name__, *record.fields().values()]


def _read_list(value: object) -> Iterable[Sideline]:
    for each in value if isinstance(value, list | tuple) else ():
        name, *fields = each
        yield _NAMES[name](*fields)

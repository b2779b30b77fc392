"""A note is what its journal entries add up to, in whatever order they arrived."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Fields = Mapping[str, object]
    Identity = tuple[object, ...]

# The operations that mean more than "set the fields in ``after``".
WRITE, SEE, UNSEE, FORGET, REBASE = "write", "see", "unsee", "forget", "rebase"
UNDO = "undo"  # the entry that it refers to holds no longer
REVISE = "revise"  # a person changed what is told of a stretch of work; no process does so again
# In ids of entries that were made from others: by merging, and from notes without a history.
DERIVED = ("+", "notes-")
# What the entry that writes a note tells besides: the journal keeps it, and it is no field of the note.
RUNTIME = "origin_runtime"
# What the entries add up to, or others count; never a field that an entry sets.
_DERIVED = ("id", "scope", "days", "revision", "recalls", "missed", "helped", "harmed")
_CONTENT = frozenset(("kind", "subtype", "text", "why", "tag", "files", "concepts", "trigger"))


class JournalEntry(Value):
    """A journal entry: clock, device, object, and the fields set by the change."""

    clock: int
    device: str
    batch: str
    op: str
    object: str
    at: int
    before: Fields | None = None
    after: Fields | None = None
    refers: str = ""

    @property
    def id(self) -> str:
        """Return the entry id used by references; ids sort like the clock."""
        return f"{self.clock:016x}.{self.device}"

    @property
    def identity(self) -> Identity:
        """Return what makes two entries with one id the same; its id alone if it is a copy."""
        return identify_entry(self.id, self.batch, self.op, self.object, self.at)


def identify_entry(entry_id: str, *about: object) -> Identity:
    """Return the identity of an entry by id, batch, operation, object and time.

    Devices that merge derive copies of entries and name them alike, each in a batch of its own.
    """
    is_derived = any(mark in entry_id for mark in DERIVED)
    return (entry_id,) if is_derived else (entry_id, *about)


# Names of fields in stores and bundles of before the first release.
_OLDER_FIELDS = {"life": "status", "era": "compactions"}


def rename_older_fields(fields: Fields) -> dict[str, object]:
    """Return fields of an older store or bundle under today's names."""
    return {_OLDER_FIELDS.get(name, name): value for name, value in fields.items()}


def sort_entries(entries: Iterable[JournalEntry]) -> list[JournalEntry]:
    """Sort entries by clock, then device; a future clock counts from its arrival."""
    entries = list(entries)
    received: dict[str, int] = {}
    for entry in entries:
        if entry.op == REBASE:
            received[entry.refers] = min(entry.clock, received.get(entry.refers, entry.clock))

    if not received:
        return sorted(entries, key=lambda entry: (entry.clock, entry.device))
    # what a device did before something else, it did before wherever that counts from
    counts: dict[str, int] = {}
    ahead: dict[str, int] = {}
    for entry in sorted(entries, key=lambda entry: entry.clock, reverse=True):
        at = min(received.get(entry.id, entry.clock), ahead.get(entry.device, entry.clock))
        counts[entry.id] = ahead[entry.device] = min(at, entry.clock)
    return sorted(entries, key=lambda entry: (counts[entry.id], entry.device, entry.clock))


def replay_note(entries: Iterable[JournalEntry]) -> Note | None:
    """Replay the entries of a note; None if forgotten or never written."""
    ordered = sort_entries(entries)
    fields = _set_fields(ordered)
    if "written_at" not in fields:
        return None
    sightings, learned_at, days = _count_sightings(ordered)
    scope = Scope(str(fields.pop("project")), str(fields.pop("skill")))
    fields |= {"sightings": sightings, "learned_at": learned_at, "days": days}
    revision = sum(
        _sets_fields(entry) and not _CONTENT.isdisjoint(entry.after or ()) for entry in ordered
    )
    fields |= {"id": ordered[0].object, "scope": scope, "revision": revision}
    return Note.of(_keep_known_fields(fields, Note.__fields__))


def replay_episode(entries: Iterable[JournalEntry]) -> Episode | None:
    """Replay the entries of an episode; None if forgotten."""
    ordered = sort_entries(entries)
    fields = _set_fields(ordered)
    fields |= {"id": ordered[0].object} if fields else {}
    return Episode.of(_keep_known_fields(fields, Episode.__fields__)) if fields else None


def edited_fields(entries: Iterable[JournalEntry]) -> frozenset[str]:
    """Return the fields of an episode edited by a person."""
    held: dict[str, set[str]] = {}  # a revision or what brought it back → its fields
    for entry in sort_entries(entries):
        if entry.op == REVISE or (entry.op == UNDO and entry.refers not in held):
            held[entry.id] = set(entry.after or ())
        elif entry.op == UNDO:
            del held[entry.refers]
    return frozenset().union(*held.values())


def find_first_runtime(entries: Iterable[JournalEntry]) -> str:
    """Return the runtime of the first write of a note; empty if unknown."""
    told = (str((entry.after or {}).get(RUNTIME, "")) for entry in sort_entries(entries))
    return next(filter(None, told), "")


def fields_to_write(note: Note) -> dict[str, object]:
    """Return the fields of a journal entry that writes a note."""
    flat = {name: value for name, value in note.fields().items() if name not in _DERIVED}
    return flat | {"project": note.scope.project, "skill": note.scope.skill}


def _keep_known_fields(fields: Fields, names: tuple[str, ...]) -> Fields:
    """Drop fields of newer versions; the journal keeps them."""
    return {name: value for name, value in fields.items() if name in names}


def _sets_fields(entry: JournalEntry) -> bool:
    return entry.op not in (SEE, UNSEE, REBASE) and bool(entry.after)


def _set_fields(ordered: list[JournalEntry]) -> dict[str, object]:
    """Apply the entries in order; a forget entry clears the fields."""
    if any(entry.op == FORGET for entry in ordered):
        return {}
    fields: dict[str, object] = {}
    for entry in ordered:
        if _sets_fields(entry):
            fields.update(entry.after or ())
    return fields


def _count_sightings(ordered: list[JournalEntry]) -> tuple[int, int, int]:
    """Count sightings, the last sighting and the number of days."""
    taken_back = {entry.refers for entry in ordered if entry.op == UNSEE}
    often, moments = 0, [0]
    for entry in ordered:
        after = entry.after or {}
        if entry.op == SEE and entry.id not in taken_back:
            often += _has_required_fields(after.get("times", 1))
            moments.append(_has_required_fields(after.get("learned_at", entry.at)))
        elif entry.op == WRITE and after:
            often += _has_required_fields(after["sightings"])
            moments.append(_has_required_fields(after["learned_at"]))
    return often, max(moments), len({at // DAY for at in moments[1:]})


def _has_required_fields(value: object) -> int:
    return value if isinstance(value, int) else 0

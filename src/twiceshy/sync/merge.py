"""Merge two histories into one change that ``undo`` can revert.

The result depends on the knowledge of both sides, not on the importing side. Only waiting
for approval, and the undo record, are local to a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.clock import is_from_future
from twiceshy.core.errors import BundleError
from twiceshy.core.history import JournalEntry, fields_to_write, replay_episode, replay_note
from twiceshy.core.moment import DAY
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.project_link import GONE, LINK, replay_link
from twiceshy.core.store import NoteCounter, Tombstone
from twiceshy.notes.imported_records import IMPORTED, describe_sidelines, list_sidelines
from twiceshy.notes.undo import IMPORT
from twiceshy.safety.gate import judge_note
from twiceshy.safety.gate_rules import ELSEWHERE
from twiceshy.sync import duplicates
from twiceshy.sync.record_guard import EPISODE
from twiceshy.sync.records import describe_record, redact_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.history import Fields
    from twiceshy.core.project_link import ProjectLink
    from twiceshy.core.store import Record
    from twiceshy.sync.bundle import Bundle, Watch
    from twiceshy.sync.duplicates import Key

    T = TypeVar("T")

FORGOTTEN_HERE = "it was forgotten here"
UNDONE = "import undone"
_MOST_A_DAY = 10_000  # of one counter of a note on one device; hooks of a busy day are fewer
WITHOUT_HISTORY = "notes-"  # in place of a device: where a note came without its history
# The ones that entries add up to by themselves; setting them back would count twice.
_COUNTED = ("sightings", "learned_at")


class BundleMerge:
    """One import: known notes, arriving records, and decisions."""

    def __init__(
        self, app: App, bundle: Bundle, *, trust: bool, batch: str, watch: Watch | None = None
    ) -> None:
        self.known: set[str] = set()  # what had a history here before
        self.notes: list[Note] = []  # what arrives without one; not dealt with here
        self.new: list[str] = []
        self.changed: list[str] = []
        self.forgotten: list[str] = []
        self.waiting: list[str] = []
        self.held: list[str] = []  # what agents are not told before a person has looked at it
        self.merged: dict[str, str] = {}  # a note → the older one that counts for it
        self.refused = dict(bundle.refused)
        self.skipped = bundle.skipped
        self.beside = 0  # records that are no notes, and are new or other than before
        self.secrets: dict[str, None] = {}
        self._store, self._redact = app.store, app.redact
        self._bundle = bundle
        self._trust = trust
        self._batch = batch
        self._watch = watch
        self._before: dict[str, Note | None] = {}  # notes that get entries, as they were
        self._after: dict[str, Note | None] = {}  # the same, as the entries add up
        self._touched: dict[str, None] = {}
        self._graves: list[Tombstone] = []
        self._links: dict[str, ProjectLink | None] = {}  # names that get entries, as they were
        self._left_out: set[str] = set()  # what another device remembers of its own imports

    def merge_records(self, device: str) -> None:
        """Merge inside a change of the store; ``device`` is the local device."""
        self.known = {each for each in self._bundle.objects if self._store.history(each)}
        sidelines = list_sidelines(self._store)
        tombstones = _group_by_key(self._store.export_records(only=(Tombstone,)))
        self._take_in(self._records_to_take(device))
        self._forget_arriving(tombstones)
        self._forget_remote_forgotten()
        self._resolve_rings()
        revived = self._merge_duplicates()
        self._store.settle_objects(self._touched)
        for survivor, fields in revived:
            before = {name: getattr(survivor, name) for name in fields}
            self._store.record_entry("restore", survivor.id, fields, before=before)
        self._record_undo()
        self._record_links()
        now = list_sidelines(self._store)
        if self.forgotten:  # what is erased stays forgotten
            now = {key: each for key, each in now.items() if not isinstance(each, Tombstone)}
        if beside := describe_sidelines(sidelines, now):
            self.beside = len(now.items() - sidelines.items())
            self._store.record_entry(IMPORT, f"{IMPORTED}{self._batch}", None, before=beside)

    # what arrives

    def _records_to_take(self, device: str) -> Iterator[Record]:
        """Yield records to take at once; tombstones and notes without history come later."""
        for record in self._bundle.iterate_records(self._watch):
            safe = redact_record(record, self._redact)
            if safe != record:
                self.secrets[describe_record(safe)] = None
            match safe:
                case Note():
                    self.notes.append(safe)
                case Tombstone():
                    self._graves.append(safe)
                case JournalEntry() if not self._is_for_this_device(safe, device):
                    pass
                case NoteCounter() if self._is_absurd(safe):
                    self.refused[f"{safe.note} {safe.name}"] = "no device counts that often"
                case _:
                    yield safe

    def _is_for_this_device(self, entry: JournalEntry, device: str) -> bool:
        """Drop records local to other devices, and impossible records."""
        if entry.device == device and is_from_future(entry.clock, now=self._store.now()):
            self.refused[entry.id] = "entry has this device's id and a timestamp in the future"
            return False
        own = entry.op == IMPORT or entry.device.startswith(WITHOUT_HISTORY)
        if entry.object in self.known and (own or entry.refers in self._left_out):
            self._left_out.add(entry.id)
            return False
        return True

    def _is_absurd(self, counter: NoteCounter) -> bool:
        """True if a counter is higher than any device counts in the days since the note is known."""
        history = self._store.history(counter.note, limit=None)
        days = max(0, self._store.now() - min((one.at for one in history), default=0)) // DAY
        return counter.count > _MOST_A_DAY * (days + 1)

    def _take_in(self, records: Iterable[Record]) -> None:
        for each in self._store.import_records(self._watch_links(records)):
            self._touched[each] = None
            if each.startswith(EPISODE):
                replay_untrusted(replay_episode, self._store.history(each))
            else:
                self._before.setdefault(each, self._store.note(each))
                self._after[each] = replay_untrusted(replay_note, self._store.history(each))

    def _watch_links(self, records: Iterable[Record]) -> Iterator[Record]:
        """Pass on records, and remember what the names of projects were that they change."""
        for record in records:
            if isinstance(record, JournalEntry) and record.object.startswith(LINK):
                known = self._store.history(record.object)
                self._links.setdefault(record.object, replay_link(known) if known else None)
            yield record

    # what is decided

    def _forget_arriving(self, tombstones: Mapping[Key, int]) -> None:
        """Forget arriving notes with locally forgotten words."""
        for note in list(filter(None, self._after.values())):
            if note.id not in self.known and self._forget_if_tombstoned(note, tombstones):
                self.refused[note.id] = FORGOTTEN_HERE

    def _forget_remote_forgotten(self) -> None:
        """Forget local notes with words forgotten elsewhere."""
        tombstones = _group_by_key(self._graves)
        for each in self._store.import_records(self._graves):
            note = self._store.note(each)
            if note and each not in self._bundle.objects:
                self._forget_if_tombstoned(note, tombstones)

    def _resolve_rings(self) -> None:
        """Restore the oldest note where devices superseded notes by each other."""

        def successor(note_id: str) -> str:
            note = self._current_note(note_id)
            return note.superseded_by if note else ""

        for note in list(filter(None, self._after.values())):
            if members := duplicates.find_supersede_ring(note.id, successor):
                self._take_in([duplicates.build_free_entry(self._store.history(min(members)))])

    def _merge_duplicates(self) -> Sequence[tuple[Note, Fields]]:
        """Supersede duplicates by the oldest note; return the merged fields."""
        revived = []
        for members in self._group_duplicates():
            survivor, *losers = sorted(members, key=lambda note: note.id)
            for loser in losers:
                self._supersede(loser, survivor)
            if fields := duplicates.merge_statuses(survivor, losers):
                revived.append((survivor, fields))
        for note in list(filter(None, self._after.values())):
            older = self._current_note(self.merged.get(note.id, note.superseded_by))
            if older and duplicates.duplicate_key(older) == duplicates.duplicate_key(note):
                own, theirs = self._store.history(older.id), self._store.history(note.id)
                self._take_in(
                    duplicates.copy_sightings(older.id, theirs, own=own, batch=self._batch)
                )
        return revived

    def _group_duplicates(self) -> Iterable[list[Note]]:
        """Return groups of standing duplicates."""
        groups: dict[Key, list[Note]] = {}
        for note in filter(None, self._after.values()):
            if duplicates.blocks_duplicates(note):
                groups.setdefault(duplicates.duplicate_key(note), []).append(note)
        for members in groups.values():
            rival = duplicates.find_duplicate(self._store, members[0])
            if rival and rival.id not in self._after:
                members.append(rival)
        return [members for members in groups.values() if len(members) > 1]

    def _supersede(self, loser: Note, by: Note) -> None:
        gone = {
            "status": "retired",
            "reason": f"superseded by {by.handle}",
            "superseded_by": by.id,
        }
        arrived = self._before.get(loser.id, loser) is None
        back = undone_fields(loser) if arrived else {name: getattr(loser, name) for name in gone}
        self._store.record_entry("supersede", loser.id, gone, before=back)
        self._before.setdefault(loser.id, loser)
        self._after.setdefault(loser.id, loser)
        self.merged[loser.id] = by.id

    # what is remembered

    def _record_undo(self) -> None:
        """Record the state of each note for undo; arrivals come last."""
        notes = sorted(self._after, key=lambda each: (self._before[each] is None, each))
        stood = [note for note in self._before.values() if note and self._after[note.id]]
        said = {
            duplicates.duplicate_key(note): note.id
            for note in stood
            if duplicates.blocks_duplicates(note)
        }
        for each in self._watch(notes, "merging") if self._watch else notes:
            was, now = self._before[each], self._store.note(each)
            if now is None:
                self.forgotten += [each] if was else []
                continue
            dangerous = find_arriving_danger(was, now)
            after = waiting_fields(now) if self._needs_approval(was, now) else dangerous
            back = self._undo_fields(each, now.but(**after or {}), said)
            if after:
                back = {name: getattr(was, name) for name in after if was} | back
                (self.held if after is dangerous else self.waiting).append(each)
            if back:
                self._store.record_entry(IMPORT, each, after, before=back)
            self._sort_records(each, was)

    def _record_links(self) -> None:
        """Record what each name of a project was before, for undo."""
        for each, was in self._links.items():
            now = replay_link(self._store.history(each))
            if now and now != was:
                back = (was or now.but(status=GONE)).fields()
                self._store.record_entry(IMPORT, each, None, before=back)

    def _undo_fields(self, each: str, now: Note, said: Mapping[Key, str]) -> dict[str, object]:
        """Return the fields undo must set."""
        was, would = self._before[each], self._after[each]
        if was and would:
            old, new = fields_to_write(was), fields_to_write(would)
            return {
                name: old[name] for name in old if name not in _COUNTED and old[name] != new[name]
            }
        if each in self.merged:
            return {}  # how it gave way was remembered then
        # whoever said this before must be able to say it again
        who = said.get(duplicates.duplicate_key(now))
        return undone_fields(now) | ({"superseded_by": who} if who else {})

    def _sort_records(self, each: str, was: Note | None) -> None:
        if each in self.merged:
            return
        if was is None:
            self.new.append(each)
        elif fields_to_write(was) != fields_to_write(self._after[each] or was):
            self.changed.append(each)

    def _needs_approval(self, was: Note | None, now: Note) -> bool:
        """True if a rule needs local approval."""
        if self._trust or not duplicates.is_active_rule(now):
            return False
        followed = [self._before[note] for note, by in self.merged.items() if by == now.id]
        return not any(
            note
            and duplicates.is_active_rule(note)
            and _text_of_entry(note) == _text_of_entry(now)
            for note in (was, *followed)
        )

    # what several of them ask

    def _current_note(self, note_id: str) -> Note | None:
        return self._after[note_id] if note_id in self._after else self._store.note(note_id)

    def _forget_if_tombstoned(self, note: Note, tombstones: Mapping[Key, int]) -> bool:
        """Forget a note with a tombstone, unless reworded since."""
        at = tombstones.get(duplicates.duplicate_key(note))
        if at is None or note.kind == "task":
            return False
        history = self._store.history(note.id)
        if duplicates.is_rewritten_since(at, note, history):
            return False
        self._take_in([duplicates.build_forget_entry(history, at=at)])
        return True


def replay_untrusted(
    replayed: Callable[[list[JournalEntry]], T], entries: list[JournalEntry]
) -> T:
    """Replay an untrusted history."""
    try:
        return replayed(entries)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BundleError(
            f"the history of {entries[0].object} does not add up", hint="export it again"
        ) from error


def waiting_fields(note: Note) -> dict[str, object]:
    """Return the fields of a rule waiting for approval."""
    reason = f"rule from another device; approve with: twiceshy restore {note.handle}"
    return {"status": "quarantined", "reason": reason}


def find_arriving_danger(was: Note | None, now: Note) -> dict[str, object] | None:
    """Return the fields of an arriving note that is held, whatever its status says; None if it is not.

    What was shown here in the same words stays: somebody decided so.
    """
    known = was is not None and was.status in SHOWN and was.told_content == now.told_content
    if known or now.status not in SHOWN:
        return None
    reason = judge_note(now, ELSEWHERE).reason
    return {"status": "quarantined", "reason": reason} if reason else None


def undone_fields(note: Note) -> dict[str, object]:
    """Return the fields of an imported note after undo."""
    fields: dict[str, object] = {"status": "retired", "reason": UNDONE}
    if note.status == "quarantined":
        del fields["status"]
    return fields


def _group_by_key(tombstones: Iterable[Record]) -> dict[Key, int]:
    return {
        (tombstone.project, tombstone.skill, tombstone.fingerprint): tombstone.at
        for tombstone in tombstones
        if isinstance(tombstone, Tombstone)
    }


def _text_of_entry(note: Note) -> tuple[object, ...]:
    return note.kind, note.subtype, note.text, note.why, note.trigger, note.scope

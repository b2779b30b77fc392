"""Import a bundle into a store, or plan the import."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from twiceshy.core.clock import first_clock_of
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.history import FORGET, WRITE, JournalEntry, fields_to_write, replay_note
from twiceshy.core.note import Note, new_id
from twiceshy.core.trust import SOURCES
from twiceshy.core.value import Value
from twiceshy.notes.person import require_person
from twiceshy.notes.undo import IMPORT
from twiceshy.notes.user_changes import approve_rules
from twiceshy.sync import duplicates, merge
from twiceshy.sync.records import describe_record, record_kind, redact_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.app import App
    from twiceshy.core.store import Store
    from twiceshy.sync.bundle import Bundle, Watch

_NOTE = "n"  # ids of notes begin with it
_PREPARED = ("text", "why", "tag", "trigger", "files", "concepts", "subtype", "state")


class BundleReport(Value):
    """Result of importing a bundle, or of its plan."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    known: int
    merged: tuple[tuple[str, str], ...]  # a note, and the older one that counts for it now
    forgotten: tuple[str, ...]
    waiting: tuple[str, ...]  # rules, until someone approves of them
    held: tuple[str, ...]  # notes that an agent is not told, until someone has looked at them
    refused: Mapping[str, str]  # what was left out → why
    secrets: tuple[str, ...]  # where redaction took something out
    skipped: Mapping[str, int]  # kind of record that only a newer twiceshy knows → how many
    signals: int
    episodes: int
    beside: int = (
        0  # projects, their names, counters and tombstones that are new or other than before
    )
    left_out: Mapping[str, int] = {}  # kind of record that only the user's own bundle may bring


def import_bundle(
    app: App, bundle: Bundle, *, trust: bool, plan: bool, watch: Watch
) -> BundleReport:
    """Import a bundle into the user's store.

    With ``trust`` it is the user's own: histories are merged, and its rules are approved. Else it may
    be anybody's: its notes wait, and nothing that is here changes.
    """
    if trust and not plan:
        require_person("trust")
    if not trust:
        return _take_strange_notes(app, bundle, plan=plan, watch=watch)
    imported = merge_bundle(app, bundle, trust=trust, plan=plan, watch=watch)
    if not plan:
        arrived = map(app.store.note, (*imported.new, *imported.changed))
        approve_rules(app, filter(None, arrived))
    return imported


def merge_bundle(
    app: App,
    bundle: Bundle,
    *,
    trust: bool = False,
    plan: bool = False,
    watch: Watch | None = None,
) -> BundleReport:
    """Merge a bundle into a store as one change; a plan is the same change, rolled back.

    Rules not active here before wait for approval, unless ``trust`` is set.
    """
    with app.store.change(rehearsal=plan) as batch:
        merging = merge.BundleMerge(app, bundle, trust=trust, batch=batch, watch=watch)
        return _import_records(app.store, merging, _NoteIntake(app, trust=trust))


def _import_records(store: Store, merging: merge.BundleMerge, light: _NoteIntake) -> BundleReport:
    earlier = store.summarise_store()
    merging.merge_records(earlier.device)
    for note in merging.notes:
        light.take_note(note)
    later = store.summarise_store()
    moved = {*merging.changed, *merging.forgotten, *merging.merged}
    return BundleReport(
        new=(*merging.new, *light.new),
        changed=tuple(merging.changed),
        known=light.known + sum(store.note(each) is not None for each in merging.known - moved),
        merged=tuple(merging.merged.items()),
        forgotten=tuple(merging.forgotten),
        waiting=(*merging.waiting, *light.waiting),
        held=(*merging.held, *light.held),
        refused=merging.refused | light.refused,
        secrets=tuple(merging.secrets),
        skipped=merging.skipped,
        beside=merging.beside,
        signals=later.signals - earlier.signals,
        episodes=later.episodes - earlier.episodes,
    )


def _take_strange_notes(app: App, bundle: Bundle, *, plan: bool, watch: Watch) -> BundleReport:
    """Take in the notes of a bundle of unknown origin, each to wait for the user; nothing else."""
    taking = _NoteIntake(app, trust=False, strange=True)
    histories: dict[str, list[JournalEntry]] = {}
    secrets: dict[str, None] = {}
    left: Counter[str] = Counter()
    with app.store.change(rehearsal=plan):
        for record in bundle.iterate_records(watch):
            safe = redact_record(record, app.redact)
            if safe != record:
                secrets[describe_record(safe)] = None
            if isinstance(safe, Note):
                taking.take_note(safe)
            elif isinstance(safe, JournalEntry) and safe.object.startswith(_NOTE):
                histories.setdefault(safe.object, []).append(safe)
            else:
                left[record_kind(safe)] += 1
        for entries in histories.values():
            note = merge.replay_untrusted(replay_note, entries)
            if note and note.status not in ("retired", "archived"):
                taking.take_note(note)
    return BundleReport(
        new=tuple(taking.new),
        changed=(),
        known=taking.known,
        merged=(),
        forgotten=(),
        waiting=tuple(taking.waiting),
        held=(),  # all of them wait
        refused={**bundle.refused, **taking.refused},
        secrets=tuple(secrets),
        skipped=bundle.skipped,
        signals=0,
        episodes=0,
        left_out=dict(left),
    )


class _NoteIntake:
    """Imports notes without history; a known note stays unchanged.

    Every note of a ``strange`` bundle waits, and brings no more than its words.
    """

    def __init__(self, app: App, *, trust: bool, strange: bool = False) -> None:
        self.new: list[str] = []
        self.waiting: list[str] = []
        self.held: list[str] = []
        self.known = 0
        self.refused: dict[str, str] = {}
        self._store, self._redact = app.store, app.redact
        self._trust, self._strange = trust, strange

    def take_note(self, note: Note) -> None:
        try:
            ready = prepare(duplicates.build_draft(note), self._redact)
        except NoteError as error:
            self.refused[note.id or repr(note.text[:40])] = str(error)
            return
        prepared = {name: getattr(ready, name) for name in _PREPARED}
        note = _complete_note(note.but(**prepared), self._store)
        history = self._store.history(note.id)
        forgotten = any(entry.op == FORGET for entry in history)
        if forgotten or self._store.is_forgotten(note.scope, note.fingerprint):
            self.refused[note.id] = merge.FORGOTTEN_HERE
        elif history or (
            duplicates.blocks_duplicates(note) and duplicates.find_duplicate(self._store, note)
        ):
            self.known += 1
        else:
            self._write_note(note)

    def _write_note(self, note: Note) -> None:
        back = merge.undone_fields(note)
        if self._strange:
            note = _limit_strange_note(note, now=self._store.now())
            back = {"status": "retired", "reason": merge.UNDONE}
            self.waiting.append(note.id)
        elif duplicates.is_active_rule(note) and not self._trust:
            note = note.but(**merge.waiting_fields(note))
            back = merge.undone_fields(note)
            self.waiting.append(note.id)
        elif held := merge.find_arriving_danger(None, note):
            note = note.but(**held)
            self.held.append(note.id)
        # As old as the note itself: where its history turns up later, that has the last word.
        first = JournalEntry(
            clock=max(1, first_clock_of(note.written_at)),
            device=merge.WITHOUT_HISTORY + note.id,
            batch=merge.WITHOUT_HISTORY + note.id,
            op=WRITE,
            object=note.id,
            at=note.written_at,
            after=fields_to_write(note),
        )
        self._store.settle_objects(self._store.import_records([first]))
        self._store.record_entry(IMPORT, note.id, None, before=back)
        self.new.append(note.id)


def _complete_note(note: Note, store: Store) -> Note:
    """Complete a handwritten note: a stable id, and dates."""
    text = "\x1f".join(duplicates.duplicate_key(note))
    written_at = note.written_at or store.now()
    return note.but(
        id=note.id or new_id(note.written_at, hashlib.sha256(text.encode()).digest()),
        written_at=written_at,
        learned_at=note.learned_at or written_at,
    )


def _limit_strange_note(note: Note, *, now: int) -> Note:
    """Return the words of a note that somebody else wrote, to wait for the user."""
    return note.but(
        status="quarantined",
        reason=f"from a bundle; accept it with: twiceshy review --accept {note.handle}",
        source="import",
        trust=min(note.trust, SOURCES["import"]),
        tag="" if note.kind == "rule" else note.tag,  # the lesson that a rule would replace
        pinned=False,
        supersedes="",
        superseded_by="",
        origin_project="",
        origin_session="",
        skill_hash="",
        sightings=1,
        written_at=min(note.written_at, now),
        learned_at=min(note.learned_at, now),
        expires_at=0,
    )

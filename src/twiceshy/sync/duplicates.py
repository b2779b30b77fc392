"""Merge duplicate notes of a scope: the oldest stays and takes the sightings of its duplicates.

Every device must reach the same result in any order: entries made here are named after their
source entries, so an entry written twice is still one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.admit import FADED, build_seen_outcome
from twiceshy.core.clock import first_clock_of
from twiceshy.core.draft import Draft
from twiceshy.core.history import FORGET, SEE, UNSEE, WRITE, JournalEntry, sort_entries
from twiceshy.core.note import SHOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from twiceshy.core.history import Fields
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

    Key = tuple[str, str, str]

DERIVED_MARK = "+"  # between a device and why an entry was made from one of its entries
_FORGOTTEN, _FREED = "forgotten", "freed"
_WORDS = frozenset(("kind", "text", "tag", "project", "skill"))


def duplicate_key(note: Note) -> Key:
    """Return the key no two standing notes may share."""
    return note.scope.project, note.scope.skill, note.fingerprint


def blocks_duplicates(note: Note) -> bool:
    """True if a note blocks duplicates; tasks may repeat."""
    return not note.superseded_by and note.kind != "task"


def build_draft(note: Note) -> Draft:
    """Return a draft that finds the duplicate of this note."""
    return Draft.of({name: getattr(note, name) for name in Draft.__fields__})


def find_duplicate(store: Store, note: Note) -> Note | None:
    """Return the standing duplicate in the store."""
    found = store.find_duplicate(build_draft(note))
    same = found and blocks_duplicates(found) and duplicate_key(found) == duplicate_key(note)
    return found if same else None


def is_active_rule(note: Note) -> bool:
    """True if a note is an active rule."""
    return note.kind == "rule" and note.status in SHOWN


def merge_statuses(survivor: Note, losers: Iterable[Note]) -> dict[str, object]:
    """Return the status of the survivor: shown at least as much as any duplicate."""
    losers = list(losers)
    fields: dict[str, object] = {}
    if survivor.status != "active" and any(
        note.status == "active" or _is_second_sighting(note, survivor) for note in losers
    ):
        fields = {"status": "active", "reason": ""}
    if not survivor.pinned and any(note.pinned for note in losers):
        fields["pinned"] = True
    return fields


def _is_second_sighting(note: Note, survivor: Note) -> bool:
    """True if two devices learned the same in different sessions, which ends the probation."""
    return all(map(_is_on_probation, (note, survivor))) and (
        build_seen_outcome(build_draft(note), survivor).revived
    )


def _is_on_probation(note: Note) -> bool:
    return note.status == "candidate" or note.reason.startswith(FADED)


def copy_sightings(
    survivor: str, entries: Sequence[JournalEntry], *, own: Iterable[JournalEntry], batch: str
) -> list[JournalEntry]:
    """Return a duplicate's sightings for the survivor, unless already counted."""
    first_hand = [entry for entry in own if DERIVED_MARK not in entry.device]
    if any((entry.after or {}).get("merged") == entries[0].object for entry in first_hand):
        return []
    known = {entry.id for entry in first_hand}
    counting = ((entry, _counting_fields(entry, survivor)) for entry in entries)
    return [
        _build_entry(entry, survivor).but(object=survivor, batch=batch, **change)
        for entry, change in counting
        if change and _original_entry_id(entry.id) not in known
    ]


def is_rewritten_since(at: int, note: Note, history: Iterable[JournalEntry]) -> bool:
    """True if a person or agent reworded a note after a moment."""
    newest_first = reversed(sort_entries(history))
    last = next(one for one in newest_first if not _WORDS.isdisjoint(one.after or ()))
    meant = last.op != WRITE or note.source == "user"  # machines write, but only people edit
    return meant and last.clock >= first_clock_of(at)


def build_forget_entry(history: Sequence[JournalEntry], *, at: int) -> JournalEntry:
    """Return an entry that forgets a note with words forgotten elsewhere."""
    return _build_entry(history[0], _FORGOTTEN).but(
        op=FORGET,
        at=at,
        before=None,
        after=None,
        refers="",
        batch=f"{history[0].batch}{DERIVED_MARK}f",
    )


def build_free_entry(history: Sequence[JournalEntry]) -> JournalEntry:
    """Return an entry that restores a note from a ring of successors."""
    last = max(history, key=lambda entry: (entry.clock, entry.device))
    return _build_entry(last, _FREED).but(
        op="restore",
        before=None,
        after={"superseded_by": "", "status": "active", "reason": ""},
        refers="",
        batch=f"{last.batch}{DERIVED_MARK}r",
    )


def find_supersede_ring(start: str, successor: Callable[[str], str]) -> list[str]:
    """Return the notes of a supersession ring; empty if none."""
    seen = [start]
    # a longer chain is nothing that people make
    while len(seen) < 100 and (following := successor(seen[-1])) not in ("", *seen[1:]):
        if following == start:
            return seen
        seen.append(following)
    return []


def _counting_fields(entry: JournalEntry, survivor: str) -> Fields | None:
    """Return the changed fields of a sighting entry for the survivor."""
    after = entry.after or {}
    merged = after.get("merged", entry.object)
    if entry.op == WRITE and after:
        times, at = after["sightings"], after["learned_at"]
        counted = {"times": times, "merged": merged}
        return {"op": SEE, "at": at, "before": None, "after": counted, "refers": ""}
    refers = entry.refers and f"{_original_entry_id(entry.refers)}{DERIVED_MARK}{survivor}"
    if entry.op == SEE:
        return {"after": {"times": after.get("times", 1), "merged": merged}, "refers": refers}
    return {"refers": refers} if entry.op == UNSEE else None


def _build_entry(entry: JournalEntry, why: str) -> JournalEntry:
    device = entry.device.partition(DERIVED_MARK)[0]
    return entry.but(device=f"{device}{DERIVED_MARK}{why}")


def _original_entry_id(entry_id: str) -> str:
    """Return the id of the source entry; for an original, its own id."""
    return entry_id.partition(DERIVED_MARK)[0]

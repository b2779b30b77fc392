"""Decide the outcome of a draft: new, seen again, superseding or refused.

Pure: the caller brings the clock, the id and the known notes.
"""

from __future__ import annotations

from twiceshy.core.note import MAY_REPLACE, Note
from twiceshy.core.text import fold_to_line
from twiceshy.core.trust import INJECTABLE, SOURCES, first_status
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import NoteStatus

OUTDATED = "works since "  # how the reason of a note begins whose mistake is none any more
DOUBTED = (
    "doubted: "  # how the reason of a note begins that an agent does not believe, yet is shown
)
FADED = "faded: "  # how the reason of a candidate begins that nobody needed in time
BY_HAND = "retired by hand"  # the reason of a note that somebody hid with a command
REJECTED = "rejected"  # how the reason of a note begins that the user does not want


class Admitted(Value):
    """The draft becomes a new note."""

    note: Note


class SeenAgain(Value):
    """The draft repeats a known note: count a sighting, keep a different wording as variant."""

    note: Note
    variant: str
    revived: bool


class Revised(Value):
    """The draft changes a known page: make a revision."""

    note: Note
    text: str


class Superseding(Value):
    """The draft becomes a new note and replaces an older note."""

    note: Note
    old: Note


class Refused(Value):
    """The draft must not be kept; the reason is for the user."""

    reason: str
    hint: str


class RelatedNotes(Value):
    """Notes of the store related to a draft."""

    duplicate: Note | None = None
    near: Note | None = None
    old: Note | None = None
    asked: Note | None = None  # that the draft may replace: the user decides
    forgotten: bool = False


def admit(
    draft: Draft, known: RelatedNotes, *, note_id: str, now: int, expires_at: int = 0
) -> Admitted | SeenAgain | Revised | Superseding | Refused:
    """Compare a prepared draft with the known notes of its scope."""
    if known.forgotten and draft.source != "user":
        return Refused(
            "this was forgotten on request and is not learned again by itself",
            "write it yourself if you want it back: twiceshy note",
        )
    if draft.supersedes and known.old is None:
        return Refused(f"there is no note {draft.supersedes} to supersede", "see: twiceshy list")
    duplicate = known.duplicate or (None if known.old else known.near)
    if duplicate is not None and not (known.old and duplicate.id == known.old.id):
        return _match_known_note(draft, duplicate, by_name=known.duplicate is not None)
    note = _build_note(draft, note_id=note_id, now=now, expires_at=expires_at)
    if known.old:
        return Superseding(note, known.old)
    if known.asked and note.status == "active":  # another note waits for a person already
        note = note.but(reason=f"{MAY_REPLACE}{known.asked.id}")
    return Admitted(note)


def build_seen_outcome(draft: Draft, note: Note) -> SeenAgain:
    """Build the outcome for a duplicate draft (case, spacing and dates are ignored)."""
    same = draft.fingerprint == note.fingerprint
    return SeenAgain(note, "" if same else draft.text, revived=_may_revive(draft, note))


def _match_known_note(
    draft: Draft, duplicate: Note, *, by_name: bool
) -> SeenAgain | Revised | Refused:
    """Decide about a draft with a known duplicate: seen again, reworded or superseded."""
    same = draft.fingerprint == duplicate.fingerprint
    if draft.kind == "page" and draft.text != duplicate.text:
        return Revised(duplicate, draft.text)
    if by_name and not same:  # the store followed the note that said this to what took its place
        return Refused(
            f"{duplicate.handle} took the place of this: {fold_to_line(duplicate.text, limit=80)}",
            f"if that is wrong, retire it and write this again: twiceshy retire {duplicate.handle}",
        )
    return build_seen_outcome(draft, duplicate)


def _may_revive(draft: Draft, duplicate: Note) -> bool:
    """True if a sighting makes a hidden note active again, or ends its probation."""
    if trust_of_draft(draft) < INJECTABLE:
        return False  # what a tool printed twice is no truer for it
    if draft.kind == "rule" or duplicate.reason.startswith(REJECTED):
        return draft.source == "user"  # nobody else approves, or knows better
    faded = duplicate.status == "retired" and duplicate.reason.startswith(FADED)
    if duplicate.status == "candidate" or faded:
        # the same mistake in a second session is what probation waits for
        return (
            draft.source in ("user", "agent") or draft.origin_session != duplicate.origin_session
        )
    if duplicate.status == "retired" and duplicate.reason.startswith(OUTDATED):
        return True  # it failed again, so the tool was not mended for good
    by_hand = duplicate.status == "retired" and duplicate.reason == BY_HAND
    if by_hand or duplicate.status == "quarantined":
        return draft.source == "user"  # a person took it out of sight, or has to decide
    return duplicate.status in ("retired", "pending removal") and draft.source in ("user", "agent")


def _build_note(draft: Draft, *, note_id: str, now: int, expires_at: int) -> Note:
    trust = trust_of_draft(draft)
    return Note(
        id=note_id,
        kind=draft.kind,
        subtype=draft.subtype,
        text=draft.text,
        why=draft.why,
        scope=draft.scope,
        tag=draft.tag,
        files=draft.files,
        concepts=draft.concepts,
        trigger=draft.trigger,
        state=draft.state,
        status=_first_status(draft),
        reason="",
        pinned=draft.pinned,
        trust=trust,
        source=draft.source,
        origin_project=draft.origin_project,
        origin_session=draft.origin_session,
        skill_hash=draft.skill_hash,
        supersedes=draft.supersedes,
        superseded_by="",
        written_at=now,
        learned_at=draft.learned_at or now,
        expires_at=expires_at,
        sightings=draft.sightings,
        days=1,
        revision=1,
    )


def _first_status(draft: Draft) -> NoteStatus:
    """Decide how a new note starts; a rule that is not the user's own waits for approval."""
    status = first_status(draft.source, trust_of_draft(draft))
    waits = draft.kind == "rule" and draft.source != "user" and status == "active"
    return "candidate" if waits else status


def trust_of_draft(draft: Draft) -> float:
    """Return the trust of a draft: its own value, else the trust of its source."""
    return SOURCES[draft.source] if draft.trust is None else draft.trust

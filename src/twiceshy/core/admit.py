"""Decide what becomes of a draft. Pure: the caller brings the clock, the id and the known notes."""

from __future__ import annotations

from twiceshy.core.note import Note
from twiceshy.core.text import one_line
from twiceshy.core.trust import INJECTABLE, SOURCES, first_life
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.draft import Draft


class Admitted(Value):
    """The note is new; keep it."""

    note: Note


class Seen(Value):
    """The note is known; count the sighting, and keep the wording if it was another one."""

    note: Note
    variant: str
    revived: bool


class Revised(Value):
    """The page is known by its name and says something else now; make a revision of it."""

    note: Note
    text: str


class Superseding(Value):
    """The note is new and takes the place of an older one."""

    note: Note
    old: Note


class Refused(Value):
    """The note must not be kept; the reason is for the user."""

    reason: str
    hint: str


class Known(Value):
    """What the store found that bears on a draft."""

    twin: Note | None = None
    near: Note | None = None
    old: Note | None = None
    forgotten: bool = False


def admit(
    draft: Draft, known: Known, *, note_id: str, now: int, expires_at: int = 0
) -> Admitted | Seen | Revised | Superseding | Refused:
    """Compare a prepared draft with what is known in its scope."""
    if known.forgotten and draft.source != "user":
        return Refused(
            "this was forgotten on request and is not learned again by itself",
            "write it yourself if you want it back: twiceshy note",
        )
    if draft.supersedes and known.old is None:
        return Refused(f"there is no note {draft.supersedes} to supersede", "see: twiceshy list")
    twin = known.twin or (None if known.old else known.near)
    if twin is not None and not (known.old and twin.id == known.old.id):
        return _met(draft, twin, by_name=known.twin is not None)
    note = _born(draft, note_id=note_id, now=now, expires_at=expires_at)
    return Superseding(note, known.old) if known.old else Admitted(note)


def _met(draft: Draft, twin: Note, *, by_name: bool) -> Seen | Revised | Refused:
    """Decide about a draft that meets a note: said again, worded anew, or since replaced."""
    same = draft.fingerprint == twin.fingerprint
    if draft.kind == "page" and draft.text != twin.text:
        return Revised(twin, draft.text)
    if by_name and not same:  # the store followed the note that said this to what took its place
        return Refused(
            f"{twin.handle} took the place of this: {one_line(twin.text, limit=80)}",
            f"if that is wrong, retire it and write this again: twiceshy retire {twin.handle}",
        )
    # case, spacing, bullets and dates make no other wording
    return Seen(twin, "" if same else draft.text, revived=_revives(draft, twin))


def _revives(draft: Draft, twin: Note) -> bool:
    """Tell whether learning this again brings a note back that is not shown, or off probation."""
    if _trust(draft) < INJECTABLE:
        return False  # what a tool printed twice is no truer for it
    if twin.life == "candidate":
        # the same mistake in a second session is what probation waits for
        return draft.source in ("user", "agent") or draft.origin_session != twin.origin_session
    if twin.life == "quarantined":
        return draft.source == "user"
    return twin.life in ("retired", "pending removal") and draft.source in ("user", "agent")


def _born(draft: Draft, *, note_id: str, now: int, expires_at: int) -> Note:
    trust = _trust(draft)
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
        life=first_life(draft.source, trust),
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


def _trust(draft: Draft) -> float:
    return SOURCES[draft.source] if draft.trust is None else draft.trust

"""Review notes: find evidence for or against each note; read-only."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.core.worth import count_outcomes, find_streak, judge_worth
from twiceshy.notes.pages import STALE_DAYS, count_days_unchanged, is_stale, is_too_large

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome

    Mark = Literal["active", "outdated", "duplicate", "superseded", "needs-update"]
    PitfallStatus = Literal["", "internalised", "relevant", "removable"]

MARKS: tuple[Mark, ...] = ("active", "outdated", "duplicate", "superseded", "needs-update")
PITFALL_STATUSES: tuple[PitfallStatus, ...] = ("internalised", "relevant", "removable")
MIN_CALM_SESSIONS = 3  # sessions in a row that had the occasion, and did not make the mistake
_PITFALL_SUBTYPES = ("pitfall", "gotcha", "fix")
_MIN_STREAK, _MAX_CHANCE = 2, 0.15  # from where on a warned of call works, as in reconsidering
_STANDING_EVIDENCE = {
    "internalised": "no session makes this mistake any more",
    "removable": "it came up often, and helped nobody",
}
_CONTRADICTED = "contradicted"
_FINAL_STATES = {"task": "done", "issue": "resolved"}
_MAX_NAMED = 3


class NoteContext(Value):
    """Evidence about a note from outside the note."""

    duplicate_of: str = ""  # the handle of one that says nearly the same, and stays
    replaced_by: str = ""  # the handle of a newer one that takes its place
    missing: tuple[str, ...] = ()  # files it names that are gone
    skill_changed: bool = False
    outcomes: tuple[Outcome, ...] = ()


class ReviewedNote(Value):
    """Note with its mark and evidence; a pitfall also has a status."""

    note: Note
    mark: Mark
    evidence: tuple[str, ...]
    pitfall_status: PitfallStatus = ""

    @property
    def is_valid(self) -> bool:
        """True if no evidence speaks against the note."""
        return self.mark in ("active", "needs-update") and self.pitfall_status != "removable"


def review_note(note: Note, context: NoteContext, *, now: int) -> ReviewedNote:
    """Mark a note by the strongest evidence against it."""
    standing = pitfall_status_of(note, context.outcomes)
    found = list(_list_evidence(note, context, now))
    if found:
        strongest = found[0][0]
        evidence = tuple(told for mark, told in found if mark == strongest)
        return ReviewedNote(note, strongest, evidence, standing)
    evidence = (_STANDING_EVIDENCE[standing],) if standing in _STANDING_EVIDENCE else ()
    return ReviewedNote(note, "active", evidence, standing)


def is_pitfall(note: Note) -> bool:
    """True if a note warns of a mistake."""
    return note.kind == "lesson" and note.subtype in _PITFALL_SUBTYPES


def pitfall_status_of(note: Note, outcomes: Sequence[Outcome]) -> PitfallStatus:
    """Return whether a pitfall is still needed; empty for other notes."""
    if not is_pitfall(note):
        return ""
    if _count_streak(note, outcomes) or judge_worth(count_outcomes(outcomes)) == "retire":
        return "removable"
    failed = max((each.last_at for each in outcomes if each.failed or each.harmed), default=0)
    calm = {
        each.session: each.sessions
        for each in outcomes
        if each.opportunity and not each.withheld and each.at > max(failed, note.learned_at)
    }
    return "internalised" if sum(calm.values()) >= MIN_CALM_SESSIONS else "relevant"


def _list_evidence(note: Note, context: NoteContext, now: int) -> Iterator[tuple[Mark, str]]:
    """Yield the evidence against a note with its mark, strongest mark first."""
    if note.state == "superseded":
        yield "superseded", "its state is superseded"
    if context.replaced_by:
        yield "superseded", f"{context.replaced_by} is newer and takes its place"
    if note.reason.startswith(_CONTRADICTED):
        yield "superseded", note.reason
    if context.duplicate_of:
        yield "duplicate", f"nearly the same as {context.duplicate_of}"
    for told in _outdated_evidence(note, context, now):
        yield "outdated", told
    for told in _update_evidence(note, context, now):
        yield "needs-update", told


def _outdated_evidence(note: Note, context: NoteContext, now: int) -> Iterator[str]:
    if 0 < note.expires_at <= now or note.state == "stale":
        yield "its time is over"
    over = _FINAL_STATES.get(note.kind)
    idle = (now - note.learned_at) // DAY
    if over and note.state == over and idle >= STALE_DAYS:
        yield f"{over}, and {idle} days old"
    if note.files and len(context.missing) == len(note.files):
        yield _describe_missing(context.missing)
    if streak := _count_streak(note, context.outcomes):
        yield f"what it warns of worked in the last {streak} sessions"


def _update_evidence(note: Note, context: NoteContext, now: int) -> Iterator[str]:
    # what is old may well be true: a page that describes how things are is looked at, not removed
    if note.kind == "page" and is_stale(note, now):
        yield f"not changed for {count_days_unchanged(note, now)} days"
    if context.missing:
        yield _describe_missing(context.missing)
    if context.skill_changed:
        yield f"the skill {note.scope.skill} has changed since"
    if note.kind == "page" and is_too_large(note.text):
        yield "too many lines"


def _describe_missing(files: Sequence[str]) -> str:
    more = f" and {len(files) - _MAX_NAMED} more" if len(files) > _MAX_NAMED else ""
    return f"gone: {', '.join(files[:_MAX_NAMED])}{more}"


def _count_streak(note: Note, outcomes: Sequence[Outcome]) -> int:
    """Count the last sessions in which a warned of call worked; 0 if that may be chance."""
    streak = find_streak(outcomes, learned_at=note.learned_at, sightings=note.sightings)
    works_again = streak.sessions >= _MIN_STREAK and streak.chance < _MAX_CHANCE
    return streak.sessions if works_again else 0

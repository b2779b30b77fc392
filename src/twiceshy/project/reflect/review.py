"""Review notes: find evidence for or against each note; read-only."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.core.worth import counts_of, streak_of, verdict
from twiceshy.notes.pages.condition import STALE_DAYS, days_unchanged, is_stale, is_too_large

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome

    Mark = Literal["active", "outdated", "duplicate", "superseded", "needs-update"]
    Standing = Literal["", "internalised", "relevant", "removable"]

MARKS: tuple[Mark, ...] = ("active", "outdated", "duplicate", "superseded", "needs-update")
STANDINGS: tuple[Standing, ...] = ("internalised", "relevant", "removable")
INTERNALISED = 3  # sessions in a row that had the occasion, and did not make the mistake
_PITFALLS = ("pitfall", "gotcha", "fix")
_TWICE, _DOUBTFUL = 2, 0.15  # from where on what a note warns of works again, as in reconsidering
_CONTRADICTED = "contradicted"
_OVER = {"task": "done", "issue": "resolved"}
_FEW = 3


class Around(Value):
    """Evidence about a note from outside the note."""

    twin: str = ""  # the handle of one that says nearly the same, and stays
    replaced_by: str = ""  # the handle of a newer one that takes its place
    missing: tuple[str, ...] = ()  # files it names that are gone
    skill_changed: bool = False
    outcomes: tuple[Outcome, ...] = ()


class Marked(Value):
    """Note with its mark and evidence; a pitfall also has a status."""

    note: Note
    mark: Mark
    evidence: tuple[str, ...]
    standing: Standing = ""

    @property
    def holds(self) -> bool:
        """True if no evidence speaks against the note."""
        return self.mark in ("active", "needs-update") and self.standing != "removable"


def marked(note: Note, around: Around, *, now: int) -> Marked:
    """Mark a note by the strongest evidence against it."""
    standing = standing_of(note, around.outcomes)
    for mark, told in _TELLING.items():
        if evidence := tuple(told(note, around, now)):
            return Marked(note, mark, evidence, standing)
    evidence = ("no session makes this mistake any more",) if standing == "internalised" else ()
    if standing == "removable":
        evidence = ("it came up often, and helped nobody",)
    return Marked(note, "active", evidence, standing)


def is_pitfall(note: Note) -> bool:
    """True if a note warns of a mistake."""
    return note.kind == "lesson" and note.subtype in _PITFALLS


def standing_of(note: Note, outcomes: Sequence[Outcome]) -> Standing:
    """Return whether a pitfall is still needed; empty for other notes."""
    if not is_pitfall(note):
        return ""
    if _works_again(note, outcomes) or verdict(counts_of(outcomes)) == "retire":
        return "removable"
    failed = max((each.at for each in outcomes if each.failed or each.harmed), default=0)
    calm = {
        each.session
        for each in outcomes
        if each.opportunity and not each.withheld and each.at > max(failed, note.learned_at)
    }
    return "internalised" if len(calm) >= INTERNALISED else "relevant"


def _superseded(note: Note, around: Around, now: int) -> Iterator[str]:
    del now
    if note.state == "superseded":
        yield "its state says so"
    if around.replaced_by:
        yield f"{around.replaced_by} is newer and takes its place"
    if note.reason.startswith(_CONTRADICTED):
        yield note.reason


def _duplicate(note: Note, around: Around, now: int) -> Iterator[str]:
    del note, now
    if around.twin:
        yield f"nearly the same as {around.twin}"


def _outdated(note: Note, around: Around, now: int) -> Iterator[str]:
    if 0 < note.expires_at <= now or note.state == "stale":
        yield "its time is over"
    over = _OVER.get(note.kind)
    idle = (now - note.learned_at) // DAY
    if over and note.state == over and idle >= STALE_DAYS:
        yield f"{over}, and {idle} days old"
    if note.files and len(around.missing) == len(note.files):
        yield _gone(around.missing)
    if _works_again(note, around.outcomes):
        yield f"what it warns of worked in the last {_streak(note, around.outcomes)} sessions"


def _needs_update(note: Note, around: Around, now: int) -> Iterator[str]:
    # what is old may well be true: a page that describes how things are is looked at, not removed
    if note.kind == "page" and is_stale(note, now):
        yield f"not changed for {days_unchanged(note, now)} days"
    if around.missing:
        yield _gone(around.missing)
    if around.skill_changed:
        yield f"the skill {note.scope.skill} has changed since"
    if note.kind == "page" and is_too_large(note.text):
        yield "more lines than anybody reads"


_TELLING: dict[Mark, Callable[[Note, Around, int], Iterator[str]]] = {
    "superseded": _superseded,
    "duplicate": _duplicate,
    "outdated": _outdated,
    "needs-update": _needs_update,
}


def _gone(files: Sequence[str]) -> str:
    more = f" and {len(files) - _FEW} more" if len(files) > _FEW else ""
    return f"gone: {', '.join(files[:_FEW])}{more}"


def _works_again(note: Note, outcomes: Sequence[Outcome]) -> bool:
    streak = streak_of(outcomes, learned_at=note.learned_at, sightings=note.sightings)
    return streak.sessions >= _TWICE and streak.chance < _DOUBTFUL


def _streak(note: Note, outcomes: Sequence[Outcome]) -> int:
    return streak_of(outcomes, learned_at=note.learned_at, sightings=note.sightings).sessions

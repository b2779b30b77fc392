"""Review notes: find what speaks against each note, and whether a pitfall is still needed."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.note import short_handle
from twiceshy.core.value import Value
from twiceshy.core.worth import count_outcomes, find_streak, judge_worth
from twiceshy.notes.pages import STALE_DAYS
from twiceshy.project.audit.facts import AuditFacts, AuditFinding, NoteContext, build_finding
from twiceshy.project.audit.wording import describe_finding
from twiceshy.wording import worded

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome

    Mark = Literal["active", "outdated", "duplicate", "superseded", "needs-update"]
    PitfallStatus = Literal["", "internalised", "relevant", "removable"]
    Evidence = tuple[str, dict[str, object]]  # what a finding is about, and its values

PITFALL_STATUSES: tuple[PitfallStatus, ...] = ("internalised", "relevant", "removable")
MIN_CALM_SESSIONS = 3  # sessions in a row that had the occasion, and did not make the mistake
# what a finding makes of a note, the strongest first
_FINDINGS: dict[Mark, tuple[str, ...]] = {
    "superseded": ("note-superseded", "note-replaced", "note-contradicted"),
    "duplicate": ("note-twice", "note-near"),
    "outdated": ("note-over", "note-finished", "note-gone", "note-works"),
    "needs-update": ("page-stale", "note-files", "note-skill", "page-large"),
    "active": ("note-useless", "note-covered"),
}
_MARK_OF = {about: mark for mark, abouts in _FINDINGS.items() for about in abouts}
MARKS: tuple[Mark, ...] = ("active", "outdated", "duplicate", "superseded", "needs-update")
_PITFALL_SUBTYPES = ("pitfall", "gotcha", "fix")
_MIN_STREAK, _MAX_CHANCE = 2, 0.15  # from where on a warned of call works, as in reconsidering
_CONTRADICTED = "contradicted"
_FINAL_STATES = {"task": "done", "issue": "resolved"}
_MAX_NAMED = 3


class ReviewedNote(Value):
    """Note with the findings that speak against it; a pitfall also has a status."""

    note: Note
    findings: tuple[AuditFinding, ...] = ()
    pitfall_status: PitfallStatus = ""

    @property
    def mark(self) -> Mark:
        """Return the strongest mark by a finding."""
        marks = {_MARK_OF[finding.about] for finding in self.findings}
        return next((mark for mark in _FINDINGS if mark in marks), "active")

    @property
    def evidence(self) -> tuple[str, ...]:
        """Return the words of the findings that make the strongest mark."""
        found = [each for each in self.findings if _MARK_OF[each.about] == self.mark]
        if not found and self.pitfall_status == "internalised":
            return (worded("no session makes this mistake any more"),)
        return tuple(describe_finding(finding) for finding in found)

    @property
    def rule(self) -> str:
        """Return the id of a rule that says the same; empty if none."""
        rules = (each.values["rule_id"] for each in self.findings if each.about == "note-covered")
        return next(map(str, rules), "")

    @property
    def is_valid(self) -> bool:
        """True if no evidence speaks against the note."""
        return self.mark in ("active", "needs-update") and self.pitfall_status != "removable"


def review_notes(
    notes: Iterable[Note], findings: Iterable[AuditFinding], facts: AuditFacts
) -> list[ReviewedNote]:
    """Return notes with the findings of an audit that speak against them."""
    against: dict[str, list[AuditFinding]] = {}
    for finding in findings:
        for note_id in finding.notes if finding.about in _MARK_OF else ():
            against.setdefault(note_id, []).append(finding)
    none = NoteContext()
    return [
        ReviewedNote(
            note,
            tuple(against.get(note.id, ())),
            pitfall_status_of(note, facts.contexts.get(note.id, none).outcomes),
        )
        for note in notes
    ]


def find_doubtful_notes(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes that are superseded, outdated, useless, covered by a rule, or to be updated."""
    for note in facts.notes:
        context = facts.contexts.get(note.id)
        for about, values in _list_evidence(note, context, facts.now) if context else ():
            found = build_finding(about, "memory", note.handle, **values)
            yield found.but(notes=(note.id,))


def is_pitfall(note: Note) -> bool:
    """True if a note warns of a mistake."""
    return note.kind == "lesson" and note.subtype in _PITFALL_SUBTYPES


def pitfall_status_of(note: Note, outcomes: Sequence[Outcome]) -> PitfallStatus:
    """Return whether a pitfall is still needed; empty for other notes."""
    if not is_pitfall(note):
        return ""
    if _count_streak(note, outcomes) or _is_useless(outcomes):
        return "removable"
    failed = max((each.last_at for each in outcomes if each.failed or each.harmed), default=0)
    calm = {
        each.session: each.sessions
        for each in outcomes
        if each.opportunity and not each.withheld and each.at > max(failed, note.learned_at)
    }
    return "internalised" if sum(calm.values()) >= MIN_CALM_SESSIONS else "relevant"


def _list_evidence(note: Note, context: NoteContext, now: int) -> Iterator[Evidence]:
    """Yield what speaks against a note, with the values for its message."""
    yield from _find_replaced(note, context)
    yield from _find_over(note, now)
    if context.missing:
        about = "note-gone" if len(context.missing) == len(note.files) else "note-files"
        yield about, {"files": _join_files(context.missing)}
    yield from _find_unneeded(note, context)
    if context.skill_changed:
        yield "note-skill", {"skill": note.scope.skill}


def _find_replaced(note: Note, context: NoteContext) -> Iterator[Evidence]:
    if note.state == "superseded":
        yield "note-superseded", {}
    if context.replaced_by:
        yield "note-replaced", {"newer": context.replaced_by}
    if note.reason.startswith(_CONTRADICTED):
        yield "note-contradicted", {"reason": note.reason}


def _find_over(note: Note, now: int) -> Iterator[Evidence]:
    if 0 < note.expires_at <= now or note.state == "stale":
        yield "note-over", {}
    days = (now - note.learned_at) // DAY
    if note.state == _FINAL_STATES.get(note.kind) and days >= STALE_DAYS:
        yield "note-finished", {"state": note.state, "days": days}


def _find_unneeded(note: Note, context: NoteContext) -> Iterator[Evidence]:
    if streak := _count_streak(note, context.outcomes):
        yield "note-works", {"count": streak}
    elif is_pitfall(note) and _is_useless(context.outcomes):
        yield "note-useless", {}
    if context.rule:
        yield "note-covered", {"rule": short_handle(context.rule), "rule_id": context.rule}


def _is_useless(outcomes: Sequence[Outcome]) -> bool:
    return judge_worth(count_outcomes(outcomes)) == "retire"


def _join_files(files: Sequence[str]) -> str:
    more = f" and {len(files) - _MAX_NAMED} more" if len(files) > _MAX_NAMED else ""
    return ", ".join(files[:_MAX_NAMED]) + more


def _count_streak(note: Note, outcomes: Sequence[Outcome]) -> int:
    """Count the last sessions in which a warned of call worked; 0 if that may be chance."""
    streak = find_streak(outcomes, learned_at=note.learned_at, sightings=note.sightings)
    works_again = streak.sessions >= _MIN_STREAK and streak.chance < _MAX_CHANCE
    return streak.sessions if works_again else 0

"""Report the effect of notes: total, by skill, and by note."""

from __future__ import annotations

from twiceshy.core.grouping import group_by
from twiceshy.core.model_ledger import start_of_day
from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.effect.measure import NoteEffect, measure_effect
from twiceshy.notes.find_by_name import find_known_skill, find_only_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome


class EffectReport(Value):
    """Effects by skill and by note id, most shown first, with their notes."""

    overall: NoteEffect
    by_skill: Mapping[str, NoteEffect]
    by_note: Mapping[str, NoteEffect]
    notes: Mapping[str, Note]


def report_effect(
    app: App, *, note: str | None = None, skill: str | None = None, days: int | None = None
) -> EffectReport:
    """Measure the notes of a skill, a single note, or every note."""
    since = start_of_day(app.store.now()) - (days - 1) * DAY if days else 0
    only = find_only_note(app, note).id if note else ""
    wanted = find_known_skill(app, skill) if skill else None
    outcomes = app.store.list_outcomes(note=only)
    found = {each: app.store.note(each) for each in sorted({one.note for one in outcomes})}
    notes = {
        each: known
        for each, known in found.items()
        if known and wanted in (None, known.scope.skill)
    }
    outcomes = [each for each in outcomes if each.note in notes]
    skills = {each: known.scope.skill for each, known in notes.items()}
    by_skill = _measure_groups(outcomes, skills, since)
    by_skill.pop("", None)
    return EffectReport(
        overall=measure_effect(outcomes, since=since),
        by_skill=by_skill,
        by_note=_measure_groups(outcomes, {each: each for each in notes}, since),
        notes=notes,
    )


def _measure_groups(
    outcomes: Iterable[Outcome], groups: Mapping[str, str], since: int
) -> dict[str, NoteEffect]:
    """Measure groups of notes separately, most shown first."""
    parts = group_by(outcomes, lambda each: groups[each.note])
    effects = {key: measure_effect(some, since=since) for key, some in parts.items()}
    seen = {key: each for key, each in effects.items() if each.shown + each.withheld}
    return dict(sorted(seen.items(), key=lambda pair: (-pair[1].shown, pair[0])))

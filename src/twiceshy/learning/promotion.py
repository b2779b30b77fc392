"""Promote a host summariser's skill observations to candidate notes, for installed skills.

Discarded work is never used. A summary is an agent's, and an agent may repeat tool output.
Therefore an observation is trusted as far as the session's own words and commands support
it; the rest waits for review.
"""

from collections.abc import Sequence

from twiceshy.app import App
from twiceshy.core.admit import Admitted, Refused
from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.scope import Scope
from twiceshy.core.transcript import Step
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.distil.coverage import find_trust
from twiceshy.learning.distil.material import build_material
from twiceshy.learning.distil.observations import Observation
from twiceshy.learning.sources import SessionOrigin
from twiceshy.learning.travel import share_lesson
from twiceshy.notes.write import write_draft
from twiceshy.places import skill as skills
from twiceshy.safety.danger import find_danger


def promote_skill_lessons(
    app: App,
    origin: SessionOrigin,
    observations: Sequence[Observation],
    steps: Sequence[Step],
    *,
    discarded: bool = False,
) -> int:
    """Write observations about skills as notes, and return the number of new notes.

    Errors are never raised. ``steps`` are the last ones of the session: an observation without
    their support is quarantined. A note belongs to the project, for a summary may name anything of
    it, until it may leave the project like other lessons.
    """
    if not app.config.flag("learn.promote") or discarded:
        return 0
    new = 0
    for draft in _build_drafts(app, origin, observations, steps):
        try:
            outcome = write_draft(app, draft)
            new += isinstance(outcome, Admitted)
            if not isinstance(outcome, Refused):
                share_lesson(app, origin, outcome.note)
        except TwiceshyError:  # busy, or not fit to keep: the next compaction comes
            continue
    return new


def _build_drafts(
    app: App, origin: SessionOrigin, observations: Sequence[Observation], steps: Sequence[Step]
) -> list[Draft]:
    """Return a draft for every observation about an installed skill."""
    lines = app.config.integer("learn.transcript_lines")
    spans = build_material(steps, project=origin.project, lines=lines, redact=app.redact).excerpts

    def draft(one: Observation) -> Draft:
        lesson = app.redact(one.lesson)
        return Draft(
            kind="lesson",
            subtype=one.kind,
            text=lesson,
            scope=Scope(origin.project, one.skill),
            source="historian",
            trust=ORIGINS["output"] if find_danger(lesson) else find_trust(lesson, spans),
            origin_project=origin.project,
            origin_session=origin.session,
        )

    around = app.skill_search_path(origin.root)
    return [draft(one) for one in observations if skills.find_skill(one.skill, around)]

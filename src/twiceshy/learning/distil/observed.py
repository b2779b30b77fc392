"""What a historian noted about skills becomes candidates: for skills that want notes, never from discarded work.

A summary is an agent's, and an agent may repeat what a tool told it. So an observation is believed as
far as the session's own words and commands bear it out; the rest waits for review.
"""

from __future__ import annotations

from twiceshy.core.admit import Admitted
from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.trust import ORIGINS
from twiceshy.learning.distil.cover import trust_by
from twiceshy.learning.distil.observations import observations
from twiceshy.safety.danger import danger as waits

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.learning.distil.material import Span
    from twiceshy.learning.distil.observations import Observation


def drafts_of(
    summary: str,
    *,
    spans: Sequence[Span],
    project: str,
    session: str,
    wants_notes: Callable[[str], bool],
    redact: Callable[[str], str],
    danger: Callable[[str], object] = waits,
) -> list[Draft]:
    """Return a draft for every observation about a skill that wants notes."""

    def draft(one: Observation) -> Draft:
        lesson = redact(one.lesson)
        return Draft(
            kind="lesson",
            subtype=one.kind,
            text=lesson,
            scope=Scope(EVERYWHERE, one.skill),
            source="historian",
            trust=ORIGINS["output"] if danger(lesson) else trust_by(lesson, spans),
            origin_project=project,
            origin_session=session,
        )

    return [draft(one) for one in observations(summary) if wants_notes(one.skill)]


def promote(
    drafts: Sequence[Draft], *, enabled: bool, discarded: bool, write: Callable[[Draft], object]
) -> int:
    """Write the drafts as well as possible, and return how many notes are new; it never fails."""
    if not enabled or discarded:
        return 0
    new = 0
    for draft in drafts:
        try:
            new += isinstance(write(draft), Admitted)
        except TwiceshyError:  # busy, or not fit to keep: the next compaction comes
            continue
    return new

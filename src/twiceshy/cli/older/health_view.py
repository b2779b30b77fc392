"""Format pages and skills for ``memory-health``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.cli.older.page_view import condition_words
from twiceshy.cli.output import flat
from twiceshy.project.audit.pages import page_conditions
from twiceshy.project.audit.skills import tallies
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.pages import PageCondition

_WIDTH = 60
_COUNTED = ("sessions", "diary", "pitfalls", "skills")


def health_json(facts: Facts) -> dict[str, object]:
    """Return pages, skills and counts in the --json layout."""
    return {
        "pages": [page.fields() for page in page_conditions(facts)],
        "skills": [
            tally.fields() | {"crowded": tally.crowded, "one_sided": tally.one_sided}
            for tally in tallies(facts)
        ],
        "counts": facts.counts,
        "hooks": [looked.fields() for looked in facts.hooks],
    }


def health_lines(facts: Facts) -> Iterator[str]:
    """Format pages and skills, a line each, and the counts."""
    for page in page_conditions(facts):
        yield _page_line(page)
    for tally in tallies(facts):
        yield worded(
            "skill {skill}: notes {notes}, pinned {pinned}, gotchas {gotchas}, "
            "near-duplicates {near}, without vector {without_vector}",
            **tally.fields(),
        )
    counts: dict[str, int] = dict.fromkeys(_COUNTED, 0)
    yield worded(
        "sessions: {sessions}, diary: {diary}, pitfalls: {pitfalls}, skills: {skills}",
        **counts | dict(facts.counts),
    )


def _page_line(page: PageCondition) -> str:
    about = worded("lines: {lines}, days unchanged: {days}", lines=page.lines, days=page.days)
    said = ", ".join(condition_words(page.status)) or worded("fine")
    return f"{flat(page.name, limit=_WIDTH)}: {about}, {said}"

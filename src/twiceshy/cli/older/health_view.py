"""Format pages and skills for ``memory-health``."""

from collections.abc import Iterator

from twiceshy.cli.older.pages import translate_conditions
from twiceshy.cli.output import flatten_text
from twiceshy.project.audit.environment import count_skills
from twiceshy.project.audit.facts import AuditFacts
from twiceshy.project.audit.pages import PageCondition, page_conditions
from twiceshy.wording import worded

_WIDTH = 60
_COUNTED = ("sessions", "diary", "pitfalls", "skills")


def health_json(facts: AuditFacts) -> dict[str, object]:
    """Return pages, skills and counts in the --json layout."""
    return {
        "pages": [page.fields() for page in page_conditions(facts)],
        "skills": [
            tally.fields() | {"crowded": tally.is_crowded, "one_sided": tally.has_many_gotchas}
            for tally in count_skills(facts)
        ],
        "counts": facts.counts,
        "hooks": [looked.fields() for looked in facts.hooks],
    }


def format_health(facts: AuditFacts) -> Iterator[str]:
    """Format pages and skills, a line each, and the counts."""
    for page in page_conditions(facts):
        yield _format_page(page)
    for tally in count_skills(facts):
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


def _format_page(page: PageCondition) -> str:
    about = worded("lines: {lines}, days unchanged: {days}", lines=page.lines, days=page.days)
    said = ", ".join(translate_conditions(page.status)) or worded("fine")
    return f"{flatten_text(page.name, limit=_WIDTH)}: {about}, {said}"

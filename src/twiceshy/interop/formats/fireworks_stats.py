"""fireworks' skill-usage-stats.json: usage of each skill, total and by day.

Usage is counted, not noted, so the file is prose for note readers. Total, last day and days
are held; nothing is lost.
"""

from __future__ import annotations

from twiceshy.core import jsontext
from twiceshy.core.moment import format_day
from twiceshy.core.session import SkillUsage
from twiceshy.interop.formats.pieces import BOM, parse_day_or_zero

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "fireworks_stats"
_MOST = 1_000_000_000


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:  # noqa: ARG001 - every format is asked alike
    """Return the text as prose."""
    return (text,) if text else ()


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:  # noqa: ARG001 - see above
    """Render an empty statistics file; notes have no place."""
    return (render_usages(()),)


def parse_usages(text: str) -> list[SkillUsage]:
    """Return the usage of each skill; invalid counts are skipped."""
    try:
        told = jsontext.parse_object(text.removeprefix(BOM))
    except (ValueError, RecursionError):
        return []
    found = (_parse_usage(skill, said) for skill, said in told.items() if isinstance(said, dict))
    return [one for one in found if one.sessions]


def render_usages(usages: Iterable[SkillUsage]) -> str:
    """Render the file in fireworks' form."""
    import json  # noqa: PLC0415 - only who writes the file needs blanks in it

    told = {
        one.skill: {
            "total": one.sessions,
            "last_seen": format_day(one.last_at),
            "daily": dict(sorted(one.daily.items())),
        }
        for one in sorted(usages, key=lambda one: one.skill)
    }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


def _parse_usage(skill: str, said: Mapping[str, object]) -> SkillUsage:
    daily = said.get("daily")
    days = {
        name: _parse_count(value)
        for name, value in (daily.items() if isinstance(daily, dict) else ())
        if parse_day_or_zero(name) and _parse_count(value)
    }
    last = said.get("last_seen")
    at = parse_day_or_zero(last[:10]) if isinstance(last, str) else 0
    total = max(_parse_count(said.get("total")), sum(days.values()))
    return SkillUsage(
        skill,
        total,
        at or max(map(parse_day_or_zero, days), default=0),
        dict(sorted(days.items())),
    )


def _parse_count(value: object) -> int:
    counts = isinstance(value, int) and not isinstance(value, bool)
    return min(max(0, value), _MOST) if counts and isinstance(value, int) else 0

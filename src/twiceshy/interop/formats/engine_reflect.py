"""memory-engine's reflection report: one episode per file, unchanged."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, format_day
from twiceshy.interop.formats.headed import find_day, parse_episode_file, parse_headed
from twiceshy.project.episodes.facts import episode_id
from twiceshy.project.reflect.report import INTERVAL_DAYS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import FileContext, Piece

NAME = "engine_reflect"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse a report; prose without a day."""
    return parse_episode_file(text, about, lambda said: _build_episode(said, about))


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of the first given report; each has its own file."""
    return parse_text(episodes[0].summary.rstrip("\n") + "\n", about) if episodes else ()


def _build_episode(text: str, about: FileContext) -> Episode | None:
    said = parse_headed(text)
    at = find_day(said.title, about.name)
    if not at:
        return None
    project = said.facts.get("project", "")
    return Episode(
        id=episode_id(f"reflect:{about.project}", format_day(at)),
        kind="reflect",
        session="",
        project=about.project,
        started_at=at - INTERVAL_DAYS * DAY,
        ended_at=at,
        title=f"Reflection on {project}" if project else f"Reflection: {format_day(at)}",
        summary=text.rstrip("\n") + "\n",
    )

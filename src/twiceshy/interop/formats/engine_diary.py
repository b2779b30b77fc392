"""memory-engine's diary of a day: one episode per file, unchanged.

Nothing is lost; the file does not tell which lines were added by hand.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, format_day
from twiceshy.interop.formats.headed import find_day, parse_episode_file, parse_headed
from twiceshy.project.episodes.facts import episode_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import FileContext, Piece

NAME = "engine_diary"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse a diary; prose without a day."""
    return parse_episode_file(text, about, lambda said: _build_episode(said, about))


def render_items(episodes: Sequence[Episode], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of the first given day; each day has its own file."""
    return parse_text(episodes[0].summary.rstrip("\n") + "\n", about) if episodes else ()


def _build_episode(text: str, about: FileContext) -> Episode | None:
    at = find_day(parse_headed(text).title, about.name)
    if not at:
        return None
    return Episode(
        id=episode_id(f"diary:{about.project}", format_day(at)),
        kind="diary",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at + DAY - 1,
        title=f"Diary: {format_day(at)}",
        summary=text.rstrip("\n") + "\n",
    )

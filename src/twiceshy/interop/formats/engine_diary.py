"""memory-engine's diary of a day: one episode per file, unchanged.

Nothing is lost; the file does not tell which lines were added by hand.
"""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, day
from twiceshy.interop.formats.headed import day_in, headed, one_episode
from twiceshy.project.episodes.told import episode_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import About, Piece

NAME = "engine_diary"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse a diary; prose without a day."""
    return one_episode(text, about, lambda said: _episode(said, about))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render the file of the first given day; each day has its own file."""
    return read(episodes[0].summary.rstrip("\n") + "\n", about) if episodes else ()


def _episode(text: str, about: About) -> Episode | None:
    at = day_in(headed(text).title, about.name)
    if not at:
        return None
    return Episode(
        id=episode_id(f"diary:{about.project}", day(at)),
        kind="diary",
        session="",
        project=about.project,
        started_at=at,
        ended_at=at + DAY - 1,
        title=f"Diary: {day(at)}",
        summary=text.rstrip("\n") + "\n",
    )

"""memory-engine's diary of a day: the file is one episode, kept as it is.

Nothing in it is lost; it does not say which lines somebody added.
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
    """Read the diary of a day; without a day it is prose."""
    return one_episode(text, about, lambda said: _episode(said, about))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Write the file of the first of some days; each has its own."""
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

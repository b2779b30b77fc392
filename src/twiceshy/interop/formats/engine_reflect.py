"""memory-engine's reflection report: one episode per file, unchanged."""

from __future__ import annotations

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, day
from twiceshy.interop.formats.headed import day_in, headed, one_episode
from twiceshy.project.episodes.told import episode_id
from twiceshy.project.reflect.report import EVERY_DAYS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.interop.formats import About, Piece

NAME = "engine_reflect"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse a report; prose without a day."""
    return one_episode(text, about, lambda said: _episode(said, about))


def items(episodes: Sequence[Episode], about: About) -> tuple[Piece, ...]:
    """Render the file of the first given report; each has its own file."""
    return read(episodes[0].summary.rstrip("\n") + "\n", about) if episodes else ()


def _episode(text: str, about: About) -> Episode | None:
    said = headed(text)
    at = day_in(said.title, about.name)
    if not at:
        return None
    project = said.facts.get("project", "")
    return Episode(
        id=episode_id(f"reflect:{about.project}", day(at)),
        kind="reflect",
        session="",
        project=about.project,
        started_at=at - EVERY_DAYS * DAY,
        ended_at=at,
        title=f"Reflection on {project}" if project else f"Reflection: {day(at)}",
        summary=text.rstrip("\n") + "\n",
    )

"""fireworks-skill-memory's home: KNOWLEDGE.md files, checkpoints, statistics.

It knows lessons only, and no projects: project lessons stand beside global lessons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import File, component, ids
from twiceshy.interop.formats import About, fireworks_checkpoints, fireworks_knowledge, joined
from twiceshy.interop.formats.fireworks_stats import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.exports import Held


def files(held: Held) -> Iterator[File]:
    """Yield the files of the home."""
    lessons = [note for note in held.notes if note.kind == "lesson"]
    skills = {note.scope.skill for note in lessons} | {one.skill for one in held.checkpoints}
    for skill in sorted(skills | {""}):
        about = About(EVERYWHERE, skill, held.now)
        own = [note for note in lessons if note.scope.skill == skill]
        folder = f"skills/{component(skill, otherwise='skill')}" if skill else "global"
        if own or not skill:
            text = joined(fireworks_knowledge.items(own, about))
            yield File(f"{folder}/KNOWLEDGE.md", text, ids(own))
        if said := [one for one in held.checkpoints if skill and one.skill == skill]:
            yield File(
                f"{folder}/CHECKPOINTS.md", joined(fireworks_checkpoints.items(said, about))
            )
    if held.usage:
        yield File("skill-usage-stats.json", written(held.usage))

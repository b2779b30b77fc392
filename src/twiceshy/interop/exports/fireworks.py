"""fireworks-skill-memory's home: KNOWLEDGE.md files, checkpoints, statistics.

It knows lessons only, and no projects: project lessons stand beside global lessons.
"""

from collections.abc import Iterator

from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, list_ids, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.fireworks import (
    FIREWORKS_CHECKPOINTS,
    FIREWORKS_KNOWLEDGE,
    render_usages,
)


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the files of the home."""
    lessons = [note for note in held.notes if note.kind == "lesson"]
    skills = {note.scope.skill for note in lessons} | {one.skill for one in held.checkpoints}
    for skill in sorted(skills | {""}):
        about = FileContext(EVERYWHERE, skill, held.now)
        own = [note for note in lessons if note.scope.skill == skill]
        folder = f"skills/{safe_component(skill, otherwise='skill')}" if skill else "global"
        if own or not skill:
            text = FIREWORKS_KNOWLEDGE.render(own, about)
            yield ExportedFile(f"{folder}/KNOWLEDGE.md", text, list_ids(own))
        if said := [one for one in held.checkpoints if skill and one.skill == skill]:
            text = FIREWORKS_CHECKPOINTS.render(said, about)
            yield ExportedFile(f"{folder}/CHECKPOINTS.md", text)
    if held.usage:
        yield ExportedFile("skill-usage-stats.json", render_usages(held.usage))

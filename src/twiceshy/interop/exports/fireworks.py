"""fireworks-skill-memory's files: its memory home, and below ``.claude`` what it kept beside Claude Code.

It knows lessons only, and no projects: project lessons stand beside global lessons.
"""

from collections.abc import Iterator

from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, list_ids, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.fireworks import (
    FIREWORKS_CHECKPOINTS,
    FIREWORKS_KNOWLEDGE,
    parse_usages,
    render_usages,
)

_STATS = ".claude/skill-usage-stats.json"


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the files of the home; what a page says that an import made stands in its file."""
    lessons = [note for note in held.notes if note.kind == "lesson"]
    skills = {note.scope.skill for note in lessons} | {one.skill for one in held.checkpoints}
    for skill in sorted(skills | {""}):
        about = FileContext(EVERYWHERE, skill, held.now)
        own = [note for note in lessons if note.scope.skill == skill]
        if own or not (skill or held.kept):
            text = FIREWORKS_KNOWLEDGE.render(own, about)
            yield ExportedFile(_knowledge_path(held, skill), text, list_ids(own))
        if said := [one for one in held.checkpoints if skill and one.skill == skill]:
            text = FIREWORKS_CHECKPOINTS.render(said, about)
            yield ExportedFile(f"{_shared_folder(skill)}/CHECKPOINTS.md", text)
    if held.usage and parse_usages(held.kept.get(_STATS, "")) != list(held.usage):
        yield ExportedFile(_STATS, render_usages(held.usage))


def _knowledge_path(held: ExportedContent, skill: str) -> str:
    """Return where a lesson goes: fireworks reads Claude Code's file if that alone is there."""
    shared = f"{_shared_folder(skill)}/KNOWLEDGE.md"
    legacy = f".claude/{shared}"
    return legacy if legacy in held.kept and shared not in held.kept else shared


def _shared_folder(skill: str) -> str:
    return f"skills/{safe_component(skill, otherwise='skill')}" if skill else "global"

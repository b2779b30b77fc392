"""fireworks-skill-memory's files: its memory home, and below ``.claude`` what it kept beside Claude Code.

It knows lessons only, and no projects: project lessons stand beside global lessons.
"""

from collections.abc import Iterator

from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.exports import ExportedContent, ExportedFile, build_file, safe_component
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.fireworks import parse_usages, render_usages

STATS = ".claude/skill-usage-stats.json"


def render_files(held: ExportedContent) -> Iterator[ExportedFile]:
    """Yield the files of the home."""
    lessons = [note for note in held.notes if note.kind == "lesson"]
    skills = {note.scope.skill for note in lessons} | {one.skill for one in held.checkpoints}
    for skill in sorted(skills | {""}):
        about = FileContext(EVERYWHERE, skill, held.now)
        own = [note for note in lessons if note.scope.skill == skill]
        folder = f"skills/{safe_component(skill, otherwise='skill')}" if skill else "global"
        if own or not skill:
            yield build_file(f"{folder}/KNOWLEDGE.md", "fireworks_knowledge", own, about)
        if said := [one for one in held.checkpoints if skill and one.skill == skill]:
            yield build_file(f"{folder}/CHECKPOINTS.md", "fireworks_checkpoints", said, about)
    came = [one.summary for one in held.originals.get("fireworks", ()) if one.title == STATS]
    if held.usage and not any(parse_usages(text) == list(held.usage) for text in came):
        yield ExportedFile(STATS, render_usages(held.usage), format="fireworks_stats")

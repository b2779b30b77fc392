"""Pages for people in the shared repository: notes by project and by skill."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line
from twiceshy.notes.knowledge import render_bullet
from twiceshy.sync.rules import VIEWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.note import Note

_ODD = re.compile(r"[^0-9A-Za-z._-]+")
_SECTIONS = {
    "rule": "Rules",
    "decision": "Decisions",
    "pattern": "Patterns",
    "preference": "Preferences",
    "issue": "Issues",
    "task": "Tasks",
    "lesson": "Lessons",
}


def render_pages(
    notes: Iterable[Note], projects: Mapping[str, tuple[str, str]]
) -> Mapping[str, bytes]:
    """Return a page per project and a KNOWLEDGE.md per skill; deterministic."""
    by_project: dict[str, list[Note]] = {}
    by_skill: dict[str, list[Note]] = {}
    for note in sorted(notes, key=lambda note: note.id):
        if note.scope.skill:
            by_skill.setdefault(note.scope.skill, []).append(note)
        else:
            by_project.setdefault(note.scope.project, []).append(note)
    found: dict[str, bytes] = {}
    for project, its in by_project.items():
        name = "Everywhere" if project == EVERYWHERE else projects.get(project, (project, ""))[0]
        found[f"{VIEWS}{_safe_file_name(name, project)}.md"] = _render_page(name, its)
    for skill, its in by_skill.items():
        text = "\n".join((f"# {fold_to_line(skill, limit=80)}", "", *map(render_bullet, its), ""))
        found[f"{VIEWS}skills/{_safe_file_name(skill, skill)}/KNOWLEDGE.md"] = text.encode()
    return found


def _render_page(name: str, notes: list[Note]) -> bytes:
    parts = [f"# {fold_to_line(name, limit=80)}"]
    for kind, title in _SECTIONS.items():
        if its := [render_bullet(note) for note in notes if note.kind == kind]:
            parts.append("\n".join((f"## {title}", "", *its)))
    parts += [
        f"## {fold_to_line(note.tag, limit=80)}\n\n{note.text.rstrip()}"
        for note in notes
        if note.kind == "page"
    ]
    return ("\n\n".join(parts) + "\n").encode()


def _safe_file_name(name: str, identity: str) -> str:
    """Return a unique file name, valid on every file system."""
    plain = _ODD.sub("-", name).strip("-.")[:60] or "x"
    return f"{plain}-{hashlib.sha256(identity.encode()).hexdigest()[:6]}"

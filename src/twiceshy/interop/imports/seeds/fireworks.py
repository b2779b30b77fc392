"""fireworks-skill-memory: lessons in KNOWLEDGE.md, checkpoints, and error output."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.core.draft import Draft
from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.formats import About, Item
from twiceshy.interop.formats.fireworks_stats import usages
from twiceshy.interop.formats.registry import format_called
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.files import folders_in, is_file, modified, names_in, text_of
from twiceshy.interop.imports.reading import read_file
from twiceshy.safety.names import safe_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around

NAME = "fireworks"
TITLE = "fireworks-skill-memory"
_KNOWLEDGE, _STATS = "fireworks_knowledge", "fireworks_stats"
_OF_SKILL = {
    "KNOWLEDGE.md": _KNOWLEDGE,
    "CHECKPOINTS.md": "fireworks_checkpoints",
    ".error_seeds": "fireworks_seeds",
}
_PREAMBLE = "knowledge-preamble"


def places(around: Around) -> list[Place]:
    """Return the files of every skill, global files, and session files."""
    if around.given:
        return _given(around.given)
    home = _home(around)
    skills = around.environ.get("AI_MEMORY_SKILLS_DIR") or os.path.join(home, "skills")
    shared = around.environ.get("AI_MEMORY_GLOBAL_FILE") or os.path.join(
        home, "global", "KNOWLEDGE.md"
    )
    legacy = around.moved("SKILLS_KNOWLEDGE_DIR", ".claude", "skills")
    files = [
        (shared, _KNOWLEDGE),
        (around.moved("SKILLS_KNOWLEDGE_GLOBAL", ".claude", "skills-knowledge.md"), _KNOWLEDGE),
        (around.moved("SKILLS_STATS_FILE", ".claude", "skill-usage-stats.json"), _STATS),
    ]
    seeds = around.moved("SKILLS_SEEDS_DIR", ".claude", "error-seeds")
    return [
        *_of_skills(skills),
        *_of_skills(legacy),
        *(Place(path, form) for path, form in files if is_file(path)),
        *_seeds(seeds),
    ]


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield lessons, checkpoints and errors; text around lessons becomes a page."""
    if place.what == _STATS:
        yield from _counts(place, around)
        return
    root = os.path.dirname(os.path.dirname(place.path)) if place.skill else ""
    yield from read_file(place, around, root=root)
    if place.what == _KNOWLEDGE:
        yield from _preamble(place, around)


def _home(around: Around) -> str:
    if said := around.environ.get("AI_MEMORY_HOME"):
        return os.path.expanduser(said)
    if codex := around.environ.get("CODEX_HOME"):
        own = os.path.join(os.path.expanduser(codex), "memories", "fireworks-skill-memory")
        if os.path.isdir(own):
            return own
    return around.at_home(".ai-memory")


def _given(path: str) -> list[Place]:
    """Return the content of a path: a file, a skill folder, every skill, or the home."""
    if is_file(path):
        folder, name = os.path.split(os.path.abspath(path))
        form = _OF_SKILL.get(name, _KNOWLEDGE)
        return [_place(path, form, "" if folder.endswith("global") else os.path.basename(folder))]
    if any(name in names_in(path) for name in _OF_SKILL):
        return list(_of_skill(path, os.path.basename(os.path.abspath(path))))
    shared = os.path.join(path, "global", "KNOWLEDGE.md")
    return [
        *_of_skills(os.path.join(path, "skills")),
        *_of_skills(path),
        *([Place(shared, _KNOWLEDGE)] if is_file(shared) else []),
    ]


def _of_skills(folder: str) -> Iterator[Place]:
    for skill in folders_in(folder):
        if skill != "global":
            yield from _of_skill(os.path.join(folder, skill), skill)


def _of_skill(folder: str, skill: str) -> Iterator[Place]:
    for name, form in _OF_SKILL.items():
        path = os.path.join(folder, name)
        if is_file(path):
            yield _place(path, form, skill)


def _place(path: str, form: str, skill: str) -> Place:
    try:
        return Place(path, form, skill=safe_name(skill, what="skill") if skill else "")
    except UnsafeNameError as error:
        return Place(path, form, problem=str(error))


def _seeds(folder: str) -> Iterator[Place]:
    for name in names_in(folder, ".txt"):
        yield Place(os.path.join(folder, name), "fireworks_seeds")


def _counts(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the usage of each skill, as counted by fireworks."""
    name = os.path.basename(place.path)
    found = usages(around.redact(text_of(place.path)))
    if not found:
        yield Offered(name, refused="it counts nothing")
    for one in found:
        yield Offered(f"{name}: {one.skill}", usage=one)


def _preamble(place: Place, around: Around) -> Iterator[Offered]:
    """Yield text beside the lessons of a file, unless only its heading."""
    about = About(EVERYWHERE, place.skill, now=modified(place.path))
    pieces = format_called(_KNOWLEDGE).read(around.redact(text_of(place.path)), about)
    prose = "".join(piece for piece in pieces if not isinstance(piece, Item))
    if not any(_is_told(line) for line in prose.splitlines()):
        return
    name = f"{_PREAMBLE} {place.skill}" if place.skill else _PREAMBLE
    draft = Draft(
        "page", prose.strip(), Scope(EVERYWHERE, ""), "import", subtype="topic", tag=name
    )
    what = os.path.join(place.skill, os.path.basename(place.path))
    yield Offered(f"{what}: prose", draft=draft.but(learned_at=about.now), alias=name)


def _is_told(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and not bare.startswith(("#", ">", "- [placeholder]"))

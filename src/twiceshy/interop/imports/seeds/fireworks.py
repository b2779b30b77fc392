"""fireworks-skill-memory: lessons in KNOWLEDGE.md, checkpoints, and error output."""

import os
from collections.abc import Iterator

from twiceshy.core.draft import Draft
from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.formats import FileContext, ParsedItem
from twiceshy.interop.formats.fireworks import parse_usages
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.files import (
    list_file_names,
    list_folder_names,
    modified_at,
    read_text_file,
)
from twiceshy.interop.imports.read_format import read_file_items
from twiceshy.safety.names import check_name

NAME = "fireworks"
TITLE = "fireworks-skill-memory"
_KNOWLEDGE, _STATS, _SEEDS = "fireworks_knowledge", "fireworks_stats", "fireworks_seeds"
_OF_SKILL = {
    "KNOWLEDGE.md": _KNOWLEDGE,
    "CHECKPOINTS.md": "fireworks_checkpoints",
    ".error_seeds": _SEEDS,
}
_PREAMBLE = "knowledge-preamble"


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the files of every skill, global files, and session files."""
    if around.given:
        return _given_places(around.given)
    home = _home_places(around)
    skills = around.environ.get("AI_MEMORY_SKILLS_DIR") or os.path.join(home, "skills")
    usual = os.path.join(home, "global", "KNOWLEDGE.md")
    shared = around.environ.get("AI_MEMORY_GLOBAL_FILE") or usual
    legacy = around.relocated_path("SKILLS_KNOWLEDGE_GLOBAL", ".claude", "skills-knowledge.md")
    stats = around.relocated_path("SKILLS_STATS_FILE", ".claude", "skill-usage-stats.json")
    files = [(shared, _KNOWLEDGE), (legacy, _KNOWLEDGE), (stats, _STATS)]
    seeds = around.relocated_path("SKILLS_SEEDS_DIR", ".claude", "error-seeds")
    files += [(os.path.join(seeds, name), _SEEDS) for name in list_file_names(seeds, ".txt")]
    return [
        *_skills_places(skills),
        *_skills_places(around.relocated_path("SKILLS_KNOWLEDGE_DIR", ".claude", "skills")),
        *(ImportPlace(path, form) for path, form in files if os.path.isfile(path)),
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield lessons, checkpoints and errors; text around lessons becomes a page."""
    if place.what == _STATS:
        yield from _read_counts(place, around)
        return
    root = os.path.dirname(os.path.dirname(place.path)) if place.skill else ""
    yield from read_file_items(place, around, root=root)
    if place.what == _KNOWLEDGE:
        yield from _read_preamble(place, around)


def _home_places(around: ImportContext) -> str:
    if said := around.environ.get("AI_MEMORY_HOME"):
        return os.path.expanduser(said)
    if codex := around.environ.get("CODEX_HOME"):
        own = os.path.join(os.path.expanduser(codex), "memories", "fireworks-skill-memory")
        if os.path.isdir(own):
            return own
    return around.home_path(".ai-memory")


def _given_places(path: str) -> list[ImportPlace]:
    """Return the content of a path: a file, a skill folder, every skill, or the home."""
    if os.path.isfile(path):
        folder, name = os.path.split(os.path.abspath(path))
        skill = "" if folder.endswith("global") else os.path.basename(folder)
        return [_build_place(path, _OF_SKILL.get(name, _KNOWLEDGE), skill)]
    if any(name in list_file_names(path) for name in _OF_SKILL):
        return list(_skill_places(path, os.path.basename(os.path.abspath(path))))
    shared = os.path.join(path, "global", "KNOWLEDGE.md")
    return [
        *_skills_places(os.path.join(path, "skills")),
        *_skills_places(path),
        *([ImportPlace(shared, _KNOWLEDGE)] if os.path.isfile(shared) else []),
    ]


def _skills_places(folder: str) -> Iterator[ImportPlace]:
    for skill in list_folder_names(folder):
        if skill != "global":
            yield from _skill_places(os.path.join(folder, skill), skill)


def _skill_places(folder: str, skill: str) -> Iterator[ImportPlace]:
    for name, form in _OF_SKILL.items():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            yield _build_place(path, form, skill)


def _build_place(path: str, form: str, skill: str) -> ImportPlace:
    try:
        return ImportPlace(path, form, skill=check_name(skill, what="skill") if skill else "")
    except UnsafeNameError as error:
        return ImportPlace(path, form, problem=str(error))


def _read_counts(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the usage of each skill, as counted by fireworks."""
    name = os.path.basename(place.path)
    found = parse_usages(around.redact(read_text_file(place.path)))
    if not found:
        yield OfferedItem(name, refused="it counts nothing")
    for one in found:
        yield OfferedItem(f"{name}: {one.skill}", usage=one)


def _read_preamble(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield text beside the lessons of a file, unless only its heading."""
    about = FileContext(EVERYWHERE, place.skill, now=modified_at(place.path))
    pieces = load_format(_KNOWLEDGE).parse_text(around.redact(read_text_file(place.path)), about)
    prose = "".join(piece for piece in pieces if not isinstance(piece, ParsedItem))
    if not any(_is_placeholder(line) for line in prose.splitlines()):
        return
    name = f"{_PREAMBLE} {place.skill}" if place.skill else _PREAMBLE
    draft = Draft("page", prose.strip(), Scope(), "import", subtype="topic", tag=name)
    what = os.path.join(place.skill, os.path.basename(place.path))
    yield OfferedItem(f"{what}: prose", draft=draft.but(learned_at=about.now), alias=name)


def _is_placeholder(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and not bare.startswith(("#", ">", "- [placeholder]"))

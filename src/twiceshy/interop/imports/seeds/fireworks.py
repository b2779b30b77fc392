"""fireworks-skill-memory: lessons in KNOWLEDGE.md, checkpoints, and error output."""

import os
from collections.abc import Iterator

from twiceshy.core.draft import Draft
from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.formats import FileContext, ParsedItem
from twiceshy.interop.formats.fireworks import parse_usages, preamble_name
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
_LOG = "fireworks_log"
_OF_SKILL = {
    "KNOWLEDGE.md": _KNOWLEDGE,
    "CHECKPOINTS.md": "fireworks_checkpoints",
    ".error_seeds": _SEEDS,
}
_IN_CLAUDE = {
    "skills-knowledge.md": _KNOWLEDGE,
    "skill-usage-stats.json": _STATS,
    "skill-memory.log": _LOG,
}
_CLAUDE, _GLOBAL = ".claude/", "global/KNOWLEDGE.md"  # where an export has a file


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
    seeds = around.relocated_path("SKILLS_SEEDS_DIR", ".claude", "error-seeds")
    log = around.relocated_path("SKILLS_MEMORY_LOG", ".claude", "skill-memory.log")
    claude = around.relocated_path("SKILLS_KNOWLEDGE_DIR", ".claude", "skills")
    return [
        *_skills_places(skills),
        *_skills_places(claude, below=_CLAUDE),
        *_file_places((shared, _KNOWLEDGE, _GLOBAL)),
        *_claude_files(legacy, stats, log, seeds),
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield lessons, checkpoints and errors; text around lessons becomes a page."""
    if place.what == _LOG:
        return  # it is kept as it came
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
        if name in _IN_CLAUDE:
            return list(_file_places((path, _IN_CLAUDE[name], f".claude/{name}")))
        skill = "" if folder.endswith("global") else os.path.basename(folder)
        below = _CLAUDE if ".claude" in folder.split(os.sep) else ""
        return [_build_place(path, _OF_SKILL.get(name, _KNOWLEDGE), skill, below)]
    if any(name in list_file_names(path) for name in _OF_SKILL):
        return list(_skill_places(path, os.path.basename(os.path.abspath(path)), below=""))
    claude = os.path.join(path, ".claude")
    own = (os.path.join(claude, name) for name in (*_IN_CLAUDE, "error-seeds"))
    return [
        *_skills_places(os.path.join(path, "skills")),
        *_skills_places(path),
        *_skills_places(os.path.join(claude, "skills"), below=_CLAUDE),
        *_file_places((os.path.join(path, "global", "KNOWLEDGE.md"), _KNOWLEDGE, _GLOBAL)),
        *_claude_files(*own),
    ]


def _claude_files(legacy: str, stats: str, log: str, seeds: str) -> Iterator[ImportPlace]:
    """Yield what fireworks kept beside Claude Code, besides the folders of skills."""
    named = zip((legacy, stats, log), _IN_CLAUDE.items(), strict=True)
    yield from _file_places(*((path, form, f".claude/{name}") for path, (name, form) in named))
    for name in list_file_names(seeds, ".txt"):
        yield from _file_places((os.path.join(seeds, name), _SEEDS, f".claude/error-seeds/{name}"))


def _file_places(*files: tuple[str, str, str]) -> Iterator[ImportPlace]:
    for path, form, kept in files:
        if os.path.isfile(path):
            yield ImportPlace(path, form, original=kept)


def _skills_places(folder: str, *, below: str = "") -> Iterator[ImportPlace]:
    for skill in list_folder_names(folder):
        if skill != "global":
            yield from _skill_places(os.path.join(folder, skill), skill, below=below)


def _skill_places(folder: str, skill: str, *, below: str) -> Iterator[ImportPlace]:
    for name, form in _OF_SKILL.items():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            yield _build_place(path, form, skill, below)


def _build_place(path: str, form: str, skill: str, below: str) -> ImportPlace:
    try:
        name = check_name(skill, what="skill") if skill else ""
    except UnsafeNameError as error:
        return ImportPlace(path, form, problem=str(error))
    kept = f"{below}skills/{name}/{os.path.basename(path)}" if name else _GLOBAL
    return ImportPlace(path, form, skill=name, original=kept)


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
    name = preamble_name(place.skill)
    draft = Draft("page", prose.strip(), Scope(), "import", subtype="topic", tag=name)
    what = os.path.join(place.skill, os.path.basename(place.path))
    draft = draft.but(learned_at=about.now)
    yield OfferedItem(f"{what}: prose", draft=draft, alias=name, beside=True)


def _is_placeholder(line: str) -> bool:
    bare = line.strip()
    return bool(bare) and not bare.startswith(("#", ">", "- [placeholder]"))

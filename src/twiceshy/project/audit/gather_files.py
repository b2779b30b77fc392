"""Read the files around a project for an audit; read-only."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from twiceshy.config import files
from twiceshy.core.errors import ConfigError
from twiceshy.places.identity import Identity
from twiceshy.places.skill import FILE
from twiceshy.places.skill_folders import SkillSearchPath, find_claude_home, list_skill_folders
from twiceshy.project.audit.environment import parse_description
from twiceshy.project.audit.facts import (
    CommandFile,
    DeadHook,
    HubFacts,
    InstructionFile,
    PageCollection,
    PageFacts,
    ReferenceFile,
    SkillFolder,
)
from twiceshy.project.audit.pages import find_imports, find_links, is_link_to
from twiceshy.shell.command_line import parse_command_line

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".rb", ".pl")
# With these a line may be right although a file is missing.
_CONDITIONS = ("[ ", "test ", "||", "if ", "command -v", "which ")
_HUB = "MEMORY.md"
_MARKDOWN = ".md"
_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md")
_SETTINGS = ("settings.json", "settings.local.json")
_REFERENCES = ("references", "reference")
_MAX_FILES = 500  # files of one sort; a folder that holds more is nobody's memory
_PLACEHOLDERS = ("path/to", "relative/path", "...")


def list_programs(command: str, variables: Mapping[str, str]) -> list[str]:
    """Return the programs and scripts of a command; ``variables`` are expanded."""
    if any(mark in command for mark in _CONDITIONS):
        return []
    line = parse_command_line(command)
    found = []
    for each in line.commands if line.is_complete else ():
        words = (_expand_variables(word, variables) for word in each.words)
        for at, word in enumerate(words):
            program = at == 0 or word.endswith(_SCRIPTS)
            if program and word.startswith("/") and "$" not in word:
                found.append(word)
    return found


def list_hook_commands(settings: object) -> Iterator[str]:
    """Yield the commands of every hook in Claude Code's settings."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    groups = events.values() if isinstance(events, dict) else ()
    for group in (each for listed in groups if isinstance(listed, list) for each in listed):
        hooks = group.get("hooks") if isinstance(group, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            command = hook.get("command") if isinstance(hook, dict) else None
            if isinstance(command, str):
                yield command


def _expand_variables(word: str, variables: Mapping[str, str]) -> str:
    if word.startswith("~/"):
        word = variables.get("HOME", "~") + word[1:]
    for name, value in variables.items():
        word = word.replace("${" + name + "}", value).replace(f"${name}", value)
    return word


def read_native_collections(
    here: Identity, search_path: SkillSearchPath
) -> Iterator[PageCollection]:
    """Yield the pages of Claude Code's own memory folder for a project, if any."""
    slugs = (alias.removeprefix("slug:") for alias in here.aliases if alias.startswith("slug:"))
    for slug in slugs:
        folder = os.path.join(find_claude_home(search_path), "projects", slug, "memory")
        if collection := _read_native_collection(folder, search_path):
            yield collection


def read_instructions(search_path: SkillSearchPath) -> list[InstructionFile]:
    """Return the instruction files read into every session, the user's included."""
    places = [path for name in _INSTRUCTIONS for path in _project_paths(search_path, name)]
    places.append(os.path.join(find_claude_home(search_path), "CLAUDE.md"))
    found = []
    for path, text in _read_each(places):
        bases = (os.path.dirname(path), search_path.root)
        wanted = dict.fromkeys((*_list_file_links(text), *find_imports(text)))
        dead = tuple(one for one in wanted if not _target_exists(one, bases, search_path.home))
        found.append(InstructionFile(_shorten_path(path, search_path), text, dead))
    return found


def read_skill_folders(search_path: SkillSearchPath) -> list[SkillFolder]:
    """Return the skills in the folders of the project and the user."""
    places = [
        os.path.join(folder.path, name, FILE)
        for folder in list_skill_folders(search_path)
        for name in _list_folder(folder.path)
    ]
    return [_read_skill(path, text, search_path) for path, text in _read_each(places)]


def read_command_files(search_path: SkillSearchPath) -> list[CommandFile]:
    """Return the Claude Code commands of the user and the project."""
    found = []
    for base in (*_project_paths(search_path, ".claude"), find_claude_home(search_path)):
        top = os.path.join(base, "commands")
        for path, text in _read_each(_list_markdown(top)):
            name = os.path.relpath(path, top).removesuffix(_MARKDOWN)
            found.append(CommandFile(name, _shorten_path(path, search_path), text))
    return found


def find_dead_hooks(search_path: SkillSearchPath) -> list[DeadHook]:
    """Return the hooks in Claude Code's settings that start a missing program."""
    known = {"CLAUDE_PROJECT_DIR": search_path.root, "HOME": search_path.home}
    found: dict[DeadHook, None] = {}
    for base in (find_claude_home(search_path), *_project_paths(search_path, ".claude")):
        for name in _SETTINGS:
            path = os.path.join(base, name)
            for line in list_hook_commands(_read_json(path)):
                for program in list_programs(line, known):
                    if not os.path.exists(program):
                        found[DeadHook(_shorten_path(path, search_path), line, program)] = None
    return list(found)


def find_dead_links(
    text: str, bases: Sequence[str], home: str, *, pages: Iterable[str] | None
) -> tuple[str, ...]:
    """Return the link targets of a text without a matching page or file.

    If ``pages`` is None, a name in double brackets may be a page not written yet; without ``bases``
    file links are not checked.
    """
    wrong = [
        link.target
        for link in find_links(text)
        if not any(is_link_to(link.target, page) for page in pages or ())
        and (pages is not None if link.is_wiki else bases and _is_like_file(link.target))
        and not _target_exists(link.target, bases, home)
    ]
    return tuple(dict.fromkeys(wrong))


def read_text_file(path: str) -> str | None:
    """Return the text of a file; None if unreadable or far too large for notes."""
    with suppress(ConfigError):
        return files.read_plain_file(path, trusted=True)
    return None


def _read_native_collection(folder: str, search_path: SkillSearchPath) -> PageCollection | None:
    read = {
        name: read_text_file(os.path.join(folder, name))
        for name in _list_folder(folder)
        if name.endswith(_MARKDOWN)
    }
    texts = {name: text for name, text in read.items() if text is not None}
    if not texts:
        return None

    def dead(text: str) -> tuple[str, ...]:
        return find_dead_links(text, (folder,), search_path.home, pages=None)

    pages = tuple(
        PageFacts(
            name.removesuffix(_MARKDOWN),
            text,
            changed_at=int(os.stat(os.path.join(folder, name)).st_mtime * 1000),
            place=_shorten_path(os.path.join(folder, name), search_path),
            dead=dead(text),
        )
        for name, text in sorted(texts.items())
        if name != _HUB
    )
    hub = None
    if _HUB in texts:
        place = _shorten_path(os.path.join(folder, _HUB), search_path)
        hub = HubFacts(place, texts[_HUB], dead(texts[_HUB]))
    return PageCollection(hub, pages, generated=False)


def _read_skill(path: str, text: str, search_path: SkillSearchPath) -> SkillFolder:
    folder = os.path.dirname(path)
    inner = [os.path.join(folder, name) for name in _REFERENCES]
    below = [os.path.join(place, name) for place in inner for name in _list_folder(place)]
    references = tuple(
        ReferenceFile(os.path.relpath(file, folder), content)
        for file, content in _read_each(file for file in below if file.endswith(_MARKDOWN))
    )
    # Others' skills quote links as examples; a file beside them is meant if its folder is there.
    dead = []
    for target in _list_file_links(text):
        first, slash, _ = target.removeprefix("./").partition("/")
        beside = slash and os.path.isdir(os.path.join(folder, first))
        if beside and not _target_exists(target, (folder,), search_path.home):
            dead.append(target)
    name, place = os.path.basename(folder), _shorten_path(path, search_path)
    return SkillFolder(name, place, text, parse_description(text), references, tuple(dead))


def _project_paths(search_path: SkillSearchPath, name: str) -> list[str]:
    """Return the path of a project file; empty for a project without a root here."""
    return [os.path.join(search_path.root, name)] if search_path.root else []


def _read_each(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each readable file once, whatever links lead to it."""
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        if real not in seen and (text := read_text_file(path)) is not None:
            seen.add(real)
            yield path, text


def _list_markdown(top: str) -> list[str]:
    found: list[str] = []
    for folder, _, inside in os.walk(top):
        found += [os.path.join(folder, name) for name in inside if name.endswith(_MARKDOWN)]
    return sorted(found)[:_MAX_FILES]


def _list_folder(folder: str) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(folder))[:_MAX_FILES]
    return []


def _read_json(path: str) -> object:
    with suppress(ConfigError):
        return files.read_json(path, trusted=True)
    return {}


def _list_file_links(text: str) -> list[str]:
    links = find_links(text)
    return [link.target for link in links if not link.is_wiki and _is_like_file(link.target)]


def _is_like_file(target: str) -> bool:
    """True if a link target looks like a file, unlike the examples "url" or "path/to/x"."""
    return ("/" in target or "." in target) and not target.startswith(_PLACEHOLDERS)


def _target_exists(target: str, bases: Sequence[str], home: str) -> bool:
    if target.startswith("~/"):
        return os.path.exists(home + target[1:])
    return any(os.path.exists(os.path.join(base, target.lstrip("/"))) for base in bases) or (
        target.startswith("/") and os.path.exists(target)
    )


def _shorten_path(path: str, search_path: SkillSearchPath) -> str:
    """Shorten a path relative to the project root, else to the home directory."""
    for base, instead in ((search_path.root, ""), (search_path.home, f"~{os.sep}")):
        if base and path.startswith(base + os.sep):
            return instead + path[len(base) + 1 :]
    return path

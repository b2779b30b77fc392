"""Read the files around a project for an audit; read-only."""

from __future__ import annotations

import os
from contextlib import suppress

from twiceshy.config import files
from twiceshy.core.errors import ConfigError
from twiceshy.places.skill import FILE
from twiceshy.places.skill_folders import claude_home, folders
from twiceshy.project.audit.facts import (
    CommandFile,
    DeadHook,
    Hub,
    Instructions,
    Page,
    Reference,
    Shelf,
    SkillFolder,
)
from twiceshy.project.audit.hook_lines import lines_of, programs
from twiceshy.project.audit.links import imports, links
from twiceshy.project.audit.pages import names
from twiceshy.project.audit.skills import description_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.places.identity import Identity
    from twiceshy.places.skill import Around

_HUB = "MEMORY.md"
_MARKDOWN = ".md"
_INSTRUCTIONS = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md")
_SETTINGS = ("settings.json", "settings.local.json")
_REFERENCES = ("references", "reference")
_MOST = 500  # files of one sort; a folder that holds more is nobody's memory
_PLACEHOLDERS = ("path/to", "relative/path", "...")


def native_shelves(here: Identity, around: Around) -> Iterator[Shelf]:
    """Yield the pages of Claude Code's own memory folder for a project, if any."""
    slugs = (alias.removeprefix("slug:") for alias in here.aliases if alias.startswith("slug:"))
    for slug in slugs:
        folder = os.path.join(claude_home(around), "projects", slug, "memory")
        if shelf := _native_shelf(folder, around):
            yield shelf


def instructions(around: Around) -> list[Instructions]:
    """Return the instruction files read into every session, the user's included."""
    places = [path for name in _INSTRUCTIONS for path in _inside(around, name)]
    places.append(os.path.join(claude_home(around), "CLAUDE.md"))
    found = []
    for path, text in _read_each(places):
        folder = os.path.dirname(path)
        wanted = [link.target for link in links(text) if not link.wiki and _like_file(link.target)]
        bases = (folder, around.root)
        dead = [each for each in (*wanted, *imports(text)) if not _there(each, bases, around.home)]
        found.append(Instructions(_short(path, around), text, tuple(dict.fromkeys(dead))))
    return found


def skill_folders(around: Around) -> list[SkillFolder]:
    """Return the skills in the folders of the project and the user."""
    places = [
        os.path.join(folder.path, name, FILE)
        for folder in folders(around)
        for name in _names(folder.path)
    ]
    return [_skill(path, text, around) for path, text in _read_each(places)]


def command_files(around: Around) -> list[CommandFile]:
    """Return the Claude Code commands of the user and the project."""
    found = []
    for base in (*_inside(around, ".claude"), claude_home(around)):
        top = os.path.join(base, "commands")
        for path, text in _read_each(_markdown_below(top)):
            name = os.path.relpath(path, top).removesuffix(_MARKDOWN)
            found.append(CommandFile(name, _short(path, around), text))
    return found


def dead_hooks(around: Around) -> list[DeadHook]:
    """Return the hooks in Claude Code's settings that start a missing program."""
    known = {"CLAUDE_PROJECT_DIR": around.root, "HOME": around.home}
    found: dict[DeadHook, None] = {}
    for base in (claude_home(around), *_inside(around, ".claude")):
        for name in _SETTINGS:
            path = os.path.join(base, name)
            for line in lines_of(_json(path)):
                for program in programs(line, known):
                    if not os.path.exists(program):
                        found[DeadHook(_short(path, around), line, program)] = None
    return list(found)


def dead_links(
    text: str, bases: Sequence[str], home: str, *, pages: Iterable[str] | None
) -> tuple[str, ...]:
    """Return the link targets of a text without a matching page or file.

    If ``pages`` is None, a name in double brackets may be a page not written yet; without ``bases``
    file links are not checked.
    """
    wrong = [
        link.target
        for link in links(text)
        if not any(names(link.target, page) for page in pages or ())
        and (pages is not None if link.wiki else bases and _like_file(link.target))
        and not _there(link.target, bases, home)
    ]
    return tuple(dict.fromkeys(wrong))


def read_text(path: str) -> str | None:
    """Return the text of a file; None if unreadable or far too large for notes."""
    with suppress(ConfigError):
        return files.read(path, trusted=True)
    return None


def _native_shelf(folder: str, around: Around) -> Shelf | None:
    read = {
        name: read_text(os.path.join(folder, name))
        for name in _names(folder)
        if name.endswith(_MARKDOWN)
    }
    texts = {name: text for name, text in read.items() if text is not None}
    if not texts:
        return None

    def dead(text: str) -> tuple[str, ...]:
        return dead_links(text, (folder,), around.home, pages=None)

    pages = tuple(
        Page(
            name.removesuffix(_MARKDOWN),
            text,
            changed_at=int(os.stat(os.path.join(folder, name)).st_mtime * 1000),
            place=_short(os.path.join(folder, name), around),
            dead=dead(text),
        )
        for name, text in sorted(texts.items())
        if name != _HUB
    )
    hub = (
        Hub(_short(os.path.join(folder, _HUB), around), texts[_HUB], dead(texts[_HUB]))
        if _HUB in texts
        else None
    )
    return Shelf(hub, pages, generated=False)


def _skill(path: str, text: str, around: Around) -> SkillFolder:
    folder = os.path.dirname(path)
    inner = [os.path.join(folder, name) for name in _REFERENCES]
    below = [os.path.join(place, name) for place in inner for name in _names(place)]
    references = tuple(
        Reference(os.path.relpath(file, folder), content)
        for file, content in _read_each(file for file in below if file.endswith(_MARKDOWN))
    )
    # Others' skills quote links as examples; a file beside them is meant if its folder is there.
    own = (link.target for link in links(text) if not link.wiki and _like_file(link.target))
    dead = tuple(
        target
        for target in own
        if os.path.isdir(os.path.join(folder, target.removeprefix("./").partition("/")[0]))
        and "/" in target.removeprefix("./")
        and not _there(target, (folder,), around.home)
    )
    name = os.path.basename(folder)
    return SkillFolder(name, _short(path, around), text, description_of(text), references, dead)


def _inside(around: Around, name: str) -> list[str]:
    """Return the path of a project file; empty for a project without a root here."""
    return [os.path.join(around.root, name)] if around.root else []


def _read_each(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each readable file once, whatever links lead to it."""
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        if real not in seen and (text := read_text(path)) is not None:
            seen.add(real)
            yield path, text


def _markdown_below(top: str) -> list[str]:
    found: list[str] = []
    for folder, _, inside in os.walk(top):
        found += [os.path.join(folder, name) for name in inside if name.endswith(_MARKDOWN)]
    return sorted(found)[:_MOST]


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return sorted(os.listdir(folder))[:_MOST]
    return []


def _json(path: str) -> object:
    with suppress(ConfigError):
        return files.read_json(path, trusted=True)
    return {}


def _like_file(target: str) -> bool:
    """True if a link target looks like a file, unlike the examples "url" or "path/to/x"."""
    return ("/" in target or "." in target) and not target.startswith(_PLACEHOLDERS)


def _there(target: str, bases: Sequence[str], home: str) -> bool:
    if target.startswith("~/"):
        return os.path.exists(home + target[1:])
    return any(os.path.exists(os.path.join(base, target.lstrip("/"))) for base in bases) or (
        target.startswith("/") and os.path.exists(target)
    )


def _short(path: str, around: Around) -> str:
    """Shorten a path relative to the project root, else to the home directory."""
    for base, instead in ((around.root, ""), (around.home, f"~{os.sep}")):
        if base and path.startswith(base + os.sep):
            return instead + path[len(base) + 1 :]
    return path

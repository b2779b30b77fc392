"""Find a skill by name or path in the skill folders of every runtime.

The project's copy wins over the user's, and the nearest folder over folders above. The
search is for ``<folder>/<name>/SKILL.md``; ``plugin:name`` is a skill of an installed
plugin.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.places.skill_folders import SkillSearchPath, list_skill_folders, skill_folder_at
from twiceshy.places.skill_frontmatter import SkillSettings, parse_skill_settings
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.places.skill_folders import Tier

FILE = "SKILL.md"
PLUGIN = "plugin"  # the source of what no folder of ours, but a plugin has brought
_HEAD = 8 << 10  # bytes; front matter is the beginning of a file
_LONGEST = 4096


class Skill(Value):
    """A skill on disk: SKILL.md, folder, and owner."""

    name: str
    path: str
    folder: str
    tier: Tier
    source: str


def find_skill(name: str, around: SkillSearchPath) -> Skill | None:
    """Return the skill a session would load by this name; None if not found."""
    try:
        checked = check_name(name)
    except UnsafeNameError:
        return None
    plugin, colon, own = checked.partition(":")
    if colon and (found := _find_plugin_skill(plugin, own, around)):
        return found
    for folder in list_skill_folders(around):
        place = os.path.join(folder.path, checked)
        if found := _skill_in_folder(checked, place, folder.tier, folder.source):
            return found
    return None if colon else _find_by_short_name(checked, around)


def _find_plugin_skill(plugin: str, name: str, around: SkillSearchPath) -> Skill | None:
    from twiceshy.places import skill_plugins as plugins  # noqa: PLC0415 - hardly any name has a colon

    for root in plugins.list_plugin_roots(plugin, around):
        place = os.path.join(root, "skills", name)
        if found := _skill_in_folder(f"{plugin}:{name}", place, "global", PLUGIN):
            return found
    return None


def _find_by_short_name(name: str, around: SkillSearchPath) -> Skill | None:
    """Return a plugin skill called without the plugin's name, as clients allow."""
    from twiceshy.places import skill_plugins as plugins  # noqa: PLC0415 - most names are found before

    found = (_find_plugin_skill(plugin, name, around) for plugin in plugins.list_plugins(around))
    return next(filter(None, found), None)


def skill_at(path: str, around: SkillSearchPath) -> Skill | None:
    """Return the skill of a SKILL.md path, by its location; the file need not exist."""
    whole = _resolve_path(path, around)
    place, _, file = whole.rpartition("/")
    base, _, name = place.rpartition("/")
    if not base or file.lower() != FILE.lower():
        return None
    if folder := skill_folder_at(base, around):
        return _build_skill(_listed_case(base, name), whole, folder.tier, folder.source)
    if os.path.basename(base) == "skills":
        from twiceshy.places import skill_plugins as plugins  # noqa: PLC0415 - few sessions read a plugin's files

        if owner := plugins.read_plugin_name(os.path.dirname(base)):
            return _build_skill(f"{owner}:{_listed_case(base, name)}", whole, "global", PLUGIN)
    # Perhaps one of our folders holds a link to this one.
    linked = find_skill(name, around)
    return linked if linked and _is_same_file(linked.path, whole) else None


def read_skill_settings(skill: Skill) -> SkillSettings:
    """Return the note settings of a SKILL.md; reads only its beginning."""
    try:
        with open(skill.path, "rb", buffering=0, opener=open_plain) as file:
            return parse_skill_settings(file.read(_HEAD) or b"")
    except (OSError, ValueError):
        return SkillSettings()


def list_search_folders(name: str, around: SkillSearchPath) -> tuple[str, ...]:
    """Return the folders searched for a skill name, for error messages."""
    places = [folder.path for folder in list_skill_folders(around)]
    plugin, colon, _ = name.partition(":")
    if colon:
        from twiceshy.places import skill_plugins as plugins  # noqa: PLC0415 - as above

        places[:0] = [
            plugins.plugin_list_file(around),
            *(os.path.join(root, "skills") for root in plugins.list_plugin_roots(plugin, around)),
        ]
    return tuple(places)


def _skill_in_folder(name: str, folder: str, tier: Tier, source: str) -> Skill | None:
    """Return the skill in a folder, if present."""
    path = os.path.join(folder, FILE)
    return Skill(name, path, folder, tier, source) if os.path.isfile(path) else None


def _build_skill(name: str, path: str, tier: Tier, source: str) -> Skill | None:
    """Return the skill at a path, unless its name is unfit for a key."""
    try:
        return Skill(check_name(name), path, os.path.dirname(path), tier, source)
    except UnsafeNameError:
        return None


def _resolve_path(path: str, around: SkillSearchPath) -> str:
    """Return an absolute path with ``/`` separators; empty if invalid."""
    if not path or "\0" in path or len(path) > _LONGEST:
        return ""
    if path[1:2] == ":" or path.startswith("\\\\"):  # as a session on another system says it
        from twiceshy.places.identity import canonical_path  # noqa: PLC0415 - hardly any path is

        try:
            return os.path.normpath(canonical_path(path))
        except UnsafeNameError:
            return ""
    if "/" not in path:
        path = path.replace("\\", "/")
    if path.startswith("~/"):
        path = around.home + path[1:]
    return os.path.normpath(os.path.join(around.cwd, path))


def _listed_case(base: str, name: str) -> str:
    """Return a name in the case of its folder, on case-insensitive file systems."""
    try:
        names = os.listdir(base)
    except (OSError, ValueError):
        return name
    folded = name.casefold()
    return name if name in names else next((n for n in names if n.casefold() == folded), name)


def _is_same_file(one: str, other: str) -> bool:
    """True if two paths lead to the same file."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False

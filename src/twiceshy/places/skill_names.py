"""List the names of the skills that a session could load, for hints about an unknown name."""

from __future__ import annotations

import os
from itertools import islice

from twiceshy.core.errors import UnsafeNameError
from twiceshy.places.skill import FILE
from twiceshy.places.skill_folders import list_skill_folders
from twiceshy.places.skill_plugins import list_plugin_roots, list_plugins
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.places.skill_folders import SkillSearchPath

_MOST = 1_000  # names


def list_skill_names(around: SkillSearchPath) -> list[str]:
    """Return the names of the skills in the skill folders and plugins of a session."""
    return list(dict.fromkeys(islice(_find_names(around), _MOST)))


def _find_names(around: SkillSearchPath) -> Iterator[str]:
    for folder in list_skill_folders(around):
        yield from _list_folder(folder.path, "")
    for plugin in list_plugins(around):
        for root in list_plugin_roots(plugin, around):
            yield from _list_folder(os.path.join(root, "skills"), f"{plugin}:")


def _list_folder(path: str, prefix: str) -> Iterator[str]:
    """Yield the names of the folders with a SKILL.md, as a session calls the skills."""
    try:
        names = sorted(os.listdir(path))
    except (OSError, ValueError):
        return
    for name in names:
        if not os.path.isfile(os.path.join(path, name, FILE)):
            continue
        try:
            yield check_name(prefix + name)
        except UnsafeNameError:
            continue

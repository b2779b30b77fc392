"""File names by title: readable, safe in every file system, unique where case does not count."""

from __future__ import annotations

import unicodedata

from twiceshy.core.text import strip_unsafe
from twiceshy.safety.names import is_device_name, is_separator

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_CHARACTERS = 80
_MAX_BYTES = 160  # a folder, a number and an ending come on top
# Forbidden in names on Windows, or not to be linked to in Obsidian; a backtick is code in Markdown.
_FORBIDDEN = frozenset('<>:"|?*#^[]`%')
_EDGES = " .-_~"


def name_by_title(title: str, *, otherwise: str = "untitled") -> str:
    """Return a file name, without an ending, that says the title."""
    text = unicodedata.normalize("NFC", strip_unsafe(title))
    name = " ".join("".join(map(_replace_character, text)).split()).strip(_EDGES)
    name = _shorten(name).strip(_EDGES) or otherwise
    if is_device_name(name):
        stem, _, rest = name.partition(".")
        name = f"{stem.rstrip()}_{rest}"
    return name


def name_all(titles: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return a name for each subject: the known one, else one by its title that no other has."""
    names = {subject: known[subject] for subject in titles if subject in known}
    taken = set(map(fold_name, (*names.values(), *known.values())))
    for subject, title in titles.items():
        if subject not in names:
            names[subject] = _find_free(name_by_title(title), taken)
            taken.add(fold_name(names[subject]))
    return names


def says_title(name: str, title: str) -> bool:
    """True if a name was made of a title, with a number or without."""
    plain = name_by_title(title)
    number = name.removeprefix(f"{plain} (").removesuffix(")")
    return name == plain or (name == f"{plain} ({number})" and number.isdecimal())


def fold_name(name: str) -> str:
    """Return a name as file systems compare it that ignore case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())


def _find_free(name: str, taken: set[str]) -> str:
    own, number = name, 2
    while fold_name(own) in taken:
        own, number = f"{name} ({number})", number + 1
    return own


def _replace_character(character: str) -> str:
    unseen = unicodedata.category(character)[0] in "CZ" and character != "\u200d"
    return " " if unseen or character in _FORBIDDEN or is_separator(character) else character


def _shorten(name: str) -> str:
    """Return the beginning of a name; no character is cut apart."""
    name = name[:_MAX_CHARACTERS]
    while len(name.encode()) > _MAX_BYTES:
        name = name[:-1]
    return name

"""CLAUDE.md, AGENTS.md and similar: list items become conventions, never rules.

Clients read these files into every session. So items are on probation here, until a session
learns the same or a person accepts them.
"""

import os
import re
from collections.abc import Iterator

from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.claude_folders import find_claude_home
from twiceshy.interop.imports.read_format import read_file_items
from twiceshy.places.identity import Identity

NAME = "instructions"
TITLE = "CLAUDE.md and AGENTS.md"
_FORMAT = "instructions"
_POINTER = re.compile(
    r"(?:see:? +)?(?:\[[^\]\n]*\]\([^)\n]*\)|`?(?:@[^\s`]+|[^\s`]*/[^\s`]*|[^\s`]+\.md)`?)[.:]?",
    re.IGNORECASE,
)
_NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md")


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the files of this project, and the user's own, which hold everywhere."""
    if os.path.isfile(around.given):
        owner = _owner_of_file(around, os.path.dirname(around.given))
        return [ImportPlace(around.given, _FORMAT, owner)]
    root = around.given or around.here.root
    inside = [os.path.join(root, name) for name in _NAMES]
    inside.append(os.path.join(root, ".claude", "CLAUDE.md"))
    whose = _owner_of_file(around, root)
    found = [ImportPlace(path, _FORMAT, whose) for path in inside if os.path.isfile(path)]
    if around.given:
        return found
    codex = around.relocated_path("CODEX_HOME", ".codex")
    own = (os.path.join(find_claude_home(around), "CLAUDE.md"), os.path.join(codex, "AGENTS.md"))
    here = {os.path.realpath(place.path) for place in found}
    more = (path for path in own if os.path.isfile(path) and os.path.realpath(path) not in here)
    return [*found, *(ImportPlace(path, _FORMAT) for path in more)]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield list items with headings; mere pointers are skipped."""
    for piece in read_file_items(place, around):
        if piece.draft and _POINTER.fullmatch(piece.draft.text):
            yield OfferedItem(piece.what, refused="it only points elsewhere")
        else:
            yield piece.but(elsewhere=True)


def _owner_of_file(around: ImportContext, folder: str) -> Identity:
    return around.identify(folder) if around.given and not around.named else around.here

"""memory-keeper: facts, sessions, pages and log in a project's ``.claude/memory``."""

import os
import re
from collections.abc import Iterator

from twiceshy.core import jsontext
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.files import list_file_names, read_text_file
from twiceshy.interop.imports.read_format import read_file_items
from twiceshy.interop.views.threeway import is_note_id
from twiceshy.notes.pages import STABLE
from twiceshy.places.identity import Identity
from twiceshy.project.facts.extract import extract_facts

NAME = "memory-keeper"
TITLE = "memory-keeper"
_FOLDER = os.path.join(".claude", "memory")
_FACTS, _SESSION = "keeper_facts", "keeper_session"
_BELOW = (_SESSION, "keeper_archive")  # what stands below sessions/
_SESSION_NAME = re.compile(r"\d{4}-\d\d-\d\d_\d{4}\.md")


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the files of this and every known project, facts before their sessions."""
    if around.given:
        inner = os.path.join(around.given, _FOLDER)
        folder = inner if os.path.isdir(inner) else around.given
        return list(_places_in(folder, _project_of_path(around)))
    found = {each.root: each for each in (around.here, *around.known) if each.root}
    return [
        place
        for root, each in found.items()
        for place in _places_in(os.path.join(root, _FOLDER), each)
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield facts, pages and episodes, and session lines without a fact."""
    if place.what == _FACTS:
        yield from _refuse_damage(place)
    for piece in read_file_items(place, around, root=_project_root(place)):
        # what another session said in the same words is another thing that was said
        told = piece.draft if place.what == _SESSION and not is_note_id(piece.alias) else None
        alias = f"{piece.alias} {told.origin_session}" if told else piece.alias
        yield piece.but(alias=alias)
    if place.what == _SESSION:
        name = os.path.relpath(place.path, _project_root(place))
        for unused in extract_facts(read_text_file(place.path), redact=around.redact).unused:
            yield OfferedItem(f"{name}:{unused.line}", refused=unused.reason)


def _project_of_path(around: ImportContext) -> Identity:
    """Return the project of a given path: the folder above ``.claude``."""
    path = os.path.abspath(around.given)
    while not around.named and path != os.path.dirname(path):
        if os.path.isdir(os.path.join(path, _FOLDER)):
            return around.identify(path)
        path = os.path.dirname(path)
    return around.here


def _places_in(folder: str, identity: Identity) -> Iterator[ImportPlace]:
    """Yield the files of a memory folder; a folder of session files has only these."""
    inner = "" if any(map(_SESSION_NAME.fullmatch, list_file_names(folder))) else "sessions"
    sessions = os.path.join(folder, inner) if inner else folder
    archive = os.path.join(sessions, "archive")
    for path, form in (
        (os.path.join(folder, "facts.json"), _FACTS),
        *((os.path.join(folder, f"{name}.md"), "keeper_page") for name in STABLE),
        *(
            (os.path.join(archive, name), "keeper_archive")
            for name in list_file_names(archive, ".md")
        ),
        *((os.path.join(sessions, name), _SESSION) for name in list_file_names(sessions, ".md")),
        (os.path.join(folder, "memory.md"), "keeper_log"),
    ):
        if os.path.isfile(path):
            below = os.path.relpath(path, sessions if form in _BELOW else folder)
            below = f"sessions/{below}" if form in _BELOW else below
            kept = f"{identity.id}/.claude/memory/{below.replace(os.sep, '/')}"
            yield ImportPlace(path, form, identity, original=kept)


def _project_root(place: ImportPlace) -> str:
    """Return the common folder of a project's files."""
    folder = os.path.dirname(place.path)
    while os.path.basename(folder) in ("sessions", "archive"):
        folder = os.path.dirname(folder)
    return folder


def _refuse_damage(place: ImportPlace) -> Iterator[OfferedItem]:
    """Report an unreadable file instead of treating it as empty."""
    try:
        jsontext.parse_object(read_text_file(place.path).removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        yield OfferedItem("facts.json", refused="it is damaged: no JSON object")

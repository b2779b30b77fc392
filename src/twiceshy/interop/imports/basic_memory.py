"""basic-memory: observations become notes; longer notes become pages.

Its database is derived from files, so only files are read. Links stay in pages unchanged.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.files import MOST_FILES, modified_at, read_text_file, walk_files
from twiceshy.interop.imports.foreign_values import (
    offer_note,
    page_name_from_title,
    parse_mapping,
    parse_time,
    shorten_texts,
)
from twiceshy.interop.imports.prose import is_redacted, split_front_matter, split_prose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning
    from twiceshy.interop.imports.prose import Front
    from twiceshy.places.identity import Identity

NAME = "basic-memory"
TITLE = "basic-memory"

_SUFFIX = ".md"
_CONFIG = "config.json"
_OBSERVATION = re.compile(r"\[([^\[\]()]{1,60})\]\s+(.+)", re.DOTALL)
_RELATION = re.compile(r"[^\[\]]{0,100}\[\[[^\[\]]+\]\]\s*(?:\([^()]*\))?")
_CONTEXT = re.compile(r"\s*\(([^()]*)\)\s*$")
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_MEANINGS: dict[str, Meaning] = {
    **dict.fromkeys("decision design".split(), ("decision", "other")),
    "architecture": ("decision", "architecture"),
    **dict.fromkeys("technology tech".split(), ("decision", "technology")),
    **dict.fromkeys("gotcha warning caution pitfall problem".split(), ("lesson", "gotcha")),
    **dict.fromkeys("fix solution workaround".split(), ("lesson", "fix")),
    **dict.fromkeys("technique method tip process workflow step".split(), ("lesson", "workflow")),
    **dict.fromkeys("principle constraint requirement rule".split(), ("lesson", "principle")),
    "pattern": ("pattern", "other"),
    **dict.fromkeys("convention standard style".split(), ("pattern", "convention")),
    **dict.fromkeys("bug issue".split(), ("issue", "other")),
    **dict.fromkeys("preference like dislike".split(), ("preference", "")),
}


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return its project folders from its settings."""
    if around.given:
        return [ImportPlace(around.given, identity=_project_of_folder(around, around.given, ""))]
    usual = {"main": around.relocated_path("BASIC_MEMORY_HOME", "basic-memory")}
    folders = dict(_configured_projects(around)) or usual
    return [
        ImportPlace(path, name, _project_of_folder(around, path, name))
        for name, path in folders.items()
        if os.path.isdir(path)
    ]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield the content of each file, in name order."""
    for count, name in enumerate(walk_files(place.path, _SUFFIX)):
        path = os.path.join(place.path, name)
        if count == MOST_FILES:
            yield OfferedItem(name, refused=f"more than {MOST_FILES:,} files; the rest stays out")
            return
        try:
            text = around.redact(read_text_file(path, within=place.path))
        except TwiceshyError as error:
            yield OfferedItem(name, refused=str(error))
            continue
        yield from map(is_redacted, _read_file_items(place, name, text, modified_at(path)))


def _read_file_items(place: ImportPlace, name: str, text: str, at: int) -> Iterator[OfferedItem]:
    front, body, first = split_front_matter(text)
    at = parse_time(front.get("modified")) or parse_time(front.get("created")) or at
    tags = _list_tags(front)
    prose = False
    for said in split_prose(body, first=first):
        what = f"{name}:{said.line}"
        found = _OBSERVATION.fullmatch(said.text) if said.bullet else None
        if said.state:
            told = said.text
            yield offer_note(what, place, ("task", ""), told, state=said.state, learned_at=at)
        elif found:
            yield _build_observation(place, what, found, tags, at)
        else:
            prose = prose or not (said.bullet and _RELATION.fullmatch(said.text))
    if prose:
        tag = page_name_from_title(name.removesuffix(_SUFFIX))
        page: Meaning = ("page", "topic")
        yield offer_note(
            name, place, page, body.strip(), alias=name, tag=tag, concepts=tags, learned_at=at
        )


def _build_observation(
    place: ImportPlace, what: str, found: re.Match[str], tags: tuple[str, ...], at: int
) -> OfferedItem:
    category, said = found[1].strip(), found[2]
    context = _CONTEXT.search(said)
    words = said[: context.start()] if context else said
    return offer_note(
        what,
        place,
        _MEANINGS.get(category.casefold(), ("lesson", "discovery")),
        words.strip(),
        why=context[1].strip() if context else "",
        concepts=shorten_texts([*_TAG.findall(words), category, *tags]),
        learned_at=at,
    )


def _list_tags(told: Front) -> tuple[str, ...]:
    tags = told.get("tags", ())
    return shorten_texts(tags.split(",") if isinstance(tags, str) else tags)


def _configured_projects(around: ImportContext) -> Iterator[tuple[str, str]]:
    """Yield name and folder of each configured project."""
    folder = around.relocated_path("BASIC_MEMORY_CONFIG_DIR", ".basic-memory")
    other = around.environ.get("XDG_CONFIG_HOME", "")
    folders = (folder, os.path.join(other, NAME)) if other else (folder,)
    for each in folders:
        try:
            projects = parse_mapping(read_text_file(os.path.join(each, _CONFIG))).get("projects")
        except TwiceshyError:
            continue
        for name, entry in parse_mapping(projects).items():
            path = entry if isinstance(entry, str) else parse_mapping(entry).get("path")
            if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
                yield name, path


def _project_of_folder(around: ImportContext, path: str, name: str) -> Identity | None:
    """Return the project of a note folder: its location, else its name."""
    root, folder = around.here.root, os.path.realpath(path)
    if root and os.path.join(folder, "").startswith(os.path.join(os.path.realpath(root), "")):
        return around.here
    return around.project_by_name(NAME, name) if name else around.project_at(folder)

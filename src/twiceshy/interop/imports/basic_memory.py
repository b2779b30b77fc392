"""basic-memory: observations become notes; longer notes become pages.

Its database is derived from files, so only files are read. Links stay in pages unchanged.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.files import MOST_FILES, below, modified, text_of
from twiceshy.interop.imports.prose import front, marked, pieces
from twiceshy.interop.imports.told import (
    located,
    mapping,
    moment,
    named,
    note,
    piece,
    short,
    titled,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.prose import Front, Said
    from twiceshy.interop.imports.told import Meaning
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


def places(around: Around) -> list[Place]:
    """Return its project folders from its settings."""
    if around.given:
        return [Place(around.given, identity=_project(around, around.given, ""))]
    folders = dict(_configured(around)) or {
        "main": around.moved("BASIC_MEMORY_HOME", "basic-memory")
    }
    return [
        Place(path, name, _project(around, path, name))
        for name, path in folders.items()
        if os.path.isdir(path)
    ]


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield the content of each file, in name order."""
    for count, name in enumerate(below(place.path, _SUFFIX)):
        path = os.path.join(place.path, name)
        if count == MOST_FILES:
            yield Offered(name, refused=f"more than {MOST_FILES:,} files; the rest stays out")
            return
        try:
            text = around.redact(text_of(path, within=place.path))
        except TwiceshyError as error:
            yield Offered(name, refused=str(error))
            continue
        yield from map(marked, _file(place, name, text, modified(path)))


def _file(place: Place, name: str, text: str, at: int) -> Iterator[Offered]:
    told, body, first = front(text)
    at = moment(told.get("modified")) or moment(told.get("created")) or at
    tags = _tags(told)
    prose = False
    for said in pieces(body, first=first):
        what = f"{name}:{said.line}"
        found = _OBSERVATION.fullmatch(said.text) if said.bullet else None
        if said.state:
            yield piece(what, partial(_task, place, what, said, at))
        elif found:
            yield piece(what, partial(_observation, place, what, found, tags, at))
        else:
            prose = prose or not (said.bullet and _RELATION.fullmatch(said.text))
    if prose:
        yield piece(name, partial(_page, place, name, body, tags, at))


def _observation(
    place: Place, what: str, found: re.Match[str], tags: tuple[str, ...], at: int
) -> Offered:
    category, said = found[1].strip(), found[2]
    context = _CONTEXT.search(said)
    words = said[: context.start()] if context else said
    draft = note(
        place,
        None,
        _MEANINGS.get(category.casefold(), ("lesson", "discovery")),
        words.strip(),
        why=context[1].strip() if context else "",
        concepts=short([*_TAG.findall(words), category, *tags]),
        learned_at=at,
    )
    return Offered(what, draft=draft)


def _task(place: Place, what: str, said: Said, at: int) -> Offered:
    draft = note(place, None, ("task", ""), said.text, state=said.state, learned_at=at)
    return Offered(what, draft=draft)


def _page(place: Place, name: str, body: str, tags: tuple[str, ...], at: int) -> Offered:
    tag = titled(name.removesuffix(_SUFFIX))
    draft = note(
        place, None, ("page", "topic"), body.strip(), tag=tag, concepts=tags, learned_at=at
    )
    return Offered(name, draft=draft, alias=name)


def _tags(told: Front) -> tuple[str, ...]:
    tags = told.get("tags", ())
    return short(tags.split(",") if isinstance(tags, str) else tags)


def _configured(around: Around) -> Iterator[tuple[str, str]]:
    """Yield name and folder of each configured project."""
    folder = around.moved("BASIC_MEMORY_CONFIG_DIR", ".basic-memory")
    other = around.environ.get("XDG_CONFIG_HOME", "")
    folders = (folder, os.path.join(other, NAME)) if other else (folder,)
    for each in folders:
        try:
            projects = mapping(text_of(os.path.join(each, _CONFIG))).get("projects")
        except TwiceshyError:
            continue
        for name, entry in mapping(projects).items():
            path = entry if isinstance(entry, str) else mapping(entry).get("path")
            if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
                yield name, path


def _project(around: Around, path: str, name: str) -> Identity | None:
    """Return the project of a note folder: its location, else its name."""
    root, folder = around.here.root, os.path.realpath(path)
    if root and os.path.join(folder, "").startswith(os.path.join(os.path.realpath(root), "")):
        return around.here
    return named(around, NAME, name) if name else located(around, folder)

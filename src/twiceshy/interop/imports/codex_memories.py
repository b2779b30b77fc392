"""Codex memories: handbook MEMORY.md becomes notes, session summaries become episodes.

A task group in the handbook names its directory. Unprocessed input (``raw_memories.md``,
inbox notes) and derived output (``memory_summary.md``) are not read.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.evidence import Episode
from twiceshy.core.text import one_line
from twiceshy.core.value import Value
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.files import names_in, text_of
from twiceshy.interop.imports.prose import marked, pieces
from twiceshy.interop.imports.told import located, moment, named, note, piece, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.prose import Said
    from twiceshy.interop.imports.told import Meaning
    from twiceshy.places.identity import Identity

NAME = "codex"
TITLE = "Codex memories"

_HANDBOOK = "MEMORY.md"
_SUMMARIES = "rollout_summaries"
_MEANINGS: tuple[tuple[str, Meaning], ...] = (
    ("user preferences", ("preference", "")),
    ("failures", ("lesson", "pitfall")),
)
_POINTERS = frozenset({"rollout_summary_files", "extension_resource_files"})
_KEYWORDS = "keywords"
_TASKS = re.compile(r"(?:\s*\[Task \d+\])+\s*$")
_APPLIES = re.compile(r"^applies_to:\s*cwd=([^;,\n]+)", re.MULTILINE)
_TITLE = 100


class _Group(Value):
    """A task group of the handbook: project and keywords."""

    heading: str = ""
    identity: Identity | None = None
    keywords: tuple[str, ...] = ()


def places(around: Around) -> list[Place]:
    """Return Codex's memory folder."""
    folder = around.given or os.path.join(around.moved("CODEX_HOME", ".codex"), "memories")
    found = os.path.isfile(os.path.join(folder, _HANDBOOK)) or names_in(
        os.path.join(folder, _SUMMARIES), ".md"
    )
    return [Place(folder)] if around.given or found else []


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield handbook bullets, then summaries."""
    path = os.path.join(place.path, _HANDBOOK)
    if os.path.lexists(path):
        text = around.redact(text_of(path, within=place.path))
        yield from map(marked, _handbook(place, around, text))
    for name in names_in(os.path.join(place.path, _SUMMARIES), ".md"):
        what = f"{_SUMMARIES}/{name}"
        yield marked(piece(what, partial(_summary, place, around, what)))


def _handbook(place: Place, around: Around, text: str) -> Iterator[Offered]:
    group = _Group()
    for said in pieces(text):
        top = said.headings[0] if said.headings else ""
        if top != group.heading:
            group = _Group(top)
        if not said.bullet:
            if applies := _APPLIES.search(said.text):
                group = group.but(identity=_project(around, applies[1]))
        elif said.heading == _KEYWORDS:
            group = group.but(keywords=(*group.keywords, *said.text.split(",")))
        elif said.heading not in _POINTERS:
            what = f"{_HANDBOOK}:{said.line}"
            yield piece(what, partial(_bullet, place, group, what, said))


def _bullet(place: Place, group: _Group, what: str, said: Said) -> Offered:
    meaning: Meaning = ("lesson", "discovery")
    meaning = next(
        (each for begins, each in _MEANINGS if said.heading.startswith(begins)), meaning
    )
    text = _TASKS.sub("", said.text)
    draft = note(
        place, group.identity, meaning, text, why=said.why, concepts=short(group.keywords)
    )
    return Offered(what, draft=draft, identity=group.identity)


def _summary(place: Place, around: Around, what: str) -> Offered:
    text = around.redact(text_of(os.path.join(place.path, what), within=place.path))
    head, _, body = text.replace("\r\n", "\n").partition("\n\n")
    told = dict(line.split(": ", 1) for line in head.split("\n") if ": " in line)
    if "thread_id" not in told:
        told, body = {}, text
    identity = _project(around, told.get("cwd", ""))
    at = moment(told.get("updated_at"))
    first = next((line for line in body.split("\n") if line.strip()), "")
    episode = Episode(
        "",
        "end",
        one_line(told.get("thread_id", ""), limit=_TITLE),
        identity.id if identity else place.project,
        at,
        at,
        title=one_line(first.lstrip("# "), limit=_TITLE),
        summary=body.strip(),
    )
    return Offered(what, episode=episode, alias=what, identity=identity)


def _project(around: Around, cwd: str) -> Identity | None:
    """Return the project of a directory; None if invalid."""
    path = cwd.strip().strip("`'\"")
    if path.startswith("~/"):
        path = around.at_home(path[2:])
    if not os.path.isabs(path):
        return None
    return located(around, path) or named(around, NAME, os.path.basename(path.rstrip("/")))

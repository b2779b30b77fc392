"""Codex memories: handbook MEMORY.md becomes notes, session summaries become episodes.

A task group in the handbook names its directory. Unprocessed input (``raw_memories.md``,
inbox notes) and derived output (``memory_summary.md``) are not read.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.files import list_file_names, read_text_file
from twiceshy.interop.imports.foreign_values import (
    offer_episode,
    offer_note,
    offer_row,
    parse_time,
    shorten_texts,
)
from twiceshy.interop.imports.prose import is_redacted, split_prose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning
    from twiceshy.interop.imports.prose import ProseItem
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


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return Codex's memory folder."""
    usual = os.path.join(around.relocated_path("CODEX_HOME", ".codex"), "memories")
    folder = around.given or usual
    has_handbook = os.path.isfile(os.path.join(folder, _HANDBOOK))
    found = has_handbook or list_file_names(os.path.join(folder, _SUMMARIES), ".md")
    return [ImportPlace(folder)] if around.given or found else []


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield handbook bullets, then summaries."""
    path = os.path.join(place.path, _HANDBOOK)
    if os.path.lexists(path):
        text = around.redact(read_text_file(path, within=place.path))
        yield from map(is_redacted, _read_handbook(place, around, text))
    for name in list_file_names(os.path.join(place.path, _SUMMARIES), ".md"):
        what = f"{_SUMMARIES}/{name}"
        yield is_redacted(offer_row(what, partial(_build_summary, place, around, what)))


def _read_handbook(place: ImportPlace, around: ImportContext, text: str) -> Iterator[OfferedItem]:
    group = _Group()
    for said in split_prose(text):
        top = said.headings[0] if said.headings else ""
        if top != group.heading:
            group = _Group(top)
        if not said.bullet:
            if applies := _APPLIES.search(said.text):
                group = group.but(identity=_project_of_directory(around, applies[1]))
        elif said.nearest_heading == _KEYWORDS:
            group = group.but(keywords=(*group.keywords, *said.text.split(",")))
        elif said.nearest_heading not in _POINTERS:
            yield _build_bullet(place, group, said)


def _build_bullet(place: ImportPlace, group: _Group, said: ProseItem) -> OfferedItem:
    fit = (each for begins, each in _MEANINGS if said.nearest_heading.startswith(begins))
    meaning = next(fit, ("lesson", "discovery"))
    what, text = f"{_HANDBOOK}:{said.line}", _TASKS.sub("", said.text)
    own, concepts = group.identity, shorten_texts(group.keywords)
    return offer_note(what, place, meaning, text, identity=own, why=said.why, concepts=concepts)


def _build_summary(place: ImportPlace, around: ImportContext, what: str) -> OfferedItem:
    text = around.redact(read_text_file(os.path.join(place.path, what), within=place.path))
    head, _, body = text.replace("\r\n", "\n").partition("\n\n")
    told = dict(line.split(": ", 1) for line in head.split("\n") if ": " in line)
    if "thread_id" not in told:
        told, body = {}, text
    identity = _project_of_directory(around, told.get("cwd", ""))
    first = next((line for line in body.split("\n") if line.strip()), "")
    return offer_episode(
        what,
        place,
        identity,
        parse_time(told.get("updated_at")),
        session=fold_to_line(told.get("thread_id", ""), limit=_TITLE),
        title=fold_to_line(first.lstrip("# "), limit=_TITLE),
        summary=body.strip(),
    )


def _project_of_directory(around: ImportContext, cwd: str) -> Identity | None:
    """Return the project of a directory; None if invalid."""
    path = cwd.strip().strip("`'\"")
    if path.startswith("~/"):
        path = around.home_path(path[2:])
    if not os.path.isabs(path):
        return None
    name = os.path.basename(path.rstrip("/"))
    return around.project_at(path) or around.project_by_name(NAME, name)

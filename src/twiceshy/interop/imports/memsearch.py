"""memsearch: turns become an episode per session; handwritten text becomes notes.

A file is a day. Times count as UTC, since the zone is unknown. ``PROJECT.md`` becomes a
page, and bullets in ``USER.md`` become global preferences.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.interop.formats.pieces import parse_day_or_zero
from twiceshy.interop.imports import ImportPlace, OfferedItem
from twiceshy.interop.imports.files import (
    list_file_names,
    list_folder_names,
    modified_at,
    read_text_file,
)
from twiceshy.interop.imports.foreign_values import offer_episode, offer_note
from twiceshy.interop.imports.prose import is_redacted, split_prose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import ImportContext
    from twiceshy.interop.imports.foreign_values import Meaning
    from twiceshy.interop.imports.prose import ProseItem

NAME = "memsearch"
TITLE = "memsearch"

_FOLDER = ".memsearch"
_DAYS = "memory"
_PROJECT, _USER = "PROJECT.md", "USER.md"
_SESSION = re.compile(r"Session (\d{1,2}:\d{2})")
_TURN = re.compile(r"\d{1,2}:\d{2}")
_ANCHOR = re.compile(r"<!--\s*session:(\S{1,200})[^>]{0,2000}-->\s*")
_NOTHING = "Memory summary unavailable:"
_MINUTE = 60_000
_TITLE = 100


class _Turn(Value):
    """A turn: text, session, and time."""

    session: str
    at: int
    text: str


def find_places(around: ImportContext) -> list[ImportPlace]:
    """Return the folder in the current project, and OpenClaw workspaces."""
    if around.given:
        path = os.path.abspath(around.given)
        path = os.path.dirname(path) if os.path.basename(path) == _DAYS else path
        owner = os.path.dirname(path) if os.path.basename(path) == _FOLDER else path
        return [ImportPlace(path, identity=around.project_at(owner))]
    claw = around.home_path(".openclaw")
    found = [ImportPlace(os.path.join(around.here.root, _FOLDER), identity=around.here)]
    for name in list_folder_names(claw):
        if name.startswith("workspace"):
            project = around.project_at(os.path.join(claw, name))
            found.append(ImportPlace(os.path.join(claw, name, _FOLDER), identity=project))
    return [place.but(count=count) for place in found if (count := len(_list_days(place)))]


def read_place(place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
    """Yield days in order, then project and user notes."""
    for name in (*_list_days(place), _PROJECT, _USER):
        if not os.path.lexists(os.path.join(place.path, name)):
            continue
        try:
            text = around.redact(read_text_file(os.path.join(place.path, name), within=place.path))
        except TwiceshyError as error:
            yield OfferedItem(name, refused=str(error))
            continue
        yield from map(is_redacted, _read_notes(place, name, text))


def _list_days(place: ImportPlace) -> list[str]:
    folder = os.path.join(place.path, _DAYS)
    names = [] if os.path.islink(folder) else list_file_names(folder, ".md")
    return [f"{_DAYS}/{name}" for name in names]


def _read_notes(place: ImportPlace, name: str, text: str) -> Iterator[OfferedItem]:
    at = modified_at(os.path.join(place.path, name))
    if name == _PROJECT:
        page: Meaning = ("page", "project")
        yield offer_note(name, place, page, text.strip(), alias=name, tag="project", learned_at=at)
    elif name == _USER:
        for said in split_prose(text):
            if said.bullet:
                yield _build_bullet(place.but(identity=None), name, ("preference", ""), said, at)
    else:
        yield from _read_day(place, name, text, at)


def _build_bullet(
    place: ImportPlace, name: str, meaning: Meaning, said: ProseItem, at: int
) -> OfferedItem:
    what, state = f"{name}:{said.line}", said.state if meaning[0] == "task" else ""
    return offer_note(what, place, meaning, said.text, why=said.why, state=state, learned_at=at)


def _read_day(place: ImportPlace, name: str, text: str, at: int) -> Iterator[OfferedItem]:
    """Yield bullets outside sessions, then the sessions of a day."""
    day = parse_day_or_zero(os.path.basename(name).removesuffix(".md"))
    turns: list[_Turn] = []
    under: tuple[str, ...] = ()
    session = ""
    for said in split_prose(text):
        if said.headings != under:
            under, session = said.headings, ""
        anchor = _ANCHOR.match(said.text)
        session = anchor[1] if anchor else session
        words = said.text[anchor.end() :] if anchor else said.text
        opened = next((found[1] for each in under if (found := _SESSION.fullmatch(each))), "")
        if opened and words and not words.startswith(_NOTHING):
            time = under[-1] if _TURN.fullmatch(under[-1]) else opened
            bullet = f"- {words}" if said.bullet else words
            moment = day + _parse_minutes(time) if day else 0
            turns.append(_Turn(session or opened, moment, bullet))
        elif said.bullet and not opened:
            meaning: Meaning = ("task", "") if said.state else ("lesson", "discovery")
            yield _build_bullet(place, name, meaning, said, day or at)
    for key in dict.fromkeys(turn.session for turn in turns):
        yield _build_episode(place, name, key, [turn for turn in turns if turn.session == key])


def _build_episode(place: ImportPlace, name: str, session: str, turns: list[_Turn]) -> OfferedItem:
    known = not _TURN.fullmatch(session)  # an older file tells only when a session began
    return offer_episode(
        f"{name}:{fold_to_line(session, limit=_TITLE)}",
        place,
        None,
        turns[0].at,
        ended_at=turns[-1].at,
        session=session if known else "",
        title=fold_to_line(turns[0].text.removeprefix("- "), limit=_TITLE),
        summary="\n".join(turn.text for turn in turns),
    )


def _parse_minutes(time: str) -> int:
    hours, minutes = time.split(":")
    return (int(hours) % 24 * 60 + int(minutes) % 60) * _MINUTE

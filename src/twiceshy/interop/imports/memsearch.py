"""memsearch: turns become an episode per session; handwritten text becomes notes.

A file is a day. Times count as UTC, since the zone is unknown. ``PROJECT.md`` becomes a
page, and bullets in ``USER.md`` become global preferences.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.evidence import Episode
from twiceshy.core.moment import parse_day
from twiceshy.core.text import one_line
from twiceshy.core.value import Value
from twiceshy.interop.imports import Offered, Place
from twiceshy.interop.imports.files import folders_in, modified, names_in, text_of
from twiceshy.interop.imports.prose import marked, pieces
from twiceshy.interop.imports.told import everywhere, located, note, piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around
    from twiceshy.interop.imports.prose import Said
    from twiceshy.interop.imports.told import Meaning

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


def places(around: Around) -> list[Place]:
    """Return the folder in the current project, and OpenClaw workspaces."""
    if around.given:
        path = os.path.abspath(around.given)
        path = os.path.dirname(path) if os.path.basename(path) == _DAYS else path
        owner = os.path.dirname(path) if os.path.basename(path) == _FOLDER else path
        return [Place(path, identity=located(around, owner))]
    claw = around.at_home(".openclaw")
    owners = [
        os.path.join(claw, name) for name in folders_in(claw) if name.startswith("workspace")
    ]
    found = [Place(os.path.join(around.here.root, _FOLDER), identity=around.here)]
    found += [
        Place(os.path.join(owner, _FOLDER), identity=located(around, owner)) for owner in owners
    ]
    return [place.but(count=count) for place in found if (count := len(_days(place)))]


def read(place: Place, around: Around) -> Iterator[Offered]:
    """Yield days in order, then project and user notes."""
    for name in (*_days(place), _PROJECT, _USER):
        if not os.path.lexists(os.path.join(place.path, name)):
            continue
        try:
            text = around.redact(text_of(os.path.join(place.path, name), within=place.path))
        except TwiceshyError as error:
            yield Offered(name, refused=str(error))
            continue
        yield from map(marked, _told(place, name, text))


def _days(place: Place) -> list[str]:
    folder = os.path.join(place.path, _DAYS)
    names = [] if os.path.islink(folder) else names_in(folder, ".md")
    return [f"{_DAYS}/{name}" for name in names]


def _told(place: Place, name: str, text: str) -> Iterator[Offered]:
    at = modified(os.path.join(place.path, name))
    if name == _PROJECT:
        draft = note(place, None, ("page", "project"), text.strip(), tag="project", learned_at=at)
        yield Offered(name, draft=draft, alias=name)
    elif name == _USER:
        for said in pieces(text):
            if said.bullet:
                yield piece(f"{name}:{said.line}", partial(_preference, place, name, said, at))
    else:
        yield from _day(place, name, text, at)


def _preference(place: Place, name: str, said: Said, at: int) -> Offered:
    draft = note(place, None, ("preference", ""), said.text, why=said.why, learned_at=at)
    return Offered(f"{name}:{said.line}", draft=everywhere(draft))


def _day(place: Place, name: str, text: str, at: int) -> Iterator[Offered]:
    """Yield bullets outside sessions, then the sessions of a day."""
    day = _date(name)
    turns: list[_Turn] = []
    under: tuple[str, ...] = ()
    session = ""
    for said in pieces(text):
        if said.headings != under:
            under, session = said.headings, ""
        anchor = _ANCHOR.match(said.text)
        session = anchor[1] if anchor else session
        words = said.text[anchor.end() :] if anchor else said.text
        opened = next((found[1] for each in under if (found := _SESSION.fullmatch(each))), "")
        if opened and words and not words.startswith(_NOTHING):
            time = under[-1] if _TURN.fullmatch(under[-1]) else opened
            bullet = f"- {words}" if said.bullet else words
            turns.append(_Turn(session or opened, day + _minutes(time) if day else 0, bullet))
        elif said.bullet and not opened:
            what = f"{name}:{said.line}"
            yield piece(what, partial(_hand_written, place, what, said, day or at))
    for key in dict.fromkeys(turn.session for turn in turns):
        yield _episode(place, name, key, [turn for turn in turns if turn.session == key])


def _hand_written(place: Place, what: str, said: Said, at: int) -> Offered:
    meaning: Meaning = ("task", "") if said.state else ("lesson", "discovery")
    draft = note(place, None, meaning, said.text, why=said.why, state=said.state, learned_at=at)
    return Offered(what, draft=draft)


def _episode(place: Place, name: str, session: str, turns: list[_Turn]) -> Offered:
    summary = "\n".join(turn.text for turn in turns)
    known = not _TURN.fullmatch(session)  # an older file tells only when a session began
    episode = Episode(
        "",
        "end",
        session if known else "",
        place.project,
        turns[0].at,
        turns[-1].at,
        title=one_line(turns[0].text.removeprefix("- "), limit=_TITLE),
        summary=summary,
    )
    what = f"{name}:{one_line(session, limit=_TITLE)}"
    return Offered(what, episode=episode, alias=what)


def _date(name: str) -> int:
    """Return the day of a file name; 0 if none."""
    try:
        return parse_day(os.path.basename(name).removesuffix(".md"))
    except ValueError:
        return 0


def _minutes(time: str) -> int:
    hours, minutes = time.split(":")
    return (int(hours) % 24 * 60 + int(minutes) % 60) * _MINUTE

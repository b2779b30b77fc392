"""Find recorded sessions, in the order of each project.

Files without a transcript are skipped and listed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.moment import parse_stamp
from twiceshy.core.value import Value
from twiceshy.places import project as projects
from twiceshy.runtimes import RUNTIMES
from twiceshy.runtimes.jsonl import written_at
from twiceshy.runtimes.transcripts import reader, reader_of
from twiceshy.safety.names import session_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.config.resolved import Config
    from twiceshy.places.identity import Identity

_SUFFIX = ".jsonl"
_AGENT = "agent-"


class Recorded(Value):
    """A transcript of a session: path, start directory and time."""

    path: str
    session: str
    cwd: str
    at: int


class History(Value):
    """Sessions of a project, oldest first."""

    project: str
    name: str
    sessions: tuple[Recorded, ...]


class PassedOver(Value):
    """A skipped file, with the reason."""

    path: str
    why: str


class Found(Value):
    """Projects with their sessions, and skipped files."""

    histories: tuple[History, ...]
    passed_over: tuple[PassedOver, ...]

    @property
    def sessions(self) -> int:
        """Count the sessions of every project."""
        return sum(len(history.sessions) for history in self.histories)


def choose(
    config: Config, given: Sequence[str], folder: str, *, limit: int | None, project: str | None
) -> Found:
    """Find the sessions in files and folders; a runtime stands for all of its transcripts.

    What is found out about projects is remembered in ``folder``.
    """

    def identify(cwd: str) -> Identity:
        return projects.identify(cwd, cache=os.path.join(folder, "projects.json"))

    places: list[str] = []
    for place in given or RUNTIMES:
        if place in RUNTIMES:
            by = reader(place)
            places += by.everywhere(config.text(by.SETTING))
        else:
            places.append(place)
    found = find(places, identify)
    if project is not None:
        found = of_project(found, identify(os.path.abspath(project)).id)
    return newest(found, limit) if limit else found


def find(places: Iterable[str], identify: Callable[[str], Identity]) -> Found:
    """Return sessions in files and folders, by project."""
    recorded: dict[str, Recorded] = {}
    passed: list[PassedOver] = []
    for path in _files(places):
        if path in recorded:
            continue
        found = _recorded(path)
        if isinstance(found, Recorded):
            recorded[path] = found
        else:
            passed.append(found)
    return Found(tuple(_by_project(recorded.values(), identify)), tuple(passed))


def newest(found: Found, most: int) -> Found:
    """Keep only the newest sessions."""
    everything = [each for history in found.histories for each in history.sessions]
    kept = set(sorted(everything, key=lambda each: (each.at, each.path))[-most:])
    return _only(found, lambda each: each in kept)


def of_project(found: Found, project: str) -> Found:
    """Keep only the sessions of a project."""
    histories = tuple(each for each in found.histories if each.project == project)
    return found.but(histories=histories)


def _only(found: Found, wanted: Callable[[Recorded], bool]) -> Found:
    thinned = (each.but(sessions=tuple(filter(wanted, each.sessions))) for each in found.histories)
    return found.but(histories=tuple(each for each in thinned if each.sessions))


def _by_project(
    recorded: Iterable[Recorded], identify: Callable[[str], Identity]
) -> Iterator[History]:
    homes: dict[str, Identity] = {}
    groups: dict[str, list[Recorded]] = {}
    for each in recorded:
        here = (
            homes.setdefault(each.cwd, identify(each.cwd))
            if each.cwd not in homes
            else homes[each.cwd]
        )
        groups.setdefault(here.id, []).append(each)
    names = {here.id: here.name for here in homes.values()}
    for project, sessions in sorted(groups.items()):
        ordered = sorted(sessions, key=lambda each: (each.at, written_at(each.path), each.path))
        yield History(project, names[project], tuple(ordered))


def _files(places: Iterable[str]) -> Iterator[str]:
    """Yield transcript paths; a named path must exist."""
    for place in places:
        path = os.path.abspath(place)
        if reader_of(path).size_of(path) >= 0 and not os.path.isdir(path):
            yield path
        elif os.path.isdir(path):
            yield from _inside(path)
        else:
            raise NotFoundError(
                f"there is no transcript or folder {place}",
                hint="name a .jsonl file, a folder, or a runtime",
            )


def _inside(folder: str) -> Iterator[str]:
    for above, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != "subagents")
        for name in sorted(names):
            if name.endswith(_SUFFIX) and not name.startswith(_AGENT):
                yield os.path.join(above, name)


def _recorded(path: str) -> Recorded | PassedOver:
    by = reader_of(path)
    try:
        session = session_name(by.session_of(path))
    except TwiceshyError:
        return PassedOver(path, "is not named after a session")
    if by.size_of(path) < 0:
        return PassedOver(path, "cannot be read")
    opening = by.opening_of(path)
    if not opening.cwd:
        return PassedOver(path, "does not say where its session was")
    return Recorded(path, session, opening.cwd, _moment(opening.at))


def _moment(text: str) -> int:
    try:
        return parse_stamp(text)
    except ValueError:
        return 0

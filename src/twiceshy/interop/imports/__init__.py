"""What other programs kept is offered piece by piece: where it stands, and what it says or why it stays out.

A source is a module of this package with ``NAME``, ``TITLE``, ``places`` and ``read``. It reads and
never writes, takes nothing it reads for granted, and decides nothing: ``bringing`` does.
"""

from __future__ import annotations

import os
import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Episode, Signal
    from twiceshy.core.session import Usage
    from twiceshy.places.identity import Identity


class Around(Value):
    """Where to look: the user's home, the project we are in, and the variables that move places.

    ``given`` is a path that somebody named: then only there. ``named`` says that somebody named the
    project, too: then what does not say whose it is belongs to ``here``. ``identify`` tells the project of a
    directory, ``by_slug`` that of a folder below ``~/.claude/projects``, None if nobody knows it;
    ``known`` are the projects that we have notes about. ``redact`` is for a text that is taken
    apart: a secret of several lines is known only while it is whole.
    """

    home: str
    here: Identity
    environ: Mapping[str, str]
    identify: Callable[[str], Identity]
    by_slug: Callable[[str], Identity | None]
    given: str = ""
    named: bool = False
    known: tuple[Identity, ...] = ()
    redact: Callable[[str], str] = str

    def at_home(self, *parts: str) -> str:
        """Return a path below the user's home."""
        return os.path.join(self.home, *parts)

    def moved(self, variable: str, *parts: str) -> str:
        """Return where a variable says that something lies, else the path below the user's home."""
        said = self.environ.get(variable, "")
        return os.path.expanduser(said) if said else self.at_home(*parts)

    def called(self, name: str) -> Identity | None:
        """Return the one project of that name that we know."""
        found = {each.id: each for each in (self.here, *self.known) if each.name == name}
        return next(iter(found.values())) if len(found) == 1 else None


class Place(Value):
    """Something to import: a file or folder, whose project it is, and how much there is if that is cheap.

    Without an identity it holds everywhere, or each piece tells its project itself. A ``problem`` keeps all
    of it out.
    """

    path: str
    what: str = ""  # which of its formats, for a source that has several
    identity: Identity | None = None
    skill: str = ""
    count: int = 0
    problem: str = ""

    @property
    def project(self) -> str:
        """Return the id of the project that it belongs to."""
        return self.identity.id if self.identity else EVERYWHERE


class Offered(Value):
    """One piece: exactly one of ``draft``, ``episode``, ``signal`` and ``usage``, or why it is none of them.

    ``what`` says where it stands, relative to its place. ``alias`` is the id that it had; with that, or
    without by what it says, it is known again. A draft tells sightings, pin and date itself. An episode without
    an id is given one. ``shown`` is a handoff that a session has been told; ``elsewhere`` is what sessions are
    told by their own client: it is on probation here, so that nobody is told twice.
    """

    what: str
    draft: Draft | None = None
    episode: Episode | None = None
    signal: Signal | None = None
    usage: Usage | None = None
    alias: str = ""
    missed: int = 0
    recalls: int = 0
    shown: bool = False
    elsewhere: bool = False
    redacted: bool = False  # before it was taken apart
    refused: str = ""
    identity: Identity | None = None  # of its project, where that is not its place's


class Source(Protocol):
    """What one other program kept; a module can be one."""

    NAME: str
    TITLE: str

    def places(self, around: Around) -> list[Place]:
        """Return what is there, looking no further than the names of files."""

    def read(self, place: Place, around: Around) -> Iterator[Offered]:
        """Yield what a place holds, in its order; a TwiceshyError ends the place, not the import."""


def sources() -> dict[str, Source]:
    """Return every source by its name, in that order, the seeds first."""
    return {module.NAME: module for module in _modules()}


def _modules() -> Iterator[Source]:
    for package in (f"{__name__}.seeds", __name__):
        parts = pkgutil.iter_modules(import_module(package).__path__)
        modules = [import_module(f"{package}.{part.name}") for part in parts]
        found = [one for one in modules if hasattr(one, "NAME") and hasattr(one, "places")]
        yield from sorted(found, key=lambda one: one.NAME)

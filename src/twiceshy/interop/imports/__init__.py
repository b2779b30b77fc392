"""Import sources: each offers items of another program, with place and refusal reasons.

A source is a module with ``NAME``, ``TITLE``, ``find_places`` and ``read_place``. A source
only reads, trusts nothing, and decides nothing: ``import_run`` does.
"""

import os
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Protocol

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Episode, Signal
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.session import SkillUsage
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.places.identity import Identity, directory_id

LONGEST_NAME = 80


class ImportContext(Value):
    """Search context of an import: home, current project, variables.

    ``given`` is a path named by the user: only there. ``named``: the user named the project, so
    unowned items belong to ``here``. ``identify`` returns the project of a directory,
    ``by_slug`` that of a folder below ``~/.claude/projects``, None if unknown; ``known`` are
    projects with notes, ``rootless`` the ids of those that an import knows by a name alone.
    ``redact`` is for texts taken apart: a secret over several lines is
    recognised only in the whole. ``is_own`` tells a file that we wrote, which is no import.
    """

    home: str
    here: Identity
    environ: Mapping[str, str]
    identify: Callable[[str], Identity]
    by_slug: Callable[[str], Identity | None]
    given: str = ""
    named: bool = False
    known: tuple[Identity, ...] = ()
    rootless: frozenset[str] = frozenset()
    redact: Callable[[str], str] = str
    is_own: Callable[[str], bool] = lambda _: False

    def home_path(self, *parts: str) -> str:
        """Return a path below the user's home."""
        return os.path.join(self.home, *parts)

    def relocated_path(self, variable: str, *parts: str) -> str:
        """Return a location from a variable, else below the user's home."""
        said = self.environ.get(variable, "")
        return os.path.expanduser(said) if said else self.home_path(*parts)

    def find_project_named(self, name: str) -> Identity | None:
        """Return the only known project of that name."""
        found = {each.id: each for each in (self.here, *self.known) if each.name == name}
        return next(iter(found.values())) if len(found) == 1 else None

    def project_by_name(
        self, source: str, name: str, known: Identity | None = None
    ) -> Identity | None:
        """Return the project of a bare name; None without a name.

        It is the known project of that name, else a new one, which `project merge` can move: a
        bare name must not spread lessons of one project into every project. A known project is
        also called what an import called it while only its name was known.
        """
        shown = fold_to_line("".join(filter(str.isprintable, name)), limit=LONGEST_NAME)
        if not shown:
            return None
        new = Identity(directory_id(f"/{source}/{shown}"), shown, root="")
        known = known or self.find_project_named(shown)
        if known and new.id in self.rootless and new.id != known.id:
            return known.but(aliases=(*known.aliases, new.id))
        return known or new

    def project_at(self, path: str) -> Identity | None:
        """Return the project of an existing directory; None otherwise."""
        there = os.path.isabs(path) and "\0" not in path and os.path.isdir(path)
        return self.identify(path) if there else None


class ImportPlace(Value):
    """A file or folder to import, with project and size if cheap.

    Without an identity it holds everywhere, or each item names its project. A ``problem``
    excludes everything. ``original`` is the path in an export of its system, for a file that is
    kept as it was found.
    """

    path: str
    what: str = ""  # which of its formats, for a source that has several
    identity: Identity | None = None
    skill: str = ""
    count: int = 0
    problem: str = ""
    original: str = ""

    @property
    def project_id(self) -> str:
        """Return the project id."""
        return self.identity.id if self.identity else EVERYWHERE


class OfferedItem(Value):
    """An item: one of ``draft``, ``episode``, ``signal`` and ``usage``, or a refusal.

    ``what`` tells the position within its place. ``alias`` is the former id; by alias, or else
    by content, an item is recognised again. A draft carries sightings, pin and date. An episode
    without id gets one. ``shown``: a handoff already told; ``elsewhere``: content told by its
    own client, on probation here, so that nobody is told twice; ``own``: a rule that the user
    wrote down for himself, which holds at once if he confirms the import.
    """

    what: str
    draft: Draft | None = None
    episode: Episode | None = None
    signal: Signal | None = None
    usage: SkillUsage | None = None
    alias: str = ""
    missed: int = 0
    recalls: int = 0
    shown: bool = False
    elsewhere: bool = False
    own: bool = False
    redacted: bool = False  # before it was taken apart
    refused: str = ""
    beside: bool = False  # made of what stands around the items of its file
    row: str = ""  # as a database had it, for the way back
    identity: Identity | None = None  # of its project, where that is not its place's


class ImportSource(Protocol):
    """Content of another program; a module can implement it."""

    NAME: str
    TITLE: str

    def find_places(self, around: ImportContext) -> list[ImportPlace]:
        """Return existing places, by file names only."""

    def read_place(self, place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
        """Yield the items of a place in order; a TwiceshyError ends the place, not the import."""


def load_sources() -> dict[str, ImportSource]:
    """Return every source by name, older systems first."""
    return {module.NAME: module for module in _load_modules()}


def _load_modules() -> Iterator[ImportSource]:
    for package in (f"{__name__}.seeds", __name__):
        parts = pkgutil.iter_modules(import_module(package).__path__)
        modules = [import_module(f"{package}.{part.name}") for part in parts]
        found = [one for one in modules if hasattr(one, "NAME") and hasattr(one, "find_places")]
        yield from sorted(found, key=lambda one: one.NAME)

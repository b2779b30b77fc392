"""Facts for an audit, gathered from the store, from files and from git."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.note import Note
    from twiceshy.core.store import Finding as Looked
    from twiceshy.places.git_state import Checkout


class Page(Value):
    """Page of the store, or file in Claude Code's own memory folder."""

    name: str
    text: str
    changed_at: int
    topic: bool = True  # not one of the three that every project may have
    shown: int = 0
    place: str = ""  # the file; nothing for a page of the store
    dead: tuple[str, ...] = ()  # where its links lead, as far as nothing is there

    @property
    def where(self) -> str:
        """Display name: the file path, else the page name."""
        return self.place or self.name


class Hub(Value):
    """Index of pages: generated for the store, a file in Claude Code's own folder."""

    where: str
    text: str
    dead: tuple[str, ...] = ()
    folded: int = 0  # pages for which no line was left


class Shelf(Value):
    """Hub and the pages it links to."""

    hub: Hub | None = None
    pages: tuple[Page, ...] = ()
    generated: bool = True  # then the hub names every page by itself


class Instructions(Value):
    """Instruction file read into every session, such as CLAUDE.md."""

    place: str
    text: str
    dead: tuple[str, ...] = ()


class Reference(Value):
    """Reference file beside a SKILL.md."""

    name: str
    text: str


class SkillFolder(Value):
    """Skill folder on disk."""

    name: str
    place: str
    text: str
    description: str
    references: tuple[Reference, ...] = ()
    dead: tuple[str, ...] = ()


class CommandFile(Value):
    """User-written command for a runtime."""

    name: str
    place: str
    text: str


class DeadHook(Value):
    """Hook in a runtime's settings that starts a missing program."""

    place: str
    command: str
    missing: str


class Drift(Value):
    """Difference between a skill view and the store: extra lessons, missing notes."""

    place: str
    skill: str
    only_there: int
    lacking: int


class Facts(Value):
    """Facts for every check; facts not gathered are empty."""

    now: int
    shelves: tuple[Shelf, ...] = ()
    notes: tuple[Note, ...] = ()
    near: tuple[tuple[Note, Note, float], ...] = ()  # pairs that say nearly the same
    without_vector: frozenset[str] = frozenset()
    drifts: tuple[Drift, ...] = ()
    instructions: tuple[Instructions, ...] = ()
    skills: tuple[SkillFolder, ...] = ()
    commands: tuple[CommandFile, ...] = ()
    verbs: frozenset[str] = frozenset()
    hooks: tuple[Looked, ...] = ()
    dead_hooks: tuple[DeadHook, ...] = ()
    repositories: tuple[Checkout, ...] = ()
    counts: Mapping[str, int] = {}

    @property
    def pages(self) -> tuple[Page, ...]:
        """Pages of every collection."""
        return tuple(page for shelf in self.shelves for page in shelf.pages)

"""What an audit knows: gathered by others from the store, from files and from git, and only looked at."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.note import Note
    from twiceshy.core.store import Finding as Looked
    from twiceshy.places.git_state import Checkout


class Page(Value):
    """A page of the store, or a file of the folder that Claude Code keeps its own notes in."""

    name: str
    text: str
    changed_at: int
    topic: bool = True  # not one of the three that every project may have
    shown: int = 0
    place: str = ""  # the file; nothing for a page of the store
    dead: tuple[str, ...] = ()  # where its links lead, as far as nothing is there

    @property
    def where(self) -> str:
        """Return by what people know it."""
        return self.place or self.name


class Hub(Value):
    """The list of all pages: generated for the store, a file in Claude Code's own folder."""

    where: str
    text: str
    dead: tuple[str, ...] = ()
    folded: int = 0  # pages for which no line was left


class Shelf(Value):
    """A hub and the pages it leads to."""

    hub: Hub | None = None
    pages: tuple[Page, ...] = ()
    generated: bool = True  # then the hub names every page by itself


class Instructions(Value):
    """A file that a runtime reads into every session, such as CLAUDE.md."""

    place: str
    text: str
    dead: tuple[str, ...] = ()


class Reference(Value):
    """A file that a skill keeps beside its SKILL.md."""

    name: str
    text: str


class SkillFolder(Value):
    """A skill as it lies on the disk."""

    name: str
    place: str
    text: str
    description: str
    references: tuple[Reference, ...] = ()
    dead: tuple[str, ...] = ()


class CommandFile(Value):
    """A command that a user wrote for a runtime."""

    name: str
    place: str
    text: str


class DeadHook(Value):
    """A line in a runtime's settings that starts a program which is not there."""

    place: str
    command: str
    missing: str


class Drift(Value):
    """A view of ours that is not what the store says: lessons only there, and notes it lacks."""

    place: str
    skill: str
    only_there: int
    lacking: int


class Facts(Value):
    """Everything that is looked at; what was not gathered is empty."""

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
        """Return the pages of every shelf."""
        return tuple(page for shelf in self.shelves for page in shelf.pages)

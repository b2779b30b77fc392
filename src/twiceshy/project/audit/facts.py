"""Facts for an audit, gathered from the store, from files and from git."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.note import Note
    from twiceshy.core.store import HealthFinding as Looked
    from twiceshy.places.git import Checkout


class PageFacts(Value):
    """Page of the store, or file in Claude Code's own memory folder."""

    name: str
    text: str
    changed_at: int
    is_topic: bool = True  # not one of the three that every project may have
    times_shown: int = 0
    place: str = ""  # the file; nothing for a page of the store
    dead: tuple[str, ...] = ()  # where its links lead, as far as nothing is there

    @property
    def where(self) -> str:
        """Display name: the file path, else the page name."""
        return self.place or self.name


class HubFacts(Value):
    """Index of pages: generated for the store, a file in Claude Code's own folder."""

    where: str
    text: str
    dead: tuple[str, ...] = ()
    folded: int = 0  # pages for which no line was left


class PageCollection(Value):
    """Hub and the pages it links to."""

    hub: HubFacts | None = None
    pages: tuple[PageFacts, ...] = ()
    generated: bool = True  # then the hub names every page by itself


class InstructionFile(Value):
    """Instruction file read into every session, such as CLAUDE.md."""

    place: str
    text: str
    dead: tuple[str, ...] = ()


class ReferenceFile(Value):
    """Reference file beside a SKILL.md."""

    name: str
    text: str


class SkillFolder(Value):
    """Skill folder on disk."""

    name: str
    place: str
    text: str
    description: str
    references: tuple[ReferenceFile, ...] = ()
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


class ViewDrift(Value):
    """Difference between a skill view and the store: extra lessons, missing notes."""

    place: str
    skill: str
    only_there: int
    lacking: int


class AuditFacts(Value):
    """Facts for every check; facts not gathered are empty."""

    now: int
    page_collections: tuple[PageCollection, ...] = ()
    notes: tuple[Note, ...] = ()
    near: tuple[tuple[Note, Note, float], ...] = ()  # pairs that say nearly the same
    without_vector: frozenset[str] = frozenset()
    drifts: tuple[ViewDrift, ...] = ()
    instructions: tuple[InstructionFile, ...] = ()
    skills: tuple[SkillFolder, ...] = ()
    commands: tuple[CommandFile, ...] = ()
    verbs: frozenset[str] = frozenset()
    hooks: tuple[Looked, ...] = ()
    dead_hooks: tuple[DeadHook, ...] = ()
    repositories: tuple[Checkout, ...] = ()
    counts: Mapping[str, int] = {}

    @property
    def pages(self) -> tuple[PageFacts, ...]:
        """Pages of every collection."""
        return tuple(page for shelf in self.page_collections for page in shelf.pages)

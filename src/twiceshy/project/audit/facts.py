"""Facts for an audit, gathered from the store, from files and from git; and its findings.

The message of a finding is worded elsewhere, in the user's language.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.core.store import HealthFinding as Looked
    from twiceshy.places.git_state import Checkout

    Depth = Literal["quick", "full", "health"]
    Area = Literal["memory", "commands", "hooks", "project", "git"]
    Weight = Literal["OK", "WARNING", "BROKEN"]

WARNING, BROKEN = "WARNING", "BROKEN"
CLEAN, DUPLICATE, CONFLICT = "CLEAN", "DUPLICATE", "CONFLICT"
ORPHAN, FAT, STALE, DIRTY, BEHIND = "ORPHAN", "FAT", "STALE", "DIRTY", "BEHIND"
AREAS: tuple[Area, ...] = ("memory", "commands", "hooks", "project", "git")
# about → the tag of the full check, and how bad it is: only what is BROKEN makes the exit code 1
TAGS: dict[str, tuple[str, Weight]] = {
    "sound": (CLEAN, "OK"),
    "page-empty": (WARNING, "WARNING"),
    "page-fence": (WARNING, "WARNING"),
    "page-large": (FAT, "WARNING"),
    "page-stale": (STALE, "WARNING"),
    "page-orphan": (ORPHAN, "WARNING"),
    "hub-filling": (FAT, "WARNING"),
    "hub-full": (FAT, "BROKEN"),
    "link-broken": (BROKEN, "BROKEN"),
    "note-twice": (DUPLICATE, "WARNING"),
    "note-near": (DUPLICATE, "WARNING"),
    "line-twice": (DUPLICATE, "WARNING"),
    "instruction-twice": (DUPLICATE, "WARNING"),
    "rule-conflict": (CONFLICT, "BROKEN"),
    "note-conflict": (CONFLICT, "WARNING"),
    "trigger-conflict": (CONFLICT, "WARNING"),
    "skill-conflict": (CONFLICT, "WARNING"),
    "skill-crowded": (FAT, "WARNING"),
    "skill-gotchas": (FAT, "WARNING"),
    "vectors-missing": (STALE, "WARNING"),
    "view-drifted": (STALE, "WARNING"),
    "reference-large": (FAT, "WARNING"),
    "reference-orphan": (ORPHAN, "WARNING"),
    "command-empty": (WARNING, "WARNING"),
    "command-dead": (BROKEN, "BROKEN"),
    "command-twice": (DUPLICATE, "WARNING"),
    "hook-dead": (BROKEN, "BROKEN"),
    "hook-broken": (BROKEN, "BROKEN"),
    "hook-trouble": (WARNING, "WARNING"),
    "repository-dirty": (DIRTY, "WARNING"),
    "repository-behind": (BEHIND, "WARNING"),
}


class AuditFinding(Value):
    """Result of a check: code, area, place, and message values."""

    about: str
    area: Area
    where: str
    values: Mapping[str, object] = {}

    @property
    def weight(self) -> Weight:
        """Severity."""
        return TAGS[self.about][1]

    def tag_at_depth(self, depth: Depth) -> str:
        """Return the tag before the message: category in a full check, else the severity."""
        return TAGS[self.about][0] if depth == "full" else self.weight


def build_finding(about: str, area: Area, where: str, **values: object) -> AuditFinding:
    """Build a finding with the values for its message."""
    return AuditFinding(about, area, where, values)


def worst_weight(findings: Iterable[AuditFinding]) -> Weight:
    """Return the highest severity among findings."""
    weights = {finding.weight for finding in findings}
    if "BROKEN" in weights:
        return "BROKEN"
    return "WARNING" if "WARNING" in weights else "OK"


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

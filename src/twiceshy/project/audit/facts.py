"""Facts for an audit, gathered from the store, from files and from git; and its findings.

The message of a finding is worded elsewhere, in the user's language.
"""

from __future__ import annotations

from twiceshy.core.text import checksum_text
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.store import HealthFinding as Looked
    from twiceshy.places.git import Checkout
    from twiceshy.places.identity import Identity

    Depth = Literal["quick", "health", "full"]
    Area = Literal["memory", "commands", "hooks", "project", "git"]
    Weight = Literal["OK", "WARNING", "BROKEN"]


AREAS: tuple[Area, ...] = ("memory", "commands", "hooks", "project", "git")
DEPTHS: tuple[Depth, ...] = ("quick", "health", "full")  # each shows what those before it show
# the tag of the full check → the findings with it
_TAGGED = {
    "CLEAN": "sound",
    "WARNING": "page-empty page-fence command-empty hook-trouble",
    "FAT": "page-large hub-filling hub-full skill-crowded skill-gotchas reference-large",
    "STALE": "page-stale vectors-missing view-drifted note-superseded note-replaced note-contradicted "
    "note-over note-finished note-gone note-works note-useless note-files note-skill",
    "ORPHAN": "page-orphan reference-orphan",
    "DUPLICATE": "note-twice note-near note-covered line-twice instruction-twice command-twice",
    "CONFLICT": "rule-conflict note-conflict trigger-conflict skill-conflict",
    "BROKEN": "link-broken command-dead hook-dead hook-broken",
    "DIRTY": "repository-dirty",
    "BEHIND": "repository-behind",
}
TAGS = {about: tag for tag, tagged in _TAGGED.items() for about in tagged.split()}
# These findings make the exit code 1.
_BROKEN = ("hub-full", "rule-conflict", *_TAGGED["BROKEN"].split())


class AuditFinding(Value):
    """Result of a check: code, area, place, message values, and the notes it speaks against."""

    about: str
    area: Area
    where: str
    values: Mapping[str, object] = {}
    notes: tuple[str, ...] = ()
    depth: Depth = "quick"  # the shallowest that shows it

    @property
    def id(self) -> str:
        """Return the id of a finding: the same in every verb, and while only numbers change."""
        said = (value for value in self.values.values() if isinstance(value, str))
        return f"f{checksum_text(chr(31).join((self.about, self.area, self.where, *said)))}"

    @property
    def weight(self) -> Weight:
        """Severity."""
        if self.about == "sound":
            return "OK"
        return "BROKEN" if self.about in _BROKEN else "WARNING"

    def tag_at_depth(self, depth: Depth) -> str:
        """Return the tag before the message: category in a full check, else the severity."""
        return TAGS[self.about] if depth == "full" else self.weight


def build_finding(about: str, area: Area, where: str, **values: object) -> AuditFinding:
    """Build a finding with the values for its message."""
    return AuditFinding(about, area, where, values)


class PageFacts(Value):
    """Page of the store, or file in Claude Code's own memory folder."""

    name: str
    text: str
    changed_at: int
    note: str = ""  # its id; nothing for a file
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

    @property
    def documents(self) -> tuple[HubFacts | PageFacts, ...]:
        """Hub, if any, and pages."""
        return (self.hub, *self.pages) if self.hub else self.pages


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


class NoteContext(Value):
    """Evidence about a note from outside the note."""

    replaced_by: str = ""  # the handle of a newer one that takes its place
    rule: str = ""  # the id of a rule that says the same
    missing: tuple[str, ...] = ()  # files it names that are gone
    skill_changed: bool = False
    outcomes: tuple[Outcome, ...] = ()


class AuditFacts(Value):
    """Facts for every check; facts not gathered are empty."""

    now: int
    page_collections: tuple[PageCollection, ...] = ()
    notes: tuple[Note, ...] = ()
    near: tuple[tuple[Note, Note, float], ...] = ()  # pairs that say nearly the same
    contexts: Mapping[str, NoteContext] = {}  # by note id
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
        return tuple(page for collection in self.page_collections for page in collection.pages)


class AuditResult(Value):
    """The one audit of a project; each verb shows a part of its findings, and the same verdict."""

    here: Identity
    areas: tuple[Area, ...]
    facts: AuditFacts
    findings: tuple[AuditFinding, ...]

    @property
    def broken(self) -> int:
        """Return the number of broken things."""
        return sum(finding.weight == "BROKEN" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """Return the number of things to look at."""
        return len(self.findings) - self.broken

    @property
    def verdict(self) -> Weight:
        """Return the highest severity of all findings, shown or not."""
        if self.broken:
            return "BROKEN"
        return "WARNING" if self.findings else "OK"

    def list_shown(self, depth: Depth) -> list[AuditFinding]:
        """Return the findings that a depth shows, and a sound finding for each area without any."""
        shown = DEPTHS[: DEPTHS.index(depth) + 1]
        found: list[AuditFinding] = []
        for area in self.areas:
            flaws = [finding for finding in self.findings if finding.area == area]
            found += [flaw for flaw in flaws if flaw.depth in shown]
            if not flaws:
                found.append(build_finding("sound", area, area, **self.facts.counts))
        return found

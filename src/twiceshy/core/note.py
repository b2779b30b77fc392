"""A note: a short text for later sessions, with scope, status and origin."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.text import checksum_text, fingerprint_text
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    from twiceshy.core.scope import Scope

    Kind = Literal["lesson", "decision", "pattern", "issue", "rule", "task", "page", "preference"]
    NoteStatus = Literal["candidate", "active", "retired", "quarantined", "pending removal"]
    Source = Literal["user", "agent", "historian", "distiller", "detector", "import"]

# kind → subtypes (the first is the default) and states (the first is where a note begins)
KINDS: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "lesson": (
        ("gotcha", "discovery", "fix", "workflow", "pitfall", "principle"),
        ("current", "stale"),
    ),
    "decision": (("other", "architecture", "technology", "approach"), ("current", "superseded")),
    "pattern": (("other", "convention", "best-practice", "anti-pattern"), ("current",)),
    "issue": (("other", "bugfix", "performance", "security", "feature"), ("open", "resolved")),
    "rule": (("correction", "hard"), ("current", "cleared")),
    "task": (("",), ("open", "done")),
    "page": (("topic", "project", "architecture", "conventions", "index"), ("current",)),
    "preference": (("",), ("current", "resting")),
}
STATUSES: tuple[NoteStatus, ...] = (
    "candidate",
    "active",
    "retired",
    "quarantined",
    "pending removal",
)
SOURCES: tuple[Source, ...] = ("user", "agent", "historian", "distiller", "detector", "import")
SHOWN: tuple[NoteStatus, ...] = ("candidate", "active")

# How the reason of an active note begins that may replace another; its id follows.
MAY_REPLACE = "may replace "
MISTAKE = "mistake:"  # how the tag of a lesson begins that is known by the key of its mistake

# Under these names a device counts the calls that a lesson is about; other devices receive them.
FAILED_CALLS, SUCCEEDED_CALLS = "failed_calls", "succeeded_calls"

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_HANDLE = 4


class Note(Value):
    """A stored note, with its counters for reading."""

    id: str
    kind: Kind
    subtype: str
    text: str
    why: str
    scope: Scope
    tag: str
    files: tuple[str, ...]
    concepts: tuple[str, ...]
    trigger: str
    state: str
    status: NoteStatus
    reason: str
    pinned: bool
    trust: float
    source: Source
    origin_project: str
    origin_session: str
    skill_hash: str
    supersedes: str
    superseded_by: str
    written_at: int
    learned_at: int
    expires_at: int
    sightings: int
    days: int
    revision: int
    recalls: int = 0
    missed: int = 0
    helped: int = 0
    harmed: int = 0

    @property
    def handle(self) -> str:
        """Return the short id cited by people and agents."""
        return short_handle(self.id)

    @property
    def fingerprint(self) -> str:
        """Return the duplicate key of the note; the scope is the other half of the key."""
        return fingerprint_note(self.kind, self.tag, self.text)

    @property
    def told_content(self) -> str:
        """Return a checksum of every text of the note that an agent may see."""
        labels = (self.tag, self.scope.skill, *self.concepts, *self.files, self.trigger)
        return checksum_text("\x1f".join((self.text, self.why, *labels)))

    @property
    def final_state(self) -> str:
        """Return the state of a note that is over, such as a resolved issue; else empty."""
        is_over = self.kind in ("task", "issue") and self.state in KINDS[self.kind][1][1:]
        return self.state if is_over else ""

    @property
    def replaced_id(self) -> str:
        """Return the id of the note that this active note may replace; empty if none."""
        asked = self.status == "active" and self.reason.startswith(MAY_REPLACE)
        return self.reason.removeprefix(MAY_REPLACE) if asked else ""

    def is_expired(self, now: int) -> bool:
        """True if the note's lifetime is over; pinned notes never expire."""
        return 0 < self.expires_at <= now and not self.pinned


def is_exempt(note: Note) -> bool:
    """True if only a person may retire a note."""
    return note.pinned or note.kind in ("rule", "task", "page", "preference")


def is_known_by_tag(kind: str, tag: str) -> bool:
    """True if the tag identifies a note: the name of a page, or the key of a mistake."""
    return kind == "page" or tag.startswith(MISTAKE)


def fingerprint_note(kind: str, tag: str, text: str) -> str:
    """Return the duplicate key of a note: from its tag if the tag identifies it, else its text.

    The key of a mistake keeps its capitals: ``-A`` is another option than ``-a``.
    """
    if tag.startswith(MISTAKE):
        tag = "".join(f"^{char}" if char.isupper() else char for char in tag)
    return fingerprint_text(kind, tag if is_known_by_tag(kind, tag) else text)


def new_id(at: int, entropy: bytes) -> str:
    """Build a sortable id: nine characters of time, then eight random characters."""
    number = (at << 40) | int.from_bytes(entropy[:5], "big")
    digits = [_ID_ALPHABET[(number >> shift) & 31] for shift in range(80, -1, -5)]
    return "n" + "".join(digits)


def short_handle(note_id: str) -> str:
    """Return the short form of an id: ``n`` and the last characters."""
    return "n" + note_id[-_HANDLE:]


def parse_kind(text: str) -> Kind:
    """Parse the name of a kind; NoteError lists the known kinds."""
    for kind in KINDS:
        if kind == text:
            return kind
    raise NoteError(f"no kind of note is called {text!r}", hint=f"one of: {', '.join(KINDS)}")


def kind_for_subtype(text: str) -> Kind:
    """Return the kind of a subtype; older systems name notes by subtype alone."""
    for kind, (subtypes, _) in KINDS.items():
        if text and text in subtypes:
            return kind
    if text == "general":
        raise NoteError(
            "a general note is no lesson",
            hint="what holds for a project is a page or a decision, what holds for you a preference",
        )
    known = sorted({subtype for subtypes, _ in KINDS.values() for subtype in subtypes if subtype})
    raise NoteError(f"no type of note is called {text!r}", hint=f"one of: {', '.join(known)}")

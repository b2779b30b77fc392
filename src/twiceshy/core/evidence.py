"""Evidence from sessions: observed signals, episodes of work, exposures of notes."""

from __future__ import annotations

from twiceshy.core.text import checksum_text
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import Literal

    SignalKind = Literal[
        "error", "fix", "retry", "correction", "refusal", "thrash", "workflow", "checkpoint"
    ]
    EpisodeKind = Literal[
        "note",
        "checkpoint",
        "compact",
        "end",
        "archive",
        "handoff",
        "diary",
        "reflect",
        "original",
    ]
    Span = tuple[str, int, int, int]  # field, number in a list, first character and end

# Times that a lesson is shown before sessions draw lots about it: a lesson that is shown a few
# times in its life would be withheld for nothing. ``bench/effect.py`` shows the price.
SHOWN_BEFORE_LOTS = 5
STOP = "stop"  # the channel of notes that stopped a call
PASSED = "passed"  # the channel of calls that a lesson could have stopped
ASKED = "-asked"  # ends the key of such a call about which the user was asked
RECENT_SESSIONS = 31  # of a project that are remembered one by one
WITHHELD_PART = "(withheld; see twiceshy review)"  # in the place of what an agent is not told
TOLD_TEXTS = ("title", "summary")
TOLD_LISTS = ("requests", "tools", "files")


class Signal(Value):
    """An observed failure, fix, retry or correction in a session."""

    key: str  # the same observation has the same key, however often it is made
    kind: SignalKind
    session: str
    project: str
    at: int
    skill: str = ""
    tool: str = ""
    target: str = ""
    mistake: str = ""  # fingerprint of the mistake, equal when it is made again
    excerpt: str = ""
    call: str = ""
    pair: str = ""


class Episode(Value):
    """A summarised segment of work."""

    id: str
    kind: EpisodeKind
    session: str
    project: str
    started_at: int
    ended_at: int
    title: str = ""
    summary: str = ""
    requests: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    transcript: str = ""

    @property
    def told_content(self) -> str:
        """Return a checksum of every text of the episode that an agent may see."""
        lists = ("\x1e".join(getattr(self, name)) for name in TOLD_LISTS)
        return checksum_text("\x1f".join((self.title, self.summary, *lists)))

    def withhold(self, spans: str) -> Episode:
        """Return the episode with a mark in the place of each withheld part."""
        told: dict[str, str | tuple[str, ...]] = {}
        for name, number, first, end in reversed(read_spans(spans)):
            value: str | tuple[str, ...] = told.get(name, getattr(self, name))
            told[name] = (
                _mark_part(value, first, end)
                if isinstance(value, str)
                else (*value[:number], _mark_part(value[number], first, end), *value[number + 1 :])
            )
        return self.but(**told)


class NoteEvidence(Value):
    """A signal that taught a note, with its session."""

    note: str
    signal: str
    session: str
    at: int


class Exposure(Value):
    """A note shown to a session, or withheld to measure its worth.

    ``lot``: thousandths of sessions that go without the note, when this session drew its lot;
    0 if it drew none.
    """

    key: str
    note: str
    session: str
    channel: str
    at: int
    tokens: int = 0
    withheld: bool = False
    lot: int = 0


def read_spans(spans: str) -> list[Span]:
    """Read the spans of withheld parts, a line each: field, number in a list, first character, end."""
    rows = (line.split(" ") for line in spans.split("\n") if line)
    return [(name, int(number), int(first), int(end)) for name, number, first, end in rows]


def _mark_part(text: str, first: int, end: int) -> str:
    return f"{text[:first]}{WITHHELD_PART}{text[end:]}"


def identify_call(tool: str, target: str) -> str:
    """Return the identity of a call in a session; equal words are the same call."""
    from twiceshy.core.prefilter_words import hash_name  # noqa: PLC0415 - few events need it

    return hash_name(f"{tool}\n{target}".encode("utf-8", "replace"))

"""What must be remembered while sessions last: who they are, what they are about, which skills they use."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from twiceshy.core.note import Note

    How = Literal["active", "read"]

# What a call is about is asked for when the call is over; what nobody asked for by then is stale.
INTENT_MS = 60_000
MOST_INTENTS = 256
LONGEST_INTENT = 2_000


class Session(Value):
    """One conversation; its era is how often it has lost its memory to a compaction.

    ``looked`` is up to where in the journal it was told what others changed, by the clock of this
    device; ``fullness`` is how many percent of its context were used when that was last known.
    """

    id: str
    runtime: str
    project: str
    root: str
    transcript: str
    started_at: int
    seen_at: int
    prompts: int = 0
    era: int = 0
    looked: int = 0
    fullness: int = 0


class Prompt(Value):
    """That the user said something: counted once by its key, however busy the store was meanwhile."""

    key: str
    session: str
    runtime: str
    project: str
    root: str
    transcript: str
    at: int
    era: int = 0


class Use(Value):
    """A skill that an agent of a session has invoked, or read.

    ``told`` sums up the notes that were visible when the agent was told about them, and in which
    era; it is empty before that.
    """

    session: str
    agent: str
    skill: str
    project: str
    how: How
    at: int
    path: str = ""
    told: str = ""


class Intent(Value):
    """What a session is about, or for a minute what one of its calls is about."""

    session: str
    text: str
    call: str = ""


class ContextFill(Value):
    """How many percent of a session's context are used."""

    session: str
    percent: int


class Usage(Value):
    """How many sessions used a skill: ever, and by day; and when the last one did."""

    skill: str
    sessions: int
    last_at: int
    daily: Mapping[str, int]


class Changed(Value):
    """A note that was changed, when last, and whether it is new."""

    note: Note
    at: int
    new: bool

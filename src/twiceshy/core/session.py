"""State of a session: identity, intent, skills in use."""

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
LONGEST_INTENT = 4_000  # of a longer one both ends are kept


class Session(Value):
    """A conversation; ``compactions`` counts its lost contexts.

    ``changes_seen`` is the journal position up to which the session knows changes by other
    sessions; ``context_percent`` is the last known share of used context.
    """

    id: str
    runtime: str
    project: str
    root: str
    transcript: str
    started_at: int
    seen_at: int
    prompts: int = 0
    compactions: int = 0
    changes_seen: int = 0
    context_percent: int = 0


class PromptCount(Value):
    """A user prompt, counted once by its key even while the store is busy."""

    key: str
    session: str
    runtime: str
    project: str
    root: str
    transcript: str
    at: int
    compactions: int = 0


class SkillUse(Value):
    """A skill invoked or read by an agent of a session.

    ``told`` identifies the notes visible at the last brief, and the compaction count; empty
    before.
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
    """The intent of a session, or for a minute the announcement of a call."""

    session: str
    text: str
    call: str = ""


class ContextFill(Value):
    """The used share of a session's context, in percent."""

    session: str
    percent: int


class SkillUsage(Value):
    """Number of sessions with a skill: total, by day, and the last time."""

    skill: str
    sessions: int
    last_at: int
    daily: Mapping[str, int]


class ChangedNote(Value):
    """A changed note: time of the last change, and whether the note is new."""

    note: Note
    at: int
    new: bool


class SessionSources(Value):
    """A session on record, and the paths of what was read of it."""

    id: str
    runtime: str
    seen_at: int
    read: tuple[str, ...]

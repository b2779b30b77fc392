"""What a runtime can tell us. Adapters translate to these; nothing else crosses."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    Start = Literal["startup", "resume", "clear", "compact"]

FOREIGN = "mcp__"  # how tools are named that are not the runtime's own


class Occurrence(Value):
    """What every event has: which session, in which directory, when, by whose record.

    ``agent`` is set when an agent that the session started speaks; it has a conversation of its own.
    """

    session: str
    cwd: str
    at: int
    transcript: str = ""
    agent: str = ""


class SessionStarted(Occurrence):
    """A conversation began, or went on after a pause or a compaction."""

    how: Start = "startup"


class PromptGiven(Occurrence):
    """The user said something; it tells what the agent is about to do.

    ``skills`` are those that the prompt itself loads, in runtimes that look for their names in it.
    """

    prompt: str = ""
    skills: tuple[str, ...] = ()


class SkillLoaded(Occurrence):
    """A skill was invoked, with its arguments as far as they are known.

    Some runtimes have no tool for it: their agents load a skill by reading the SKILL.md at ``path``.
    """

    skill: str = ""
    arguments: str = ""
    call: str = ""
    path: str = ""


class SkillRead(Occurrence):
    """A SKILL.md was read, perhaps only to look."""

    skill: str = ""
    path: str = ""
    call: str = ""


class CallPending(Occurrence):
    """A tool is about to run; the target is what it is aimed at: a command, a file, a query.

    ``place`` is the directory it runs in. Some runtimes are ``deaf`` at that moment: a call can be
    stopped, but nothing can be said about it.
    """

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    deaf: bool = False


class CallSucceeded(Occurrence):
    """A tool ran; its output may still hide a failure."""

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    output: str = ""


class CallFailed(Occurrence):
    """A tool failed, or the user stopped or refused it; ``deaf`` as in a pending call."""

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    error: str = ""
    interrupted: bool = False
    deaf: bool = False


class Compacting(Occurrence):
    """The conversation is about to be summarised."""

    automatic: bool = False


class Compacted(Occurrence):
    """The conversation was summarised; the summary is what remains of it."""

    summary: str = ""


class TurnEnded(Occurrence):
    """The agent finished answering; the session goes on."""


class SubagentStarted(Occurrence):
    """The agent started another one, which knows nothing of what was said so far."""


class SubagentEnded(Occurrence):
    """An agent started by the agent finished."""


class SessionEnded(Occurrence):
    """The conversation is over; not every runtime says so."""

    reason: str = ""


if TYPE_CHECKING:
    Event = (
        SessionStarted
        | PromptGiven
        | SkillLoaded
        | SkillRead
        | CallPending
        | CallSucceeded
        | CallFailed
        | Compacting
        | Compacted
        | TurnEnded
        | SubagentStarted
        | SubagentEnded
        | SessionEnded
    )

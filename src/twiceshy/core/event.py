"""Events of a runtime. Adapters translate to these types; nothing else crosses."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    Start = Literal["startup", "resume", "clear", "compact"]

FOREIGN = "mcp__"  # how tools are named that are not the runtime's own


class Occurrence(Value):
    """Fields of every event: session, directory, time, transcript.

    ``agent`` is set for an agent started by the session; such an agent has a conversation of its
    own.
    """

    session: str
    cwd: str
    at: int
    transcript: str = ""
    agent: str = ""


class SessionStarted(Occurrence):
    """A conversation began, or continued after a pause or a compaction."""

    how: Start = "startup"


class PromptGiven(Occurrence):
    """The user gave a prompt.

    ``skills`` are the skills loaded by the prompt, in runtimes that look for skill names in
    prompts.
    """

    prompt: str = ""
    skills: tuple[str, ...] = ()


class SkillLoaded(Occurrence):
    """A skill was invoked, with its known arguments.

    Some runtimes have no skill tool: their agents load a skill by reading the SKILL.md at
    ``path``.
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
    """A tool call is about to run; ``target`` is its command, file or query.

    ``place`` is the directory of the call. Some runtimes cannot receive context at this moment:
    a call can be stopped, but no text reaches the model. In some a call is ``changeable``.
    """

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    cannot_receive_context: bool = False
    changeable: bool = False


class CallSucceeded(Occurrence):
    """A tool call returned; its output may still hide a failure."""

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    output: str = ""
    is_status_known: bool = True  # False where a client tells the exit status nowhere


class CallFailed(Occurrence):
    """A tool call failed, or the user stopped or refused the call."""

    tool: str = ""
    target: str = ""
    call: str = ""
    arguments: Mapping[str, object] = {}
    place: str = ""
    error: str = ""
    interrupted: bool = False
    cannot_receive_context: bool = False


class Compacting(Occurrence):
    """The conversation is about to be summarised."""

    automatic: bool = False


class Compacted(Occurrence):
    """The conversation was summarised; ``summary`` is the remaining text."""

    summary: str = ""


class TurnEnded(Occurrence):
    """The agent finished answering; the session goes on.

    ``continued``: a hook had made the agent go on, and must not do so again.
    """

    continued: bool = False


class SubagentStarted(Occurrence):
    """The agent started a sub-agent without the conversation so far."""


class SubagentEnded(Occurrence):
    """A sub-agent finished."""


class SessionEnded(Occurrence):
    """The conversation is over; some runtimes never report an end."""

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

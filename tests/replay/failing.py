"""Calls and failures for tests of the measure, written in a line."""

from twiceshy.core.trigger import tool_family
from twiceshy.learning.detect.mistake import classify_mistake
from twiceshy.replay.failures import Failure, FinishedCall, Recurrence, find_failures
from twiceshy.replay.words import recognisable_words
from twiceshy.shell.call_words import call_words
from twiceshy.shell.tool_call import ToolCall


def made(
    place: int, command: str, error: str = "", *, tool: str = "Bash", heard: bool = True
) -> FinishedCall:
    """A call at a place of a session; it worked unless there is an error."""
    given = {"command": command} if tool == "Bash" else {"file_path": command}
    parts = call_words(given)
    mistake = (
        classify_mistake(tool_family(tool), parts, error, command=tool == "Bash")
        if error
        else None
    )
    act = ToolCall(id=f"c{place}", tool=tool, arguments=given, at=place, mistake=mistake)
    return FinishedCall(place, act, heard)


def failure(place: int, command: str, error: str, fix: str = "", *, heard: bool = True) -> Failure:
    """A failed command, and the one that worked right after it."""
    later = [made(place + 1, fix)] if fix else []
    return find_failures([made(place, command, error, heard=heard), *later])[0]


def again(place: int, *, heard: bool = True, fix: bool = True) -> Recurrence:
    """The mistake of calling bun by way of rtk, made for the second time."""
    error = "error: unrecognized subcommand 'bun'"
    old = failure(0, "rtk bun run test", error, "bun run test" if fix else "")
    return Recurrence(failure(place, "rtk bun run test", error, heard=heard), (old,))


RIGHT = recognisable_words(
    "- `rtk bun run test` failed: \"error: unrecognized subcommand 'bun'\". `bun run test` worked."
)
OTHER = recognisable_words(
    '- `gh pr diff --stat` failed: "unknown flag: --stat". `gh pr diff --name-only` worked.'
)

"""Separate words and output in a rollout from Codex's framing."""

from __future__ import annotations

from twiceshy.core.jsontext import parse_json
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.transcript import Refusal

# What stands where a person's words are expected, in rollouts that do not tell the two apart.
_NOT_SAID = (
    *("<environment_context>", "<user_instructions>", "# AGENTS.md instructions"),
    *(
        "<turn_aborted>",
        "<subagent_notification>",
        "<skill>",
        "<hook_prompt",
        "<user_shell_command>",
    ),
)
_EDITOR, _REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
_HANDED_ON, _SUMMARY = "Another language model started", "analysis:\n"
_EXITED = ("Process exited with code ", "Exit code: ")
_RUNS = "Process running with session ID "
_HEADS = (
    *_EXITED,
    _RUNS,
    "Chunk ID: ",
    "Wall time: ",
    "Original token count: ",
    "Total output lines: ",
)
# How the client refuses a call that no tool ever saw; first come the words, then what they mean.
_REFUSALS: tuple[tuple[str, Refusal], ...] = (
    ("apply_patch verification failed: ", "invalid"),
    ("failed to parse function arguments", "invalid"),
    ("unsupported call: ", "invalid"),
    ("Command blocked by PreToolUse hook: ", "denied"),
    ("Tool call blocked by PreToolUse hook: ", "denied"),
    ("exec command rejected by user", "rejected"),
    ("patch rejected by user", "rejected"),
    ("aborted by user", "interrupted"),
)
_PROGRAMS = ("Script completed\n", "Script failed\n", "Script running")
_FAILED = ("exec_command failed", "write_stdin failed", "apply_patch failed")


class CommandEnd(Value):
    """End of a call: output, and failure or refusal.

    An ``open`` end means: still running, or a program whose calls are reported separately.
    """

    text: str
    failed: bool = False
    refusal: Refusal = ""
    open: bool = False


def extract_user_words(text: str) -> str:
    """Return the user's own words; empty for machine text."""
    text = text.strip()
    if text.startswith(_EDITOR):
        text = text.partition(_REQUEST)[2].strip()
    return "" if text.startswith(_NOT_SAID) else text


def extract_summary(message: str) -> str:
    """Return a compaction summary without Codex's framing sentences."""
    rest = message.partition(_SUMMARY)[2] if message.startswith(_HANDED_ON) else message
    return rest.strip()


def describe_exit(code: int, printed: str) -> CommandEnd:
    """Describe a command's end in Claude Code's words."""
    if code == 0:
        return CommandEnd(printed)
    # below zero nobody waited for its end: it was killed with the session, or by who started it
    text = f"Exit code {code}\n{printed}"
    return CommandEnd(text, failed=True, refusal="cancelled" if code < 0 else "")


def parse_call_end(output: str) -> CommandEnd:
    """Parse a call result by Codex's header lines."""
    if output.startswith("{"):
        return _parse_old_form(output)
    if output.startswith(_PROGRAMS):
        return CommandEnd(output, open=True)
    head, found, printed = output.partition("Output:\n")
    lines = head.splitlines()
    if found and lines and all(line.startswith(_HEADS) for line in lines):
        return _parse_headed(lines, printed)
    bare = _strip_duration(output)
    for words, refusal in _REFUSALS:
        if bare.startswith(words):
            text = bare.removeprefix(words) if words.endswith("failed: ") else bare
            return CommandEnd(text, failed=True, refusal=refusal)
    return CommandEnd(output, failed=output.startswith(_FAILED))


def _parse_headed(lines: list[str], printed: str) -> CommandEnd:
    for line in lines:
        if line.startswith(_RUNS):
            return CommandEnd(printed, open=True)
        if line.startswith(_EXITED):
            code = line.rpartition(" ")[2]
            plain = len(code) < 12 and code.removeprefix("-").isdecimal()
            return describe_exit(int(code) if plain else 0, printed)
    return CommandEnd(printed)


def _parse_old_form(output: str) -> CommandEnd:
    """Parse the older form: JSON with output and status."""
    try:
        told = parse_json(output)
    except (ValueError, RecursionError):
        return CommandEnd(output)
    match told:
        case {"output": str(printed), "metadata": {"exit_code": int(code)}}:
            return describe_exit(code, printed)
        case _:
            return CommandEnd(output)


def _strip_duration(output: str) -> str:
    first, _, rest = output.partition("\n")
    return rest if first.startswith("Wall time: ") else output

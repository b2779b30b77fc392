"""Outcome of a call: the client's exit lines, separated from output by position.

The client writes its own lines after the output, and shows the output without them. So
imitations printed by a command stay output.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse_json
from twiceshy.core.value import Value

_OPEN, _CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"
_HOOK, _HOOK_END = "<hook_context>", "</hook_context>"
_PRINTED, _NOTHING = "Output: ", "(empty)"
_CODE, _SIGNAL = "Exit Code: ", "Signal: "
_BEHIND = ("Process Group PGID: ", "Background PIDs: ", _SIGNAL, _CODE)  # from the last line up
_STOPPED = "Command was cancelled by user"
_TOO_LONG = "Command was automatically cancelled"
_TELLING = 2_000  # characters at the end of what was shown that tell where it ends
_FROM_SERVER = " with response: "  # behind it, what a foreign tool answered, as JSON


class CommandOutcome(Value):
    """Output of a command, and its failure in Claude Code's words."""

    printed: str
    failure: str = ""
    stopped: bool = False  # by the user

    @property
    def error_text(self) -> str:
        """Return the error text of a failed command."""
        return "\n".join(filter(None, (self.failure, self.printed)))


def extract_text(content: object) -> str:
    """Return the text of a tool answer: plain, a part, or a list."""
    parts = content if isinstance(content, list) else [content]
    return "\n".join(filter(None, map(_part_text, parts)))


def _part_text(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def strip_hook_context(text: str) -> str:
    """Return a text without hook context."""
    kept: list[str] = []
    while (start := text.find(_HOOK)) >= 0 and (end := text.find(_HOOK_END, start)) >= 0:
        kept.append(text[:start])
        text = text[end + len(_HOOK_END) :]
    return "".join([*kept, text])


def strip_wrapping(text: str) -> str:
    """Return a tool answer without wrapping by client and hooks."""
    if text.startswith(_OPEN) and _CLOSE in text:  # the client lets nobody else write that end
        return text[len(_OPEN) : text.rindex(_CLOSE)]
    return strip_hook_context(text).rstrip("\n")


def server_error(message: str) -> str:
    """Return a foreign tool's error from the wrapped exchange."""
    _, between, answer = message.partition(_FROM_SERVER)
    if not (between and message.startswith("MCP tool ")):
        return message
    try:
        said = parse_json(answer)
    except (ValueError, RecursionError):
        return message
    for step in (0, "functionResponse", "response", "content"):
        said = _text_inside(said, step)
    return extract_text(said) or message


def _text_inside(value: object, step: int | str) -> object:
    if isinstance(step, int):
        return value[step] if isinstance(value, list) and len(value) > step else None
    return value.get(step) if isinstance(value, dict) else None


def parse_command_outcome(text: str, shown: object) -> CommandOutcome:
    """Return a command's outcome from the model's text and the displayed text."""
    inner = strip_wrapping(text)
    if inner.startswith((_STOPPED, _TOO_LONG)):
        return CommandOutcome("", inner, stopped=inner.startswith(_STOPPED))
    if not inner.startswith(_PRINTED):
        return CommandOutcome(inner)  # it runs in the background, or a model has summed it up
    lines = inner.removeprefix(_PRINTED).split("\n")
    behind = _client_lines(lines, _squeeze_tail(_displayed_text(shown)))
    printed = "\n".join(lines[: len(lines) - len(behind)])
    said = {name: line[len(name) :] for name, line in behind.items()}
    return CommandOutcome("" if printed == _NOTHING else printed, _describe_failure(said))


def _client_lines(lines: list[str], shown: str) -> dict[str, str]:
    """Return the client's last lines: as many as possible while the rest equals the display."""
    found: dict[str, str] = {}
    for name in _BEHIND:
        last = lines[: len(lines) - len(found)][-1:]
        if last and last[0].startswith(name):
            found[name] = last[0]
    for count in range(len(found), -1, -1):
        if _squeeze_tail("\n".join(lines[: len(lines) - count])).endswith(shown):
            return dict(list(found.items())[:count])
    return found


def _describe_failure(said: dict[str, str]) -> str:
    code, signal = said.get(_CODE, ""), said.get(_SIGNAL, "")
    if code.lstrip("-").isdecimal() and code != "0":
        return f"Exit code {code}"
    return f"Signal {signal}" if signal else ""


def _displayed_text(shown: object) -> str:
    """Return the displayed text: plain, or terminal rows in coloured pieces."""
    if isinstance(shown, str):
        return shown
    rows = shown if isinstance(shown, list) else []
    return "\n".join("".join(map(_part_text, row)) for row in rows if isinstance(row, list))


def _squeeze_tail(text: str) -> str:
    """Return the end of a text without blanks, which a terminal may add."""
    return "".join(text[-4 * _TELLING :].split())[-_TELLING:]

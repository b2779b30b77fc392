"""A tool call as a short readable line: its action, without location or pipes."""

from __future__ import annotations

from twiceshy.core.text import strip_unsafe
from twiceshy.core.trigger import FILES
from twiceshy.shell.call_words import is_argument_name
from twiceshy.shell.tokens import (
    DOCUMENT,
    OPERATOR,
    REDIRECTION,
    WORD,
    is_here_sign,
    read_tokens,
    replace_spans,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.shell.tokens import Token
    from twiceshy.shell.tool_call import ToolCall

_LONGEST = 110
_LONGEST_TEXT = 42
_MOST = 2_000  # characters of a command that are looked at
_GAP = "…"
_LEADING = frozenset("do then else {".split())  # a command follows them, on the same line or not
# They only cut what another program printed.
_CUTTING = frozenset("tail head wc sort uniq".split())


def summarise_call(act: ToolCall, root: str = "") -> str:
    """Return the line; paths are relative to ``root``."""
    if act.command:
        line = _strip_command(act.command.strip()[:_MOST].replace("\\\n", " "))
    elif act.family == FILES and act.path:
        line = f"{act.tool} {act.path}"
    else:
        terms = (term for part in act.parts for term in part if not is_argument_name(term))
        line = " ".join([act.tool, *terms])
    short = keep_first_words(relative_to_root(show_code(line), root), _LONGEST)
    return strip_unsafe(short)  # an emoji may have been cut in half


def show_code(text: str) -> str:
    """Return words of a call on a line that may stand between backticks."""
    seen = strip_unsafe("".join(char if char.isprintable() else " " for char in text))
    return " ".join(seen.split()).replace("`", "'")


def mark_code(text: str) -> str:
    """Return words of a call between backticks."""
    return f"`{show_code(text)}`"


def relative_to_root(line: str, root: str) -> str:
    """Return a line with paths relative to the project root."""
    return line.replace(f"{root}/", "").replace(root, ".") if len(root) > 1 else line


def keep_first_words(line: str, limit: int) -> str:
    """Return whole leading words within the limit."""
    if len(line) <= limit:
        return line
    end = line.rfind(" ", 0, limit)
    return line[: end if end > 0 else limit - 1].rstrip() + _GAP


def _strip_command(command: str) -> str:
    """Return a command without its first ``cd``, redirections, filters, and long texts."""
    tokens = read_tokens(command)[0]
    words = [token.text for token in tokens[:3]]
    at = tokens[2].end if words[:1] == ["cd"] and words[2:] in (["&&"], [";"]) else 0
    return replace_spans(command, _display_edits(command, tokens), at)


def _display_edits(command: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Yield spans of a command with their display text."""
    yield from _join_lines(tokens)
    for token, behind in zip(tokens, (*tokens[1:], None), strict=False):
        for start, end in token.quotes:
            if end - start > _LONGEST_TEXT or "\n" in command[start:end]:
                yield start, end, f'"{_GAP}"'
        for inner, quoted in token.substitutions:
            yield from () if quoted else _display_edits(command, inner)
        if behind and token.kind == REDIRECTION and (">" in token.text or is_here_sign(token)):
            yield token.start, behind.end, ""
        elif behind and token.text in ("|", "|&") and behind.text in _CUTTING:
            ends = [
                each.start for each in tokens if each.kind == OPERATOR and each.start > token.start
            ]
            yield token.start, min(ends, default=tokens[-1].end), ""


def _join_lines(tokens: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Yield here-documents as nothing, and the ends of lines as ``;`` where a command follows."""
    last = None
    for token, behind in zip(tokens, (*tokens[1:], None), strict=False):
        if token.kind != DOCUMENT and token.text != "\n":
            last = token
            continue
        is_ended = last is not None and last.kind == WORD and last.text not in _LEADING
        follows = behind is not None and behind.kind == WORD
        yield token.start, token.end, ("; " if is_ended else " ") if follows else ""

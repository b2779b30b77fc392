"""Short summaries of a call and its result: a target line, and excerpts.

A secret is recognised by its shape, and half a secret has none. No cut goes through a word,
so a one-word secret is present or absent, never cut. Secrets over several lines must be
redacted before.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse_json, write_json

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from twiceshy.shell.tokens import Token

# Bookkeeping: whether these calls fail teaches nothing about the work.
NOISY_TOOLS = frozenset("TaskCreate TaskGet TaskList TaskUpdate TodoRead TodoWrite".split())
_GAP = "…"
_LONGEST = 1_000
_TELLING = ("command", "cmd", "file_path", "notebook_path", "filePath", "path", "absolute_path")
_NAMING = ("skill", "name", "command")
_OPENING = frozenset("&& || | & ; ;; ( { do then else".split())  # a line may end behind these


def summarise_target(tool: str, arguments: Mapping[str, object] | str) -> str:
    """Return the target of a call on a line: command, file or skill, else arguments.

    Arguments come as a mapping or as JSON.
    """
    given = _parse_arguments(arguments) if isinstance(arguments, str) else arguments
    for name in _NAMING if tool.lower() == "skill" else _TELLING:
        if found := _line_of_value(given.get(name)):
            return shorten_words(_fold_command(found) if "\n" in found else found, _LONGEST)
    if given:
        return shorten_words(write_json(given), _LONGEST)
    bare = isinstance(arguments, str) and arguments != "{}"
    return shorten_words(str(arguments), _LONGEST) if bare else ""


def summarise_redacted(
    tool: str, arguments: Mapping[str, object] | str, redact: Callable[[str], str]
) -> str:
    """Return the target of a call on a line, redacted before anything of it was cut or folded."""
    given = _parse_arguments(arguments) if isinstance(arguments, str) else arguments
    safe = redact_strings(given, redact) if given else redact(str(arguments))
    return redact(summarise_target(tool, safe))


def redact_strings(given: Mapping[str, object], redact: Callable[[str], str]) -> dict[str, object]:
    """Return arguments with every text in them redacted, however deep it stands."""
    return {redact(str(name)): _redact_value(value, redact) for name, value in given.items()}


def _redact_value(value: object, redact: Callable[[str], str]) -> object:
    match value:
        case str():
            return redact(value)
        case dict():
            return redact_strings(value, redact)
        case list():
            return [_redact_value(each, redact) for each in value]
        case _:
            return value


def cut_excerpt(text: str, limit: int = 800) -> str:
    """Return at most ``limit`` characters: the text, or whole lines of its head, a gap and its tail."""
    text = text.strip()
    if len(text) <= limit:
        return text
    lines = [line.rstrip() for line in text.split("\n")]
    room = limit - len(_GAP)
    head = _first_lines_that_fit(lines, room // 2)
    if not head:
        return "\n".join(
            [shorten_words(lines[0], room // 2), *_last_lines(lines, room - room // 2)]
        )
    cost = sum(map(len, head)) + len(head)
    return "\n".join([*head, _GAP, *_last_lines(lines, room - cost)])


def shorten_words(text: str, limit: int) -> str:
    """Return whole leading words on a line of at most ``limit`` characters."""
    kept = " ".join(text.split())
    if len(kept) <= limit:
        return kept
    return kept[: kept.rfind(" ", 0, limit - len(_GAP)) + 1] + _GAP


def _last_lines(lines: list[str], room: int) -> list[str]:
    return _first_lines_that_fit(lines[::-1], room)[::-1]


def _first_lines_that_fit(lines: list[str], room: int) -> list[str]:
    """Return the first lines that fit, with breaks."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def _line_of_value(value: object) -> str:
    """Return a text, or a command given as words, on a line."""
    match value:
        case str():
            return value.strip()
        case [*words] if all(isinstance(word, str) for word in words):
            from twiceshy.shell.tokens import join_words  # noqa: PLC0415 - few are lists

            return join_words(map(str, words))
        case _:
            return ""


def _fold_command(command: str) -> str:
    """Return a command without line breaks, here-documents and comments."""
    from twiceshy.shell.tokens import read_tokens, replace_spans  # noqa: PLC0415 - most are of one line

    whole = command.replace("\\\n", " ")
    flat = replace_spans(whole, _fold_edits(read_tokens(whole)[0]))
    return " ".join(flat.split()).replace(" ;", ";").strip("; ")


def _fold_edits(
    tokens: Iterable[Token], *, inside: bool = False
) -> Iterator[tuple[int, int, str]]:
    """Yield replacements of line breaks, here-documents and comments; none ``inside`` a word."""
    from twiceshy.shell.tokens import COMMENT, DOCUMENT, is_here_sign  # noqa: PLC0415 - as above

    before, delimits = ";", False
    for token in tokens:
        if delimits or is_here_sign(token) or token.kind in (COMMENT, DOCUMENT):
            yield token.start, token.end, ""
        elif token.text == "\n" and not inside:
            yield token.start, token.end, " " if before in _OPENING else "; "
        if token.kind not in (COMMENT, DOCUMENT):
            before = token.text.replace("\n", ";")
        delimits = is_here_sign(token)
        for inner, _ in token.substitutions:
            yield from _fold_edits(inner, inside=True)


def _parse_arguments(arguments: str) -> Mapping[str, object]:
    try:
        given = parse_json(arguments)
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}

"""Note settings in the front matter of a SKILL.md; unreadable settings are ignored.

Supported is the small part of YAML used there: ``skill-memory`` with an indented block, an
inline map in braces, or a plain true or false.
"""

from __future__ import annotations

from twiceshy.core.value import Value

KEY = "skill-memory"
# Weights are scaled to a sum of 1, so any proportion will do; budgets have their ceiling elsewhere.
_RANGES = {
    "max_tokens": (0, 1_000_000),
    "max_pinned_tokens": (0, 1_000_000),
    "dedup_threshold": (0.3, 1),
    "ranking_relevance": (0, 1_000),
    "ranking_recency": (0, 1_000),
    "ranking_hit": (0, 1_000),
}
_WHOLE = ("max_tokens", "max_pinned_tokens")
_WEIGHTS = ("ranking_relevance", "ranking_recency", "ranking_hit")
_CLOSING = frozenset("{}[]")  # a map or a list inside says nothing to us
_FLAGS = {"true": True, "false": False}
_NOTHING = ("", "~", "null")
_LONGEST = 30  # characters of a wrong value that are worth repeating


class SkillSettings(Value):
    """Note settings of a skill; None for absent or invalid values."""

    enabled: bool | None = None
    max_tokens: int | None = None
    max_pinned_tokens: int | None = None
    dedup_threshold: float | None = None
    ranking_relevance: float | None = None
    ranking_recency: float | None = None
    ranking_hit: float | None = None
    problems: tuple[str, ...] = ()


def parse_skill_settings(head: str | bytes) -> SkillSettings:
    """Parse the note settings at the beginning of a SKILL.md; accepts any text."""
    text = head.decode("utf-8", "replace") if isinstance(head, bytes) else head
    if KEY not in text:
        return SkillSettings()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    marks = [n for n, line in enumerate(lines) if line.rstrip() in ("---", "...")]
    if len(marks) < 2 or marks[0] != 0 or not lines[0].startswith("---"):
        return SkillSettings()
    starts = [
        n
        for n in range(marks[1])
        if _split_pair(lines[n])[0] == KEY and _indentation(lines[n]) == 0
    ]
    if not starts:
        return SkillSettings()
    said = _parse_map(lines[starts[0] : marks[1]])
    if said is None or len(starts) > 1:
        return SkillSettings(problems=(f"{KEY} is given twice, or is no map of keys to values",))
    return _convert_settings(said)


def _parse_map(lines: list[str]) -> dict[str, str] | None:
    """Return the keys and scalars of a map that begins in the first line; None for no map."""
    value = _strip_comment(_split_pair(lines[0])[1])
    if value.startswith("{"):
        return _parse_inline_map([value, *lines[1:]])
    if value in _NOTHING:
        return _parse_block(lines[1:])
    word = _unquote_scalar(value)
    return {"enabled": word} if word.lower() in _FLAGS else None


def _parse_block(lines: list[str]) -> dict[str, str] | None:
    """Parse ``key: value`` lines up to the first unindented line; deeper lines are ignored."""
    said: dict[str, str] = {}
    margin = 0
    for line in lines:
        if not _strip_comment(line):
            continue
        depth = _indentation(line)
        margin = margin or depth
        if depth == 0:
            break
        key, value = _split_pair(_strip_comment(line))
        if depth < margin or (depth == margin and not key):
            return None
        if depth == margin:
            said[key] = _unquote_scalar(value)
    return said


def _parse_inline_map(lines: list[str]) -> dict[str, str] | None:
    """Parse ``{ key: value, … }`` over several lines; None if unclosed."""
    text = lines[0]
    for line in lines[1:]:
        if text.endswith("}"):
            break
        text += f" {_strip_comment(line)}"
    inside = text[1:-1]
    if not text.endswith("}") or not _CLOSING.isdisjoint(inside):
        return None
    said: dict[str, str] = {}
    for piece in filter(None, map(str.strip, _split_at_commas(inside))):
        key, value = _split_pair(piece)
        if not key:
            return None
        said[key] = _unquote_scalar(value)
    return said


def _split_at_commas(text: str) -> list[str]:
    """Split at commas outside quotes."""
    pieces: list[str] = []
    for part in text.split(","):
        if pieces and not _has_closed_quotes(pieces[-1]):
            pieces[-1] += f",{part}"
        else:
            pieces.append(part)
    return pieces


def _convert_settings(said: dict[str, str]) -> SkillSettings:
    """Convert words to values; an invalid word becomes a problem."""
    read: dict[str, bool | float] = {}
    problems: list[str] = []
    for key, word in said.items():
        if word.lower() in _NOTHING or (key != "enabled" and key not in _RANGES):
            continue
        value = _FLAGS.get(word.lower()) if key == "enabled" else _parse_number(key, word)
        if value is None:
            problems.append(f"{key} must be {_describe_allowed(key)}, not {word[:_LONGEST]!r}")
        else:
            read[key] = value
    if not any(read.get(key, 1) for key in _WEIGHTS):
        problems.append("the three weights are all zero")
        read = {key: value for key, value in read.items() if key not in _WEIGHTS}
    return SkillSettings.of({**read, "problems": tuple(problems)})


def _parse_number(key: str, word: str) -> float | None:
    """Parse a number allowed for a key; budgets are integers."""
    least, most = _RANGES[key]
    try:
        value = float(word) if word.isascii() else -1.0
    except ValueError:
        return None
    if not least <= value <= most:  # nor is anything true of what is not a number
        return None
    if key not in _WHOLE:
        return value
    return int(value) if value == int(value) else None


def _describe_allowed(key: str) -> str:
    """Describe the values allowed for a key."""
    if key == "enabled":
        return "true or false"
    least, most = _RANGES[key]
    return f"a {'whole ' if key in _WHOLE else ''}number from {least:,} to {most:,}"


def _split_pair(text: str) -> tuple[str, str]:
    """Split ``key: value``; empty strings without a colon."""
    key, colon, value = text.partition(":")
    return (_unquote_scalar(key), value.strip()) if colon else ("", "")


def _unquote_scalar(text: str) -> str:
    """Return a word without surrounding quotes."""
    word = text.strip()
    quoted = len(word) > 1 and word[0] == word[-1] and word[0] in "\"'"
    return word[1:-1] if quoted else word


def _strip_comment(text: str) -> str:
    """Return a line without its trailing comment."""
    at = text.find("#")
    while at >= 0:
        if (at == 0 or text[at - 1] in " \t") and _has_closed_quotes(text[:at]):
            return text[:at].strip()
        at = text.find("#", at + 1)
    return text.strip()


def _has_closed_quotes(text: str) -> bool:
    """True if every quote in a text is closed."""
    return text.count('"') % 2 == 0 and text.count("'") % 2 == 0


def _indentation(line: str) -> int:
    """Return the indentation of a line."""
    return len(line) - len(line.lstrip(" \t"))

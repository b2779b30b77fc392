"""Find the last transcript records with token counts, backwards from the end."""

from __future__ import annotations

from twiceshy.runtimes.jsonl import parse_line
from twiceshy.runtimes.tail import read_last_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNKNOWN = (0, 0)
# What a session printed lies behind its last answer, and may be long.
_REACHES = (1 << 18, 1 << 22)


def read_last_records(path: str, *signs: bytes) -> Iterator[dict[str, object]]:
    """Yield records with one of these signs, last first, reading further back if needed."""
    for most in _REACHES:
        for line in reversed(read_last_lines(path, most)):
            if any(sign in line for sign in signs) and (record := parse_line(line)):
                yield record


def get_mapping(value: object) -> Mapping[str, object]:
    """Return an object of a record; empty for other types."""
    return value if isinstance(value, dict) else {}


def get_count(value: object) -> int:
    """Return a token count; 0 for other types."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return max(0, value) if whole and isinstance(value, int) else 0

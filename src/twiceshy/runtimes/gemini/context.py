"""Context use of a Gemini CLI session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import context_window_of
from twiceshy.runtimes.jsonl import get_text
from twiceshy.runtimes.used_tokens import UNKNOWN, get_count, get_mapping, read_last_records

_MODEL = "gemini"  # where an answer does not name its model


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in read_last_records(path, b'"tokens"'):
        tokens = get_count(get_mapping(record.get("tokens")).get("input"))
        if record.get("type") == "gemini" and tokens:
            return tokens, context_window_of(get_text(record, "model") or _MODEL)
    return UNKNOWN

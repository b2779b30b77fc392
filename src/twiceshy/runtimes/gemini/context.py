"""Context use of a Gemini CLI session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped

_MODEL = "gemini"  # where an answer does not name its model


def context_of(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in last_records(path, b'"tokens"'):
        tokens = counted(mapped(record.get("tokens")).get("input"))
        if record.get("type") == "gemini" and tokens:
            return tokens, window_of(text_at(record, "model") or _MODEL)
    return UNKNOWN

"""How full the context of a Gemini CLI session is: every answer tells how many tokens went in."""

from __future__ import annotations

from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped

_MODEL = "gemini"  # where an answer does not name its model


def context_of(path: str) -> tuple[int, int]:
    """Return the tokens in a session's context and how many fit; zeros while that is unknown."""
    for record in last_records(path, b'"tokens"'):
        tokens = counted(mapped(record.get("tokens")).get("input"))
        if record.get("type") == "gemini" and tokens:
            return tokens, window_of(text_at(record, "model") or _MODEL)
    return UNKNOWN

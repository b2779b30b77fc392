"""Context use of a Codex session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import USUAL_WINDOW
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped


def context_of(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in last_records(path, b'"token_count"', b'"compacted"'):
        if record.get("type") == "compacted":
            return UNKNOWN
        payload = mapped(record.get("payload"))
        told = mapped(payload.get("info"))
        used = mapped(told.get("last_token_usage"))
        tokens = counted(used.get("total_tokens")) or counted(used.get("input_tokens"))
        if payload.get("type") == "token_count" and tokens:
            return tokens, counted(told.get("model_context_window")) or USUAL_WINDOW
    return UNKNOWN

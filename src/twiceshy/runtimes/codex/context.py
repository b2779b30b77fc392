"""Context use of a Codex session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import USUAL_WINDOW
from twiceshy.runtimes.used_tokens import UNKNOWN, get_count, get_mapping, read_last_records


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in read_last_records(path, b'"token_count"', b'"compacted"'):
        if record.get("type") == "compacted":
            return UNKNOWN
        payload = get_mapping(record.get("payload"))
        told = get_mapping(payload.get("info"))
        used = get_mapping(told.get("last_token_usage"))
        tokens = get_count(used.get("total_tokens")) or get_count(used.get("input_tokens"))
        if payload.get("type") == "token_count" and tokens:
            return tokens, get_count(told.get("model_context_window")) or USUAL_WINDOW
    return UNKNOWN

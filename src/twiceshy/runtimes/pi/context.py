"""Context use of a Pi session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import context_window_of
from twiceshy.runtimes.jsonl import get_text
from twiceshy.runtimes.used_tokens import UNKNOWN, get_count, get_mapping, read_last_records

_SENT = ("input", "cacheRead", "cacheWrite")


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in read_last_records(path, b'"usage"', b'"compaction"'):
        if record.get("type") == "compaction":
            return UNKNOWN
        message = get_mapping(record.get("message"))
        usage = get_mapping(message.get("usage"))
        sent = sum(get_count(usage.get(name)) for name in _SENT)
        if message.get("role") == "assistant" and sent:
            return sent, context_window_of(get_text(record, "message", "model"))
    return UNKNOWN

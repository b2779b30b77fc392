"""Context use of a Pi session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped

_SENT = ("input", "cacheRead", "cacheWrite")


def context_of(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in last_records(path, b'"usage"', b'"compaction"'):
        if record.get("type") == "compaction":
            return UNKNOWN
        message = mapped(record.get("message"))
        usage = mapped(message.get("usage"))
        sent = sum(counted(usage.get(name)) for name in _SENT)
        if message.get("role") == "assistant" and sent:
            return sent, window_of(text_at(record, "message", "model"))
    return UNKNOWN

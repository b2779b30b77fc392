"""How full the context of a Pi session is: every answer tells how much went in and how much came from a cache."""

from __future__ import annotations

from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped

_SENT = ("input", "cacheRead", "cacheWrite")


def context_of(path: str) -> tuple[int, int]:
    """Return the tokens in a session's context and how many fit; zeros while that is unknown."""
    for record in last_records(path, b'"usage"', b'"compaction"'):
        if record.get("type") == "compaction":
            return UNKNOWN
        message = mapped(record.get("message"))
        usage = mapped(message.get("usage"))
        sent = sum(counted(usage.get(name)) for name in _SENT)
        if message.get("role") == "assistant" and sent:
            return sent, window_of(text_at(record, "message", "model"))
    return UNKNOWN

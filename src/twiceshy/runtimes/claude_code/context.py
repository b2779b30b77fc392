"""Context use of a Claude Code session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, last_records, mapped

_SENT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_COMPACTED = "compact_boundary"


def context_of(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in last_records(path, b'"usage"', _COMPACTED.encode()):
        if record.get("subtype") == _COMPACTED:
            after = counted(mapped(record.get("compactMetadata")).get("postTokens"))
            return (after, window_of("")) if after else UNKNOWN
        usage = mapped(mapped(record.get("message")).get("usage"))
        sent = sum(counted(usage.get(name)) for name in _SENT)
        own = record.get("type") == "assistant" and record.get("isSidechain") is not True
        if own and sent:  # what the client made up itself was sent to nobody
            return sent, window_of(text_at(record, "message", "model"))
    return UNKNOWN

"""Context use of a Claude Code session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.runtimes.context_window import context_window_of
from twiceshy.runtimes.jsonl import get_text
from twiceshy.runtimes.used_tokens import UNKNOWN, get_count, get_mapping, read_last_records

_SENT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_COMPACTED = "compact_boundary"


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    for record in read_last_records(path, b'"usage"', _COMPACTED.encode()):
        if record.get("subtype") == _COMPACTED:
            after = get_count(get_mapping(record.get("compactMetadata")).get("postTokens"))
            return (after, context_window_of("")) if after else UNKNOWN
        usage = get_mapping(get_mapping(record.get("message")).get("usage"))
        sent = sum(get_count(usage.get(name)) for name in _SENT)
        own = record.get("type") == "assistant" and record.get("isSidechain") is not True
        if own and sent:  # what the client made up itself was sent to nobody
            return sent, context_window_of(get_text(record, "message", "model"))
    return UNKNOWN

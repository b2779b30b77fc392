"""Context use of a OpenCode session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.core.errors import NotFoundError
from twiceshy.runtimes.context_window import window_of
from twiceshy.runtimes.jsonl import text_at
from twiceshy.runtimes.opencode.places import parted
from twiceshy.runtimes.opencode.storage import opened
from twiceshy.runtimes.used_tokens import UNKNOWN, counted, mapped


def context_of(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    try:
        with opened(path) as storage:
            messages = storage.messages(parted(path)[1])
    except NotFoundError:
        return UNKNOWN
    for message in reversed(messages):
        record = message.record
        if record.get("role") != "assistant":
            continue
        if record.get("summary") is True:
            return UNKNOWN  # what is left behind a compaction is counted with the next answer
        tokens = mapped(record.get("tokens"))
        cached = mapped(tokens.get("cache"))
        sent = counted(tokens.get("input")) + counted(cached.get("read"))
        sent += counted(cached.get("write"))
        if sent:
            return sent, window_of(text_at(record, "modelID"))
    return UNKNOWN

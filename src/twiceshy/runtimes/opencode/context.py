"""Context use of a OpenCode session, from the token counts of its answers."""

from __future__ import annotations

from twiceshy.core.errors import NotFoundError
from twiceshy.runtimes.context_window import context_window_of
from twiceshy.runtimes.jsonl import get_text
from twiceshy.runtimes.opencode.places import split_transcript_path
from twiceshy.runtimes.opencode.storage import open_storage
from twiceshy.runtimes.used_tokens import UNKNOWN, get_count, get_mapping


def read_context_use(path: str) -> tuple[int, int]:
    """Return used and available tokens of a session's context; zeros if unknown."""
    try:
        with open_storage(path) as storage:
            messages = storage.list_messages(split_transcript_path(path)[1])
    except NotFoundError:
        return UNKNOWN
    for message in reversed(messages):
        record = message.record
        if record.get("role") != "assistant":
            continue
        if record.get("summary") is True:
            return UNKNOWN  # what is left behind a compaction is counted with the next answer
        tokens = get_mapping(record.get("tokens"))
        cached = get_mapping(tokens.get("cache"))
        sent = get_count(tokens.get("input")) + get_count(cached.get("read"))
        sent += get_count(cached.get("write"))
        if sent:
            return sent, context_window_of(get_text(record, "modelID"))
    return UNKNOWN

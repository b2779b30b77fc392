"""Call ids for Gemini CLI, which tells hooks none.

The client writes the calling message before the call ends. That message's id, with a
checksum of the call, is known to the hook and to later readers of the chat, in any copy: an
error seen by both is one error.
"""

from __future__ import annotations

from zlib import crc32

from twiceshy.core.jsontext import write_json
from twiceshy.runtimes.fields import extract_field
from twiceshy.runtimes.tail import read_last_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping

_TAIL = 1 << 18  # bytes; the message that makes a call is the last one, and holds no output yet
_LONGEST_ID = 100


def build_call_id(message: str, tool: str, arguments: Mapping[str, object]) -> str:
    """Return the id of a call of a message; empty without the message."""
    if not _is_id(message):
        return ""
    try:
        said = write_json({name: arguments[name] for name in sorted(arguments)})
    except RecursionError:
        said = ""
    return f"{message}-{crc32(f'{tool} {said}'.encode('utf-8', 'replace')):08x}"


def find_calling_message(chat: str) -> str:
    """Return the id of the agent's last message in a chat; empty if not found."""
    for line in reversed(read_last_lines(chat, _TAIL)):
        if line.startswith(b'{"id":') and extract_field(b"type", line) == b"gemini":
            return extract_field(b"id", line).decode("ascii", "replace")
    return ""


def _is_id(text: str) -> bool:
    plain = text.replace("-", "").replace("_", "")
    return len(text) <= _LONGEST_ID and text.isascii() and plain.isalnum()

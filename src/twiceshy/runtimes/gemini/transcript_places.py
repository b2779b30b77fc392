"""Find Gemini CLI chats; a project folder names its project."""

from __future__ import annotations

import os

from twiceshy.core.errors import TwiceshyError
from twiceshy.runtimes.jsonl import (
    get_text,
    list_folders,
    list_plain_files,
    modified_at,
    read_first_records,
)
from twiceshy.runtimes.transcript_opening import TranscriptOpening
from twiceshy.safety.names import check_session_id

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SUFFIX = ".jsonl"
CHATS, _CHAT = "chats", "session-"
_ROOT = ".project_root"
_OPENING = 1 << 18  # bytes; the first records list the project's files
_LONGEST_PATH = 4_096
# how the client introduces itself to the model
_DIRECTORIES = "**Workspace Directories:**\n  - "


def list_transcripts(folder: str) -> list[str]:
    """Return every transcript, oldest session first."""
    began = [(read_opening(path).at, modified_at(path), path) for path in _list_chats(folder)]
    return [path for *_, path in sorted(began)]


def find_transcript(session: str, folder: str) -> str:
    """Return the transcript of a session; empty if none or ambiguous."""
    found = [path for path in _list_chats(folder) if session in read_opening(path).sessions]
    return found[0] if len(found) == 1 else ""


def list_session_parts(path: str) -> list[str]:
    """Return a session's transcript and those of its agents."""
    folder = os.path.join(os.path.dirname(path), session_of_path(path))
    return [path, *(os.path.join(folder, name) for name in list_plain_files(folder, SUFFIX))]


def session_of_path(path: str) -> str:
    """Return the session of a chat; the file name holds only a part."""
    above = os.path.dirname(path)
    if os.path.basename(os.path.dirname(above)) == CHATS:
        return os.path.basename(above)  # an agent's, in a folder named after the session
    named = os.path.basename(path).removesuffix(SUFFIX)
    return next(iter(read_opening(path).sessions), named)


def read_opening(path: str) -> TranscriptOpening:
    """Read session and start time of a chat; the folder tells the directory."""
    records = read_first_records(path, _OPENING)
    head = next(records, {})
    session, at = _safe_session(get_text(head, "sessionId")), get_text(head, "startTime")
    cwd = _project_root(path) or _first_record(head.get("directories")) or _is_introduced(records)
    return TranscriptOpening(frozenset({session} - {""}), cwd, at)


def _safe_session(session: str) -> str:
    """Return a session name if safe as key and path."""
    try:
        return check_session_id(session)
    except TwiceshyError:
        return ""


def _list_chats(folder: str) -> Iterator[str]:
    for project in list_folders(folder):
        chats = os.path.join(project, CHATS)
        for name in list_plain_files(chats, SUFFIX):
            if name.startswith(_CHAT):
                yield os.path.join(chats, name)


def _project_root(path: str) -> str:
    """Return the project path in the folder above the chats."""
    above = os.path.dirname(path)
    while os.path.basename(above) not in (CHATS, ""):
        above = os.path.dirname(above)
    try:
        with open(os.path.join(os.path.dirname(above), _ROOT), "rb") as file:
            root = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
    except (OSError, ValueError):
        return ""
    return root if os.path.isabs(root) else ""


def _first_record(directories: object) -> str:
    first = directories[0] if isinstance(directories, list) and directories else ""
    return first if isinstance(first, str) and os.path.isabs(first) else ""


def _is_introduced(records: Iterator[dict[str, object]]) -> str:
    for record in records:
        for text in _list_texts(record):
            found = text.partition(_DIRECTORIES)[2].partition("\n")[0].strip()
            if os.path.isabs(found):
                return found
    return ""


def _list_texts(record: Mapping[str, object]) -> Iterator[str]:
    patch = record.get("$set")
    messages = patch.get("messages") if isinstance(patch, dict) else None
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict):
                yield get_text(part, "text")

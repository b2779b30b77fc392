"""Start the background job that learns from sessions; the hook does not wait."""

from __future__ import annotations

import sys

try:
    import posix as system
except ImportError:  # Windows
    import nt as system  # type: ignore[no-redef]  # the same functions under another name

_HOOK = __file__.rpartition("/recall/")[0] + "/hooks/run.py"
_LONGEST_ID = 128


def start_background_job(session: str, *, over: bool = False) -> None:
    """Start a background job that learns from this session and from unfinished ones."""
    if not _is_session_id(session) or not hasattr(system, "posix_spawn"):
        return
    nowhere = system.open("/dev/null", system.O_RDWR)
    streams = [(system.POSIX_SPAWN_DUP2, nowhere, stream) for stream in (0, 1, 2)]
    command = [sys.executable, "-I", "-S", _HOOK, "learn", session, *(["over"] if over else [])]
    system.posix_spawn(sys.executable, command, system.environ, file_actions=streams, setsid=True)
    system.close(nowhere)


def start_rescue(raw: bytes) -> None:
    """Start the background job for a damaged store; one process in two minutes does."""
    import time

    from twiceshy.app import load_settings_in_hook
    from twiceshy.runtimes.quick_look import extract_directory, extract_session
    from twiceshy.store.convert import claim_conversion

    config = load_settings_in_hook(extract_directory(raw).decode("utf-8", "replace"))
    if claim_conversion(config.store, now_s=time.time()):
        start_background_job(extract_session(raw).decode("ascii", "replace"))


def _is_session_id(text: str) -> bool:
    return 0 < len(text) <= _LONGEST_ID and text.isascii() and _strip_separators(text).isalnum()


def _strip_separators(text: str) -> str:
    return text.replace("-", "").replace("_", "")

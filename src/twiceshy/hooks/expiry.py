"""Last words of a hook that its deadline ends: ask about an unchecked call, and log the expiry."""

from __future__ import annotations

from twiceshy.recall.hook_log import log_expiry

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable


def end_late(runtime: str, raw: bytes, limit: str, say: Callable[[str], None] | None) -> None:
    """Ask the user if a rule or guard had no time to look, then log the expiry.

    Without ``say`` the event was answered already.
    """
    try:
        if say:
            from twiceshy.recall.unchecked_call import build_unchecked_reply

            if reply := build_unchecked_reply(runtime, raw, why="there was no time"):
                say(reply)
    finally:
        log_expiry(runtime, raw, limit)

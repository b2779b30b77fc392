"""Answer hook events sent to the running server.

Claude Code sends objects as JSON text and an empty text for missing fields; Codex sends
objects. The answer is always a hook's: its JSON, or nothing.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from twiceshy import app
from twiceshy.recall.answer import answer
from twiceshy.recall.background import learn_later
from twiceshy.recall.hook_log import report
from twiceshy.runtimes import RUNTIMES, glance

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "hook"  # not listed: no model needs to know of it
_RUNTIME = "runtime"
# What tells events apart stands before what quotes them, for their first bytes are looked at.
_FIRST = ("session_id", "transcript_path", "cwd", "hook_event_name", "tool_name")
_TEXTS = frozenset((*_FIRST, "prompt", "error", "tool_use_id", "command_name", "command_args"))
_OPENING = ("{", "[", '"')
_SCALARS = frozenset(("true", "false", "null"))
_LARGEST = 16 << 20  # bytes, as for a hook
_USUAL_S = 0.3


def payload_of(given: Mapping[str, object]) -> tuple[str, bytes]:
    """Return the runtime, and its event as written to a command's stdin."""
    fields = {
        name: _value(name, value) for name, value in given.items() if value not in ("", None)
    }
    runtime = fields.pop(_RUNTIME, "")
    ordered = {name: fields.pop(name) for name in _FIRST if name in fields}
    raw = json.dumps(ordered | fields, separators=(",", ":"), ensure_ascii=False)
    return str(runtime), raw.encode("utf-8", "replace")


def limit_s(given: Mapping[str, object]) -> float:
    """Return the answer time limit in seconds."""
    place = given.get("cwd")
    try:
        config = app.settings_in_hook(place if isinstance(place, str) and place else os.getcwd())
        return config.integer("hook.deadline_ms") / 1_000
    except Exception:  # noqa: BLE001 - the answer will say in the log what is wrong
        return _USUAL_S


def answered(given: Mapping[str, object]) -> str:
    """Answer an event; never fails."""
    runtime, raw = "", b""
    try:
        runtime, raw = payload_of(given)
        return _answered(runtime, raw) if _worth_a_look(runtime, raw) else ""
    except Exception as error:  # noqa: BLE001 - a hook must not fail, whatever is wrong with it
        _report(runtime, raw, error)
        return ""


def _answered(runtime: str, raw: bytes) -> str:
    if glance.rests(raw):
        learn_later(glance.session_of(raw).decode("ascii", "replace"), over=glance.over(raw))
        return ""
    said: list[str] = []
    answer(runtime, raw, said.append, lambda: None)
    return "".join(said)


def _worth_a_look(runtime: str, raw: bytes) -> bool:
    if "TWICESHY_INSIDE" in os.environ or runtime not in RUNTIMES or len(raw) > _LARGEST:
        return False  # such as an event of a model that we have started ourselves
    return glance.pending(raw) or glance.worth_a_look(raw, runtime)


def _value(name: str, value: object) -> object:
    """Convert a client's text to its value; words stay words."""
    if not isinstance(value, str) or name in _TEXTS:
        return value
    if value.startswith(_OPENING) or value in _SCALARS or value.isdecimal():
        try:
            read: object = json.loads(value)
        except ValueError:
            return value
        return read
    return value


def _report(runtime: str, raw: bytes, error: Exception) -> None:
    try:
        report(runtime if runtime in RUNTIMES else "mcp", raw, error)
    except Exception:  # noqa: BLE001 - nothing is left that could be told
        return

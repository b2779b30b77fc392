"""Answer hook events sent to the running server.

Claude Code sends objects as JSON text and an empty text for missing fields; Codex sends
objects. The answer is always a hook's: its JSON, or nothing.
"""

import json
import os
from collections.abc import Mapping

from twiceshy import app
from twiceshy.recall.answer import answer_event
from twiceshy.recall.background import start_background_job
from twiceshy.recall.capture import CALLS
from twiceshy.recall.claim_first_use import claim_first_use
from twiceshy.recall.hook_log import log_expiry, report_error
from twiceshy.recall.later_call import follows_failure, record_later_call
from twiceshy.recall.shown_secrets import learn_shown_secrets
from twiceshy.recall.unchecked_call import build_unchecked_reply, memory_home
from twiceshy.runtimes import RUNTIMES, quick_look

NAME = "hook"  # not listed: no model needs to know of it
_RUNTIME = "runtime"
# What tells events apart stands before what quotes them, for their first bytes are looked at.
_FIRST = ("session_id", "transcript_path", "cwd", "hook_event_name", "tool_name")
_TEXTS = frozenset((*_FIRST, "prompt", "error", "tool_use_id", "command_name", "command_args"))
_OPENING = ("{", "[", '"')
_SCALARS = frozenset(("true", "false", "null"))
_LARGEST = 16 << 20  # bytes, as for a hook
_USUAL_S = 3.5


def build_payload(given: Mapping[str, object]) -> tuple[str, bytes]:
    """Return the runtime, and its event as written to a command's stdin."""
    fields = {
        name: _parse_value(name, value) for name, value in given.items() if value not in ("", None)
    }
    runtime = fields.pop(_RUNTIME, "")
    ordered = {name: fields.pop(name) for name in _FIRST if name in fields}
    raw = json.dumps(ordered | fields, separators=(",", ":"), ensure_ascii=False)
    return str(runtime), raw.encode("utf-8", "replace")


def answer_limit(given: Mapping[str, object]) -> float:
    """Return the answer time limit in seconds."""
    place, said = given.get("cwd"), os.environ.get("TWICESHY_HOOK_WALL_MS", "")
    if said.isdecimal() and len(said) < 6:
        return int(said) / 1_000
    try:
        config = app.load_settings_in_hook(
            place if isinstance(place, str) and place else os.getcwd()
        )
        return config.integer("hook.wall_ms") / 1_000
    except Exception:  # noqa: BLE001 - the answer will say in the log what is wrong
        return _USUAL_S


def answer_hook_event(given: Mapping[str, object]) -> str:
    """Answer an event; never fails."""
    runtime, raw = "", b""
    try:
        runtime, raw = build_payload(given)
        answered = _passes_prefilter(runtime, raw)
        _record_later_call(runtime, raw, answered=answered)
        return _answer_event(runtime, raw) if answered else ""
    except Exception as error:  # noqa: BLE001 - a hook must not fail, whatever is wrong with it
        log_error(runtime, raw, error)
        return _ask_unchecked(runtime, raw, f"{type(error).__name__} (see twiceshy doctor)")


def end_late(given: Mapping[str, object], limit: float) -> str:
    """Log that an answer came too late; ask where a rule or guard had no time to look."""
    runtime, raw = build_payload(given)
    log_expiry(runtime, raw, f"{limit * 1_000:.0f} ms of wall time")
    return _ask_unchecked(runtime, raw, "there was no time")


def _ask_unchecked(runtime: str, raw: bytes, why: str) -> str:
    try:
        pending = runtime in RUNTIMES and quick_look.is_pending_call(raw)
        return build_unchecked_reply(runtime, raw, why=why) if pending else ""
    except Exception:  # noqa: BLE001 - the payload is none
        return ""


def _answer_event(runtime: str, raw: bytes) -> str:
    if quick_look.is_turn_end(raw):
        start_background_job(
            quick_look.extract_session(raw).decode("ascii", "replace"),
            over=quick_look.is_session_end(raw),
        )
        if not quick_look.can_ask_summariser(raw, runtime):
            return ""
    said: list[str] = []
    answer_event(runtime, raw, said.append, lambda: None)
    return "".join(said)


def _record_later_call(runtime: str, raw: bytes, *, answered: bool) -> None:
    """Record a call behind a failure, as the process of a hook does."""
    inside = "TWICESHY_INSIDE" in os.environ or len(raw) > _LARGEST
    if not inside and runtime in RUNTIMES and follows_failure(raw, answered=answered):
        record_later_call(runtime, raw)
    elif not inside and runtime in RUNTIMES and quick_look.may_show_secret(raw):
        learn_shown_secrets(runtime, raw)


def _passes_prefilter(runtime: str, raw: bytes) -> bool:
    if "TWICESHY_INSIDE" in os.environ or runtime not in RUNTIMES or len(raw) > _LARGEST:
        return False  # such as an event of a model that we have started ourselves
    if quick_look.is_pending_call(raw) or quick_look.may_matter(raw, runtime):
        return True
    watch = quick_look.name_watch(raw)
    folder = os.fsencode(os.path.join(memory_home(), CALLS, ""))
    return bool(watch) and claim_first_use(raw, folder + watch)


def _parse_value(name: str, value: object) -> object:
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


def log_error(runtime: str, raw: bytes, error: Exception) -> None:
    """Write an error to the log of hooks; never fails."""
    try:
        report_error(runtime if runtime in RUNTIMES else "mcp", raw, error)
    except Exception:  # noqa: BLE001 - nothing is left that could be told
        return

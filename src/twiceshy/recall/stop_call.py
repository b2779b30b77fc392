"""Decide whether a pending call is stopped once, with a lesson as the reason.

A stop costs a turn. It pays for a call that is nearly certain to fail and dear: the call runs
long, leaves something behind, or failed in the same words in this session.
"""

from __future__ import annotations

from twiceshy.core.trigger import FEWEST_FAILURES
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger, TriggerMatch

LONG_MS = 20_000
_NEARLY_CERTAIN = 0.9
_SESSIONS = 2
# A wrong call stays wrong. Work that failed, or a file that was missing, may be put right by the
# calls in between: only the third attempt in a session counts as the same mistake.
CALLED_WRONGLY = ("usage", "missing")
_ATTEMPTS = {"usage": 1}
_OTHER_ATTEMPTS = 2


class CallStop(Value):
    """A lesson that stops a call, and the ground on which the call is dear."""

    match: TriggerMatch
    ground: str


def find_stop(
    matches: Iterable[TriggerMatch],
    *,
    identical_failures: Callable[[Note], int] = lambda _: 0,
    leaves_traces: Callable[[Trigger], bool] = lambda _: False,
) -> CallStop | None:
    """Return the lesson that stops a call; None if the call may run.

    ``matches`` are lessons about the call. ``identical_failures`` counts the failures of the very
    same call in this session that a lesson is about. ``leaves_traces`` tells whether a call that fails by a
    trigger leaves something behind.
    """
    certain = [match for match in matches if is_nearly_certain(match)]
    certain.sort(key=lambda each: (not each.has_remedy, -each.failed_calls, each.note.id))
    for match in certain:
        if ground := _find_ground(match, identical_failures, leaves_traces):
            return CallStop(match, ground)
    return None


def is_nearly_certain(match: TriggerMatch) -> bool:
    """True if calls matched by a lesson nearly always failed, and none worked since."""
    failed, calls = match.failed_calls, match.failed_calls + match.succeeded_calls
    if match.note.kind != "lesson" or failed < FEWEST_FAILURES or match.succeeded_since:
        return False
    if match.trigger.category in CALLED_WRONGLY:
        return failed >= _NEARLY_CERTAIN * calls
    return failed == calls and match.note.sightings >= _SESSIONS


def may_intervene(match: TriggerMatch) -> bool:
    """True if a lesson may stop or rewrite a call of its trigger, by the calls seen so far."""
    often = match.note.kind == "lesson" and match.failed_calls >= FEWEST_FAILURES
    return often and (not match.succeeded_calls or is_nearly_certain(match))


def _find_ground(
    match: TriggerMatch,
    identical_failures: Callable[[Note], int],
    leaves_traces: Callable[[Trigger], bool],
) -> str:
    """Return the ground on which a call is dear, in words; empty if the call is cheap."""
    if identical_failures(match.note) >= _ATTEMPTS.get(match.trigger.category, _OTHER_ATTEMPTS):
        return "the same call failed in this session"
    if match.shortest_ms >= LONG_MS:
        return f"it took {match.shortest_ms // 1_000} s to fail"
    if leaves_traces(match.trigger):
        return "it would leave something behind"
    return ""


def render_stop(stop: CallStop, *, tokens: int) -> str:
    """Render the reason for a stop; a long lesson is shortened."""
    from twiceshy.recall.brief import frame_note

    match = stop.match
    calls = match.failed_calls + match.succeeded_calls
    counted = f"{match.failed_calls} of {calls} such calls failed, and {stop.ground}"
    return frame_note(
        match.note,
        lambda text: f"Not run: {text} ({counted}.) Call it again unchanged if you mean it.",
        tokens=tokens,
    )

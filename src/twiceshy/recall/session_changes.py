"""What a session did since a mistake: it may have put the mistake right.

The transcript tells, or the captured calls of the session where the client keeps none.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.transcript import CallStep, ResultStep, UserMessage
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.event import CallPending
    from twiceshy.core.transcript import Step
    from twiceshy.recall.event_context import EventContext

_FAILED, _CHANGED = "failed", "changed"  # what became of a call
_LARGEST = 3 << 20  # bytes of transcripts that are read before a call
_OURS = "<twiceshy-note "  # in the result of a call that we stopped
_LOOKING_TOOLS = frozenset("Glob Grep LS NotebookRead Read View WebFetch WebSearch".split())


class KnownMistake(Value):
    """A mistake in a session: which calls make it again, and its words."""

    is_made_by: Callable[[str, str], bool]  # tool and target of a call
    words: tuple[str, ...]
    is_work: bool = False  # the work itself failed, so any edit may matter


def may_be_put_right(context: EventContext, event: CallPending, mistake: KnownMistake) -> bool:
    """True if anything was done since a mistake, or since the start, that may put it right.

    True as well if the record is too long to be read in time. Where nothing is on record, nothing
    is known to have happened.
    """
    try:
        steps = list(_read_steps(context, event))
    except (OSError, ValueError, TwiceshyError):
        return True
    results = {step.id: step for step in steps if isinstance(step, ResultStep)}
    is_changed = has_failed = False
    for step in steps:
        if isinstance(step, UserMessage):
            is_changed = is_changed or has_failed  # the user may have put it right
        elif isinstance(step, CallStep):
            result = results.get(step.id)
            judged = _judge_call(context, step, result, mistake)
            has_failed = has_failed or judged == _FAILED
            is_changed = (is_changed or judged == _CHANGED) and judged != _FAILED
    return is_changed


def _judge_call(
    context: EventContext, call: CallStep, result: ResultStep | None, mistake: KnownMistake
) -> str:
    """Return whether a call failed by the mistake, or may have changed something."""
    from twiceshy.core.jsontext import parse_json
    from twiceshy.shell.call_words import get_command_line
    from twiceshy.shell.summary import NOISY_TOOLS, summarise_target
    from twiceshy.shell.tool_call import EDITS
    from twiceshy.shell.traces import only_looks

    if result is not None and (result.refusal or _OURS in result.text):
        return ""
    if mistake.is_made_by(
        call.tool, context.app.redact(summarise_target(call.tool, call.arguments))
    ):
        if result is None:
            return ""  # the call itself
        return _FAILED if result.failed else _CHANGED
    given = parse_json(call.arguments) if call.arguments else {}
    line = get_command_line(given) if isinstance(given, dict) else ""
    if line:
        return "" if only_looks(line) else _CHANGED
    if call.tool in EDITS:
        return _CHANGED if mistake.is_work or _mentions(call.arguments, mistake.words) else ""
    return "" if call.tool in _LOOKING_TOOLS or call.tool in NOISY_TOOLS else _CHANGED


def _mentions(text: str, words: Iterable[str]) -> bool:
    """True if an edit names a word of the mistake, with any dashes."""
    text = _fold(text)
    keys = (_fold(word.lstrip("-").rpartition("/")[2]) for word in words)
    return any(len(key) > 1 and key in text for key in keys)


def _fold(text: str) -> str:
    return text.lower().replace("-", "_")


def _read_steps(context: EventContext, event: CallPending) -> Iterator[Step]:
    """Yield what is on record of a session; ValueError if that is too much."""
    from twiceshy.recall.capture import CALLS, CALLS_SUFFIX

    if event.transcript:
        from twiceshy.runtimes.transcripts import load_reader

        reader = load_reader(context.runtime)
        if (size := reader.transcript_size(event.transcript)) > 0:
            if size > _LARGEST:
                raise ValueError(event.transcript)
            # what other agents of the session did is one call in it, which changes something
            yield from reader.read_transcript(event.transcript, whole=True)
            return
    path = os.path.join(context.app.config.home, CALLS, event.session + CALLS_SUFFIX)
    yield from _read_captured(path, event.session)  # CALLS_FULL bytes at most


def _read_captured(path: str, session: str) -> Iterator[Step]:
    """Yield the captured calls of a session; a call without a record behind them is a change."""
    from twiceshy.core.jsontext import parse_json, write_json
    from twiceshy.recall.capture import FOLLOWED

    if not os.path.exists(path):
        return
    behind = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            record = parse_json(line)
            if not isinstance(record, dict):
                continue
            failure = str(record.get("failure", ""))
            about = {"id": str(record.get("call")), "session": session, "cwd": "", "at": 0}
            given = write_json(record.get("arguments") or {})
            yield CallStep.of({**about, "tool": str(record.get("tool")), "arguments": given})
            yield ResultStep.of({**about, "text": failure, "failed": bool(failure)})
            behind = 0 if failure else behind + 1
    if behind >= FOLLOWED:  # no later call was recorded
        yield CallStep.of({"id": "", "session": session, "cwd": "", "at": 0})

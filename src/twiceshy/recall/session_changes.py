"""What a session did since a mistake: it may have put the mistake right.

The transcript tells, or the captured calls of the session where the client keeps none.
"""

from __future__ import annotations

import os

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.event import CallPending
    from twiceshy.recall.event_context import EventContext
    from twiceshy.runtimes.transcripts import TranscriptReader

_LARGEST = 3 << 20  # bytes of a transcript that are read before a call
_OURS = "<twiceshy-note "  # in the result of a call that we stopped
_IN_DATABASE = "#"  # behind the path of a database with many transcripts
_LOOKING_TOOLS = frozenset("Glob Grep LS NotebookRead Read View WebFetch WebSearch".split())


class KnownMistake(Value):
    """A mistake in a session: which calls make it again, and its words."""

    is_made_by: Callable[[str, str], bool]  # tool and target of a call
    words: tuple[str, ...]
    is_work: bool = False  # the work itself failed, so any edit may matter


class _SeenCall(Value):
    """A call on record; ``failed`` is None while it runs. Without a tool, it is a prompt."""

    tool: str = ""
    arguments: str = ""
    failed: bool | None = None


def has_record(context: EventContext, event: CallPending) -> bool:
    """True if a transcript or captured calls tell what a session did."""
    return os.path.exists(_transcript_file(event)) or os.path.exists(_captured_file(context))


def may_be_put_right(context: EventContext, event: CallPending, mistake: KnownMistake) -> bool:
    """True if anything was done since a mistake, or since the start, that may put it right.

    True as well if the record is too long to be read in time. Where nothing is on record, nothing
    is known to have happened.
    """
    try:
        calls = list(_read_calls(context, event))
    except (OSError, ValueError, TwiceshyError):
        return True
    is_changed = has_failed = False
    for call in calls:
        if not call.tool:
            is_changed = is_changed or has_failed  # the user may have put it right
        elif not mistake.is_made_by(call.tool, _target_of(context, call)):
            is_changed = is_changed or _may_change(call, mistake)
        elif call.failed is not None:  # else it is the call itself
            has_failed = has_failed or call.failed
            is_changed = not call.failed
    return is_changed


def _target_of(context: EventContext, call: _SeenCall) -> str:
    from twiceshy.shell.summary import summarise_redacted

    return summarise_redacted(call.tool, call.arguments, context.app.redact)


def _may_change(call: _SeenCall, mistake: KnownMistake) -> bool:
    """True unless a call is known to change nothing that the mistake is about."""
    from twiceshy.core.jsontext import parse_json
    from twiceshy.shell.call_words import get_command_line
    from twiceshy.shell.summary import NOISY_TOOLS
    from twiceshy.shell.tool_call import EDITS
    from twiceshy.shell.traces import only_looks

    if call.tool in EDITS:
        return mistake.is_work or _mentions(call.arguments, mistake.words)
    try:
        given = parse_json(call.arguments)
    except (ValueError, RecursionError):
        return True
    if line := get_command_line(given) if isinstance(given, dict) else "":
        return not only_looks(line)
    return call.tool not in _LOOKING_TOOLS and call.tool not in NOISY_TOOLS


def _mentions(text: str, words: Iterable[str]) -> bool:
    """True if an edit names a word of the mistake, with any dashes."""
    text = _fold(text)
    keys = (_fold(word.lstrip("-").rpartition("/")[2]) for word in words)
    return any(len(key) > 1 and key in text for key in keys)


def _fold(text: str) -> str:
    return text.lower().replace("-", "_")


def _transcript_file(event: CallPending) -> str:
    return event.transcript.partition(_IN_DATABASE)[0]


def _captured_file(context: EventContext) -> str:
    from twiceshy.recall.capture import CALLS, CALLS_SUFFIX

    return os.path.join(context.app.config.home, CALLS, context.event.session + CALLS_SUFFIX)


def _read_calls(context: EventContext, event: CallPending) -> Iterator[_SeenCall]:
    """Yield the calls of a session; ValueError if they are too many to be read in time."""
    if os.path.exists(_transcript_file(event)):
        from twiceshy.runtimes.transcripts import load_reader

        reader = load_reader(context.runtime)
        size = reader.transcript_size(event.transcript)
        if size > _LARGEST:
            raise ValueError(event.transcript)
        if size > 0:
            yield from _read_transcript(reader, event.transcript)
            return
    if os.path.exists(_captured_file(context)):
        yield from _read_captured(_captured_file(context))


def _read_transcript(reader: TranscriptReader, path: str) -> Iterator[_SeenCall]:
    """Yield the calls and prompts of a transcript, without calls that were refused or stopped.

    What other agents of the session did is one call in it, of a tool that may change something.
    """
    from twiceshy.core.transcript import CallStep, ResultStep, UserMessage

    steps = list(reader.read_transcript(path, whole=True))
    results = {step.id: step for step in steps if isinstance(step, ResultStep)}
    for step in steps:
        if isinstance(step, UserMessage):
            yield _SeenCall()
        elif isinstance(step, CallStep):
            result = results.get(step.id)
            if result is None:
                yield _SeenCall(step.tool, step.arguments)
            elif not (result.refusal or _OURS in result.text):
                yield _SeenCall(step.tool, step.arguments, result.failed)


def _read_captured(path: str) -> Iterator[_SeenCall]:
    """Yield the captured calls of a session, and a prompt where the record ends."""
    from twiceshy.core.jsontext import parse_json, write_json
    from twiceshy.recall.capture import FOLLOWED

    behind = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = parse_json(line)
            except (ValueError, RecursionError):
                continue  # it was cut by a full disk
            if isinstance(record, dict):
                failed = bool(record.get("failure"))
                behind = 0 if failed else behind + 1
                given = write_json(record.get("arguments") or {})
                yield _SeenCall(str(record.get("tool")), given, failed)
    if behind >= FOLLOWED:
        yield _SeenCall()  # later calls were not recorded

"""Stop a pending call once in a session, or rewrite it, on the word of a lesson.

Only a call that repeats one that failed, step by step and in the same folder, is stopped, and only
if nothing was done in the session that may have put it right.

The exposures of the session decide: a call that was stopped before passes. A call that a lesson
let pass counts as working until its failure is seen, and then the lesson stops no call.
"""

from __future__ import annotations

from twiceshy.core.evidence import ASKED, PASSED, STOP, identify_call
from twiceshy.recall.event_context import REWRITE
from twiceshy.recall.stop_call import (
    CALLED_WRONGLY,
    find_stop,
    is_nearly_certain,
    render_stop,
)
from twiceshy.shell.call_words import get_command_line, relative_directory

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.event import CallPending
    from twiceshy.core.evidence import Exposure, Signal
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Trigger, TriggerMatch
    from twiceshy.recall.event_context import EventContext
    from twiceshy.recall.repeated_mistake import FailedCalls
    from twiceshy.recall.stop_call import CallStop

_CUT = "…"
_FOREVER = 1 << 62
_MOST_SIGNALS = 500  # of a session


def stop_pending_call(
    context: EventContext, event: CallPending, matches: Sequence[TriggerMatch]
) -> bool:
    """Stop a call if a lesson says so; True if stopped.

    A call that passes although a lesson is nearly certain about it is recorded: what comes of it
    decides about later calls.
    """
    mode = context.app.config.text("stops.mode")
    certain = [match for match in matches if is_nearly_certain(match)]
    if mode == "off" or not certain:
        return False
    call = identify_call(event.tool, _redact_target(context, event))
    stopped = not _is_stopped(context, call) and _propose_stop(context, event, certain, call, mode)
    if not stopped or mode == "ask":  # whoever is asked may let it run
        for match in certain:
            key = f"{PASSED}/{event.session}/{match.note.id}/{call}/{event.at}{ASKED * stopped}"
            context.record_shown(key, "", channel=PASSED, text="")
    return stopped


def _redact_target(context: EventContext, event: CallPending) -> str:
    from twiceshy.shell.summary import summarise_redacted

    return summarise_redacted(event.tool, event.arguments, context.app.redact)


def rewrite_pending_call(
    context: EventContext, event: CallPending, matches: Sequence[TriggerMatch]
) -> bool:
    """Rewrite one word of a call if the user wants that and a lesson is certain; True if rewritten."""
    config, command = context.app.config, event.arguments.get("command")
    if not (event.changeable and event.call and config.flag("rewrites.on")):
        return False
    from twiceshy.recall.rewrite_call import find_rewrite, render_rewrite

    found = find_rewrite(matches, command) if isinstance(command, str) else None
    if found is None:
        return False
    text = render_rewrite(found, tokens=config.integer("brief.failure_tokens"))
    note, call = found.match.note, event.call
    if not text or context.is_withheld(note, REWRITE):
        return False
    context.intervene(note, text, channel=REWRITE, call=call, command=found.command)
    return True


def _propose_stop(
    context: EventContext,
    event: CallPending,
    certain: Sequence[TriggerMatch],
    call: str,
    mode: str,
) -> bool:
    line = get_command_line(event.arguments)
    failed_at = _failed_calls(context)
    repeated = {
        match.note.id: failed
        for match in certain
        if not _has_worked(context, match.note.id, failed_at)
        and (failed := _find_repeated(context, event, match))
    }

    def leaves_something(trigger: Trigger) -> bool:
        from twiceshy.shell.traces import leaves_traces

        return bool(line) and leaves_traces(line, trigger)

    stop = find_stop(
        [match for match in certain if match.note.id in repeated],
        identical_failures=lambda note: _count_failures(context, note, call),
        leaves_traces=leaves_something,
    )
    if stop is None or _may_be_put_right(context, event, stop, repeated[stop.match.note.id]):
        return False
    note = stop.match.note
    if context.is_withheld(note, STOP):
        return False
    text = render_stop(stop, tokens=context.app.config.integer("brief.failure_tokens"))
    if not text:
        return False
    context.intervene(
        note,
        text,
        channel=STOP,
        call=call,
        ruling=mode,
        still_holds=lambda: (
            not _is_stopped(context, call) and not _has_worked(context, note.id, failed_at)
        ),
    )
    return True


def _find_repeated(
    context: EventContext, event: CallPending, match: TriggerMatch
) -> FailedCalls | None:
    """Return the failed calls of a lesson that a call repeats; None if it repeats none.

    A call has to have failed in this very folder, and nothing of it may be unknown.
    """
    target = _redact_target(context, event)
    if not match.failed_calls_here or target.endswith(_CUT) or _hides_text(event):
        return None
    from twiceshy.recall.repeated_mistake import list_failed_calls

    root, note = context.session.root, match.note
    failed = list_failed_calls(
        note,
        match.trigger,
        _keep_errors(context.store.list_signals(notes=(note.id,))),
        _list_errors(context),
        root=root,
        place=relative_directory(event.place, root),
    )
    return failed if failed.are_repeated_by(event.tool, target) else None


def _hides_text(event: CallPending) -> bool:
    """True for a here-document, which is not part of what is known of a failed call."""
    return "<<" in get_command_line(event.arguments)


def _may_be_put_right(
    context: EventContext, event: CallPending, stop: CallStop, failed: FailedCalls
) -> bool:
    """True if what the session did since may have put a mistake right."""
    from twiceshy.recall.session_changes import KnownMistake, has_record, may_be_put_right

    if not has_record(context, event):
        return False  # nothing is known to have been done
    words = (*stop.match.trigger.words, *_redact_target(context, event).split())
    is_work = stop.match.trigger.category not in CALLED_WRONGLY
    mistake = KnownMistake(failed.are_repeated_by, words, is_work)
    return may_be_put_right(context, event, mistake)


def _count_failures(context: EventContext, note: Note, call: str) -> int:
    """Count the failures of the very same call that a lesson is about, since the last prompt."""
    from twiceshy.recall.repeated_mistake import echoes_lesson

    return sum(
        identify_call(error.tool, error.target) == call
        and error.at >= context.session.seen_at
        and echoes_lesson(note, error)
        for error in _list_errors(context)
    )


def _is_stopped(context: EventContext, call: str) -> bool:
    """True if a call was stopped before in this session, by whatever lesson."""
    return any(
        shown.channel == STOP and not shown.withheld and shown.key.endswith(f"/{call}")
        for shown in _list_exposures(context)
    )


def _has_worked(context: EventContext, note: str, failed_at: dict[str, list[int]]) -> bool:
    """True if a call that a lesson let pass in this session is not known to have failed."""
    begins = f"{PASSED}/{context.event.session}/{note}/"
    following: dict[str, int] = {}
    for shown in _list_exposures(context):  # newest first
        if shown.channel == PASSED and shown.key.startswith(begins):
            call = shown.key[len(begins) :].partition("/")[0]
            until = following.get(call, shown.at + _FOREVER)
            if not any(shown.at <= at < until for at in failed_at.get(call, ())):
                return True
            following[call] = shown.at
    return False


def _list_exposures(context: EventContext) -> list[Exposure]:
    return context.store.list_exposures(session=context.event.session)


def _failed_calls(context: EventContext) -> dict[str, list[int]]:
    """Return the times at which calls failed in this session, by the identity of the call."""
    found: dict[str, list[int]] = {}
    for error in _list_errors(context):
        found.setdefault(identify_call(error.tool, error.target), []).append(error.at)
    return found


def _list_errors(context: EventContext) -> list[Signal]:
    session = context.event.session
    return _keep_errors(context.store.list_signals(sessions=(session,), limit=_MOST_SIGNALS))


def _keep_errors(signals: Iterable[Signal]) -> list[Signal]:
    """Return the errors among signals; a call that we stopped printed nothing."""
    return [each for each in signals if each.kind == "error" and each.excerpt]

"""Tell notes about a pending or failed call."""

from __future__ import annotations

from twiceshy.core.event import CallFailed
from twiceshy.core.session import Intent
from twiceshy.core.trigger import FEWEST_FAILURES, tool_family
from twiceshy.recall import choose_timely
from twiceshy.shell.call_words import call_words, relative_directory

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from twiceshy.core.event import CallPending, CallSucceeded
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.recall.event_context import EventContext
    from twiceshy.shell.call_words import Part

_RULE_TOKENS = 200
_NOT_THERE = ("does not exist", "o such file", "ot found")
_LONGEST_END = 6_000  # characters of an output, from both ends, as learning reads it
_AGAIN_MS = 10 * 60_000  # after so long an agent may have lost sight of what it was told


def tell_before_call(context: EventContext, event: CallPending) -> str:
    """Return known notes about a pending call, and warnings of the guards."""
    from twiceshy.safety.guard import may_concern_guard

    _claim_own_call(context, event)
    known = [_tell_known_notes(context, event), _save_reminder(context, event)]
    if may_concern_guard(
        event.tool, event.arguments, context.app.config.items("guards.protected")
    ):
        from twiceshy.recall.guard import guard_call

        known.append(guard_call(context, event))  # last: it makes a ruling stricter, never milder
    return "\n".join(filter(None, known))


def _save_reminder(context: EventContext, event: CallPending) -> str:
    """Count a call, and return the save reminder when due and wanted."""
    config = context.app.config
    if event.cannot_receive_context or event.agent or not config.flag("keeper.banner"):
        return ""
    from twiceshy.recall.save_reminder import count_and_remind

    return count_and_remind(
        config.home, context.session.project, config.integer("keeper.save_interval")
    )


def _claim_own_call(context: EventContext, event: CallPending) -> None:
    """Leave a claim for a call of our own tools, which cannot know their session."""
    if "twiceshy" not in event.tool and "twiceshy" not in event.target:
        return
    from twiceshy.core.call_claim import build_claim_from_payload

    if claim := build_claim_from_payload(event.tool, event.arguments, event.target):
        context.store.save_records(
            Intent(event.session, "", call=claim)
        )  # now: the call comes at once


def _tell_known_notes(context: EventContext, event: CallPending) -> str:
    """Return notes about a call, unless told recently."""
    parts, tool = call_words(event.arguments), tool_family(event.tool)
    about = [
        match
        for match in _match_notes(context, event, _words_of_call(parts))
        if match.trigger.matches(tool, parts)
    ]
    rules = {match.note.id for match in about if match.note.kind == "rule"}
    if rules and (
        text := _tell_strictest_rule(context, rules, unheard=event.cannot_receive_context)
    ):
        return text
    if any(match.failed_calls >= FEWEST_FAILURES for match in about):
        from twiceshy.recall.pending_stop import rewrite_pending_call, stop_pending_call

        if rewrite_pending_call(context, event, about) or stop_pending_call(context, event, about):
            return ""
    if event.cannot_receive_context:
        return ""
    told = context.told_notes()
    likely = choose_timely.choose_before_call(
        match for match in about if match.note.id not in rules | told
    )
    return context.tell_notes(
        [match.note for match in likely],
        channel="call",
        tokens=context.app.config.integer("brief.call_tokens"),
    )


def _tell_strictest_rule(context: EventContext, about: set[str], *, unheard: bool) -> str:
    """Return the strictest approved rule about a call; told once, binding always."""
    from twiceshy.recall.rules import list_binding_rules

    bound = list_binding_rules(
        context.store, context.scope_of(context.active_skill()), context.app.rule_key
    )
    for note, act in bound:
        if note.id not in about or (
            act == "tell" and (unheard or note.id in context.told_notes())
        ):
            continue
        context.ruling = "" if act == "tell" else act
        return context.tell_notes([note], channel="call", tokens=_RULE_TOKENS)
    return ""


def tell_after_failure(
    context: EventContext, event: CallFailed | CallSucceeded, error: str
) -> str:
    """Return the known fix of a failure, unless told recently; ``error`` is its excerpt."""
    if isinstance(event, CallFailed) and event.cannot_receive_context:
        return ""
    parts, tool = call_words(event.arguments), tool_family(event.tool)
    whole = _read_output(event)
    lately = context.told_notes(channel="failure", since=event.at - _AGAIN_MS)

    def worth(match: TriggerMatch) -> bool:
        return match.note.id not in lately and match.note.kind != "rule"

    named = [
        match
        for match in _match_notes(context, event, _words_of_call(parts))
        if worth(match) and match.trigger.but(absent=()).matches(tool, parts)
    ]
    chosen = choose_timely.choose_after_failure(named, parts, whole, tool=tool)
    if not chosen:
        words = _words_of_call(parts)
        others = filter(worth, _match_notes(context, event, words, error=whole))
        chosen = choose_timely.choose_after_failure(others, parts, whole, tool=tool)
    if not chosen and (folder := _find_missing_folder(parts, error)):
        others = filter(worth, _match_notes(context, event, None, folder=folder))
        chosen = choose_timely.choose_siblings(others)
    notes = [match.note for match in chosen] or _find_quoting(context, error, lately)
    if not notes:
        return ""
    return context.tell_notes(
        notes,
        channel="failure",
        tokens=context.app.config.integer("brief.failure_tokens"),
        # what stands in the agent's context already is named in few words
        again=context.told_notes(),
    )


def _read_output(event: CallFailed | CallSucceeded) -> str:
    """Return both ends of what a call printed; the cause may stand far from either."""
    text = event.error if isinstance(event, CallFailed) else event.output
    if len(text) <= 2 * _LONGEST_END:
        return text
    return f"{text[:_LONGEST_END]}\n{text[-_LONGEST_END:]}"


def _find_quoting(context: EventContext, error: str, told: Collection[str]) -> list[Note]:
    """Return the note of a person or an agent that echoes an error best."""
    from twiceshy.recall.error_match import find_notes_for_error

    found = find_notes_for_error(context.store, context.visible_projects(), error)
    return [
        note
        for note in found
        if note.id not in told and note.kind != "rule" and context.may_tell(note)
    ][:1]


def _match_notes(
    context: EventContext,
    event: CallPending | CallFailed | CallSucceeded,
    terms: Sequence[str] | None,
    *,
    error: str = "",
    folder: str = "",
) -> list[TriggerMatch]:
    """Return notes about such calls not taught by this session."""
    if terms is not None and not terms and not error:
        return []
    context_value = relative_directory(event.place, context.session.root)
    tool = tool_family(event.tool)
    found = context.store.match_triggers(
        context.visible_projects(),
        tool,
        terms,
        error=error,
        folder=folder,
        context=context_value,
    )
    return _filter_tellable(context, found)


def _filter_tellable(context: EventContext, found: Iterable[TriggerMatch]) -> list[TriggerMatch]:
    """Drop untrusted notes, and notes taught by this session."""
    # it takes a signature for a rule to count
    return [match for match in found if match.note.kind == "rule" or context.may_tell(match.note)]


def _find_missing_folder(parts: Sequence[Part], error: str) -> str:
    """Return the folder in which a call looked for a file that is not there."""
    if not any(sign in error for sign in _NOT_THERE):
        return ""
    paths = [term for part in parts for term in part if "/" in term and "." in term]
    return paths[-1].partition("/")[0] if paths else ""


def _words_of_call(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(term for part in parts for term in part))

"""Tell notes about a pending or failed call."""

from __future__ import annotations

from twiceshy.core.event import CallFailed
from twiceshy.core.session import Intent
from twiceshy.core.trigger import family
from twiceshy.core.trust import INJECTABLE
from twiceshy.recall import timely
from twiceshy.shell.grams import parts_of, place_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.event import CallPending, CallSucceeded
    from twiceshy.core.note import Note
    from twiceshy.core.trigger import Match
    from twiceshy.recall.event_context import Desk
    from twiceshy.shell.grams import Part

_RULE_TOKENS = 200
_AGAIN_MS = 10 * 60_000  # after so long an agent may have lost sight of what it was told


def before_call(desk: Desk, event: CallPending) -> str:
    """Return known notes about a pending call, and warnings of the guards."""
    from twiceshy.safety.guard import worth_a_look

    _announce(desk, event)
    known = [_known(desk, event), _asked_to_save(desk, event)]
    if worth_a_look(event.tool, event.arguments, desk.app.config.items("guards.protected")):
        from twiceshy.recall.guard import guarded

        known.append(guarded(desk, event))  # last: it makes a ruling stricter, never milder
    return "\n".join(filter(None, known))


def _asked_to_save(desk: Desk, event: CallPending) -> str:
    """Count a call, and return the save reminder when due and wanted."""
    config = desk.app.config
    if event.deaf or event.agent or not config.flag("keeper.banner"):
        return ""
    from twiceshy.recall.save_reminder import after_tool

    return after_tool(config.home, desk.session.project, config.integer("keeper.save_interval"))


def _announce(desk: Desk, event: CallPending) -> None:
    """Leave a claim for a call of our own tools, which cannot know their session."""
    if "twiceshy" not in event.tool and "twiceshy" not in event.target:
        return
    from twiceshy.core.call_claim import claim_of

    if claim := claim_of(event.tool, event.arguments, event.target):
        desk.store.keep(Intent(event.session, "", call=claim))  # now: the call comes at once


def _known(desk: Desk, event: CallPending) -> str:
    """Return notes about a call, unless told recently."""
    parts, tool = parts_of(event.arguments), family(event.tool)
    about = [
        match for match in _near(desk, event, _grams(parts)) if match.trigger.matches(tool, parts)
    ]
    rules = {match.note.id for match in about if match.note.kind == "rule"}
    if rules and (text := _ruled(desk, rules, deaf=event.deaf)):
        return text
    if event.deaf:
        return ""
    told = desk.told()
    likely = timely.before_call(match for match in about if match.note.id not in rules | told)
    return desk.tell_now(
        [match.note for match in likely],
        channel="call",
        tokens=desk.app.config.integer("brief.call_tokens"),
        settled=_settled(likely),
    )


def _ruled(desk: Desk, about: set[str], *, deaf: bool) -> str:
    """Return the strictest approved rule about a call; told once, binding always."""
    from twiceshy.recall.rules import binding

    bound = binding(desk.store, desk.scope(desk.active_skill()), desk.app.rule_key)
    for note, act in bound:
        if note.id not in about or (act == "tell" and (deaf or note.id in desk.told())):
            continue
        desk.ruling = "" if act == "tell" else act
        return desk.tell_now([note], channel="call", tokens=_RULE_TOKENS)
    return ""


def after_failure(desk: Desk, event: CallFailed | CallSucceeded, error: str) -> str:
    """Return the known fix of a failure, unless told recently."""
    if isinstance(event, CallFailed) and event.deaf:
        return ""
    parts, tool = parts_of(event.arguments), family(event.tool)
    lately = desk.told(channel="failure", since=event.at - _AGAIN_MS)

    def worth(match: Match) -> bool:
        return match.note.id not in lately and match.note.kind != "rule"

    named = [
        match
        for match in _near(desk, event, _grams(parts))
        if worth(match) and match.trigger.but(absent=()).matches(tool, parts)
    ]
    chosen = timely.after_failure(named, parts, error)
    if not chosen:
        others = filter(worth, _near(desk, event, None, error=error))
        chosen = timely.after_failure(others, parts, error)
    return desk.tell_now(
        [match.note for match in chosen],
        channel="failure",
        tokens=desk.app.config.integer("brief.failure_tokens"),
        # what was said before this call may reach the agent only now, together with the failure
        again=desk.told(channel="call", since=event.at - _AGAIN_MS),
        settled=_settled(chosen),
    )


def before_work(desk: Desk, prompt: str) -> str:
    """Return mistakes invited by a prompt that no hook event would meet."""
    found = desk.store.about_call(desk.projects(), which="unseen")
    unseen = [match for match in _may_tell(desk, found) if match.note.kind != "rule"]
    if not unseen:
        return ""
    words = {word.strip(".,:;!?()'\"`").lower() for word in prompt.split()}
    told = desk.told()
    named = [
        match
        for match in unseen
        if match.note.id not in told
        and all((gram.partition("=")[2] or gram).lower() in words for gram in match.trigger.grams)
    ]
    return desk.tell_now(
        [match.note for match in named[:1]],
        channel="prompt",
        tokens=desk.app.config.integer("brief.call_tokens"),
        settled=_settled(named),
    )


def _settled(matches: Sequence[Match]) -> set[str]:
    return {match.note.id for match in matches if match.settled}


def _near(
    desk: Desk,
    event: CallPending | CallFailed | CallSucceeded,
    grams: Sequence[str] | None,
    *,
    error: str = "",
) -> list[Match]:
    """Return notes about such calls not taught by this session."""
    if grams is not None and not grams:
        return []
    context = place_of(event.place, desk.session.root)
    tool = family(event.tool)
    found = desk.store.about_call(desk.projects(), tool, grams, error=error, context=context)
    return _may_tell(desk, found)


def _may_tell(desk: Desk, found: Iterable[Match]) -> list[Match]:
    """Drop untrusted notes, and notes taught by this session."""

    def may_tell(note: Note) -> bool:
        own = note.origin_session == desk.event.session and note.sightings <= 1
        return note.trust >= INJECTABLE and not (own and note.source == "detector")

    # it takes a signature for a rule to count
    return [match for match in found if match.note.kind == "rule" or may_tell(match.note)]


def _grams(parts: Sequence[Part]) -> list[str]:
    return list(dict.fromkeys(gram for part in parts for gram in part))

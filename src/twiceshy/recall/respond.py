"""Respond to events; most are only recorded."""

from __future__ import annotations

from twiceshy.core import event as events
from twiceshy.core.session import Intent

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.recall.brief import Budget
    from twiceshy.recall.event_context import Desk

_MOST_AT_START = 20
_FULL = 60  # percent of the context
_MOST_SESSIONS = 60  # more than a project keeps
_MOST_HANDOFFS = 10  # that are looked at
_PENDING = 30 * 86_400_000  # one that nobody came for in so long is about something else by now


def respond(desk: Desk) -> str:
    """Return the text for the agent; usually empty."""
    said = ""
    match desk.event:
        case events.SessionStarted(how=how):
            said = _start(desk, how)
        case events.PromptGiven() as event:
            said = _prompted(desk, event)
        case events.SkillLoaded() | events.SkillRead():
            from twiceshy.recall.skill_load import brief_event

            said = brief_event(desk)
        case events.CallPending() as event:
            from twiceshy.recall.before_call import before_call

            said = before_call(desk, event)
        case events.CallFailed() | events.CallSucceeded() as event:
            said = _after_call(desk, event)
        case events.Compacted() as event:
            _capture_summary(desk, event)
        case events.SubagentStarted():
            said = _start_agent(desk)
        case _:
            pass  # turns that end are learned from, by a process of its own
    return said


def _start(desk: Desk, how: str) -> str:
    """Brief a session at its start or after a compaction; a resumed session needs nothing."""
    if not desk.new:
        desk.meet()  # it may go on elsewhere
    desk.later(lambda: _point(desk))
    if how == "resume":
        return ""  # what others did meanwhile comes with the next prompt
    from twiceshy.recall.start import at_start

    if how in ("clear", "compact"):
        desk.keep(desk.session.but(compactions=desk.session.compactions + 1))
    desk.look()
    budget = _budget(desk)
    from twiceshy.core.text import token_estimate
    from twiceshy.language.rank import weights_of

    left = _handed_over(desk, tokens=budget.tokens * 2 // 5)
    if left:
        rest = budget.tokens - token_estimate(left)
        budget = budget.but(tokens=rest, pinned_tokens=rest)
    recalled = at_start(
        desk.store,
        desk.scope(),
        budget=budget,
        key=desk.app.rule_key,
        weights=weights_of(desk.app.config),
        session=desk.event.session,
        place=(desk.event.cwd, desk.session.root),
        reminders=list(_reminders(desk)),
        withholds=lambda note: desk.withholds(note, "start"),
    )
    text = "\n".join(filter(None, [left, desk.tell(recalled.brief, channel="start")]))
    if how == "compact":
        from twiceshy.recall.skill_load import brief_again

        text = "\n".join(filter(None, [text, *brief_again(desk, taken=len(text))]))
    return text


def _handed_over(desk: Desk, *, tokens: int) -> str:
    """Return handoffs for this session; each is shown once."""
    since = desk.event.at - _PENDING
    own = desk.store.same_project(desk.session.project)
    found = desk.store.episodes(own, kinds=("handoff",), since=since, limit=_MOST_HANDOFFS)
    if not found:
        return ""
    from twiceshy.recall.news import handed_over

    told = handed_over(desk.store, found, session=desk.event.session, tokens=tokens)
    for one in told:
        desk.shown(one.key, one.what, channel="handoff", text=one.text)
    return "\n".join(one.text for one in told)


def _reminders(desk: Desk) -> Iterator[str]:
    """Yield reminders for people, at most once a day."""
    from twiceshy.core.moment import day

    project, now = desk.session.project, desk.event.at
    key = f"reflect/{project}/{day(now)}"
    own = desk.store.same_project(project)
    worked = desk.store.episodes(own, kinds=("end", "archive"), limit=_MOST_SESSIONS)
    if worked and not desk.store.exposures(key=key):
        from twiceshy.project.reflect.report import reflect_due

        last = desk.store.episodes(own, kinds=("reflect",), limit=1)
        if reflect_due((last or worked)[-1].ended_at, now):
            when = day(last[0].ended_at) if last else "never"
            text = f"Worth telling the user: `twiceshy reflect` is due here (last: {when})."
            desk.shown(key, "", channel="reminder", text=text)
            yield text


def _point(desk: Desk) -> None:
    from twiceshy.recall.prefilter import point

    try:
        point(desk.app, desk.event.cwd, desk.session.project)
    except OSError:
        return  # then every call is looked at, and all the rest is written down


def _start_agent(desk: Desk) -> str:
    from twiceshy.recall.start import rules_only

    budget, key = _budget(desk), desk.app.rule_key
    recalled = rules_only(desk.store, desk.scope(), budget=budget, key=key)
    return desk.tell(recalled.brief, channel="agent")


def _budget(desk: Desk) -> Budget:
    from twiceshy.recall.brief import budget_of

    tokens = desk.app.config.integer("brief.session_tokens")
    return budget_of(desk.app.config).but(
        tokens=tokens, notes=_MOST_AT_START, pinned_tokens=tokens
    )


def _prompted(desk: Desk, event: events.PromptGiven) -> str:
    """Remember the prompt as intent, and brief the skills it loads."""
    from twiceshy.recall.before_call import before_work

    prompt = event.prompt
    _note_prompt(desk, prompt)
    said = [*_news(desk), _full(desk), _noted(desk, prompt), before_work(desk, prompt)]
    if event.skills:
        from twiceshy.recall.skill_load import brief_named

        said += [brief_named(desk, name) for name in event.skills]
    return "\n".join(filter(None, said))


def _note_prompt(desk: Desk, prompt: str) -> None:
    session = desk.session
    desk.keep(session.but(seen_at=desk.event.at))
    desk.count_prompt()
    desk.later(lambda: desk.store.keep(Intent(session.id, prompt)))
    if (session.prompts + 1) % desk.app.config.integer("learn.checkpoint_messages") == 0:
        desk.learn_later()


def _news(desk: Desk) -> Iterator[str]:
    """Yield handoffs and changes since the last look."""
    since = desk.session.changes_seen
    if not since:  # it began before anyone could tell
        desk.look()
        return
    if desk.store.mark() == since:
        return
    tokens = desk.app.config.integer("brief.news_tokens")
    yield _handed_over(desk, tokens=tokens)
    from twiceshy.recall.news import changed_by_others

    news = changed_by_others(
        desk.store, desk.projects(), session=desk.event.session, since=since, tokens=tokens
    )
    yield desk.tell(news, channel="news")
    desk.look()


def _full(desk: Desk) -> str:
    """Return compaction advice once, when the context is nearly full."""
    percent, session = desk.session.context_percent, desk.session
    key = f"compact/{session.id}/{session.compactions}"
    if percent < _FULL or desk.store.exposures(key=key):
        return ""
    from twiceshy.recall.news import compacting

    text = compacting(percent)
    desk.shown(key, "", channel="reminder", text=text)
    return text


def _noted(desk: Desk, prompt: str) -> str:
    """Return notebook corrections clearly related to a prompt."""
    from twiceshy.core.filter import Filter

    if not desk.store.count(
        Filter(kinds=("rule",), subtype="correction", state="current", statuses=("active",))
    ):
        return ""
    from twiceshy.recall.notebook import before_task

    recalled = before_task(
        desk.store,
        desk.scope(),
        prompt,
        tokens=2 * desk.app.config.integer("brief.call_tokens"),
        key=desk.app.rule_key,
        told=desk.told(),
    )
    return desk.tell(recalled.brief, channel="prompt")


def _after_call(desk: Desk, event: events.CallFailed | events.CallSucceeded) -> str:
    """Capture a failure, and return its known fix."""
    from twiceshy.recall.capture import signal_of

    signal = signal_of(
        event,
        project=desk.session.project,
        skill=desk.active_skill(),
        redact=desk.app.redact,
    )
    if not signal:
        return ""
    desk.store.capture(signal)
    from twiceshy.recall.before_call import after_failure

    return after_failure(desk, event, signal.excerpt)


def _capture_summary(desk: Desk, event: events.Compacted) -> None:
    from twiceshy.recall.capture import episode_of

    desk.learn_later()
    if episode := episode_of(event, project=desk.session.project, redact=desk.app.redact):
        desk.store.capture(episode)

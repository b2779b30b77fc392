"""What to say to an event: most of them are only remembered."""

from __future__ import annotations

from twiceshy.core import event as events

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.answering.desk import Desk
    from twiceshy.core.brief import Budget


def respond(desk: Desk) -> str:
    """Return the text for the agent; nothing is the usual answer."""
    match desk.event:
        case events.SessionStarted(how=how):
            return _start(desk, how)
        case events.PromptGiven():
            return _prompted(desk, desk.event)
        case events.SkillLoaded() | events.SkillRead():
            from twiceshy.answering.skill import brief_skill

            return brief_skill(desk)
        case events.CallPending() | events.CallFailed() | events.CallSucceeded():
            return _about_call(desk, desk.event)
        case events.Compacted():
            _capture_summary(desk)
        case events.SubagentStarted():
            return _start_agent(desk)
        case _:
            pass  # turns that end are learned from, by a process of its own
    return ""


def _start(desk: Desk, how: str) -> str:
    """Brief a session that begins, or that has lost its memory; one that goes on has all it needs."""
    desk.meet()
    desk.later(lambda: _point(desk))
    if how == "resume":
        return ""
    from twiceshy.recall.start import at_start

    if how in ("clear", "compact"):
        desk.keep(desk.session.but(era=desk.session.era + 1))
    recalled = at_start(
        desk.store,
        desk.scope(),
        budget=_budget(desk),
        key=desk.app.rule_key,
        weights=desk.app.weights,
        session=desk.event.session,
        withholds=lambda note: desk.withholds(note, "start"),
    )
    text = desk.tell(recalled.brief, channel="start")
    if how == "compact":
        from twiceshy.answering.skill import brief_again

        text = "\n".join(filter(None, [text, *brief_again(desk, taken=len(text))]))
    return text


def _point(desk: Desk) -> None:
    from twiceshy.sentinel import point

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
    tokens = desk.app.config.integer("brief.session_tokens")
    return desk.app.budget.but(tokens=tokens, notes=_MOST_AT_START, pinned_tokens=tokens)


_MOST_AT_START = 20


def _prompted(desk: Desk, event: events.PromptGiven) -> str:
    """Remember what the agent is about to do, and brief it for the skills that the prompt loads."""
    _note_prompt(desk, event.prompt)
    said = [_recurring(desk, event.prompt)]
    if event.skills:
        from twiceshy.answering.skill import brief_named

        said += [brief_named(desk, name) for name in event.skills]
    return "\n".join(filter(None, said))


def _note_prompt(desk: Desk, prompt: str) -> None:
    session = desk.session
    prompts = session.prompts + 1
    desk.keep(session.but(seen_at=desk.event.at, prompts=prompts))
    desk.later(lambda: desk.store.stash(session.id, prompt))
    if prompts % desk.app.config.integer("learn.checkpoint_messages") == 0:
        desk.learn_later()


def _recurring(desk: Desk, prompt: str) -> str:
    """Return what goes wrong again and again in calls that no hook is told of, if the prompt names it."""
    from twiceshy.answering.call import before_work

    return before_work(desk, prompt)


def _about_call(
    desk: Desk, event: events.CallPending | events.CallFailed | events.CallSucceeded
) -> str:
    if not isinstance(event, events.CallPending):
        return _after_call(desk, event)
    from twiceshy.answering.call import before_call

    return before_call(desk, event)


def _after_call(desk: Desk, event: events.CallFailed | events.CallSucceeded) -> str:
    """Keep the error that a call ended with, and return what put it right before."""
    from twiceshy.capture import signal_of

    signal = signal_of(
        event,
        project=desk.session.project,
        skill=desk.active_skill(),
        redact=desk.app.redact,
    )
    if not signal:
        return ""
    desk.store.capture(signal)
    from twiceshy.answering.call import after_failure

    return after_failure(desk, event, signal.excerpt)


def _capture_summary(desk: Desk) -> None:
    from twiceshy.capture import episode_of

    desk.learn_later()

    if isinstance(desk.event, events.Compacted):
        episode_id = "e" + desk.store.new_id()[1:]
        episode = episode_of(
            desk.event,
            project=desk.session.project,
            episode_id=episode_id,
            redact=desk.app.redact,
        )
        if episode:
            desk.store.capture(episode)

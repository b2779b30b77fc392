"""What to say to an event: most of them are only remembered."""

from __future__ import annotations

from twiceshy.core import event as events

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.brief import Budget
    from twiceshy.hooks.desk import Desk


def respond(desk: Desk) -> str:
    """Return the text for the agent; nothing is the usual answer."""
    match desk.event:
        case events.SessionStarted(how=how):
            return _start(desk, how)
        case events.PromptGiven(prompt=prompt):
            _note_prompt(desk, prompt)
        case events.SkillLoaded() | events.SkillRead():
            from twiceshy.hooks.skill import brief_skill

            return brief_skill(desk)
        case events.CallFailed() | events.CallSucceeded():
            _capture_error(desk)
        case events.Compacted():
            _capture_summary(desk)
        case events.SubagentStarted():
            return _start_agent(desk)
        case (
            events.CallPending()
            | events.Compacting()
            | events.TurnEnded()
            | events.SubagentEnded()
            | events.SessionEnded()
        ):
            pass
    return ""


def _start(desk: Desk, how: str) -> str:
    """Brief a session that begins, or that has lost its memory; one that goes on has all it needs."""
    desk.meet()
    if how == "resume":
        return ""
    from twiceshy.recall.start import at_start

    if how in ("clear", "compact"):
        desk.keep(desk.session.but(era=desk.session.era + 1))
    recalled = at_start(
        desk.store,
        desk.scope(),
        budget=_budget(desk),
        weights=desk.app.weights,
        session=desk.event.session,
    )
    text = desk.tell(recalled.brief, channel="start")
    if how == "compact":
        from twiceshy.hooks.skill import brief_again

        text = "\n".join(filter(None, [text, *brief_again(desk, taken=len(text))]))
    return text


def _start_agent(desk: Desk) -> str:
    from twiceshy.recall.start import rules_only

    recalled = rules_only(desk.store, desk.scope(), budget=_budget(desk))
    return desk.tell(recalled.brief, channel="agent")


def _budget(desk: Desk) -> Budget:
    tokens = desk.app.config.integer("brief.session_tokens")
    return desk.app.budget.but(tokens=tokens, notes=_MOST_AT_START, pinned_tokens=tokens)


_MOST_AT_START = 20


def _note_prompt(desk: Desk, prompt: str) -> None:
    session = desk.session
    desk.keep(session.but(seen_at=desk.event.at, prompts=session.prompts + 1))
    desk.later(lambda: desk.store.stash(session.id, prompt))


def _capture_error(desk: Desk) -> None:
    from twiceshy.capture import signal_of

    event = desk.event
    if not isinstance(event, events.CallFailed | events.CallSucceeded):
        return
    signal = signal_of(
        event,
        project=desk.session.project,
        skill=desk.active_skill(),
        redact=desk.app.redact,
    )
    if signal:
        desk.store.capture(signal)


def _capture_summary(desk: Desk) -> None:
    from twiceshy.capture import episode_of

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

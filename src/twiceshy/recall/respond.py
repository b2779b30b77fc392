"""Respond to events; most are only recorded."""

from __future__ import annotations

from os import environ
from os.path import exists

from twiceshy.core import event as events
from twiceshy.core.evidence import Signal
from twiceshy.core.session import Intent
from twiceshy.store.store_file import delete_notice, read_notice

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.note import Note
    from twiceshy.recall.brief import BriefBudget
    from twiceshy.recall.event_context import EventContext

_MOST_AT_START = 20
_FULL = 60  # percent of the context
_MOST_SESSIONS = 60  # more than a project keeps
_MOST_HANDOFFS = 10  # that are looked at
_CONTINUED = ("claude-code", "codex")  # clients in which a hook makes the agent go on
_PENDING = 30 * 86_400_000  # one that nobody came for in so long is about something else by now


def respond_to_event(context: EventContext) -> str:
    """Return the text for the agent; usually empty."""
    said = ""
    match context.event:
        case events.SessionStarted(how=how):
            said = _brief_start(context, how)
        case events.PromptGiven() as event:
            said = _answer_prompt(context, event)
        case events.SkillLoaded() | events.SkillRead():
            from twiceshy.recall.skill_load import brief_skill_event

            said = brief_skill_event(context)
        case events.CallPending() as event:
            said = _answer_pending(context, event)
        case events.CallFailed() | events.CallSucceeded() as event:
            said = _answer_result(context, event)
        case events.Compacting() | events.Compacted() as event:
            said = _answer_compaction(context, event)
        case events.TurnEnded() as event:  # learned from by a process of its own
            said = _ask_to_save(context, event)
        case _:
            said = _brief_subagent(context)
    return said


def _brief_start(context: EventContext, how: str) -> str:
    """Brief a session at its start or after a compaction; a resumed session needs nothing."""
    if not context.new:
        context.identify_session()  # it may go on elsewhere
    context.defer_write(lambda: _point_prefilter(context))
    if how == "resume":
        return ""  # what others did meanwhile comes with the next prompt
    from twiceshy.recall.session_start import brief_session_start

    if how in ("clear", "compact"):
        context.keep_session(context.session.but(compactions=context.session.compactions + 1))
    context.mark_changes_seen()
    budget = _start_budget(context)
    from twiceshy.core.text import estimate_tokens
    from twiceshy.language.rank import rank_weights_of

    left = _tell_handoffs(context, tokens=budget.tokens * 2 // 5)
    if left:
        rest = budget.tokens - estimate_tokens(left)
        budget = budget.but(tokens=rest, pinned_tokens=rest)
    recalled = brief_session_start(
        context.store,
        context.scope_of(),
        budget=budget,
        key=context.app.rule_key,
        weights=rank_weights_of(context.app.config),
        session=context.event.session,
        place=(context.event.cwd, context.session.root),
        lessons=_choose_lessons(context, how),
        reminders=list(_list_reminders(context)),
        is_welcome=context.app.is_welcome,
    )
    text = "\n".join(filter(None, [left, context.tell_brief(recalled.brief, channel="start")]))
    if how == "compact":
        from twiceshy.recall.skill_load import brief_active_skills

        text = "\n".join(filter(None, [text, *brief_active_skills(context, taken=len(text))]))
    return text


def _choose_lessons(context: EventContext, how: str) -> list[Note]:
    """Return lessons for a start; after a compaction, those that the session has dealt with.

    Other lessons wait for the first use of their program.
    """
    from twiceshy.recall.session_start import choose_start_lessons

    more = {}
    if how == "compact":
        from twiceshy.recall.after_compaction import recognise_concerns

        more["concerns"] = recognise_concerns(context)
    told = context.told_notes()
    lessons, programs = choose_start_lessons(
        context.store,
        context.scope_of(),
        context.app.config,
        may_tell=lambda note: note.id not in told and context.may_tell(note),
        withholds=lambda note: context.is_withheld(note, "start"),
        **more,
    )
    if programs:
        from twiceshy.recall.first_use import watch_programs

        watch_programs(context.app.config.home, context.event.session, programs)
    if context.app.config.flag("brief.newest_pitfall"):
        from twiceshy.recall.written_notes import list_newest_pitfall

        lessons += list_newest_pitfall(context, {*told, *(note.id for note in lessons)})
    return lessons


def _tell_handoffs(context: EventContext, *, tokens: int) -> str:
    """Return handoffs for this session; each is shown once, and offered until then."""
    since = context.event.at - _PENDING
    own = context.store.list_project_ids(context.session.project)
    found = context.store.list_episodes(own, kinds=("handoff",), since=since, limit=_MOST_HANDOFFS)
    if not found:
        return ""
    from twiceshy.recall.session_news import find_new_handoffs

    told = find_new_handoffs(context.store, found, session=context.event.session, tokens=tokens)
    for one in told:
        context.offer_once(one.key, one.what, channel="handoff", text=one.text)
    return "\n".join(one.text for one in told)


def _list_reminders(context: EventContext) -> Iterator[str]:
    """Yield reminders for the user: proposed rules, and a reflection that is due.

    Each comes back after 1, 3, 7 and then every 30 days, while its cause is the same. What became
    of a damaged or lost store is told once.
    """
    path = context.app.config.store
    if saved := read_notice(path):
        context.defer_write(lambda: delete_notice(path))
        yield f"Worth telling the user: {saved}"
    if context.claimed:
        from twiceshy.recall.reminders import describe_claim

        yield describe_claim(context.store, context.claimed)
    yield from _remind_devices(context)
    yield from _remind_proposals(context)
    yield from _remind_reflection(context)


def _remind_devices(context: EventContext) -> Iterator[str]:
    if not exists(f"{context.app.config.home}/devices/waiting"):
        return
    from twiceshy.files.waiting_notice import read_waiting
    from twiceshy.recall.reminders import describe_devices, find_due_key

    waiting = read_waiting(context.app.config.home)
    cause = f"devices/{waiting[0]}/{waiting[1]}"
    key = find_due_key(context.store, cause, now=context.event.at) if any(waiting) else ""
    if key:
        text = describe_devices(*waiting)
        context.record_shown(key, "", channel="reminder", text=text)
        yield text


def _remind_proposals(context: EventContext) -> Iterator[str]:
    from twiceshy.core.filter import filter_visible_notes

    which = filter_visible_notes(context.store, context.scope_of())
    proposed = context.store.notes(which.but(kinds=("rule",), statuses=("candidate",), skill=None))
    if proposed:
        from twiceshy.recall.reminders import describe_proposals, find_due_key

        cause, newest = (
            f"proposals/{context.session.project}",
            max(one.written_at for one in proposed),
        )
        key = find_due_key(context.store, cause, now=context.event.at, news_at=newest)
        if key:
            text = describe_proposals(proposed)
            context.record_shown(key, "", channel="reminder", text=text)
            yield text


def _remind_reflection(context: EventContext) -> Iterator[str]:
    project, now = context.session.project, context.event.at
    own = context.store.list_project_ids(project)
    worked = context.store.list_episodes(own, kinds=("end", "archive"), limit=_MOST_SESSIONS)
    if not worked:
        return
    last = context.store.list_episodes(own, kinds=("reflect",), limit=1)
    since = (last or worked)[-1].ended_at
    from twiceshy.project.reflect.report import is_reflection_due

    if is_reflection_due(since, now):
        from twiceshy.recall.reminders import describe_reflection, find_due_key

        done = last[0].ended_at if last else 0
        if key := find_due_key(context.store, f"reflect/{project}/{done}", now=now):
            text = describe_reflection(done)
            context.record_shown(key, "", channel="reminder", text=text)
            yield text


def _answer_pending(context: EventContext, event: events.CallPending) -> str:
    from twiceshy.recall.before_call import tell_before_call

    if not _has_prefilter(context):
        context.defer_write(lambda: _point_prefilter(context))
    return tell_before_call(context, event)


def _ask_to_save(context: EventContext, event: events.TurnEnded) -> str:
    """Return the steps of a final save, where the user wants them and tool uses were counted."""
    from twiceshy.recall.save_reminder import ask_at_turn_end

    config = context.app.config
    wanted = config.flag("keeper.banner") and context.runtime in _CONTINUED
    if event.agent or (wanted and event.continued):
        return ""
    interval = config.integer("keeper.save_interval") if wanted else 0
    return ask_at_turn_end(config.home, context.session.project, interval)


def _has_prefilter(context: EventContext) -> bool:
    """True if there is a prefilter; approving a rule deletes all of them."""
    from twiceshy.core.prefilter_words import FOLDER, name_watch_file

    name = name_watch_file(context.session.project.encode(), environ)
    return exists(f"{context.app.config.home}/{FOLDER}/{name}")


def _point_prefilter(context: EventContext) -> None:
    from twiceshy.recall.prefilter import point_directory

    try:
        point_directory(context.app, context.event.cwd, context.session.project)
    except OSError:
        return  # then every call is looked at, and all the rest is written down


def _brief_subagent(context: EventContext) -> str:
    """Brief a sub-agent that starts; other events say nothing."""
    if not isinstance(context.event, events.SubagentStarted):
        return ""
    from twiceshy.recall.session_start import brief_subagent_rules

    budget, key = _start_budget(context), context.app.rule_key
    recalled = brief_subagent_rules(context.store, context.scope_of(), budget=budget, key=key)
    return context.tell_brief(recalled.brief, channel="agent")


def _start_budget(context: EventContext) -> BriefBudget:
    from twiceshy.recall.brief import brief_budget_of

    tokens = context.app.config.integer("brief.session_tokens")
    return brief_budget_of(context.app.config).but(
        tokens=tokens, notes=_MOST_AT_START, pinned_tokens=tokens
    )


def _answer_prompt(context: EventContext, event: events.PromptGiven) -> str:
    """Remember the prompt as intent, and brief the skills it loads."""
    from twiceshy.recall.prompt_match import tell_at_prompt

    prompt = event.prompt
    _remember_prompt(context, prompt)
    said = [
        *_tell_news(context),
        _tell_context_use(context),
        _tell_corrections(context, prompt),
        tell_at_prompt(context, prompt),
        _tell_resting(context, prompt),
    ]
    if event.skills:
        from twiceshy.recall.skill_load import brief_skill_by_name

        said += [brief_skill_by_name(context, name) for name in event.skills]
    return "\n".join(filter(None, said))


def _tell_resting(context: EventContext, prompt: str) -> str:
    """Return the preferences that rest until a prompt is about them."""
    from twiceshy.core.filter import filter_visible_notes

    which = filter_visible_notes(context.store, context.scope_of())
    resting = context.store.notes(which.but(kinds=("preference",), state="resting"))
    if not resting:
        return ""
    from twiceshy.recall.resting_preferences import tell_resting

    return tell_resting(context, prompt, resting)


def _remember_prompt(context: EventContext, prompt: str) -> None:
    session = context.session
    context.keep_session(session.but(seen_at=context.event.at))
    context.complete_record()
    context.defer_write(lambda: context.store.save_records(Intent(session.id, prompt)))
    if (session.prompts + 1) % context.app.config.integer("learn.checkpoint_messages") == 0:
        context.start_background_job()


def _tell_news(context: EventContext) -> Iterator[str]:
    """Yield handoffs and changes since the last look."""
    since = context.session.changes_seen
    if not since:  # it began before anyone could tell
        context.mark_changes_seen()
        return
    if context.store.read_journal_clock() == since:
        return
    tokens = context.app.config.integer("brief.news_tokens")
    yield _tell_handoffs(context, tokens=tokens)
    from twiceshy.recall.session_news import describe_changes

    news = describe_changes(
        context.store,
        context.visible_projects(),
        session=context.event.session,
        since=since,
        tokens=tokens,
    )
    yield context.tell_brief(news, channel="news")
    context.mark_changes_seen()


def _tell_context_use(context: EventContext) -> str:
    """Return compaction advice once, when the context is nearly full."""
    percent, session = context.session.context_percent, context.session
    key = f"compact/{session.id}/{session.compactions}"
    if percent < _FULL or context.store.list_exposures(key=key):
        return ""
    from twiceshy.recall.session_news import describe_compaction

    text = describe_compaction(percent)
    context.record_shown(key, "", channel="reminder", text=text)
    return text


def _tell_corrections(context: EventContext, prompt: str) -> str:
    """Return notebook corrections clearly related to a prompt."""
    from twiceshy.core.filter import NoteFilter

    if not context.store.count_notes(
        NoteFilter(kinds=("rule",), subtype="correction", state="current", statuses=("active",))
    ):
        return ""
    from twiceshy.recall.notebook import tell_notebook_rules

    recalled = tell_notebook_rules(
        context.store,
        context.scope_of(),
        prompt,
        tokens=2 * context.app.config.integer("brief.call_tokens"),
        key=context.app.rule_key,
        told=context.told_notes(),
    )
    return context.tell_brief(recalled.brief, channel="prompt")


def _answer_result(context: EventContext, event: events.CallFailed | events.CallSucceeded) -> str:
    """Keep a failure, and return its known fix."""
    if not isinstance(context.record, Signal):
        return _answer_success(context, event)
    context.complete_record(skill=context.active_skill())
    from twiceshy.recall.before_call import tell_after_failure

    return tell_after_failure(context, event, context.record.excerpt)


def _answer_success(context: EventContext, event: events.CallFailed | events.CallSucceeded) -> str:
    """Return what is known about a program that a session uses for the first time."""
    if context.record or not isinstance(event, events.CallSucceeded):
        return ""
    from twiceshy.recall.first_use import tell_at_first_use

    return tell_at_first_use(context, event)


def _answer_compaction(context: EventContext, event: events.Compacting | events.Compacted) -> str:
    """Ask the summariser before a compaction, and keep the summary after it."""
    if isinstance(event, events.Compacting):
        from twiceshy.recall.ask_summariser import ask_summariser

        return ask_summariser(context)
    context.start_background_job()
    context.complete_record()
    return ""

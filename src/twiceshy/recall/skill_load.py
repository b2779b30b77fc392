"""Brief a loaded or read skill, once per session."""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.event import PromptGiven, SkillLoaded, SkillRead
from twiceshy.core.filter import filter_visible_notes
from twiceshy.core.session import SkillUse
from twiceshy.core.text import estimate_tokens
from twiceshy.places import skill as skills
from twiceshy.recall.skill_brief import brief_skill, describe_skill, plan_budget

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.session import How
    from twiceshy.places.skill import Skill
    from twiceshy.recall.brief import BriefBudget
    from twiceshy.recall.event_context import EventContext
    from twiceshy.recall.skill_brief import SkillInProject

_MOST_AGAIN = 3  # skills that are briefed again after a compaction, the last ones first
_NOTHING = "0-"  # how the sum of no notes begins


def brief_skill_event(context: EventContext) -> str:
    """Return the brief of a skill; empty if switched off, unchanged, or without notes."""
    event = context.event
    if isinstance(event, SkillLoaded) and not event.path:
        return brief_skill_by_name(context, event.skill)
    if not isinstance(event, SkillLoaded | SkillRead):
        return ""
    found = skills.skill_at(event.path, context.skill_search_path())
    how: How = "active" if isinstance(event, SkillLoaded) else "read"
    return _brief_once(context, found.name, found, how) if found else ""


def brief_skill_by_name(context: EventContext, name: str) -> str:
    """Return the brief of a skill loaded by name."""
    found = skills.find_skill(name, context.skill_search_path())
    return _brief_once(context, name, found, "active")


def brief_active_skills(context: EventContext, *, taken: int) -> Iterator[str]:
    """Yield briefs of active skills, after a compaction removed them."""
    from twiceshy.recall.brief import brief_budget_of

    around = context.skill_search_path()
    room = brief_budget_of(context.app.config).but(
        tokens=context.app.config.integer("brief.skill_tokens_max"),
        characters=context.app.config.integer("brief.max_characters") - taken - 1,
    )
    uses = context.store.list_skill_uses(context.event.session, context.event.agent)
    active = [use for use in uses if use.how == "active"]
    for use in active[:_MOST_AGAIN]:
        found = skills.find_skill(use.skill, around)
        if text := _brief_once(context, use.skill, found, "active", room):
            yield text
            room = room.but(
                characters=max(0, room.characters - len(text) - 1),
                tokens=max(0, room.tokens - estimate_tokens(text)),
            )


def _brief_once(
    context: EventContext,
    name: str,
    found: Skill | None,
    how: How,
    room: BriefBudget | None = None,
) -> str:
    try:
        skill = describe_skill(context.app, name, context.session.project, found)
    except UnsafeNameError:
        return ""
    if not skill.enabled:
        return ""
    state = context.store.fingerprint_notes(filter_visible_notes(context.store, skill.scope))
    if not found and state.startswith(_NOTHING):
        return ""  # a command, or a skill that is nowhere to be seen and has no notes
    known = context.store.list_skill_uses(context.event.session, context.event.agent, skill.name)
    before = known[0] if known else None
    if before and before.how == "active":
        how = "active"  # who has invoked a skill reads on in it
    told = f"{context.session.compactions}/{how}/{state}"
    event, path = context.event, found.path if found else ""
    use = SkillUse(
        event.session, event.agent, skill.name, skill.project, how, event.at, path, told
    )
    context.defer_write(lambda: context.store.save_records(use))
    if before and before.told == told:
        return ""
    budget = plan_budget(context.app.config, skill.settings, how=how)
    if room:
        budget = budget.but(
            tokens=min(budget.tokens, room.tokens),
            characters=min(budget.characters, room.characters),
        )
    return _tell_skill_notes(
        context, skill, budget, channel="skill" if how == "active" else "read"
    )


def _tell_skill_notes(
    context: EventContext, skill: SkillInProject, budget: BriefBudget, *, channel: str
) -> str:
    """Return a skill's brief without told and withheld notes; only notes to be told draw lots."""
    intent, withheld = _find_intent(context), set[str]()
    known = context.told_notes()
    elsewhere = context.told_notes(except_channel=channel)  # a changed brief is told whole
    while True:
        recalled = brief_skill(
            context.app,
            skill,
            intent,
            budget=budget,
            told=known,
            without=elsewhere | withheld,
        )
        held = {note.id for note in recalled.brief.notes if context.is_withheld(note, channel)}
        if not held:
            return context.tell_brief(recalled.brief, channel=channel)
        withheld |= held


def _find_intent(context: EventContext) -> str:
    """Return the intent: the arguments of the skill, and the last prompt."""
    event = context.event
    arguments = event.arguments if isinstance(event, SkillLoaded) else ""
    said = (
        event.prompt
        if isinstance(event, PromptGiven)
        else context.store.find_intent(event.session)
    )
    return " ".join(filter(None, (arguments, said)))

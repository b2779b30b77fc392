"""Brief a loaded or read skill, once per session."""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.event import PromptGiven, SkillLoaded, SkillRead
from twiceshy.core.filter import visible
from twiceshy.core.session import Use
from twiceshy.core.text import token_estimate
from twiceshy.places import skill as skills
from twiceshy.recall.skill_brief import brief_skill, describe_skill, plan_budget

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.session import How
    from twiceshy.places.skill import Skill
    from twiceshy.recall.brief import Budget
    from twiceshy.recall.event_context import Desk

_MOST_AGAIN = 3  # skills that are briefed again after a compaction, the last ones first
_NOTHING = "0-"  # how the sum of no notes begins


def brief_event(desk: Desk) -> str:
    """Return the brief of a skill; empty if switched off, unchanged, or without notes."""
    event = desk.event
    if isinstance(event, SkillLoaded) and not event.path:
        return brief_named(desk, event.skill)
    if not isinstance(event, SkillLoaded | SkillRead):
        return ""
    found = skills.skill_at(event.path, desk.around())
    how: How = "active" if isinstance(event, SkillLoaded) else "read"
    return _brief(desk, found.name, found, how) if found else ""


def brief_named(desk: Desk, name: str) -> str:
    """Return the brief of a skill loaded by name."""
    found = skills.find(name, desk.around())
    return _brief(desk, name, found, "active")


def brief_again(desk: Desk, *, taken: int) -> Iterator[str]:
    """Yield briefs of active skills, after a compaction removed them."""
    from twiceshy.recall.brief import budget_of

    around = desk.around()
    room = budget_of(desk.app.config).but(
        tokens=desk.app.config.integer("brief.skill_tokens_max"),
        characters=desk.app.config.integer("brief.max_characters") - taken - 1,
    )
    uses = desk.store.uses(desk.event.session, desk.event.agent)
    active = [use for use in uses if use.how == "active"]
    for use in active[:_MOST_AGAIN]:
        found = skills.find(use.skill, around)
        if text := _brief(desk, use.skill, found, "active", room):
            yield text
            room = room.but(
                characters=max(0, room.characters - len(text) - 1),
                tokens=max(0, room.tokens - token_estimate(text)),
            )


def _brief(
    desk: Desk, name: str, found: Skill | None, how: How, room: Budget | None = None
) -> str:
    try:
        skill = describe_skill(desk.app, name, desk.session.project, found)
    except UnsafeNameError:
        return ""
    if not skill.enabled:
        return ""
    state = desk.store.state(visible(desk.store, skill.scope))
    if not found and state.startswith(_NOTHING):
        return ""  # a command, or a skill that is nowhere to be seen and has no notes
    known = desk.store.uses(desk.event.session, desk.event.agent, skill.name)
    before = known[0] if known else None
    if before and before.how == "active":
        how = "active"  # who has invoked a skill reads on in it
    told = f"{desk.session.compactions}/{how}/{state}"
    event, path = desk.event, found.path if found else ""
    use = Use(event.session, event.agent, skill.name, skill.project, how, event.at, path, told)
    desk.later(lambda: desk.store.keep(use))
    if before and before.told == told:
        return ""
    budget = plan_budget(desk.app.config, skill.settings, how=how)
    if room:
        budget = budget.but(
            tokens=min(budget.tokens, room.tokens),
            characters=min(budget.characters, room.characters),
        )
    recalled = brief_skill(desk.app, skill, _intent(desk), budget=budget, told=desk.told)
    return desk.tell(recalled.brief, channel="skill" if how == "active" else "read")


def _intent(desk: Desk) -> str:
    """Return the intent: skill arguments, call text, and the last prompt."""
    event = desk.event
    arguments = event.arguments if isinstance(event, SkillLoaded) else ""
    call = event.call if isinstance(event, SkillLoaded | SkillRead) else ""
    stashed = desk.store.intent(event.session, call=call) if call else ""
    said = event.prompt if isinstance(event, PromptGiven) else desk.store.intent(event.session)
    return " ".join(filter(None, (arguments, stashed, said)))

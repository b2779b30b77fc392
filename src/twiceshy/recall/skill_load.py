"""A skill is loaded or read: put before the agent, once, what earlier sessions learned about it."""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError
from twiceshy.core.event import PromptGiven, SkillLoaded, SkillRead
from twiceshy.core.filter import visible
from twiceshy.core.session import Use
from twiceshy.core.text import token_estimate
from twiceshy.places import skill as skills
from twiceshy.places.skill_frontmatter import SkillSettings
from twiceshy.recall.choose import recall
from twiceshy.recall.skill_tuning import has_notes, tuned_budget, tuned_weights
from twiceshy.safety.names import safe_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.core.session import How
    from twiceshy.places.skill import Skill
    from twiceshy.recall.brief import Budget
    from twiceshy.recall.event_context import Desk

_MOST_AGAIN = 3  # skills that are briefed again after a compaction, the last ones first
_NOTHING = "0-"  # how the sum of no notes begins


def brief_skill(desk: Desk) -> str:
    """Return the brief for a skill; nothing if it is switched off, unchanged since, or empty."""
    event = desk.event
    if isinstance(event, SkillLoaded) and not event.path:
        return brief_named(desk, event.skill)
    if not isinstance(event, SkillLoaded | SkillRead):
        return ""
    found = skills.skill_at(event.path, desk.around())
    how: How = "active" if isinstance(event, SkillLoaded) else "read"
    return _brief(desk, found.name, found, how) if found else ""


def brief_named(desk: Desk, name: str) -> str:
    """Return the brief for a skill that is loaded by its name."""
    found = skills.find(name, desk.around())
    return _brief(desk, found.name if found else name, found, "active")


def brief_again(desk: Desk, *, taken: int) -> Iterator[str]:
    """Yield the briefs of the skills in use: a compaction has taken them from the conversation."""
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
    settings = skills.settings(found) if found else SkillSettings()
    try:
        name = safe_name(name)
    except UnsafeNameError:
        return ""
    if not has_notes(desk.app.config.text("skills.policy"), settings):
        return ""
    scope = desk.scope(name)
    state = desk.store.state(visible(desk.store, scope))
    if not found and state.startswith(_NOTHING):
        return ""  # a command, or a skill that is nowhere to be seen and has no notes
    known = desk.store.uses(desk.event.session, desk.event.agent, name)
    before = known[0] if known else None
    if before and before.how == "active":
        how = "active"  # who has invoked a skill reads on in it
    told = f"{desk.session.era}/{how}/{state}"
    event, path = desk.event, found.path if found else ""
    use = Use(event.session, event.agent, name, scope.project, how, event.at, path, told)
    desk.later(lambda: desk.store.keep(use))
    if before and before.told == told:
        return ""
    budget = _budget(desk, settings, how, room)
    from twiceshy.language.rank import weights_of

    recalled = recall(
        desk.store,
        scope,
        _intent(desk),
        budget=budget,
        key=desk.app.rule_key,
        weights=tuned_weights(weights_of(desk.app.config), settings),
        version=desk.app.version(found) if found and not state.startswith(_NOTHING) else "",
        told=desk.told() if budget.principles else (),
    )
    return desk.tell(recalled.brief, channel="skill" if how == "active" else "read")


def _budget(desk: Desk, settings: SkillSettings, how: How, room: Budget | None) -> Budget:
    """Return how much may be said: what the SKILL.md asks for, less for a skill that is only read."""
    from twiceshy.recall.brief import budget_of

    config, usual = desk.app.config, budget_of(desk.app.config)
    if how == "read":
        tokens, notes = config.integer("brief.read_tokens"), config.integer("brief.read_notes")
        usual = usual.but(tokens=tokens, notes=notes, principles=0)
        settings = settings.but(max_tokens=None)
    budget = tuned_budget(
        usual,
        settings,
        most_tokens=config.integer("brief.skill_tokens_max"),
        most_notes=config.integer("brief.skill_notes_max"),
    )
    if room is None:
        return budget
    return budget.but(
        tokens=min(budget.tokens, room.tokens),
        characters=min(budget.characters, room.characters),
    )


def _intent(desk: Desk) -> str:
    """Return what the skill is for: its arguments, what its call said, and the last prompt."""
    event = desk.event
    arguments = event.arguments if isinstance(event, SkillLoaded) else ""
    call = event.call if isinstance(event, SkillLoaded | SkillRead) else ""
    stashed = desk.store.intent(event.session, call=call) if call else ""
    said = event.prompt if isinstance(event, PromptGiven) else desk.store.intent(event.session)
    return " ".join(filter(None, (arguments, stashed, said)))

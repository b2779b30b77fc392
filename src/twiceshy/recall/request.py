"""Briefs on request, for a named project or skill."""

from __future__ import annotations

from twiceshy.core.errors import ConfigError, NotFoundError, StoreError
from twiceshy.core.filter import NoteFilter
from twiceshy.language.rank import rank_weights_of
from twiceshy.notes.embed import embed_query
from twiceshy.places import skill as skills
from twiceshy.places.skill_frontmatter import KEY
from twiceshy.recall.brief import brief_budget_of
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.recall.skill_brief import brief_skill, describe_skill, plan_budget
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.scope import Scope
    from twiceshy.notes.embed import Tell
    from twiceshy.recall.brief import Brief, BriefBudget
    from twiceshy.recall.skill_brief import SkillInProject

_MOST_PLACES = 40  # a session deep in a project has eight for each folder above it


def require_skill(app: App, name: str, *, prefer: str) -> SkillInProject:
    """Return a skill that exists, has notes or was used; ``prefer`` is a runtime.

    NotFoundError names the searched folders, ConfigError the setting that forbids notes.
    """
    name, here = check_name(name, what="skill"), app.current_project()
    around = app.skill_search_path(here.root, prefer=prefer)
    found = skills.find_skill(name, around)
    if found is None and not _is_known(app, name):
        places = skills.list_search_folders(name, around)
        more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
        raise NotFoundError(
            f"no SKILL.md of a skill {name!r} was found",
            hint=f"searched: {', '.join(places[:_MOST_PLACES])}{more}",
        )
    skill = describe_skill(app, name, here.id, found)
    require_notes(app, skill)
    return skill


def require_notes(app: App, skill: SkillInProject) -> None:
    """Raise ConfigError if notes are switched off for a skill."""
    if skill.enabled:
        return
    form = f"{KEY}: {{ enabled: true }}"
    hint = (
        f"its SKILL.md must say so in its front matter, as {form} on one line,"
        f" or as {KEY}: and below it, indented, enabled: true"
    )
    if app.config.text("skills.policy") == "off":
        hint = "the user switched notes of skills off: twiceshy config set skills.policy auto"
    raise ConfigError(f"notes are not enabled for skill {skill.name!r}", hint=hint)


def brief_scope(
    app: App,
    scope: Scope,
    intent: str,
    *,
    tell: Tell,
    tokens: int | None,
    notes: int | None = None,
    prefer: str = "",
) -> Brief:
    """Return the brief of a project or skill, and count its notes as shown.

    ``tokens`` and ``notes`` change the budget once; ``tell`` receives remarks about the model.
    """
    if scope.skill:
        found = skills.find_skill(
            scope.skill, app.skill_search_path(app.current_project().root, prefer=prefer)
        )
        skill = describe_skill(app, scope.skill, scope.project, found)
        require_notes(app, skill)
        return brief_named_skill(app, skill, intent, tell=tell, tokens=tokens, notes=notes)
    recalled = recall_notes(
        app.store,
        scope,
        intent,
        budget=_change_budget(app, brief_budget_of(app.config), tokens, notes),
        key=app.rule_key,
        weights=rank_weights_of(app.config),
        meaning=embed_query(app, intent, tell=tell),
    )
    return _count_as_shown(app, recalled.brief)


def brief_named_skill(
    app: App,
    skill: SkillInProject,
    intent: str,
    *,
    tell: Tell,
    tokens: int | None,
    notes: int | None = None,
) -> Brief:
    """Return the brief of a skill load, and count its notes as shown."""
    budget = _change_budget(app, plan_budget(app.config, skill.settings), tokens, notes)
    meaning = embed_query(app, intent, tell=tell)
    return _count_as_shown(
        app, brief_skill(app, skill, intent, budget=budget, meaning=meaning).brief
    )


def _count_as_shown(app: App, brief: Brief) -> Brief:
    try:
        if brief.notes:
            app.store.increment_counter("recalls", [note.id for note in brief.notes])
    except StoreError:
        pass  # a count must never keep anyone from reading
    return brief


def _change_budget(
    app: App, usual: BriefBudget, tokens: int | None, notes: int | None
) -> BriefBudget:
    """Return a budget with given tokens and notes; more tokens allow more notes."""
    most = usual.notes
    if tokens and tokens > usual.tokens:
        most = app.config.integer("brief.skill_notes_max")
    return usual.but(tokens=tokens or usual.tokens, notes=notes or most)


def _is_known(app: App, name: str) -> bool:
    """True if a skill without a file has notes or was used."""
    kept = app.store.count_notes(NoteFilter(skill=name, statuses=()))
    return bool(kept) or any(used.skill == name for used in app.store.count_skill_usage())

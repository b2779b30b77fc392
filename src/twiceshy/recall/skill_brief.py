"""The rule for a skill's brief: policy, budget, and ranking.

Hooks, tools and commands ask here, so that equal questions have equal answers.
"""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.language.rank import rank_weights_of
from twiceshy.places import skill as skills
from twiceshy.places.skill_frontmatter import SkillSettings
from twiceshy.recall.brief import brief_budget_of
from twiceshy.recall.recall_notes import recall_notes
from twiceshy.safety.names import check_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection

    from twiceshy.app import HookApp
    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.session import How
    from twiceshy.language.rank import RankWeights
    from twiceshy.language.vector import QueryVector
    from twiceshy.places.skill import Skill
    from twiceshy.recall.brief import BriefBudget, RecallResult


USUAL_NOTES = 6  # as ``brief.skill_notes`` has it


class SkillInProject(Value):
    """A skill seen from a project: folder if any, and SKILL.md settings."""

    name: str
    project: str
    found: Skill | None
    settings: SkillSettings
    enabled: bool  # by the user's policy and the SKILL.md

    @property
    def scope(self) -> Scope:
        """Return the scope its notes are read from."""
        return Scope(self.project, self.name)

    @property
    def home(self) -> Scope:
        """Return the scope of a new note; global for a user's skill."""
        of_user = self.found and self.found.tier == "global"
        return Scope(EVERYWHERE if of_user else self.project, self.name)


def describe_skill(app: HookApp, name: str, project: str, found: Skill | None) -> SkillInProject:
    """Read the settings of a skill; UnsafeNameError if its name is unfit for a key."""
    settings = skills.read_skill_settings(found) if found else SkillSettings()
    enabled = may_have_notes(app.config.text("skills.policy"), settings)
    name = check_name(found.name if found else name, what="skill")
    return SkillInProject(name, project, found, settings, enabled)


def brief_skill(
    app: HookApp,
    skill: SkillInProject,
    intent: str,
    *,
    budget: BriefBudget,
    told: Collection[str] = (),
    without: Collection[str] = (),
    meaning: QueryVector | None = None,
) -> RecallResult:
    """Rank the notes of a skill by intent, and render its brief.

    Principles in ``told`` count against their number; notes in ``without`` are left out; ``meaning`` is the
    intent's vector.
    """
    found = skill.found
    return recall_notes(
        app.store,
        skill.scope,
        intent,
        budget=budget,
        key=app.rule_key,
        weights=weigh_notes(app.config, skill.settings),
        version=lambda: app.skill_version(found) if found else "",
        told=told,
        without=without,
        meaning=meaning,
        is_welcome=app.is_welcome,
    )


def may_have_notes(policy: str, settings: SkillSettings) -> bool:
    """True if policy and SKILL.md allow notes for a skill."""
    if policy == "opt-in":
        return settings.enabled is True
    return policy == "auto" and settings.enabled is not False


def plan_budget(
    config: Config | QuickConfig, settings: SkillSettings, *, how: How = "active"
) -> BriefBudget:
    """Return the budget of a skill's brief; smaller for a skill only read."""
    usual = brief_budget_of(config)
    most_tokens = config.integer("brief.skill_tokens_max")
    if usual.notes > USUAL_NOTES:  # asked for: as many as fit
        usual = usual.but(tokens=max(usual.tokens, most_tokens))
    if how == "read":
        tokens, notes = config.integer("brief.read_tokens"), config.integer("brief.read_notes")
        usual = usual.but(tokens=tokens, notes=notes, principles=0)
        settings = settings.but(max_tokens=None)
    return tune_budget(
        usual,
        settings,
        most_tokens=max(usual.tokens, most_tokens),
        most_notes=max(usual.notes, config.integer("brief.skill_notes_max")),
    )


def tune_budget(
    usual: BriefBudget, settings: SkillSettings, *, most_tokens: int, most_notes: int
) -> BriefBudget:
    """Return the budget of SKILL.md up to the ceiling, else the usual budget."""
    tokens, notes = usual.tokens, usual.notes
    if settings.max_tokens is not None:
        notes = most_notes if settings.max_tokens > tokens else notes
        tokens = min(settings.max_tokens, most_tokens)
    asked = settings.max_pinned_tokens
    pinned = usual.pinned_tokens if asked is None else asked
    return usual.but(
        tokens=tokens, notes=min(notes, most_notes), pinned_tokens=min(pinned, tokens)
    )


def weigh_notes(config: Config | QuickConfig, settings: SkillSettings) -> RankWeights:
    """Return rank weights: of SKILL.md, else of the user."""
    own = {
        "relevance": settings.ranking_relevance,
        "recency": settings.ranking_recency,
        "sightings": settings.ranking_hit,
    }
    return rank_weights_of(config).but(
        **{name: own[name] for name in own if own[name] is not None}
    )

"""A skill that someone names: where it is, whether it has notes, and how much may be said of them."""

from __future__ import annotations

from twiceshy.core.errors import ConfigError, NotFoundError
from twiceshy.core.filter import Filter
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.value import Value
from twiceshy.language.rank import weights_of
from twiceshy.places import skill as skills
from twiceshy.places.skill_frontmatter import KEY
from twiceshy.recall.brief import budget_of
from twiceshy.recall.skill_tuning import has_notes, tuned_budget, tuned_weights
from twiceshy.safety.names import safe_name

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.language.rank import Weights
    from twiceshy.places.skill_folders import Tier
    from twiceshy.places.skill_frontmatter import SkillSettings
    from twiceshy.recall.brief import Budget

_MOST_PLACES = 40  # a session deep in a project has eight for each folder above it


class Named(Value):
    """A skill as it is here: in the project's own folders or the user's, and what its SKILL.md says."""

    name: str
    tier: Tier
    project: str  # the one that asks
    settings: SkillSettings

    @property
    def scope(self) -> Scope:
        """Return where its notes are read: those of the project, and what holds everywhere."""
        return Scope(self.project, self.name)

    @property
    def home(self) -> Scope:
        """Return where a new note of it goes: what a skill of the user's teaches holds everywhere."""
        return Scope(EVERYWHERE if self.tier == "global" else self.project, self.name)


def named(app: App, name: str, *, prefer: str = "") -> Named:
    """Return the skill that goes by a name here, or say why it has no notes."""
    name = safe_name(name, what="skill")
    here = app.here()
    around = app.around(here.root, prefer=prefer)
    found = skills.find(name, around)
    if found is None and not _known(app, name):
        places = skills.searched(name, around)
        more = f" and {len(places) - _MOST_PLACES} more" if len(places) > _MOST_PLACES else ""
        raise NotFoundError(
            f"no SKILL.md of a skill {name!r} was found",
            hint=f"searched: {', '.join(places[:_MOST_PLACES])}{more}",
        )
    settings = skills.settings(found) if found else skills.SkillSettings()
    policy = app.config.text("skills.policy")
    if not has_notes(policy, settings):
        raise ConfigError(f"notes are not enabled for skill {name!r}", hint=_how(policy))
    if found is None:
        return Named(name, "project", here.id, settings)
    return Named(found.name, found.tier, here.id, settings)


def budget_for(app: App, skill: Named, tokens: int | None = None) -> Budget:
    """Return how much may be said about a skill; ``tokens`` were asked for this once."""
    ceiling = app.config.integer("brief.skill_notes_max")
    budget = tuned_budget(
        budget_of(app.config),
        skill.settings,
        most_tokens=app.config.integer("brief.skill_tokens_max"),
        most_notes=ceiling,
    )
    if tokens is None:
        return budget
    notes = ceiling if tokens > budget.tokens else budget.notes
    return budget.but(tokens=tokens, notes=notes, pinned_tokens=min(budget.pinned_tokens, tokens))


def weights_for(app: App, skill: Named) -> Weights:
    """Return what counts how much in ranking its notes."""
    return tuned_weights(weights_of(app.config), skill.settings)


def _known(app: App, name: str) -> bool:
    """Tell whether a skill without a file has notes or was used: some come inside of a runtime."""
    kept = app.store.count(Filter(skill=name, lives=()))
    return bool(kept) or any(used.skill == name for used in app.store.usage())


def _how(policy: str) -> str:
    if policy == "off":
        return "the user switched notes of skills off: twiceshy config set skills.policy auto"
    form = f"{KEY}: {{ enabled: true }}"
    return (
        f"its SKILL.md must say so in its front matter, as {form} on one line,"
        f" or as {KEY}: and below it, indented, enabled: true"
    )

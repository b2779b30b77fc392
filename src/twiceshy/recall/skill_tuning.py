"""How a skill's own settings change what its notes may take, and whether it has any."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.language.rank import Weights
    from twiceshy.places.skill_frontmatter import SkillSettings
    from twiceshy.recall.brief import Budget


def has_notes(policy: str, settings: SkillSettings) -> bool:
    """Tell whether a skill has notes: by the user's policy, and by what its SKILL.md says."""
    if policy == "opt-in":
        return settings.enabled is True
    return policy == "auto" and settings.enabled is not False


def tuned_budget(
    usual: Budget, settings: SkillSettings, *, most_tokens: int, most_notes: int
) -> Budget:
    """Return how much may be said: the usual, or what the SKILL.md asks for up to the ceiling."""
    tokens, notes = usual.tokens, usual.notes
    if settings.max_tokens is not None:
        notes = most_notes if settings.max_tokens > tokens else notes
        tokens = min(settings.max_tokens, most_tokens)
    asked = settings.max_pinned_tokens
    pinned = usual.pinned_tokens if asked is None else asked
    return usual.but(
        tokens=tokens, notes=min(notes, most_notes), pinned_tokens=min(pinned, tokens)
    )


def tuned_weights(usual: Weights, settings: SkillSettings) -> Weights:
    """Return what counts how much in ranking, where the SKILL.md says so."""
    own = {
        "relevance": settings.ranking_relevance,
        "recency": settings.ranking_recency,
        "sightings": settings.ranking_hit,
    }
    return usual.but(**{name: value for name, value in own.items() if value is not None})

"""Recall what someone asks for, by the chosen model where there is one, and count it as shown."""

from __future__ import annotations

from twiceshy.core.errors import StoreError
from twiceshy.language.rank import weights_of
from twiceshy.notes.meaning import asked
from twiceshy.places import skill as skills
from twiceshy.recall.choose import recall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.scope import Scope
    from twiceshy.language.rank import Weights
    from twiceshy.notes.meaning import Tell
    from twiceshy.recall.brief import Brief, Budget


def brief_of(
    app: App,
    scope: Scope,
    intent: str,
    *,
    budget: Budget,
    tell: Tell,
    weights: Weights | None = None,
    prefer: str = "",
) -> Brief:
    """Return what an agent is told about a scope before it does something.

    ``prefer`` is the runtime whose copy of a skill counts.
    """
    around = app.around(app.here().root, prefer=prefer)
    found = skills.find(scope.skill, around) if scope.skill else None
    brief = recall(
        app.store,
        scope,
        intent,
        budget=budget,
        key=app.rule_key,
        weights=weights or weights_of(app.config),
        version=app.version(found) if found else "",
        meaning=asked(app, intent, tell=tell),
    ).brief
    try:
        if brief.notes:
            app.store.tally("recalls", [note.id for note in brief.notes])
    except StoreError:
        pass  # a count must never keep anyone from reading
    return brief

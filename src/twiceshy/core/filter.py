"""Which notes are meant, and which were found."""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore

# Tuned for the table of words on half of the queries; a real model may count half.
SHARE = 0.4
# Tasks and pages have channels of their own; they are not advice.
ADVICE = ("lesson", "decision", "pattern", "issue", "rule", "preference")


class Filter(Value):
    """Which notes to look at; what is left empty does not matter."""

    projects: tuple[str, ...] | None = None
    skill: str | None = None
    kinds: tuple[str, ...] = ()
    subtype: str = ""
    state: str = ""
    lives: tuple[str, ...] = ("active", "candidate")
    concept: str = ""
    file: str = ""
    tag: str = ""
    pinned: bool | None = None
    since: int = 0
    until: int = 0
    reason: str = ""  # how it begins
    ending: str = ""  # of the id
    devices: int = 0  # so many, or more, have changed it
    taught_by: str = ""  # the session that it began with


class Fit(Value):
    """How well a note fits a query.

    ``words`` weighs the terms that they share; ``covered`` is how much of the query that is, from 0
    to 1; ``meaning`` is how alike they are to a model, 0 if none was asked or has an answer.
    """

    words: float = 0.0
    covered: float = 0.0
    meaning: float = 0.0


class Found(Value):
    """Notes that fit a query in one way or another, and how well each of them does."""

    notes: Sequence[Note]
    fits: Mapping[str, Fit]
    share: float = SHARE  # how much meaning counts beside words


# Lessons that hold for every skill and every project.
PRINCIPLES = Filter(
    projects=(EVERYWHERE,), skill="", kinds=("lesson",), subtype="principle", lives=("active",)
)


def visible(store: HookStore, scope: Scope) -> Filter:
    """Return the filter for what work in ``scope`` may be shown: its project's notes and global ones."""
    projects = (*store.same_project(scope.project), EVERYWHERE)
    return Filter(
        projects=tuple(dict.fromkeys(projects)), skill=scope.skill, kinds=ADVICE, lives=("active",)
    )

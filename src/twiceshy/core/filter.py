"""Filters for notes, and hits of a search."""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import HookStore

# Tuned for the table of words on half of the queries; a real model may count half, too.
SHARE = 0.5
# Tasks and pages have channels of their own; they are not advice.
ADVICE = ("lesson", "decision", "pattern", "issue", "rule", "preference")


class NoteFilter(Value):
    """Conditions on notes; empty fields match everything."""

    projects: tuple[str, ...] | None = None
    skill: str | None = None
    kinds: tuple[str, ...] = ()
    subtype: str = ""
    state: str = ""
    statuses: tuple[str, ...] = ("active", "candidate")
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
    held: bool | None = None  # by the gate; False: what agents may be told


class QueryFit(Value):
    """Fit of a note to a query.

    ``words`` weighs the shared terms; ``covered`` is the share of the query found in the note,
    from 0 to 1; ``meaning`` is the similarity by a model, 0 without a model. Of a query with many
    ``passages``, all three are those of the passage that the note fits best. In ranking, words
    count by the share of the query that they cover, raised to ``emphasis``; the words of all
    passages together stand ``beside`` them.
    """

    words: float = 0.0
    covered: float = 0.0
    meaning: float = 0.0
    passages: int = 1
    emphasis: float = 0.0
    beside: float = 0.0


class SearchHits(Value):
    """Notes found by a search, with the fit of each note."""

    notes: Sequence[Note]
    fits: Mapping[str, QueryFit]
    share: float = SHARE  # how much meaning counts beside words


# Lessons that hold for every skill and every project.
PRINCIPLES = NoteFilter(
    projects=(EVERYWHERE,), skill="", kinds=("lesson",), subtype="principle", statuses=("active",)
)


def filter_visible_notes(store: HookStore, scope: Scope) -> NoteFilter:
    """Return the filter for notes visible in ``scope``: notes of the project and global notes."""
    projects = (*store.list_project_ids(scope.project), EVERYWHERE)
    return NoteFilter(
        projects=tuple(dict.fromkeys(projects)),
        skill=scope.skill,
        kinds=ADVICE,
        statuses=("active",),
    )

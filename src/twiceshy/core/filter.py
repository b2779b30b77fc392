"""Which notes are meant, and which were found."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from twiceshy.core.note import Note


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


class Found(Value):
    """Notes that hold at least one of the terms, and how well each fits."""

    notes: Sequence[Note]
    relevance: Mapping[str, float]

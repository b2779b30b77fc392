"""Notes of older systems, read in their own places until imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.store import HealthFinding
from twiceshy.interop.imports.find_sources import answer_as_imported, list_not_imported
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.interop.imports.find_sources import FoundSource

    T = TypeVar("T")


def read_in_place(app: App, ask: Callable[[], T]) -> tuple[T, str]:
    """Answer with unimported notes of older systems; report so in a line."""
    there = list_not_imported(app)
    if not there or app.store.read_only:
        return ask(), ""
    return answer_as_imported(app, there, ask), _describe_sources(there)


def waiting_finding(app: App) -> HealthFinding:
    """Return the finding about unimported notes."""
    there = list_not_imported(app)
    said = (
        _describe_sources(there) if there else "no older system left notes that were not read in"
    )
    return HealthFinding("import", "ok", said)


def _describe_sources(there: Sequence[FoundSource]) -> str:
    names = ", ".join(each.source.NAME for each in there)
    return worded(
        "not imported yet, read where they are: notes of {sources}; see: twiceshy import",
        sources=names,
    )

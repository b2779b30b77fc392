"""Notes of older systems, read in their own places until imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.store import Finding
from twiceshy.interop.imports.importing import as_if_imported, not_imported
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.interop.imports.importing import Found

    T = TypeVar("T")


def read_in_place(app: App, ask: Callable[[], T]) -> tuple[T, str]:
    """Answer with unimported notes of older systems; report so in a line."""
    there = not_imported(app)
    if not there or app.store.read_only:
        return ask(), ""
    return as_if_imported(app, there, ask), _said(there)


def waiting_finding(app: App) -> Finding:
    """Return the finding about unimported notes."""
    there = not_imported(app)
    said = _said(there) if there else "no older system left notes that were not read in"
    return Finding("import", "ok", said)


def _said(there: Sequence[Found]) -> str:
    names = ", ".join(each.source.NAME for each in there)
    return worded(
        "not imported yet, read where they are: notes of {sources}; see: twiceshy import",
        sources=names,
    )

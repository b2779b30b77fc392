"""A source that offers what a test gives it."""

from collections.abc import Iterator
from typing import Any

from twiceshy.core.draft import Draft
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem


class Shelf:
    """A program that kept these pieces."""

    NAME = "shelf"
    TITLE = "a shelf"

    def __init__(self, *pieces: OfferedItem) -> None:
        self.pieces = pieces

    def find_places(self, around: ImportContext) -> list[ImportPlace]:
        return [ImportPlace("shelf", identity=around.here)]

    def read_place(self, place: ImportPlace, around: ImportContext) -> Iterator[OfferedItem]:
        yield from self.pieces


def lesson(text: str, *, what: str = "", alias: str = "", **fields: object) -> OfferedItem:
    """Offer a lesson that holds everywhere, or a draft of another kind."""
    return OfferedItem(what or text[:20], a_draft("lesson", text, **fields), alias=alias)


def a_draft(kind: Any, text: str, **fields: object) -> Draft:
    return Draft(kind, text, Scope(EVERYWHERE, ""), "import").but(**fields)

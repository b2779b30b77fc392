"""Read a file by its format: an item per piece, with line numbers."""

import os
from collections.abc import Iterator

from twiceshy.interop.formats import FileContext, ParsedItem
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.held_back import strip_marks
from twiceshy.interop.imports import ImportContext, ImportPlace, OfferedItem
from twiceshy.interop.imports.files import modified_at, read_text_file
from twiceshy.safety.redact.marks import find_marks


def read_file_items(
    place: ImportPlace, around: ImportContext, *, root: str = ""
) -> Iterator[OfferedItem]:
    """Yield the items of a file; ``root`` is the base of its displayed name."""
    about = build_file_context(place, root=root)
    yield from parse_items(read_text_file(place.path, within=root), place.what, about, around)


def build_file_context(place: ImportPlace, *, root: str = "") -> FileContext:
    """Return the context missing in a file."""
    name = os.path.relpath(place.path, root) if root else os.path.basename(place.path)
    return FileContext(place.project_id, place.skill, now=modified_at(place.path), name=name)


def parse_items(
    raw: str, form: str, about: FileContext, around: ImportContext
) -> Iterator[OfferedItem]:
    """Yield the items of a text; prose is skipped."""
    raw = strip_marks(raw)
    text = around.redact(raw)
    line = 1
    for piece in load_format(form).parse_text(text, about):
        if isinstance(piece, ParsedItem):
            redacted = text != raw and bool(find_marks(piece.raw))
            yield _build_offered(piece, f"{about.name}:{line}").but(redacted=redacted)
        line += (piece if isinstance(piece, str) else piece.raw).count("\n")


def _build_offered(item: ParsedItem, what: str) -> OfferedItem:
    draft, missed = item.draft, 0
    if draft and draft.kind == "rule":
        missed = item.sightings  # a notebook counts how often a rule was missed, not learned
    elif draft:
        seen = max(item.sightings, draft.sightings)
        draft = draft.but(learned_at=draft.learned_at or item.at, sightings=seen)
    return OfferedItem(what, draft, item.episode, item.signal, alias=item.key, missed=missed)

"""Read a file by its format: an item per piece, with line numbers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy.interop.formats import About, Item
from twiceshy.interop.formats.registry import format_called
from twiceshy.interop.imports import Offered
from twiceshy.interop.imports.files import modified, text_of
from twiceshy.safety.redact.marks import marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.interop.imports import Around, Place


def read_file(place: Place, around: Around, *, root: str = "") -> Iterator[Offered]:
    """Yield the items of a file; ``root`` is the base of its displayed name."""
    about = about_file(place, root=root)
    yield from read_text(text_of(place.path, within=root), place.what, about, around)


def about_file(place: Place, *, root: str = "") -> About:
    """Return the context missing in a file."""
    name = os.path.relpath(place.path, root) if root else os.path.basename(place.path)
    return About(place.project, place.skill, now=modified(place.path), name=name)


def read_text(raw: str, form: str, about: About, around: Around) -> Iterator[Offered]:
    """Yield the items of a text; prose is skipped."""
    text = around.redact(raw)
    line = 1
    for piece in format_called(form).read(text, about):
        if isinstance(piece, Item):
            redacted = text != raw and bool(marks(piece.raw))
            yield _offered(piece, f"{about.name}:{line}").but(redacted=redacted)
        line += (piece if isinstance(piece, str) else piece.raw).count("\n")


def _offered(item: Item, what: str) -> Offered:
    draft, missed = item.draft, 0
    if draft and draft.kind == "rule":
        missed = item.sightings  # a notebook counts how often a rule was missed, not learned
    elif draft:
        seen = max(item.sightings, draft.sightings)
        draft = draft.but(learned_at=draft.learned_at or item.at, sightings=seen)
    return Offered(what, draft, item.episode, item.signal, alias=item.key, missed=missed)

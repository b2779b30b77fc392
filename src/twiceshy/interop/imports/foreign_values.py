"""Extract typed values from foreign data, with error reasons."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from twiceshy.core.draft import MAX_ITEMS, MAX_LINE, MAX_PAGE, MAX_TEXT, Draft
from twiceshy.core.errors import TwiceshyError, UnsafeNameError
from twiceshy.core.evidence import Episode
from twiceshy.core.scope import Scope
from twiceshy.core.text import fold_to_line
from twiceshy.interop.imports import LONGEST_NAME, OfferedItem
from twiceshy.notes.pages import page_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.note import Kind
    from twiceshy.interop.imports import ImportPlace
    from twiceshy.places.identity import Identity

    Meaning = tuple[Kind, str]  # the kind of a note, and its subtype

_LATEST = 2**47 - 1  # the last millisecond that a hybrid clock can tell
_MILLISECONDS = 10**11  # a number above is no longer in seconds: they reach it in the year 5138


class UnfitError(TwiceshyError):
    """A value of a wrong type, or missing."""


def offer_row(what: str, made: Callable[[], OfferedItem]) -> OfferedItem:
    """Return the item of a row, or the reason of its refusal."""
    try:
        return made()
    except TwiceshyError as error:
        return OfferedItem(what, refused=str(error))


class ForeignRow(dict[str, object]):
    """A row or JSON object of another program; a value of a wrong type raises UnfitError."""

    def text(self, key: str) -> str:
        """Return a trimmed text; empty if absent."""
        value = self.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise UnfitError(f"its {key} is no text")
        if len(value) > MAX_PAGE:  # nobody could keep it, so nobody has to look for secrets in it
            raise UnfitError(f"its {key} has more than {MAX_PAGE:,} characters")
        return value.strip()

    def required_text(self, *keys: str) -> str:
        """Return the first non-empty text."""
        for key in keys:
            if found := self.text(key):
                return found
        raise UnfitError(f"it has no {keys[0]}")

    def lines(self, *keys: str) -> tuple[str, ...]:
        """Return lists of short texts, possibly JSON-encoded; long texts are cut."""
        return shorten_texts(text for key in keys for text in self._list_texts(key))

    def time(self, *keys: str) -> int:
        """Return the first valid time in milliseconds; 0 if none."""
        return next((at for key in keys if (at := parse_time(self.get(key)))), 0)

    def _list_texts(self, key: str) -> list[str]:
        value = self.get(key)
        if isinstance(value, str):
            value = parse_json_text(value) if value.strip() else None
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise UnfitError(f"its {key} is no list of texts")
        return value


def shorten_texts(items: Iterable[str], *, limit: int = MAX_LINE) -> tuple[str, ...]:
    """Return the allowed number of texts, each on a line."""
    kept = (fold_to_line(item, limit=limit) for item in items)
    return tuple(dict.fromkeys(filter(None, kept)))[:MAX_ITEMS]


def parse_json_text(written: str) -> object:
    """Parse JSON; UnfitError if invalid or too deep."""
    try:
        return json.loads(written)
    except (ValueError, RecursionError) as error:
        raise UnfitError("it is no JSON, or nests too deep") from error


def parse_mapping(value: object) -> ForeignRow:
    """Return a JSON object, possibly encoded; empty otherwise."""
    if isinstance(value, str):
        try:
            value = parse_json_text(value)
        except UnfitError:
            return ForeignRow()
    return ForeignRow(value if isinstance(value, dict) else {})


def parse_time(value: object) -> int:
    """Return a time in milliseconds from a number or ISO text; 0 if invalid."""
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value.strip())
        except ValueError:
            return 0
        value = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    if not 0 < value <= _LATEST:  # nor is anything true of what is not a number
        return 0
    return int(value) if value >= _MILLISECONDS else int(value * 1000)


def offer_note(
    what: str,
    place: ImportPlace,
    meaning: Meaning,
    said: str,
    *,
    identity: Identity | None = None,
    alias: str = "",
    **more: object,
) -> OfferedItem:
    """Return a note for a project, else for the place; an overlong text becomes a page."""
    kind, subtype = meaning
    project = identity.id if identity else place.project_id
    draft = Draft(kind, said, Scope(project), "import", subtype=subtype).but(**more)
    if len(said) > MAX_TEXT and kind != "page":
        tag = page_name_from_title(said.partition("\n")[0])
        draft = draft.but(kind="page", subtype="topic", tag=tag, state="")
    return OfferedItem(what, draft=draft, alias=alias, identity=identity)


def offer_episode(
    what: str, place: ImportPlace, identity: Identity | None, at: int, **more: object
) -> OfferedItem:
    """Return an episode as an item; by default the end of a session, known as ``what``."""
    project = identity.id if identity else place.project_id
    episode = Episode("", "end", "", project, at, at).but(**more)
    return OfferedItem(what, episode=episode, alias=what, identity=identity)


def page_name_from_title(title: str) -> str:
    """Return a title as page name, without forbidden characters."""
    plain = "".join(each if each.isalnum() or each in "-_." else " " for each in title)
    name = fold_to_line(plain, limit=LONGEST_NAME).rstrip("….").strip(" .-_")
    try:
        return page_name(name or "untitled")
    except UnsafeNameError:
        ascii_only = "".join(each if each.isascii() else " " for each in name)
        return page_name(fold_to_line(f"page {ascii_only}", limit=LONGEST_NAME).rstrip("…. "))

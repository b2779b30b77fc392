"""Find hand edits by comparing a file with our last versions, item by item.

A person may have opened the file before our last write. So an item counts as changed or
deleted only if the file differs from our last version and from the version before.
"""

from __future__ import annotations

from twiceshy.core.note import new_id
from twiceshy.core.value import Value
from twiceshy.language.similar import telling_terms_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.interop.formats import ParsedItem, Piece

_OF_DRAFTS = ("kind", "text", "why", "tag", "subtype", "files", "concepts", "state")
_OF_EPISODES = ("kind", "title", "summary", "requests", "tools", "files")
_OF_SIGNALS = ("kind", "skill", "excerpt")

# How many words two lines share of which one took the other's place, and of which one moved as well.
_REWORDED = 0.3
_MOVED = 0.7
_MOST_PAIRS = 250_000
_ID = len(new_id(0, b""))


class Edits(Value):
    """Hand edits; each edited item before and after."""

    edited: tuple[tuple[ParsedItem, ParsedItem], ...] = ()
    deleted: tuple[ParsedItem, ...] = ()
    added: tuple[ParsedItem, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edited or self.deleted or self.added)


def find_edits(
    file: Sequence[Piece], base: Sequence[Piece], before: Sequence[Piece] | None = None
) -> Edits:
    """Compare a file with our last version, and perhaps the version before."""
    now, was = items_by_key(file), items_by_key(base)
    held = was if before is None else items_by_key(before)
    fresh = [key for key in now if key not in was]
    gone = [key for key in was if key not in now]
    reworded = _match_reworded(now, was, new=fresh, gone=[key for key in gone if key in held])
    pairs = [(key, was[key], now[key]) for key in now if key in was]
    pairs += [(old, was[old], now[key]) for key, old in reworded.items()]
    said, told = {*map(item_content, now.values())}, {*map(item_content, was.values())}
    return Edits(
        edited=tuple((old, new) for key, old, new in pairs if _is_edited(old, new, held.get(key))),
        deleted=tuple(
            was[key]
            for key in gone
            if key in held and key not in reworded.values() and item_content(was[key]) not in said
        ),
        added=tuple(
            now[key]
            for key in fresh
            if key not in reworded
            and not _is_stale(key, now[key], held)
            and item_content(now[key]) not in told
        ),
    )


def items_by_key(pieces: Iterable[Piece]) -> dict[str, ParsedItem]:
    """Return items by key; an exact repeat is no item.

    A repeated key with other words is a changed copy of a line.
    """
    found: dict[str, ParsedItem] = {}
    for item in pieces:
        if isinstance(item, str):
            continue
        own, number = item.key.partition("#")[0], 2  # readers number what comes again
        key = own
        while key in found and item_content(found[key]) != item_content(item):
            key, number = f"{own}#{number}", number + 1
        found.setdefault(key, item)
    return found


def item_content(item: ParsedItem) -> tuple[object, ...]:
    """Return the content of an item, kind first, without layout and counts."""
    for thing, names in (
        (item.draft, _OF_DRAFTS),
        (item.episode, _OF_EPISODES),
        (item.signal, _OF_SIGNALS),
    ):
        if thing is not None:
            return tuple(_fold_value(name, getattr(thing, name)) for name in names)
    return "", item.raw


def item_text(item: ParsedItem) -> str:
    """Return the words by which people recognise an item."""
    if item.draft is not None:
        return item.draft.text
    if item.episode is not None:
        return f"{item.episode.title}\n{item.episode.summary}"
    return item.signal.excerpt if item.signal is not None else item.raw


def _fold_value(name: str, value: object) -> object:
    """Return a value in stored form; concepts in lower case."""
    if name == "concepts" and isinstance(value, tuple):
        return tuple(dict.fromkeys(str(concept).casefold() for concept in value))
    return value


def is_note_id(key: str) -> bool:
    """True if a key is a note id."""
    return len(key) == _ID and key.startswith("n") and key.isalnum()


def _is_edited(was: ParsedItem, now: ParsedItem, older: ParsedItem | None) -> bool:
    """True if a person reworded an item, not we since the file was opened."""
    said = item_content(now)
    return said != item_content(was) and (older is None or item_content(older) != said)


def _is_stale(key: str, item: ParsedItem, held: dict[str, ParsedItem]) -> bool:
    """True if an item only survives because the file was opened before our removal."""
    return key in held and item_content(held[key]) == item_content(item)


def _match_reworded(
    now: dict[str, ParsedItem], was: dict[str, ParsedItem], *, new: list[str], gone: list[str]
) -> dict[str, str]:
    """Match added items to the deleted items they reword."""
    if not new or not gone or len(new) * len(gone) > _MOST_PAIRS:
        return {}
    place_now, place_was = _shared_neighbours(list(now), was), _shared_neighbours(list(was), now)
    words = {key: telling_terms_of(item_text(now[key])) for key in new}
    old_words = {key: telling_terms_of(item_text(was[key])) for key in gone}
    found = []
    for at, key in enumerate(new):
        for old in gone:
            alike = _similarity(words[key], old_words[old])
            # who rewords a line leaves its mark alone, most of the time
            near = not is_note_id(old) and bool(place_now[key] & place_was[old])
            same_kind = item_content(now[key])[0] == item_content(was[old])[0]
            if same_kind and alike >= (_REWORDED if near else _MOVED):
                found.append((-alike - near, at, key, old))
    pairs: dict[str, str] = {}
    for _, _, key, old in sorted(found):
        if key not in pairs and old not in pairs.values():
            pairs[key] = old
    return pairs


def _similarity(one: frozenset[str], other: frozenset[str]) -> float:
    together = len(one | other)
    return len(one & other) / together if together else 0.0


def _shared_neighbours(
    keys: list[str], others: dict[str, ParsedItem]
) -> dict[str, set[tuple[str, str]]]:
    """Return the nearest shared keys before and after each key."""
    found: dict[str, set[tuple[str, str]]] = {}
    for side, order in (("before", keys), ("behind", keys[::-1])):
        last = ""
        for key in order:
            found.setdefault(key, set()).add((side, last))
            last = key if key in others else last
    return found

"""Update a text in place: lines by people stay where they are.

A line of ours changes only if its content changed, a line without its note goes, and a new
note stands below its predecessor in a file from scratch. In JSON, foreign keys stay.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.interop.formats import ParsedItem, join_pieces
from twiceshy.interop.views.threeway import item_content, items_by_key

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.interop.formats import Piece

_DIGITS = str.maketrans("123456789", "000000000")


class ViewUpdate(Value):
    """Inputs of a text update.

    ``fresh`` is the file from scratch and ``blank`` the same without content; ``name`` maps an
    item to its note, or nothing; ``gone`` tells whether an item's content is no longer kept, and
    ``refused`` whether the item was refused, and so stays as written.
    """

    fresh: tuple[Piece, ...]
    blank: tuple[Piece, ...]
    name: Callable[[ParsedItem], str]
    gone: Callable[[ParsedItem], bool]
    refused: Callable[[ParsedItem], bool]


class TextChunk(Value):
    """A chunk of the written text; for an item with the name of its note."""

    text: str
    name: str = ""


def update_text(file: Sequence[Piece], update: ViewUpdate) -> str:
    """Return the text to write; identical if nothing changed."""
    text = join_pieces(file)
    if not text.strip():
        return join_pieces(update.fresh)
    chunks = _keep_chunks(file, update)
    chunks = _insert_new(chunks, update)
    chunks = _drop_blank_text(chunks, update)
    if "".join(chunk.text for chunk in chunks) == text:
        return text
    return "".join(chunk.text for chunk in _update_counts(chunks, update))


def update_json(file: Sequence[Piece], update: ViewUpdate, mended: Callable[[str], str]) -> str:
    """Return the text to write; ``mended`` mends commas after changes."""
    text = join_pieces(file)
    if not text.strip():
        return join_pieces(update.fresh)
    there = {update.name(item) for item in file if isinstance(item, ParsedItem)}
    new = [item for item in items_by_key(update.fresh).values() if update.name(item) not in there]
    kept = "".join(chunk.text for chunk in _keep_chunks(file, update))
    if kept != text:
        kept = mended(kept)
    return mended(_add_entries(kept, new, join_pieces(update.fresh))) if new else kept


def items_agree(one: ParsedItem, other: ParsedItem) -> bool:
    """True if two items agree; a missing count makes no difference."""
    if item_content(one) != item_content(other):
        return False
    return not (one.sightings and other.sightings) or one.sightings == other.sightings


def carry_foreign_lines(base: str, file: str, fresh: str) -> str:
    """Return a regenerated text with people's lines, below the same lines.

    For files generated from many objects: no line belongs to one note.
    """
    from difflib import SequenceMatcher  # noqa: PLC0415 - only who writes files pays for it

    old, mine, new = (text.splitlines(keepends=True) for text in (base, file, fresh))
    places = [0] * (len(old) + 1)  # where in the new text what stood before a line of the old ends
    for _, start, end, to, until in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for at in range(start + 1, end + 1):
            places[at] = until if at == end else min(to + at - start, until)
    lines = list(new)
    edits = SequenceMatcher(None, old, mine, autojunk=False).get_opcodes()
    for what, _, end, first, last in reversed(edits):
        own = [line for line in mine[first:last] if not line.strip() or line not in new]
        if what in ("insert", "replace") and any(map(str.strip, own)):
            lines[places[end] : places[end]] = map(_is_line_ended, own)
    return "".join(lines)


def _keep_chunks(file: Sequence[Piece], update: ViewUpdate) -> list[TextChunk]:
    """Return the remaining chunks: prose, and items updated in place."""
    known = {update.name(item): item for item in items_by_key(update.fresh).values()}
    chunks: list[TextChunk] = []
    for piece in file:
        if isinstance(piece, str):
            chunks.append(TextChunk(piece))
            continue
        name = update.name(piece)
        # of a line that is there twice the first one is kept up to date
        now = known.pop(name, None) if name else None
        if now is not None:
            same = items_agree(piece, now) or update.refused(piece)
            raw = piece.raw if same else _match_ending(now.raw, piece.raw)
            chunks.append(TextChunk(raw, name))
        elif not update.gone(piece):
            chunks.append(TextChunk(piece.raw))
    return chunks


def _insert_new(chunks: list[TextChunk], update: ViewUpdate) -> list[TextChunk]:
    """Insert every new note below its predecessor."""
    there = {chunk.name for chunk in chunks if chunk.name}
    chunks = list(chunks)
    above, last = "", ""
    for piece in update.fresh:
        if isinstance(piece, str):
            above += piece
            continue
        name = update.name(piece)
        if name not in there:
            at, heading = _find_insertion(chunks, last, above)
            new = TextChunk(piece.raw, name)
            chunks[at:at] = [TextChunk(heading), new] if heading else [new]
            there.add(name)
        above, last = "", name
    return chunks


def _find_insertion(chunks: list[TextChunk], last: str, above: str) -> tuple[int, str]:
    """Return the position of a new item, and the missing prose to insert with it."""
    after = next((at for at, one in enumerate(chunks) if last and one.name == last), -1)
    if after >= 0 and not any(map(str.isalnum, above)):
        _end_line(chunks, after)
        return after + 1, above
    heading = next((line.strip() for line in reversed(above.splitlines()) if line.strip()), "")
    for at, chunk in enumerate(chunks):
        if not chunk.name and heading in map(str.strip, chunk.text.splitlines()):
            return _split_section(chunks, at, heading), ""
    if after < 0:
        after = len(chunks) - 1
    _end_line(chunks, after)
    return after + 1, above


def _split_section(chunks: list[TextChunk], at: int, heading: str) -> int:
    """Split prose at the end of a section; return the position.

    An item above prose would absorb it as continuation lines, so the item goes below.
    """
    lines = chunks[at].text.splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if line.strip() == heading) + 1
    while cut < len(lines) and not lines[cut].startswith("#"):
        cut += 1
    head, rest = "".join(lines[:cut]), "".join(lines[cut:])
    chunks[at : at + 1] = [TextChunk(head), TextChunk(f"\n{rest}")] if rest else [TextChunk(head)]
    _end_line(chunks, at)
    return at + 1


def _end_line(chunks: list[TextChunk], at: int) -> None:
    """Ensure that the next chunk begins on its own line."""
    chunks[at] = chunks[at].but(text=_is_line_ended(chunks[at].text))


def _is_line_ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) or not text else text + "\n"


def _match_ending(new: str, old: str) -> str:
    """Return a text with the same ending as another."""
    if old.endswith("\r\n") and not new.endswith("\r\n"):
        return new.replace("\n", "\r\n")
    return new if old.endswith("\n") else new.removesuffix("\n")


def _drop_blank_text(chunks: list[TextChunk], update: ViewUpdate) -> list[TextChunk]:
    """Remove text that only an empty file has."""
    needless = _list_prose_lines(update.blank) - _list_prose_lines(update.fresh)
    if not needless:
        return chunks
    return [
        chunk if chunk.name else chunk.but(text=_subtract_lines(chunk.text, needless))
        for chunk in chunks
    ]


def _subtract_lines(text: str, needless: set[str]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if line.strip() not in needless)


def _update_counts(chunks: list[TextChunk], update: ViewUpdate) -> list[TextChunk]:
    """Update a day or number in a line of ours."""
    ours = _list_prose_lines(update.fresh)
    there = {line.strip() for one in chunks if not one.name for line in one.text.splitlines()}
    newer = {line.translate(_DIGITS): line for line in ours - there}
    if not newer:
        return chunks
    return [
        one if one.name else one.but(text=_has_counts(one.text, ours, newer)) for one in chunks
    ]


def _has_counts(text: str, ours: set[str], newer: dict[str, str]) -> str:
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        bare = line.strip()
        if bare and bare not in ours and (new := newer.get(bare.translate(_DIGITS))):
            lines[at] = line.replace(bare, new, 1)
    return "".join(lines)


def _list_prose_lines(pieces: Sequence[Piece]) -> set[str]:
    prose = (piece for piece in pieces if isinstance(piece, str))
    return {line.strip() for text in prose for line in text.splitlines() if line.strip()}


def _add_entries(text: str, new: Sequence[ParsedItem], fresh: str) -> str:
    """Return a file with more entries, each in its list of a fresh file."""
    from twiceshy.files.json_edit import append_items, parse_document, set_member  # noqa: PLC0415 - one format needs it

    told, wanted = parse_document(text), parse_document(fresh)
    taken = {str(one.get("id")) for one in _list_entries(told)}
    added: dict[str, list[object]] = {}
    for item in new:
        entry = parse_document(item.raw)
        section = next(name for name, held in wanted.items() if entry in _list_part(held))
        own = _unused_id(str(entry.get("id", "")), taken)
        taken.add(own)
        added.setdefault(section, []).append({**entry, "id": own})
    for section, entries in added.items():
        listed = isinstance(told.get(section), list)
        text = (append_items if listed else set_member)(text, (section,), entries)
    return text


def _list_entries(told: dict[str, object]) -> list[dict[str, object]]:
    return [one for held in told.values() for one in _list_part(held) if isinstance(one, dict)]


def _list_part(held: object) -> list[object]:
    return held if isinstance(held, list) else []


def _unused_id(wanted: str, taken: set[str]) -> str:
    """Return an unused id of the same form."""
    letter, number = wanted[:1], int(wanted[1:]) if wanted[1:].isdecimal() else 1
    while f"{letter}{number:03}" in taken:
        number += 1
    return f"{letter}{number:03}"

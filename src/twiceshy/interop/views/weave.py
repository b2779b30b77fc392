"""Update a text in place: lines by people stay where they are.

A line of ours changes only if its content changed, a line without its note goes, and a new
note stands below its predecessor in a file from scratch.
"""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.interop.formats import joined
from twiceshy.interop.views.threeway import keyed, saying

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.interop.formats import Item, Piece

_DIGITS = str.maketrans("123456789", "000000000")


class Loom(Value):
    """Inputs of a text update.

    ``fresh`` is the file from scratch and ``blank`` the same without content; ``name`` maps an
    item to its note, or nothing; ``gone`` tells whether an item's content is no longer kept, and
    ``refused`` whether the item was refused, and so stays as written.
    """

    fresh: tuple[Piece, ...]
    blank: tuple[Piece, ...]
    name: Callable[[Item], str]
    gone: Callable[[Item], bool]
    refused: Callable[[Item], bool]


class Thread(Value):
    """A chunk of the written text; for an item with the name of its note."""

    text: str
    name: str = ""


def woven(file: Sequence[Piece], loom: Loom) -> str:
    """Return the text to write; identical if nothing changed."""
    text = joined(file)
    if not text.strip():
        return joined(loom.fresh)
    threads = _kept(file, loom)
    threads = _with_new(threads, loom)
    threads = _without_ours(threads, loom)
    if "".join(thread.text for thread in threads) == text:
        return text
    return "".join(thread.text for thread in _with_counts(threads, loom))


def kept_text(file: Sequence[Piece], loom: Loom) -> str:
    """Return the updated existing content of a file, without additions."""
    return "".join(thread.text for thread in _kept(file, loom))


def agree(one: Item, other: Item) -> bool:
    """True if two items agree; a missing count makes no difference."""
    if saying(one) != saying(other):
        return False
    return not (one.sightings and other.sightings) or one.sightings == other.sightings


def carried(base: str, file: str, fresh: str) -> str:
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
    for what, start, _, first, last in reversed(
        SequenceMatcher(None, old, mine, autojunk=False).get_opcodes()
    ):
        own = [line for line in mine[first:last] if not line.strip() or line not in new]
        if what in ("insert", "replace") and any(map(str.strip, own)):
            lines[places[start] : places[start]] = map(_ended, own)
    return "".join(lines)


def _kept(file: Sequence[Piece], loom: Loom) -> list[Thread]:
    """Return the remaining chunks: prose, and items updated in place."""
    known = {loom.name(item): item for item in keyed(loom.fresh).values()}
    threads: list[Thread] = []
    for piece in file:
        if isinstance(piece, str):
            threads.append(Thread(piece))
            continue
        name = loom.name(piece)
        # of a line that is there twice the first one is kept up to date
        now = known.pop(name, None) if name else None
        if now is not None:
            same = agree(piece, now) or loom.refused(piece)
            raw = piece.raw if same else _like(now.raw, piece.raw)
            threads.append(Thread(raw, name))
        elif not loom.gone(piece):
            threads.append(Thread(piece.raw))
    return threads


def _with_new(threads: list[Thread], loom: Loom) -> list[Thread]:
    """Insert every new note below its predecessor."""
    there = {thread.name for thread in threads if thread.name}
    threads = list(threads)
    above, last = "", ""
    for piece in loom.fresh:
        if isinstance(piece, str):
            above += piece
            continue
        name = loom.name(piece)
        if name not in there:
            at, heading = _place(threads, last, above)
            threads[at:at] = [*([Thread(heading)] if heading else []), Thread(piece.raw, name)]
            there.add(name)
        above, last = "", name
    return threads


def _place(threads: list[Thread], last: str, above: str) -> tuple[int, str]:
    """Return the position of a new item, and the missing prose to insert with it."""
    after = next((at for at, one in enumerate(threads) if last and one.name == last), -1)
    if after >= 0 and not any(map(str.isalnum, above)):
        _end(threads, after)
        return after + 1, above
    heading = next((line.strip() for line in reversed(above.splitlines()) if line.strip()), "")
    for at, thread in enumerate(threads):
        if not thread.name and heading in map(str.strip, thread.text.splitlines()):
            return _split(threads, at, heading), ""
    if after < 0:
        after = len(threads) - 1
    _end(threads, after)
    return after + 1, above


def _split(threads: list[Thread], at: int, heading: str) -> int:
    """Split prose at the end of a section; return the position.

    An item above prose would absorb it as continuation lines, so the item goes below.
    """
    lines = threads[at].text.splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if line.strip() == heading) + 1
    while cut < len(lines) and not lines[cut].startswith("#"):
        cut += 1
    head, rest = "".join(lines[:cut]), "".join(lines[cut:])
    threads[at : at + 1] = [Thread(head), Thread(f"\n{rest}")] if rest else [Thread(head)]
    _end(threads, at)
    return at + 1


def _end(threads: list[Thread], at: int) -> None:
    """Ensure that the next chunk begins on its own line."""
    threads[at] = threads[at].but(text=_ended(threads[at].text))


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) or not text else text + "\n"


def _like(new: str, old: str) -> str:
    """Return a text with the same ending as another."""
    if old.endswith("\r\n") and not new.endswith("\r\n"):
        return new.replace("\n", "\r\n")
    return new if old.endswith("\n") else new.removesuffix("\n")


def _without_ours(threads: list[Thread], loom: Loom) -> list[Thread]:
    """Remove text that only an empty file has."""
    needless = _prose_lines(loom.blank) - _prose_lines(loom.fresh)
    if not needless:
        return threads
    return [
        thread if thread.name else thread.but(text=_less(thread.text, needless))
        for thread in threads
    ]


def _less(text: str, needless: set[str]) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if line.strip() not in needless)


def _with_counts(threads: list[Thread], loom: Loom) -> list[Thread]:
    """Update a day or number in a line of ours."""
    ours = _prose_lines(loom.fresh)
    there = {line.strip() for one in threads if not one.name for line in one.text.splitlines()}
    newer = {line.translate(_DIGITS): line for line in ours - there}
    if not newer:
        return threads
    return [one if one.name else one.but(text=_counted(one.text, ours, newer)) for one in threads]


def _counted(text: str, ours: set[str], newer: dict[str, str]) -> str:
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        bare = line.strip()
        if bare and bare not in ours and (new := newer.get(bare.translate(_DIGITS))):
            lines[at] = line.replace(bare, new, 1)
    return "".join(lines)


def _prose_lines(pieces: Sequence[Piece]) -> set[str]:
    prose = (piece for piece in pieces if isinstance(piece, str))
    return {line.strip() for text in prose for line in text.splitlines() if line.strip()}

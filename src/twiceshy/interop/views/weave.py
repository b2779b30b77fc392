"""Bring a file up to date without writing it anew: what people put there stays where they put it.

The file is the warp. A line of ours changes only if what it tells has changed, a line whose note is
gone goes, and a new note stands below the one that it follows in a file written from scratch.
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
    """What a file is brought up to date with.

    ``fresh`` is the file from scratch and ``blank`` the same with nothing known; ``name`` tells which
    note an item is, or nothing; ``gone`` tells whether what an item says is kept no more, and
    ``refused`` whether it says something that was not taken, and so stays as it was written.
    """

    fresh: tuple[Piece, ...]
    blank: tuple[Piece, ...]
    name: Callable[[Item], str]
    gone: Callable[[Item], bool]
    refused: Callable[[Item], bool]


class Thread(Value):
    """A stretch of the text that is written; of an item with the name of its note."""

    text: str
    name: str = ""


def woven(file: Sequence[Piece], loom: Loom) -> str:
    """Return the text to write; the very text of the file if it tells all that is known."""
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
    """Return what stays of a file, up to date, without what is new."""
    return "".join(thread.text for thread in _kept(file, loom))


def agree(one: Item, other: Item) -> bool:
    """Tell whether two items tell the same; a count that one does not tell makes no difference."""
    if saying(one) != saying(other):
        return False
    return not (one.sightings and other.sightings) or one.sightings == other.sightings


def carried(base: str, file: str, fresh: str) -> str:
    """Return a text made anew with the lines that people put into the old one, below the same lines.

    For files that are made of many things: nothing in them is one note's.
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
    """Return what stays of a file: prose, and every item as it is there or as it is known now."""
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
    """Put every note that is not there yet below the one that it follows."""
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
    """Return where a new item goes, and which prose goes with it because it is missing there."""
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
    """Cut prose where the section with a heading ends; return where the cut is.

    An item above prose would take it for its own last lines, so it goes below.
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
    """See that the next thing begins on a line of its own."""
    threads[at] = threads[at].but(text=_ended(threads[at].text))


def _ended(text: str) -> str:
    return text if text.endswith(("\n", "\r")) or not text else text + "\n"


def _like(new: str, old: str) -> str:
    """Return a text that ends as another did."""
    if old.endswith("\r\n") and not new.endswith("\r\n"):
        return new.replace("\n", "\r\n")
    return new if old.endswith("\n") else new.removesuffix("\n")


def _without_ours(threads: list[Thread], loom: Loom) -> list[Thread]:
    """Take out what only a file with nothing in it says."""
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
    """Bring a day or a number in a line of ours up to date."""
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

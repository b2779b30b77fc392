"""memory-engine's learned/*.md: a lesson learned by hand per file.

The file holds everything except files, concepts and trigger. A file without some part is a
plain lesson; of such a note only the text is held.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.moment import day
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import Item
from twiceshy.interop.formats.headed import file_stem
from twiceshy.interop.formats.pieces import as_said, cut, day_at, lines, mark, marked, unmarkable
from twiceshy.notes import learned

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "engine_learned"


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse a lesson; prose if blank."""
    return cut(text, lambda rest: _pieces(rest, about))


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the file of the first given lesson; each has its own file."""
    if not notes:
        return ()
    note = notes[0]
    told = learned.learned_of(note)
    if told is None:
        return read(f"{unmarkable(note.text)}\n{mark(note.id).strip()}\n", about)
    page = learned.Page(told, day(note.learned_at), about.called or note.scope.project)
    return read(f"{unmarkable(learned.written(page))}{mark(note.id).strip()}\n", about)


def _pieces(text: str, about: About) -> Iterator[Piece]:
    rows = lines(text)
    last = max((n for n, line in enumerate(rows) if line.strip()), default=-1)
    if last < 0:
        yield text
        return
    bare, name = marked(rows[last])
    said = as_said("".join((*rows[:last], bare))).replace("\r\n", "\n").strip()
    if not said:
        yield text
        return
    draft = _draft(said, about)
    key = name or file_stem(about) or draft.fingerprint
    yield Item(raw="".join(rows[: last + 1]), key=key, draft=draft, at=draft.learned_at)
    yield "".join(rows[last + 1 :])


def _draft(said: str, about: About) -> Draft:
    plain = Draft(
        kind="lesson",
        text=said,
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="fix",
        state="current",
    )
    try:
        page = learned.read(said)
    except NoteError:
        return plain
    return plain.but(
        text=learned.text_of(page.learned),
        why=page.learned.problem,
        learned_at=day_at(page.day[:10]),
    )

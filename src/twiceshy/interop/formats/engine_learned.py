"""memory-engine's learned/*.md: a lesson learned by hand per file.

The file holds everything except files, concepts and trigger. A file without some part is a
plain lesson; of such a note only the text is held.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.moment import format_day
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.headed import stem_of_path
from twiceshy.interop.formats.pieces import (
    escape_comments,
    parse_day_or_zero,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
    unescape_comments,
)
from twiceshy.notes import learned_lesson

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "engine_learned"


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse a lesson; prose if blank."""
    return split_bom(text, lambda rest: _parse_pieces(rest, about))


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of the first given lesson; each has its own file."""
    if not notes:
        return ()
    note = notes[0]
    told = learned_lesson.lesson_of_note(note)
    if told is None:
        return parse_text(f"{escape_comments(note.text)}\n{render_mark(note.id).strip()}\n", about)
    page = learned_lesson.LessonPage(
        told, format_day(note.learned_at), about.called or note.scope.project
    )
    return parse_text(
        f"{escape_comments(learned_lesson.render_lesson_file(page))}{render_mark(note.id).strip()}\n",
        about,
    )


def _parse_pieces(text: str, about: FileContext) -> Iterator[Piece]:
    rows = split_lines(text)
    last = max((n for n, line in enumerate(rows) if line.strip()), default=-1)
    if last < 0:
        yield text
        return
    bare, name = split_mark(rows[last])
    said = unescape_comments("".join((*rows[:last], bare))).replace("\r\n", "\n").strip()
    if not said:
        yield text
        return
    draft = _build_draft(said, about)
    key = name or stem_of_path(about) or draft.fingerprint
    yield ParsedItem(raw="".join(rows[: last + 1]), key=key, draft=draft, at=draft.learned_at)
    yield "".join(rows[last + 1 :])


def _build_draft(said: str, about: FileContext) -> Draft:
    plain = Draft(
        kind="lesson",
        text=said,
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="fix",
        state="current",
    )
    try:
        page = learned_lesson.parse_lesson_file(said)
    except NoteError:
        return plain
    return plain.but(
        text=learned_lesson.lesson_text(page.learned),
        why=page.learned.problem,
        learned_at=parse_day_or_zero(page.day[:10]),
    )

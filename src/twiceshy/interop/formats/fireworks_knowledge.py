"""fireworks' KNOWLEDGE.md: lessons of a skill, of every skill, or of a starter pack.

A bullet with continuation lines is a lesson; other lines are prose. The file holds text,
tag, month, count and reason. Type, files, concepts, trigger, day, line breaks, and a leading
bracket or trailing count in a text are not held.
"""

from __future__ import annotations

import re

from twiceshy.core.draft import Draft
from twiceshy.core.moment import format_day
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.pieces import (
    parse_day_or_zero,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
)
from twiceshy.notes import knowledge

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "fireworks_knowledge"
_BEGINS = re.compile(r"\s*[-*]\s+\S")
_ENDS = ("#", ">")
_NO_SKILL = "this project"
_COUNT = re.compile(r"\[HIT:\d{1,9}\]")


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse lessons; the placeholder of an empty list is prose."""
    return split_bom(
        text, lambda rest: (_build_piece(block, about) for block in _split_blocks(rest))
    )


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the list of a skill in given order; without a skill, of a project or of principles."""
    called = about.skill or ("" if about.project == EVERYWHERE else _NO_SKILL)
    head = knowledge.render_knowledge(called, (), format_day(about.now)).removesuffix(
        knowledge.NOTHING + "\n"
    )
    bullets = [_render_bullet(note) for note in notes] or [knowledge.NOTHING + "\n"]
    return parse_text(head + "".join(bullets), about)


def _render_bullet(note: Note) -> str:
    # a bullet is taken off where the first one stands, and that must not be inside of the text
    listed = note.but(text=f"- {note.text}")
    first, gap, why = knowledge.render_bullet(listed).partition("\n")
    said, count = _split_count(first)
    return f"{said}{render_mark(note.id)}{count}{gap}{why}\n"


def _split_count(line: str) -> tuple[str, str]:
    """Split a line before its trailing count, which fireworks rewrites."""
    at = line.rfind("[HIT:")
    said = line[:at].rstrip() if at >= 0 and _COUNT.fullmatch(line[at:].rstrip()) else line
    return said, line[len(said) :]


def _strip_mark(line: str) -> tuple[str, str]:
    """Return a line without its mark, and the mark's content."""
    said, count = _split_count(line)
    bare, name = split_mark(said)
    return (bare + count, name) if name else split_mark(line)


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield bullets with continuation lines, and other lines one by one."""
    block: list[str] = []
    for line in split_lines(text):
        begins = bool(_BEGINS.match(line))
        goes_on = block and not begins and line.strip() and not line.lstrip().startswith(_ENDS)
        if goes_on:
            block.append(line)
            continue
        if block:
            yield block
        block = [line] if begins else []
        if not begins:
            yield [line]
    if block:
        yield block


def _build_piece(block: list[str], about: FileContext) -> Piece:
    raw = "".join(block)
    first, name = _strip_mark(block[0])
    found = knowledge.parse_lessons("".join((first, *block[1:])))
    if len(found) != 1:
        return raw
    draft = _build_draft(found[0], about)
    key = name or draft.fingerprint
    return ParsedItem(
        raw=raw, key=key, draft=draft, sightings=found[0].sightings, at=draft.learned_at
    )


def _build_draft(lesson: knowledge.KnowledgeItem, about: FileContext) -> Draft:
    return Draft(
        kind="lesson",
        text=lesson.text,
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="principle" if Scope(about.project, about.skill) == Scope() else "gotcha",
        why=lesson.why,
        tag=lesson.tag,
        state="current",
        learned_at=parse_day_or_zero(lesson.month),
        sightings=max(1, lesson.sightings),
    )

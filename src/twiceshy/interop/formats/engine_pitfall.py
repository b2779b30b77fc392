"""memory-engine's auto-pitfall-*.md: detected issues of a day.

A fixed failure is a lesson. Retries, corrections and thrashing are signals without advice.
The file holds the day, and text and reason on one line each.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import format_day
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.headed import find_day, last_bullet_line, list_bullets
from twiceshy.interop.formats.pieces import (
    escape_comments,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
    stable_name,
    unescape_comments,
)

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

NAME = "engine_pitfall"
_FIXED = "error-then-fix"
_SIGNALS: dict[str, SignalKind] = {
    "retry": "retry",
    "user-correction": "correction",
    "back-and-forth": "thrash",
}
_HEAD = "### "


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the issues; a heading without items is prose."""
    at = find_day(text, about.name)
    return split_bom(
        text,
        lambda rest: (
            piece for one in _split_blocks(rest) for piece in _cut_block(one, about, at)
        ),
    )


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the file of a day from given pitfalls."""
    own = [note for note in notes if note.kind == "lesson" and note.subtype == "pitfall"]
    at = max((note.learned_at for note in own), default=about.now)
    parts = [
        f"# Pitfall Record {format_day(at)}\n",
        "\n## Detected Issues\n",
        *map(_render_note, own),
    ]
    return parse_text("".join(parts), about)


def _render_note(note: Note) -> str:
    why = f"- {_flatten_text(note.why)}\n" if note.why else ""
    return f"\n{_HEAD}{_FIXED}\n- {_flatten_text(note.text)}{render_mark(note.id)}\n{why}"


def _split_blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in split_lines(text):
        if line.startswith("#") and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _cut_block(block: list[str], about: FileContext, at: int) -> Iterator[Piece]:
    last = last_bullet_line(block) + 1
    head, rows = block[0], [split_mark(line) for line in block[1:last]]
    told = [" ".join(one.split()) for one in list_bullets([line for line, _ in rows])]
    name = next((name for _, name in rows if name), "")
    if not head.startswith(_HEAD) or not any(told):
        yield "".join(block)
        return
    kind = head[len(_HEAD) :].strip().lower().replace(" ", "-")
    if kind in _SIGNALS:
        yield _build_signal(kind, told, about, at).but(raw="".join(block[:last]))
    else:
        yield _build_lesson(told, about, at, name).but(raw="".join(block[:last]))
    yield "".join(block[last:])


def _build_signal(kind: str, told: list[str], about: FileContext, at: int) -> ParsedItem:
    excerpt = "\n".join(told)
    key = f"pitfall:{stable_name(about.project, str(at), kind, excerpt)}"
    signal = Signal(
        key=key,
        kind=_SIGNALS[kind],
        session=key,  # the file does not say whose it is
        project=about.project,
        at=at or about.now,
        excerpt=excerpt,
    )
    return ParsedItem(raw="", key=key, signal=signal, at=at)


def _build_lesson(told: list[str], about: FileContext, at: int, name: str) -> ParsedItem:
    draft = Draft(
        kind="lesson",
        text=unescape_comments(told[0]),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="pitfall",
        why=unescape_comments(" ".join(told[1:])),
        state="current",
        learned_at=at,
    )
    return ParsedItem(raw="", key=name or draft.fingerprint, draft=draft, at=at)


def _flatten_text(text: str) -> str:
    return " ".join(escape_comments(text).split())

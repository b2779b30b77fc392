"""memory-engine's auto-pitfall-*.md: detected issues of a day.

A fixed failure is a lesson. Retries, corrections and thrashing are signals without advice.
The file holds the day, and text and reason on one line each.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.evidence import Signal
from twiceshy.core.moment import day
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import Item
from twiceshy.interop.formats.headed import bullets, day_in, last_bullet
from twiceshy.interop.formats.pieces import as_said, cut, lines, mark, marked, one_name, unmarkable

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece

NAME = "engine_pitfall"
_FIXED = "error-then-fix"
_SIGNALS: dict[str, SignalKind] = {
    "retry": "retry",
    "user-correction": "correction",
    "back-and-forth": "thrash",
}
_HEAD = "### "


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the issues; a heading without items is prose."""
    at = day_in(text, about.name)
    return cut(
        text, lambda rest: (piece for one in _blocks(rest) for piece in _cut(one, about, at))
    )


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the file of a day from given pitfalls."""
    own = [note for note in notes if note.kind == "lesson" and note.subtype == "pitfall"]
    at = max((note.learned_at for note in own), default=about.now)
    parts = [f"# Pitfall Record {day(at)}\n", "\n## Detected Issues\n", *map(_written, own)]
    return read("".join(parts), about)


def _written(note: Note) -> str:
    why = f"- {_flat(note.why)}\n" if note.why else ""
    return f"\n{_HEAD}{_FIXED}\n- {_flat(note.text)}{mark(note.id)}\n{why}"


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in lines(text):
        if line.startswith("#") and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _cut(block: list[str], about: About, at: int) -> Iterator[Piece]:
    last = last_bullet(block) + 1
    head, rows = block[0], [marked(line) for line in block[1:last]]
    told = [" ".join(one.split()) for one in bullets([line for line, _ in rows])]
    name = next((name for _, name in rows if name), "")
    if not head.startswith(_HEAD) or not any(told):
        yield "".join(block)
        return
    kind = head[len(_HEAD) :].strip().lower().replace(" ", "-")
    if kind in _SIGNALS:
        yield _signal(kind, told, about, at).but(raw="".join(block[:last]))
    else:
        yield _lesson(told, about, at, name).but(raw="".join(block[:last]))
    yield "".join(block[last:])


def _signal(kind: str, told: list[str], about: About, at: int) -> Item:
    excerpt = "\n".join(told)
    key = f"pitfall:{one_name(about.project, str(at), kind, excerpt)}"
    signal = Signal(
        key=key,
        kind=_SIGNALS[kind],
        session=key,  # the file does not say whose it is
        project=about.project,
        at=at or about.now,
        excerpt=excerpt,
    )
    return Item(raw="", key=key, signal=signal, at=at)


def _lesson(told: list[str], about: About, at: int, name: str) -> Item:
    draft = Draft(
        kind="lesson",
        text=as_said(told[0]),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="pitfall",
        why=as_said(" ".join(told[1:])),
        state="current",
        learned_at=at,
    )
    return Item(raw="", key=name or draft.fingerprint, draft=draft, at=at)


def _flat(text: str) -> str:
    return " ".join(unmarkable(text).split())

"""memory-engine's writing-review-list.md: the error notebook, a rule per item.

The file holds category, rule, example, state, and misses (told as sightings). A rule with a
separate name keeps the name in front. Line breaks, files, concepts and hard rules are not
held.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import ParsedItem
from twiceshy.interop.formats.headed import last_bullet_line
from twiceshy.interop.formats.pieces import (
    escape_comments,
    render_mark,
    split_bom,
    split_lines,
    split_mark,
    unescape_comments,
)
from twiceshy.project.notebook.page import GENERAL, build_entry, parse_notebook, render_notebook

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece
    from twiceshy.project.notebook.page import NotebookEntry

NAME = "engine_notebook"
_CATEGORY, _RULE = "## ", "### "


def parse_text(text: str, about: FileContext) -> tuple[Piece, ...]:
    """Parse the rules, each with its category."""
    return split_bom(text, lambda rest: _parse_pieces(rest, about))


def render_items(notes: Sequence[Note], about: FileContext) -> tuple[Piece, ...]:
    """Render the notebook from given rules."""
    rules = [note for note in notes if note.kind == "rule"]
    names: dict[NotebookEntry, list[str]] = {}
    for rule in rules:
        names.setdefault(_build_entry(rule), []).append(rule.id)
    page = render_notebook(_build_entry(rule) for rule in rules)
    return parse_text("".join(_mark_lines(page, names)), about)


def _build_entry(note: Note) -> NotebookEntry:
    return build_entry(note.but(text=escape_comments(note.text), why=escape_comments(note.why)))


def _mark_lines(page: str, names: dict[NotebookEntry, list[str]]) -> Iterator[str]:
    """Yield the page lines with marks after rule names."""
    category = ""
    for block in _split_blocks(page):
        if block[0].startswith(_CATEGORY):
            category = block[0]
        found = parse_notebook("".join((category, *block))).entries if _is_rule(block) else ()
        own = names.get(found[0], []) if found else []
        name = own.pop(0) if own else ""
        yield block[0].rstrip("\n") + render_mark(name) + "\n"
        yield from block[1:]


def _parse_pieces(text: str, about: FileContext) -> Iterator[Piece]:
    category = ""
    for block in _split_blocks(text):
        if block[0].startswith(_CATEGORY):
            category = block[0]
        last = last_bullet_line(block) + 1
        item = _build_item(block[:last], category, about) if _is_rule(block) else None
        if item:
            yield item
            yield "".join(block[last:])
        else:
            yield "".join(block)


def _split_blocks(text: str) -> Iterator[list[str]]:
    """Yield each heading with its lines."""
    block: list[str] = []
    for line in split_lines(text):
        if line.lstrip().startswith(("# ", _CATEGORY, _RULE)) and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_rule(block: list[str]) -> bool:
    return block[0].lstrip().startswith(_RULE)


def _build_item(block: list[str], category: str, about: FileContext) -> ParsedItem | None:
    head, name = split_mark(block[0])
    found = parse_notebook("".join((category.rstrip(), "\n", head, *block[1:]))).entries
    if len(found) != 1:
        return None
    entry = found[0]
    draft = Draft(
        kind="rule",
        text=unescape_comments(entry.rule if name else _prefix_name(entry)),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="correction",
        why=unescape_comments(entry.example),
        tag="" if entry.category == GENERAL else entry.category,
        state="cleared" if entry.status == "cleared" else "current",
    )
    key = name or draft.fingerprint
    return ParsedItem(raw="".join(block), key=key, draft=draft, sightings=entry.missed)


def _prefix_name(entry: NotebookEntry) -> str:
    """Return a rule with its name in front, unless it begins so."""
    name = entry.name.rstrip("…").strip()
    return entry.rule if name in entry.rule else f"{name}: {entry.rule}"

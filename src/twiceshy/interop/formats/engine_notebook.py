"""memory-engine's writing-review-list.md: the error notebook, a rule per item.

The file holds category, rule, example, state, and misses (told as sightings). A rule with a
separate name keeps the name in front. Line breaks, files, concepts and hard rules are not
held.
"""

from __future__ import annotations

from twiceshy.core.draft import Draft
from twiceshy.core.scope import Scope
from twiceshy.interop.formats import Item
from twiceshy.interop.formats.headed import last_bullet
from twiceshy.interop.formats.pieces import as_said, cut, lines, mark, marked, unmarkable
from twiceshy.project.notebook.page import GENERAL, entry_of, notebook_page, read_page

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import About, Piece
    from twiceshy.project.notebook.page import Entry

NAME = "engine_notebook"
_CATEGORY, _RULE = "## ", "### "


def read(text: str, about: About) -> tuple[Piece, ...]:
    """Parse the rules, each with its category."""
    return cut(text, lambda rest: _pieces(rest, about))


def items(notes: Sequence[Note], about: About) -> tuple[Piece, ...]:
    """Render the notebook from given rules."""
    rules = [note for note in notes if note.kind == "rule"]
    names: dict[Entry, list[str]] = {}
    for rule in rules:
        names.setdefault(_entry(rule), []).append(rule.id)
    page = notebook_page(_entry(rule) for rule in rules)
    return read("".join(_marked(page, names)), about)


def _entry(note: Note) -> Entry:
    return entry_of(note.but(text=unmarkable(note.text), why=unmarkable(note.why)))


def _marked(page: str, names: dict[Entry, list[str]]) -> Iterator[str]:
    """Yield the page lines with marks after rule names."""
    category = ""
    for block in _blocks(page):
        if block[0].startswith(_CATEGORY):
            category = block[0]
        found = read_page("".join((category, *block))).entries if _is_rule(block) else ()
        own = names.get(found[0], []) if found else []
        name = own.pop(0) if own else ""
        yield block[0].rstrip("\n") + mark(name) + "\n"
        yield from block[1:]


def _pieces(text: str, about: About) -> Iterator[Piece]:
    category = ""
    for block in _blocks(text):
        if block[0].startswith(_CATEGORY):
            category = block[0]
        last = last_bullet(block) + 1
        item = _item(block[:last], category, about) if _is_rule(block) else None
        if item:
            yield item
            yield "".join(block[last:])
        else:
            yield "".join(block)


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield each heading with its lines."""
    block: list[str] = []
    for line in lines(text):
        if line.lstrip().startswith(("# ", _CATEGORY, _RULE)) and block:
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _is_rule(block: list[str]) -> bool:
    return block[0].lstrip().startswith(_RULE)


def _item(block: list[str], category: str, about: About) -> Item | None:
    head, name = marked(block[0])
    found = read_page("".join((category.rstrip(), "\n", head, *block[1:]))).entries
    if len(found) != 1:
        return None
    entry = found[0]
    draft = Draft(
        kind="rule",
        text=as_said(entry.rule if name else _named(entry)),
        scope=Scope(about.project, about.skill),
        source="import",
        subtype="correction",
        why=as_said(entry.example),
        tag="" if entry.category == GENERAL else entry.category,
        state="cleared" if entry.status == "cleared" else "current",
    )
    key = name or draft.fingerprint
    return Item(raw="".join(block), key=key, draft=draft, sightings=entry.missed)


def _named(entry: Entry) -> str:
    """Return a rule with its name in front, unless it begins so."""
    name = entry.name.rstrip("…").strip()
    return entry.rule if name in entry.rule else f"{name}: {entry.rule}"

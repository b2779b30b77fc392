"""Formats with one note per list item, tagged by the heading above it.

``markdown_list`` holds lessons and tasks. ``instructions`` is CLAUDE.md, AGENTS.md and similar: an
item is a convention, and nothing becomes a rule. ``engine_todo`` is memory-engine's
todo-status.md: items without a box are prose. Text, tag, reason and task state are held; type,
files, concepts, trailing blanks, line breaks in a reason, and a last line like a reason are not.

``engine_hub`` is memory-engine's MEMORY.md, generated from pages and counts, so our own lines are
not read back. A list item that is no pointer and stands in no section of ours is a note; Claude
Code's native memory begins as such lists.
"""

from __future__ import annotations

from twiceshy.interop.formats import FileFormat
from twiceshy.interop.formats.listing import build_item, render_item, render_sections, split_list
from twiceshy.project.pages.hub import HubCounts, build_hub

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Episode
    from twiceshy.core.note import Kind, Note
    from twiceshy.interop.formats import FileContext, ParsedItem, Piece

_OURS = "Made by twiceshy"
_HUB_SECTIONS = ("Pages", "Topics", "Tasks", "Notebook", "Sessions")
_FACTS = ("decision", "pattern", "issue")


def _list_format(name: str, title: str, kinds: tuple[Kind, ...], subtype: str) -> FileFormat:
    """Return the format of a list: items are of the first kind, items with a box are tasks."""

    def parse(text: str, about: FileContext) -> Iterator[Piece]:
        for one in split_list(text):
            if isinstance(one, str) or one.state or kinds[0] != "task":
                yield build_item(one, about, kind=kinds[0], subtype=subtype)
            else:
                yield one.raw

    def render(notes: Sequence[Note], _: FileContext) -> str:
        return render_sections((note for note in notes if note.kind in kinds), title)

    return FileFormat(name, parse, render)


def _parse_hub(text: str, about: FileContext) -> Iterator[Piece]:
    ours = _OURS in text
    for one in split_list(text):
        if isinstance(one, str):
            yield one
        elif (ours and one.heading in _HUB_SECTIONS) or _is_pointer(one.text):
            yield one.raw
        else:
            yield build_item(one, about, kind="lesson", subtype="discovery")


def render_hub(notes: Sequence[Note], episodes: Sequence[Episode] = ()) -> str:
    """Render the hub of given pages, and count other notes."""
    tasks = [note for note in notes if note.kind == "task"]
    around = HubCounts(
        open_tasks=sum(note.state == "open" for note in tasks),
        tasks=len(tasks),
        rules=sum(note.kind == "rule" and note.state == "current" for note in notes),
        facts=sum(note.kind in _FACTS for note in notes),
        episodes=episodes,
    )
    return build_hub([note for note in notes if note.kind == "page"], around).text


def _renew_item(item: ParsedItem, note: Note) -> str:
    """Return the lines of an item with its words of now; a count has no place there."""
    if item.draft and (item.draft.text, item.draft.why) == (note.text, note.why):
        return item.raw
    end = item.raw[len(item.raw.rstrip("\r\n")) :]
    fresh = render_item(note.text, name=note.id, why=note.why).removesuffix("\n")
    return fresh.replace("\n", "\r\n" if end == "\r\n" else "\n") + end


def _is_pointer(text: str) -> bool:
    """True if an item begins with a link to a memory file."""
    label, bracket, rest = text.lstrip("*_").partition("](")
    target = rest.partition(")")[0]
    return label.startswith("[") and bool(bracket) and target.endswith(".md")


MARKDOWN_LIST = _list_format("markdown_list", "Notes", ("lesson", "task"), "discovery")
INSTRUCTIONS = _list_format("instructions", "Conventions", ("pattern",), "convention")
ENGINE_TODO = _list_format("engine_todo", "Todo Status", ("task",), "")
ENGINE_HUB = FileFormat(
    "engine_hub", _parse_hub, lambda notes, _: render_hub(notes), renew_item=_renew_item
)

"""Save a text to a note or page, unless memory contains the text already."""

from __future__ import annotations

import os

from twiceshy.core.draft import Draft
from twiceshy.core.filter import Filter
from twiceshy.core.note import SHOWN
from twiceshy.core.text import clean
from twiceshy.core.value import Value
from twiceshy.language.terms import query_terms
from twiceshy.notes.naming import projects_seen
from twiceshy.notes.pages.sections import sections
from twiceshy.notes.pages.write import Part
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import bounds_of, require_written
from twiceshy.project.pages.paging import Words, set_page, shown_pages, the_page
from twiceshy.project.pages.routing import KINDS, ToNote, ToPage, route, section_for
from twiceshy.project.pages.said import said_at

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.note import Kind, Note, Source
    from twiceshy.core.scope import Scope
    from twiceshy.project.pages.routing import Unclear

    Route = ToPage | ToNote | Unclear

NOTE = "note"
_INSTRUCTIONS = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_MOST_BYTES = 256 * 1024
_COMPARED = 20
_SAID = (*KINDS, "rule")
_ITEMS = ("- ", "* ", "+ ", "#", ">", "|", "```")


class Standing(Value):
    """Place of a text saved earlier: a note, a page section, or a line of a file."""

    note: Note | None = None
    section: str = ""
    file: str = ""
    line: int = 0


class Saved(Value):
    """Place of a newly saved text: a note, or a section of a page."""

    note: Note
    section: str = ""


def standing(app: App, text: str, project: str) -> Standing | None:
    """Find where a project's memory states a text already; None if the text is new."""
    wanted = app.redact(clean(text))
    places = (_in_notes(app, wanted, project), _on_pages(app, wanted, project))
    found = (one for place in (*places, _in_files(app, wanted)) for one in place)
    return next(found, None)


def destination(app: App, text: str, project: str, *, to: str) -> Route:
    """Choose where to save a text: the requested place, or a place chosen by its words."""
    if not to:
        return route(text, shown_pages(app, project))
    if kind := next((kind for kind in KINDS if kind == to), None):
        return ToNote(kind)
    if to == NOTE:
        found = route(text, ())
        return found if isinstance(found, ToNote) else ToNote("lesson")
    page = the_page(app, to, project)
    return ToPage(page, section_for(text, page))


def put(app: App, text: str, where: ToPage | ToNote, *, scope: Scope, source: Source) -> Saved:
    """Save a text to a page section or a new note."""
    if isinstance(where, ToPage):
        words = Words(
            text=_item(text), source=source, part=Part(section=where.section, append=True)
        )
        done = set_page(app, where.page.tag, words, scope=where.page.scope)
        return Saved(done.page, where.section)
    return Saved(_noted(app, text, where.kind, scope, source))


def _noted(app: App, text: str, kind: Kind, scope: Scope, source: Source) -> Note:
    author = app.store.author
    draft = Draft(kind=kind, text=text, scope=scope, source=source, origin_session=author)
    return require_written(take_note(app, draft)).note


def _in_notes(app: App, wanted: str, project: str) -> Iterator[Standing]:
    """Yield notes of any kind stating the text.

    Only the notes sharing the most words with the text are compared.
    """
    which = Filter(projects=projects_seen(app, project), kinds=_SAID, statuses=SHOWN)
    near = bounds_of(app.config).near
    for note in app.store.matching(query_terms(wanted), which, limit=_COMPARED).notes:
        if said_at(note.text, wanted, near=near):
            yield Standing(note=note)


def _on_pages(app: App, wanted: str, project: str) -> Iterator[Standing]:
    for page in shown_pages(app, project):
        if line := said_at(page.text, wanted, near=bounds_of(app.config).near):
            above = [one.title for one in sections(page.text) if one.start < line <= one.end]
            yield Standing(note=page, section=above[-1] if above else "", line=line)


def _in_files(app: App, wanted: str) -> Iterator[Standing]:
    """Yield the lines of the project's instruction files stating the text.

    Instruction files are read, never written.
    """
    root = app.here().root or app.cwd
    for folder in dict.fromkeys((root, app.cwd)):
        for name in _INSTRUCTIONS:
            path = os.path.join(folder, name)
            if line := said_at(_content(path), wanted, near=bounds_of(app.config).near):
                yield Standing(file=os.path.relpath(path, app.cwd), line=line)


def _content(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""  # most projects have one of them, or none


def _item(text: str) -> str:
    """Format a text as a list item, unless it has Markdown structure already."""
    text = clean(text)
    return text if text.startswith(_ITEMS) or "\n" in text else f"- {text}"

"""Save a text to a note or page, unless memory contains the text already."""

from __future__ import annotations

import os

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.terms import query_terms
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.pages.sections import split_sections
from twiceshy.notes.pages.write import PagePart
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import note_limits_of, require_written
from twiceshy.project.pages.find_text import find_stating_line
from twiceshy.project.pages.project_pages import PageContent, get_page, list_shown_pages, set_page
from twiceshy.project.pages.route import KINDS, ToNote, ToPage, find_section, route_text

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.core.note import Kind, Note, Source
    from twiceshy.core.scope import Scope
    from twiceshy.project.pages.route import UnclearRoute

    Route = ToPage | ToNote | UnclearRoute

NOTE = "note"
_INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_MAX_BYTES = 256 * 1024
_MAX_COMPARED = 20
_SEARCHED_KINDS = (*KINDS, "rule")
_ITEM_MARKS = ("- ", "* ", "+ ", "#", ">", "|", "```")


class SavedAlready(Value):
    """Place of a text saved earlier: a note, a page section, or a line of a file."""

    note: Note | None = None
    section: str = ""
    file: str = ""
    line: int = 0


class SaveResult(Value):
    """Place of a newly saved text: a note, or a section of a page."""

    note: Note
    section: str = ""


def find_saved(app: App, text: str, project: str) -> SavedAlready | None:
    """Find where a project's memory states a text already; None if the text is new."""
    wanted = app.redact(strip_unsafe(text))
    places = (_search_notes(app, wanted, project), _search_pages(app, wanted, project))
    found = (one for place in (*places, _search_instructions(app, wanted)) for one in place)
    return next(found, None)


def choose_destination(app: App, text: str, project: str, *, to: str) -> Route:
    """Choose where to save a text: the requested place, or a place chosen by its words."""
    if not to:
        return route_text(text, list_shown_pages(app, project))
    if kind := next((kind for kind in KINDS if kind == to), None):
        return ToNote(kind)
    if to == NOTE:
        found = route_text(text, ())
        return found if isinstance(found, ToNote) else ToNote("lesson")
    page = get_page(app, to, project)
    return ToPage(page, find_section(text, page))


def save_text(
    app: App, text: str, target: ToPage | ToNote, *, scope: Scope, source: Source
) -> SaveResult:
    """Save a text to a page section or a new note."""
    if isinstance(target, ToPage):
        words = PageContent(
            text=_format_item(text),
            source=source,
            part=PagePart(section=target.section, append=True),
        )
        done = set_page(app, target.page.tag, words, scope=target.page.scope)
        return SaveResult(done.page, target.section)
    return SaveResult(_write_note(app, text, target.kind, scope, source))


def _write_note(app: App, text: str, kind: Kind, scope: Scope, source: Source) -> Note:
    author = app.store.author
    draft = Draft(kind=kind, text=text, scope=scope, source=source, origin_session=author)
    return require_written(take_note(app, draft)).note


def _search_notes(app: App, wanted: str, project: str) -> Iterator[SavedAlready]:
    """Yield notes of any kind stating the text.

    Only the notes sharing the most words with the text are compared.
    """
    which = NoteFilter(
        projects=visible_projects(app, project), kinds=_SEARCHED_KINDS, statuses=SHOWN
    )
    near = note_limits_of(app.config).near
    for note in app.store.search_notes(query_terms(wanted), which, limit=_MAX_COMPARED).notes:
        if find_stating_line(note.text, wanted, near=near):
            yield SavedAlready(note=note)


def _search_pages(app: App, wanted: str, project: str) -> Iterator[SavedAlready]:
    for page in list_shown_pages(app, project):
        if line := find_stating_line(page.text, wanted, near=note_limits_of(app.config).near):
            above = [one.title for one in split_sections(page.text) if one.start < line <= one.end]
            yield SavedAlready(note=page, section=above[-1] if above else "", line=line)


def _search_instructions(app: App, wanted: str) -> Iterator[SavedAlready]:
    """Yield the lines of the project's instruction files stating the text.

    Instruction files are read, never written.
    """
    root = app.current_project().root or app.cwd
    for folder in dict.fromkeys((root, app.cwd)):
        for name in _INSTRUCTION_FILES:
            path = os.path.join(folder, name)
            if line := find_stating_line(
                _read_file(path), wanted, near=note_limits_of(app.config).near
            ):
                yield SavedAlready(file=os.path.relpath(path, app.cwd), line=line)


def _read_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""  # most projects have one of them, or none


def _format_item(text: str) -> str:
    """Format a text as a list item, unless it has Markdown structure already."""
    text = strip_unsafe(text)
    return text if text.startswith(_ITEM_MARKS) or "\n" in text else f"- {text}"

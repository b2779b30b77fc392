"""Save a text to the page or kind of note named by its words, unless memory contains the text.

A page is meant when the text names the page or a concept of the page; the kind follows from typical
words. If neither is clear, the options are returned with a note as the way out: no text is refused.
"""

from __future__ import annotations

import os
from itertools import chain

from twiceshy.core.draft import Draft
from twiceshy.core.filter import NoteFilter
from twiceshy.core.note import SHOWN
from twiceshy.core.text import normalise_text, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.language.similar import THRESHOLD, telling_terms_of, word_overlap
from twiceshy.language.terms import index_terms, query_terms
from twiceshy.language.word_order import is_swapped
from twiceshy.notes.find_by_name import visible_projects
from twiceshy.notes.pages import is_stable
from twiceshy.notes.pages.write import PagePart, split_sections
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import note_limits_of, require_written
from twiceshy.project.pages.project_pages import PageContent, get_page, list_shown_pages, set_page

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Kind, Note, Source
    from twiceshy.core.scope import Scope

_MIN_WORDS = 3  # of fewer telling words nobody can say that a line holds all of them by chance
_ENDS = (". ", "! ", "? ", "。", "！", "？")
KINDS: tuple[Kind, ...] = ("decision", "pattern", "issue", "lesson", "preference")
# What people say when they mean one; Chinese stands without blanks, English with them.
_CUES: dict[Kind, str] = {
    "decision": """decided|decision|we chose|chosen|we use|we will use|agreed|instead of|rather than
        |settled on|went with|決定|決策|改用|選用|採用|捨棄""",
    "pattern": """convention|by convention|pattern|naming|we always|every module|every file|style is
        |is named|are named|慣例|命名|規範|一律""",
    "issue": """bug|bugs|broken|fails|crashes|leaks|is slow|does not work|doesn't work|flaky
        |regression|壞了|有問題|失敗|當掉|無法|漏洞""",
    "lesson": """learned|gotcha|watch out|beware|remember to|make sure|turns out|must be|or else
        |otherwise|before you|the trick is|學到|注意|記得|小心|否則|原來""",
    "preference": """i prefer|i like|i want|i'd rather|please always|prefers|call me|我喜歡|我偏好
        |我習慣|我希望|請用|請不要|叫我""",
}
_SEPARATORS = str.maketrans(dict.fromkeys(',;:!?()[]"`*_', " "))
NOTE = "note"
_PLAIN: Kind = "lesson"  # the kind of a text that sounds like no other
_INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
_MAX_BYTES = 256 * 1024
_MAX_COMPARED = 20
_SEARCHED_KINDS = (*KINDS, "rule")
_ITEM_MARKS = ("- ", "* ", "+ ", "#", ">", "|", "```")


def find_stating_line(text: str, wanted: str, *, near: float = THRESHOLD) -> int:
    """Return the number of the first line stating ``wanted``, from 1; 0 if no line does."""
    key, words = normalise_text(wanted), telling_terms_of(wanted)
    passages = _list_passages(text) if key else ()
    found = (
        number
        for number, each in passages
        if _states_same(each, key, words, near) and not is_swapped(wanted, each)
    )
    return next(found, 0)


def _states_same(passage: str, key: str, words: frozenset[str], near: float) -> bool:
    folded = normalise_text(passage)
    if folded == key or (len(words) >= _MIN_WORDS and key in folded):
        return True
    return word_overlap(words, telling_terms_of(passage)) >= near


def _list_passages(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line, sentence and paragraph with the number of its first line."""
    paragraph: list[str] = []
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        bare = line.strip()
        if bare:
            paragraph.append(bare)
            yield number, bare
            yield from ((number, sentence) for sentence in _split_sentences(bare))
            continue
        if len(paragraph) > 1:
            yield number - len(paragraph), " ".join(paragraph)
        paragraph = []


def _split_sentences(line: str) -> list[str]:
    cut = line
    for end in _ENDS:
        cut = cut.replace(end, f"{end}\n")
    found = [sentence.strip() for sentence in cut.split("\n") if sentence.strip()]
    return found if len(found) > 1 else []


class ToPage(Value):
    """Route to a page; an empty section means the end of the page."""

    page: Note
    section: str


class ToNote(Value):
    """Route to a note of a kind."""

    kind: Kind


class UnclearRoute(Value):
    """No clear route; the likeliest pages and kinds, and the note to take without an answer."""

    pages: tuple[Note, ...]
    kinds: tuple[Kind, ...]
    otherwise: ToNote


def route_text(text: str, pages: Sequence[Note]) -> ToPage | ToNote | UnclearRoute:
    """Choose the page or the note kind for a text of a project."""
    about = [page for page in pages if not is_stable(page) and _names_page(text, page)]
    kinds = guess_kinds(text)
    if len(about) == 1:
        return ToPage(about[0], find_section(text, about[0]))
    if not about and len(kinds) == 1:
        return ToNote(kinds[0])
    otherwise = ToNote(kinds[0] if kinds else _PLAIN)
    return UnclearRoute(tuple(about or pages), kinds or KINDS, otherwise)


def guess_kinds(text: str) -> tuple[Kind, ...]:
    """Return the note kinds with a cue phrase in a text."""
    words = (word.rstrip(".") for word in text.casefold().translate(_SEPARATORS).split())
    plain = f" {' '.join(words)} "
    return tuple(kind for kind in KINDS if any(cue in plain for cue in _list_cues(kind)))


def _list_cues(kind: Kind) -> list[str]:
    """Return the cue phrases of a kind; blanks keep "bug" from matching "debug"."""
    phrases = (" ".join(phrase.split()) for phrase in _CUES[kind].split("|"))
    return [f" {phrase} " if phrase.isascii() else phrase for phrase in phrases]


def find_section(text: str, page: Note) -> str:
    """Return the page heading that shares the most words with a text; empty if no match."""
    own = telling_terms_of(text)
    found = [one for one in split_sections(page.text) if one.level > 1]
    titles = [normalise_text(one.title) for one in found]
    best, most = "", 0
    for section, title in zip(found, titles, strict=True):
        shared = len(own & telling_terms_of(section.title))
        if shared > most and titles.count(title) == 1:
            best, most = section.title, shared
    return best


def _names_page(text: str, page: Note) -> bool:
    """True if a text contains every word of a page's name or of a page concept."""
    own = set(index_terms(text))
    names = map(_name_terms, (page.tag, *page.concepts))
    return any(wanted and own.issuperset(wanted) for wanted in names)


def _name_terms(name: str) -> list[str]:
    """Return the terms of a split name: "steps to deploy" matches `deploy-steps`."""
    return index_terms(name.replace("-", " ").replace("_", " ").replace(".", " "))


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
    near = note_limits_of(app.config).near
    found = chain(
        _search_notes(app, wanted, project, near),
        _search_pages(app, wanted, project, near),
        _search_instructions(app, wanted, near),
    )
    return next(found, None)


def choose_destination(
    app: App, text: str, project: str, *, to: str
) -> ToPage | ToNote | UnclearRoute:
    """Choose where to save a text: the requested place, or a place chosen by its words."""
    if not to:
        return route_text(text, list_shown_pages(app, project))
    if kind := next((kind for kind in KINDS if kind == to), None):
        return ToNote(kind)
    if to == NOTE:
        found = route_text(text, ())
        return found.otherwise if isinstance(found, UnclearRoute) else found
    page = get_page(app, to, project)
    return ToPage(page, find_section(text, page))


def save_text(
    app: App, text: str, target: ToPage | ToNote, *, scope: Scope, source: Source
) -> SaveResult:
    """Save a text to a page section or a new note."""
    if isinstance(target, ToPage):
        part = PagePart(section=target.section, append=True)
        content = PageContent(text=_format_item(text), source=source, part=part)
        done = set_page(app, target.page.tag, content, scope=target.page.scope)
        return SaveResult(done.page, target.section)
    draft = Draft(target.kind, text, scope, source, origin_session=app.store.author)
    return SaveResult(require_written(take_note(app, draft)).note)


def _search_notes(app: App, wanted: str, project: str, near: float) -> Iterator[SavedAlready]:
    """Yield notes of any kind stating the text.

    Only the notes sharing the most words with the text are compared.
    """
    places = visible_projects(app, project)
    which = NoteFilter(projects=places, kinds=_SEARCHED_KINDS, statuses=SHOWN)
    for note in app.store.search_notes(query_terms(wanted), which, limit=_MAX_COMPARED).notes:
        if find_stating_line(note.text, wanted, near=near):
            yield SavedAlready(note=note)


def _search_pages(app: App, wanted: str, project: str, near: float) -> Iterator[SavedAlready]:
    for page in list_shown_pages(app, project):
        if line := find_stating_line(page.text, wanted, near=near):
            above = [one.title for one in split_sections(page.text) if one.start < line <= one.end]
            yield SavedAlready(note=page, section=above[-1] if above else "", line=line)


def _search_instructions(app: App, wanted: str, near: float) -> Iterator[SavedAlready]:
    """Yield the lines of the project's instruction files stating the text.

    Instruction files are read, never written.
    """
    root = app.current_project().root or app.cwd
    for folder in dict.fromkeys((root, app.cwd)):
        for name in _INSTRUCTION_FILES:
            path = os.path.join(folder, name)
            if line := find_stating_line(_read_file(path), wanted, near=near):
                yield SavedAlready(file=os.path.relpath(path, app.cwd), line=line)


def _read_file(path: str) -> str:
    try:
        with open(path, "rb", opener=open_plain) as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""  # most projects have one of them, or none


def _format_item(text: str) -> str:
    """Format a text as a list item, unless it has Markdown structure already."""
    text = strip_unsafe(text)
    return text if text.startswith(_ITEM_MARKS) or "\n" in text else f"- {text}"

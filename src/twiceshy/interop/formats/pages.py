"""Formats with one page per file: the body is the item; front matter and blanks are prose.

``keeper_page`` is memory-keeper's project.md, architecture.md and conventions.md, which have no
front matter. ``engine_spoke`` is memory-engine's memory/*.md, as in Claude Code's memory folder.
``markdown`` is any other file, named after the file. The text is held; surrounding blanks, files,
concepts, and a text like front matter are not.
"""

from __future__ import annotations

from twiceshy.core import jsontext
from twiceshy.core.draft import Draft
from twiceshy.core.errors import UnsafeNameError
from twiceshy.interop.formats import FileFormat, ParsedItem
from twiceshy.interop.formats.listing import front_matter_end
from twiceshy.interop.formats.pieces import stable_name
from twiceshy.notes.pages import STABLE, is_hub, page_name
from twiceshy.project.pages.hub import first_sentence

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.interop.formats import FileContext, Piece

_SHORT = 12
_YAML_MARKS = frozenset(":#\"'[]{}&*!|>%@`,?\\")


def _parse_page(text: str, about: FileContext) -> Iterator[Piece]:
    """Parse a file as the page of its name; a blank file is prose."""
    return _parse_body(text, about, front_matter_end(text))


def build_page(text: str, about: FileContext, *, name: str) -> Iterator[Piece]:
    """Yield a text as the page of a name, or else of its file's name."""
    return _parse_body(text, about, name=name)


def _parse_body(
    text: str, about: FileContext, head: int = 0, *, name: str = ""
) -> Iterator[Piece]:
    body = text[head:].strip()
    if not body:
        yield text
        return
    start = text.index(body, head)
    name = name or _page_name_of_file(about, text)
    draft = Draft(
        kind="page",
        text=body.replace("\r\n", "\n"),
        scope=about.scope,
        source="import",
        subtype=name if name in STABLE else "topic",
        tag=name,
        state="current",
    )
    yield text[:start]
    yield ParsedItem(raw=body, key=name, draft=draft)
    yield text[start + len(body) :]


def _render_page(notes: Sequence[Note], about: FileContext) -> str:
    page = _find_page(about, notes)
    return f"{page.text}\n" if page else ""


def _render_spoke(notes: Sequence[Note], about: FileContext) -> str:
    page = _find_page(about, notes)
    if page is None:
        return ""
    about_it = first_sentence(page.text) or page.tag
    front = f"name: {_yaml_scalar(page.tag)}\ndescription: {_yaml_scalar(about_it)}\ntype: project"
    return f"---\n{front}\n---\n\n{page.text}\n"


def _find_page(about: FileContext, notes: Sequence[Note]) -> Note | None:
    """Return the page of a file name; for an unnamed file the first page."""
    name = _page_name_of_file(about, "") if about.name else ""
    pages = (note for note in notes if note.kind == "page")
    return next((page for page in pages if not name or page.tag == name), None)


def _page_name_of_file(about: FileContext, text: str) -> str:
    """Return the page name of a file, or a generated name."""
    stem = about.name.replace("\\", "/").rpartition("/")[2]
    try:
        name = page_name(stem)
    except UnsafeNameError:
        return f"page-{stable_name(about.name, '' if about.name else text)[:_SHORT]}"
    return f"{name}-page" if is_hub(name) else name  # the hub is made of the others


def _yaml_scalar(text: str) -> str:
    """Render a YAML scalar, quoted where needed."""
    return text if _YAML_MARKS.isdisjoint(text) else jsontext.write_json(text)


MARKDOWN = FileFormat("markdown", _parse_page, _render_page)
KEEPER_PAGE = FileFormat("keeper_page", _parse_body, _render_page)
ENGINE_SPOKE = FileFormat("engine_spoke", _parse_page, _render_spoke)

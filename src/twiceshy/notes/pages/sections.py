"""Sections of a page: read, replace or extend a section alone."""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.text import normalise_text, strip_unsafe
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 6
_NEW_LEVEL = 2
_FENCES = ("```", "~~~")


class PageSection(Value):
    """A heading with its lines up to the next heading of the same level; ``end`` is exclusive."""

    title: str
    level: int
    start: int
    end: int


def split_sections(text: str) -> list[PageSection]:
    """Return the sections of a page in order, ignoring code blocks."""
    headings = list(_find_headings(text.split("\n")))
    last = len(text.split("\n"))
    found = []
    for place, (at, level, title) in enumerate(headings):
        after = (start for start, other, _ in headings[place + 1 :] if other <= level)
        found.append(PageSection(title, level, at, next(after, last)))
    return found


def replace_section(text: str, title: str, body: str) -> str:
    """Return a page with a section replaced; a missing section is added."""
    lines = text.split("\n")
    known = find_section(text, title)
    if known is None:
        return _new_section(text, title, body)
    head, rest = lines[: known.start + 1], lines[known.end :]
    return _join_parts("\n".join(head), _close_code(body), "\n".join(rest))


def append_to_page(text: str, body: str, *, title: str = "") -> str:
    """Return a page with text appended, to the page or to a section."""
    if not title:
        return strip_unsafe(f"{_close_code(text)}\n{_separator(text, body)}{strip_unsafe(body)}")
    known = find_section(text, title)
    if known is None:
        return _new_section(text, title, body)
    lines = text.split("\n")
    until = _own_text_end(text, known)
    head, rest = "\n".join(lines[:until]).rstrip(), lines[until:]
    more = f"{_close_code(head)}\n{_separator(head, body)}{_close_code(body)}"
    return _join_parts(more, "\n".join(rest))


def find_section(text: str, title: str) -> PageSection | None:
    """Return the section of a heading; case, spacing and hashes are ignored."""
    wanted = normalise_text(title.lstrip("# "))
    found = [one for one in split_sections(text) if normalise_text(one.title) == wanted]
    if len(found) > 1:
        raise NoteError(
            f"{len(found)} sections are called {title.strip()!r}",
            hint="give one of them another heading first",
        )
    return found[0] if found else None


def _own_text_end(text: str, section: PageSection) -> int:
    """Return the end of a section's own text, before deeper headings."""
    deeper = [one.start for one in split_sections(text) if section.start < one.start < section.end]
    return min([*deeper, section.end])


def _new_section(text: str, title: str, body: str) -> str:
    name = " ".join(title.lstrip("# ").split())
    if not name:
        raise NoteError("the heading is empty", hint="say which section: --section HEADING")
    return strip_unsafe(f"{_close_code(text)}\n\n{'#' * _NEW_LEVEL} {name}\n\n{_close_code(body)}")


def _close_code(text: str) -> str:
    """Return a text with its last code block closed."""
    text, fence = strip_unsafe(text), ""
    for line in text.split("\n"):
        fence = _open_fence(line, fence)
    return f"{text}\n{fence}" if fence else text


def _separator(text: str, body: str) -> str:
    """Return the separator of two parts; list items need none."""
    last = text.rstrip().rpartition("\n")[2]
    return "" if _is_item(last) and _is_item(strip_unsafe(body)) else "\n"


def _is_item(line: str) -> bool:
    return line.lstrip().startswith(("- ", "* ", "+ "))


def _join_parts(*parts: str) -> str:
    """Join page parts with a blank line between."""
    return strip_unsafe("\n\n".join(part.strip("\n") for part in parts if part.strip()))


def _find_headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Yield line, level and words of every heading."""
    fence = ""
    for at, line in enumerate(lines):
        before, fence = fence, _open_fence(line, fence)
        if before or fence:
            continue
        level = len(line) - len(line.lstrip("#"))
        title = line[level:].strip().rstrip("#").strip()
        if 0 < level <= _DEEPEST and line[level : level + 1] in (" ", "\t") and title:
            yield at, level, title


def _open_fence(line: str, open_fence: str) -> str:
    """Return the open code fence after a line."""
    mark = next((mark for mark in _FENCES if line.lstrip().startswith(mark)), "")
    if open_fence:
        return "" if mark == open_fence else open_fence
    return mark

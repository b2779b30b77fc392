"""Set a page or a section of it: a revision of the same note, with history.

Trust follows the author. Setting the whole page makes its author responsible; adding text
limits the trust to the weaker author.
"""

from collections.abc import Iterator, Sequence

from twiceshy.app import App
from twiceshy.core.admit import trust_of_draft
from twiceshy.core.draft import Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.store import Store
from twiceshy.core.text import normalise_text, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.notes.pages import check_page_length, page_order
from twiceshy.notes.write import change_note

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
    lines, found = text.split("\n"), []
    headings = list(_find_headings(lines))
    for place, (at, level, title) in enumerate(headings):
        after = (start for start, other, _ in headings[place + 1 :] if other <= level)
        found.append(PageSection(title, level, at, next(after, len(lines))))
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
    # the section's own text ends before deeper headings
    inner = (one.start for one in split_sections(text) if known.start < one.start < known.end)
    until = min(inner, default=known.end)
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


class PagePart(Value):
    """The part of a page to set: whole, a section, or an addition."""

    section: str = ""
    append: bool = False

    @property
    def is_whole(self) -> bool:
        """True if nothing of the old text remains."""
        return not self.section and not self.append

    def apply_to(self, old: str, new: str) -> str:
        """Return the page text afterwards."""
        if self.is_whole:
            return new
        if self.append:
            return append_to_page(old, new, title=self.section)
        return replace_section(old, self.section, new)


class PageUpdate(Value):
    """Result of writing a page; ``before`` is None for a new page."""

    page: Note
    before: Note | None

    @property
    def is_changed(self) -> bool:
        """True if the page differs from before."""
        return self.before != self.page


def list_pages(store: Store, projects: Sequence[str]) -> list[Note]:
    """Return pages of projects in order; of equal names, the first project's first."""
    which = NoteFilter(projects=tuple(projects), kinds=("page",), skill="")
    found = store.notes(which, limit=None)
    return sorted(found, key=lambda page: (*page_order(page), projects.index(page.scope.project)))


def find_page(store: Store, projects: Sequence[str], name: str) -> Note | None:
    """Return the page of a name in the first project with one, shown or hidden."""
    wanted = _name_key(name)
    which = NoteFilter(projects=tuple(projects), kinds=("page",), skill="", statuses=())
    found = [page for page in store.notes(which, limit=None) if _name_key(page.tag) == wanted]
    found.sort(key=lambda page: (page.status not in SHOWN, projects.index(page.scope.project)))
    return found[0] if found else None


def new_page_text(app: App, draft: Draft, part: PagePart) -> str:
    """Return the text of a new page; each part is redacted separately.

    Otherwise an unclosed private passage would hide the rest of the page.
    """
    text = part.apply_to("", _clean_own_words(app, draft))
    check_page_length(draft.tag, text)
    return text


def revise_page(app: App, page: Note, draft: Draft, part: PagePart) -> PageUpdate:
    """Revise a page; equal text changes nothing."""
    _refuse_waiting(page, draft, part)
    text = part.apply_to(page.text, _clean_own_words(app, draft))
    check_page_length(page.tag, text)
    ready = prepare(
        draft.but(text=text, tag=page.tag, scope=page.scope), app.gate_of(page.scope.project)
    )
    trust = trust_of_draft(draft)
    fields: dict[str, object] = {"text": ready.text}
    fields |= {name: value for name in ("files", "concepts") if (value := getattr(ready, name))}
    same = all(getattr(page, name) == value for name, value in fields.items())
    if same and page.status in SHOWN:
        return PageUpdate(page, page)
    whose = {"trust": trust, "source": draft.source} if part.is_whole else {}
    fields |= whose or {"trust": min(trust, page.trust)}
    fields |= {"status": "active", "reason": ""}
    with app.store.change():
        after = change_note(app, "edit", page, **fields)
        # a sighting, so that a page is as old as its last change
        return PageUpdate(app.store.record_entry(SEE, page.id, None) or after, page)


def _clean_own_words(app: App, draft: Draft) -> str:
    """Return the checked and redacted text of an author."""
    check_page_length(draft.tag, draft.text)
    return prepare(draft, app.gate_of(draft.scope.project)).text


def _refuse_waiting(page: Note, draft: Draft, part: PagePart) -> None:
    """Refuse additions to a page under review; setting the whole page is a review."""
    if page.status == "quarantined" and not (part.is_whole and draft.source == "user"):
        raise NoteError(
            f"the page {page.tag!r} waits for you: {page.reason}", hint="see: twiceshy review"
        )


def _name_key(name: str) -> str:
    return " ".join(name.split()).casefold()

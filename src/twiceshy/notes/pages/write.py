"""Set a page: a revision of the same note, with history.

Trust follows the author. Setting the whole page makes its author responsible; adding text
limits the trust to the weaker author.
"""

from __future__ import annotations

from twiceshy.core.admit import trust_of_draft
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value
from twiceshy.notes.pages import check_page_length, page_order
from twiceshy.notes.pages.sections import append_to_page, replace_section
from twiceshy.notes.write import change_note

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_MANY = 10_000


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


class PageRevision(Value):
    """A page before and after; equal if unchanged."""

    before: Note
    after: Note


def list_pages(store: Store, projects: Sequence[str]) -> list[Note]:
    """Return pages of projects in order; of equal names, the first project's first."""
    which = NoteFilter(projects=tuple(projects), kinds=("page",), skill="")
    found = store.notes(which, limit=_MANY)
    return sorted(found, key=lambda page: (*page_order(page), projects.index(page.scope.project)))


def find_page(store: Store, projects: Sequence[str], name: str) -> Note | None:
    """Return the page of a name in the first project with one, shown or hidden."""
    wanted = _name_key(name)
    which = NoteFilter(projects=tuple(projects), kinds=("page",), skill="", statuses=())
    found = [page for page in store.notes(which, limit=_MANY) if _name_key(page.tag) == wanted]
    found.sort(key=lambda page: (page.status not in SHOWN, projects.index(page.scope.project)))
    return found[0] if found else None


def new_page_text(app: App, draft: Draft, part: PagePart) -> str:
    """Return the text of a new page; each part is redacted separately.

    Otherwise an unclosed private passage would hide the rest of the page.
    """
    text = part.apply_to("", _clean_own_words(app, draft))
    check_page_length(draft.tag, text)
    return text


def revise_page(app: App, page: Note, draft: Draft, part: PagePart) -> PageRevision:
    """Revise a page; equal text changes nothing."""
    _refuse_waiting(page, draft, part)
    text = part.apply_to(page.text, _clean_own_words(app, draft))
    check_page_length(page.tag, text)
    ready = prepare(draft.but(text=text, tag=page.tag, scope=page.scope), app.redact)
    trust = trust_of_draft(draft)
    fields: dict[str, object] = {"text": ready.text}
    fields |= {name: value for name in ("files", "concepts") if (value := getattr(ready, name))}
    if (
        all(getattr(page, name) == value for name, value in fields.items())
        and page.status in SHOWN
    ):
        return PageRevision(page, page)
    whose = {"trust": trust, "source": draft.source} if part.is_whole else {}
    fields |= whose or {"trust": min(trust, page.trust)}
    fields |= {"status": "active", "reason": ""}
    with app.store.change():
        after = change_note(app, "edit", page, **fields)
        # a sighting, so that a page is as old as its last change
        return PageRevision(page, app.store.record_entry(SEE, page.id, None) or after)


def _clean_own_words(app: App, draft: Draft) -> str:
    """Return the checked and redacted text of an author."""
    check_page_length(draft.tag, draft.text)
    return prepare(draft, app.redact).text


def _refuse_waiting(page: Note, draft: Draft, part: PagePart) -> None:
    """Refuse additions to a page under review; setting the whole page is a review."""
    if page.status == "quarantined" and not (part.is_whole and draft.source == "user"):
        raise NoteError(
            f"the page {page.tag!r} waits for you: {page.reason}", hint="see: twiceshy review"
        )


def _name_key(name: str) -> str:
    return " ".join(name.split()).casefold()

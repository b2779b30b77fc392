"""Set a page: a revision of the same note, with history.

Trust follows the author. Setting the whole page makes its author responsible; adding text
limits the trust to the weaker author.
"""

from __future__ import annotations

from twiceshy.core.admit import trust_of_draft
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import Filter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value
from twiceshy.notes.pages import place
from twiceshy.notes.pages.condition import refuse_length
from twiceshy.notes.pages.sections import with_more, with_section
from twiceshy.notes.write import change

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store

_MANY = 10_000


class Part(Value):
    """The part of a page to set: whole, a section, or an addition."""

    section: str = ""
    append: bool = False

    @property
    def whole(self) -> bool:
        """True if nothing of the old text remains."""
        return not self.section and not self.append

    def put(self, old: str, new: str) -> str:
        """Return the page text afterwards."""
        if self.whole:
            return new
        if self.append:
            return with_more(old, new, title=self.section)
        return with_section(old, self.section, new)


class Revision(Value):
    """A page before and after; equal if unchanged."""

    before: Note
    after: Note


def pages_in(store: Store, projects: Sequence[str]) -> list[Note]:
    """Return pages of projects in order; of equal names, the first project's first."""
    which = Filter(projects=tuple(projects), kinds=("page",), skill="")
    found = store.notes(which, limit=_MANY)
    return sorted(found, key=lambda page: (*place(page), projects.index(page.scope.project)))


def page_called(store: Store, projects: Sequence[str], name: str) -> Note | None:
    """Return the page of a name in the first project with one, shown or hidden."""
    wanted = _key(name)
    which = Filter(projects=tuple(projects), kinds=("page",), skill="", statuses=())
    found = [page for page in store.notes(which, limit=_MANY) if _key(page.tag) == wanted]
    found.sort(key=lambda page: (page.status not in SHOWN, projects.index(page.scope.project)))
    return found[0] if found else None


def text_of_new(app: App, draft: Draft, part: Part) -> str:
    """Return the text of a new page; each part is redacted separately.

    Otherwise an unclosed private passage would hide the rest of the page.
    """
    text = part.put("", _own_words(app, draft))
    refuse_length(draft.tag, text)
    return text


def revise(app: App, page: Note, draft: Draft, part: Part) -> Revision:
    """Revise a page; equal text changes nothing."""
    _refuse_waiting(page, draft, part)
    text = part.put(page.text, _own_words(app, draft))
    refuse_length(page.tag, text)
    ready = prepare(draft.but(text=text, tag=page.tag, scope=page.scope), app.redact)
    trust = trust_of_draft(draft)
    fields: dict[str, object] = {"text": ready.text}
    fields |= {name: value for name in ("files", "concepts") if (value := getattr(ready, name))}
    if (
        all(getattr(page, name) == value for name, value in fields.items())
        and page.status in SHOWN
    ):
        return Revision(page, page)
    whose = {"trust": trust, "source": draft.source} if part.whole else {}
    fields |= whose or {"trust": min(trust, page.trust)}
    fields |= {"status": "active", "reason": ""}
    with app.store.change():
        after = change(app, "edit", page, **fields)
        # a sighting, so that a page is as old as its last change
        return Revision(page, app.store.record(SEE, page.id, None) or after)


def _own_words(app: App, draft: Draft) -> str:
    """Return the checked and redacted text of an author."""
    refuse_length(draft.tag, draft.text)
    return prepare(draft, app.redact).text


def _refuse_waiting(page: Note, draft: Draft, part: Part) -> None:
    """Refuse additions to a page under review; setting the whole page is a review."""
    if page.status == "quarantined" and not (part.whole and draft.source == "user"):
        raise NoteError(
            f"the page {page.tag!r} waits for you: {page.reason}", hint="see: twiceshy review"
        )


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()

"""Check pages and hubs: empty, too large, stale, orphaned, or with broken links."""

from __future__ import annotations

from twiceshy.core.moment import DAY
from twiceshy.core.value import Value
from twiceshy.notes.pages.condition import (
    LARGEST,
    STALE,
    STALE_DAYS,
    TOO_LARGE,
    WARN,
    line_count,
)
from twiceshy.project.audit.finding import found
from twiceshy.project.audit.links import links, unclosed

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.audit.facts import Facts, Page, Shelf
    from twiceshy.project.audit.finding import Finding

# Claude Code's own folder: memory-engine's hooks read these by name, whatever the hub says.
_READ_BY_NAME = ("todo-status", "handoff-")
_SUFFIX = ".md"


def days_unchanged(page: Page, now: int) -> int:
    """Return the number of whole days since a page changed."""
    return max(0, now - page.changed_at) // DAY


class PageCondition(Value):
    """Size and age of a page, and its problems."""

    name: str
    lines: int
    days: int
    status: tuple[str, ...]


def page_conditions(facts: Facts) -> list[PageCondition]:
    """Return the condition of every page."""
    return [_condition(page, facts.now) for page in facts.pages]


def _condition(page: Page, now: int) -> PageCondition:
    lines, days = line_count(page.text), days_unchanged(page, now)
    wrong = {STALE: days >= STALE_DAYS, TOO_LARGE: lines > LARGEST}
    return PageCondition(page.where, lines, days, tuple(word for word in wrong if wrong[word]))


def structure(facts: Facts) -> Iterator[Finding]:
    """Find empty pages, and pages with an unclosed code block."""
    for page in facts.pages:
        if not page.text.strip():
            yield found("page-empty", "memory", page.where, name=page.name, file=bool(page.place))
        elif unclosed(page.text):
            yield found("page-fence", "memory", page.where, name=page.name, file=bool(page.place))


def sizes(facts: Facts) -> Iterator[Finding]:
    """Find hubs near or over the limit, and pages too long to read."""
    for shelf in facts.shelves:
        yield from _capacity(shelf)
        for page in shelf.pages:
            if (lines := line_count(page.text)) > LARGEST:
                named = {"name": page.name, "file": bool(page.place)}
                yield found("page-large", "memory", page.where, lines=lines, most=LARGEST, **named)


def _capacity(shelf: Shelf) -> Iterator[Finding]:
    lines = line_count(shelf.hub.text) if shelf.hub else 0
    if not shelf.hub or lines < WARN:
        return
    # a generated hub never exceeds the most: what did not fit was folded
    about = "hub-full" if lines > LARGEST or shelf.hub.folded else "hub-filling"
    said = {"lines": lines, "most": LARGEST, "file": not shelf.generated}
    yield found(about, "memory", shelf.hub.where, **said)


def stale(facts: Facts) -> Iterator[Finding]:
    """Find pages unchanged for 30 days."""
    for page in facts.pages:
        if (days := days_unchanged(page, facts.now)) >= STALE_DAYS:
            named = {"name": page.name, "file": bool(page.place)}
            yield found("page-stale", "memory", page.where, days=days, **named)


def broken_links(facts: Facts) -> Iterator[Finding]:
    """Find broken links of pages and hubs."""
    for shelf in facts.shelves:
        for each in (*((shelf.hub,) if shelf.hub else ()), *shelf.pages):
            for target in each.dead:
                yield found("link-broken", "memory", each.where, target=target)


def orphans(facts: Facts) -> Iterator[Finding]:
    """Find orphaned pages.

    The hub of the store names every page, so a stored page counts as an orphan only if no other page
    links to the topic, no note names it, nobody changed it in 30 days, and no session was shown it. A
    file of Claude Code's folder is an orphan if neither the hub nor another file names it.
    """
    said = "\n".join(
        " ".join((note.text, note.tag, *note.concepts))
        for note in facts.notes
        if note.kind != "page"
    ).casefold()
    for shelf in facts.shelves:
        found_here = _forgotten(shelf, said, facts.now) if shelf.generated else _unlisted(shelf)
        for page in found_here:
            named = {"name": page.name, "file": bool(page.place)}
            yield found("page-orphan", "memory", page.where, **named)


def _forgotten(shelf: Shelf, said: str, now: int) -> Iterator[Page]:
    """Yield the topic pages not linked, named, changed or shown."""
    linked = {
        _last(link.target)
        for page in shelf.pages
        for link in links(page.text)
        if _last(link.target) != _last(page.name)
    }
    for page in shelf.pages:
        used = not page.topic or page.shown or days_unchanged(page, now) < STALE_DAYS
        if not used and _last(page.name) not in linked and page.name.casefold() not in said:
            yield page


def _unlisted(shelf: Shelf) -> Iterator[Page]:
    """Yield the files not named by the hub or by a different file."""
    hub = shelf.hub.text if shelf.hub else ""
    for page in shelf.pages:
        others = (other.text for other in shelf.pages if other.name != page.name)
        if not page.name.startswith(_READ_BY_NAME) and not any(
            page.name in text for text in (hub, *others)
        ):
            yield page


def names(target: str, name: str) -> bool:
    """True if a link means a page, whatever its folder and ending."""
    return _last(target) == _last(name)


def _last(target: str) -> str:
    return target.rstrip("/").rpartition("/")[2].casefold().removesuffix(_SUFFIX)

"""Pages: notes with a name, such as architecture, conventions and topics."""

from __future__ import annotations

from twiceshy.core.errors import UnsafeNameError

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.note import Note

STABLE = ("project", "architecture", "conventions")
HUB = "index"
_HUB_NAMES = (HUB, "memory")
_SUFFIX = ".md"


def page_name(text: str) -> str:
    """Return the canonical page name, or refuse; a suffix ``.md`` is dropped."""
    from twiceshy.safety.names import check_name  # noqa: PLC0415 - a hook shows pages and names none

    name = check_name(text.strip().removesuffix(_SUFFIX), what="page")
    first, _, rest = name.partition(" ")
    if rest and (first == "+" or (first.endswith(".") and first[:-1].isdecimal())):
        # to the store an item's number is no part of what it says: "1. x" and "2. x" were one page
        raise UnsafeNameError(
            f"the page name {name!r} begins like an item of a list", hint="begin with a word"
        )
    folded = name.casefold()
    return folded if folded in (*STABLE, *_HUB_NAMES) else name


def is_hub(name: str) -> bool:
    """True for the name of the generated hub."""
    return name in _HUB_NAMES


def sort_pages(pages: Iterable[Note]) -> list[Note]:
    """Return stable pages in order, then topics by name."""
    return sorted(pages, key=lambda page: (*page_order(page), page.id))


def page_order(page: Note) -> tuple[int, str]:
    """Return the sort key of a page."""
    stable = STABLE.index(page.tag) if page.tag in STABLE else len(STABLE)
    return stable, page.tag.casefold()


def is_stable(page: Note) -> bool:
    """True for the three pages of every project."""
    return page.tag in STABLE

"""Pages: notes with a name, such as architecture, conventions and topics.

A page unchanged for 30 days is stale; more than 200 lines are too large, and from 170 on it
is time to split. The same numbers hold for the hub, MEMORY.md.
"""

from collections.abc import Iterable

from twiceshy.core.errors import NoteError, UnsafeNameError
from twiceshy.core.moment import DAY
from twiceshy.core.note import Note

STABLE = ("project", "architecture", "conventions")
HUB = "index"
_HUB_NAMES = (HUB, "memory")
_SUFFIX = ".md"
STALE_DAYS = 30
WARN = 170
LARGEST = 200
MAX_CHARACTERS = 50_000  # 200 lines of prose have about 16,000
STALE = "stale"
TOO_LARGE = "too large"


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


def count_lines(text: str) -> int:
    """Count the lines of a text like an editor."""
    return len(text.rstrip("\n").split("\n")) if text.strip() else 0


def count_bytes(text: str) -> int:
    """Count the bytes of a text in a file."""
    return len(text.encode("utf-8", "surrogatepass"))


def count_days_unchanged(page: Note, now: int) -> int:
    """Return the whole days since the last change."""
    return max(0, now - max(page.learned_at, page.written_at)) // DAY


def is_stale(page: Note, now: int) -> bool:
    """True if unchanged for 30 days."""
    return count_days_unchanged(page, now) >= STALE_DAYS


def is_too_large(text: str) -> bool:
    """True if a page has too many lines."""
    return count_lines(text) > LARGEST


def describe_condition(page: Note, now: int) -> str:
    """Describe the condition of a page: stale, too large, both, or empty."""
    wrong = {STALE: is_stale(page, now), TOO_LARGE: is_too_large(page.text)}
    return ", ".join(word for word, holds in wrong.items() if holds)


def check_page_length(name: str, text: str) -> None:
    """Refuse an overlong page instead of cutting it."""
    if len(text) > MAX_CHARACTERS:
        raise NoteError(
            f"the page {name!r} would have {len(text):,} characters; {MAX_CHARACTERS:,} is the most",
            hint="split it into pages by topic: twiceshy memory-set TOPIC --file PART.md",
        )

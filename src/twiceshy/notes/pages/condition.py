"""In what condition a page is: how long, how old, and from where on that is too much.

A page that nobody changed in 30 days is stale; one of more than 200 lines is too large, and from 170
on it is time to split it. The same two numbers hold for the hub, MEMORY.md.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.moment import DAY

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note

STALE_DAYS = 30
WARN = 170
LARGEST = 200
MAX_CHARACTERS = 50_000  # 200 lines of prose have about 16,000

STALE = "stale"
TOO_LARGE = "too large"


def line_count(text: str) -> int:
    """Count the lines of a text as an editor does."""
    return len(text.rstrip("\n").split("\n")) if text.strip() else 0


def byte_count(text: str) -> int:
    """Count what a text takes in a file."""
    return len(text.encode("utf-8", "surrogatepass"))


def days_unchanged(page: Note, now: int) -> int:
    """Return for how many whole days a page says what it says."""
    return max(0, now - max(page.learned_at, page.written_at)) // DAY


def is_stale(page: Note, now: int) -> bool:
    """Tell whether nobody changed a page in 30 days."""
    return days_unchanged(page, now) >= STALE_DAYS


def is_too_large(text: str) -> bool:
    """Tell whether a page has more lines than anybody reads."""
    return line_count(text) > LARGEST


def condition(page: Note, now: int) -> str:
    """Say what is wrong with a page: stale, too large, both, or nothing."""
    wrong = []
    if is_stale(page, now):
        wrong.append(STALE)
    if is_too_large(page.text):
        wrong.append(TOO_LARGE)
    return ", ".join(wrong)


def refuse_length(name: str, text: str) -> None:
    """Refuse what is no page any more; nothing of it is cut off instead."""
    if len(text) > MAX_CHARACTERS:
        raise NoteError(
            f"the page {name!r} would have {len(text):,} characters; {MAX_CHARACTERS:,} is the most",
            hint="split it into pages by topic: twiceshy memory-set TOPIC --file PART.md",
        )

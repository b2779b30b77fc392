"""Condition of a page: size, age, and limits.

A page unchanged for 30 days is stale; more than 200 lines are too large, and from 170 on it
is time to split. The same numbers hold for the hub, MEMORY.md.
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
    wrong = []
    if is_stale(page, now):
        wrong.append(STALE)
    if is_too_large(page.text):
        wrong.append(TOO_LARGE)
    return ", ".join(wrong)


def check_page_length(name: str, text: str) -> None:
    """Refuse an overlong page instead of cutting it."""
    if len(text) > MAX_CHARACTERS:
        raise NoteError(
            f"the page {name!r} would have {len(text):,} characters; {MAX_CHARACTERS:,} is the most",
            hint="split it into pages by topic: twiceshy memory-set TOPIC --file PART.md",
        )

"""Two-step removal: mark in a reflection, remove in a later one on another day.

The user must confirm the removal; every other order is refused. A note learned, changed or shown
again in between stays.
"""

from __future__ import annotations

from twiceshy.core.errors import NoteError
from twiceshy.core.history import SEE, UNSEE
from twiceshy.core.moment import format_stamp, parse_stamp
from twiceshy.core.note import SHOWN
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.evidence import Episode, Exposure
    from twiceshy.core.history import JournalEntry
    from twiceshy.core.note import Note

PENDING = "pending removal"
MARK, REMOVE, SPARE = "mark", "remove", "spare"
_REASON = "reflection "
_AT_TIME = " at "
_CONTENT_FIELDS = frozenset(
    ("kind", "subtype", "text", "why", "tag", "files", "concepts", "trigger")
)
_MARK_FIRST = "mark it first: twiceshy reflect --answer ID=remove"


class PendingRemoval(Value):
    """Removal mark: reflection, time, and the covering rule, if any."""

    cycle: str
    at: int
    rule: str = ""


def render_reason(pending: PendingRemoval) -> str:
    """Render the removal mark as a note's reason."""
    covered = f"; covered by {pending.rule}" if pending.rule else ""
    return f"{_REASON}{pending.cycle}{_AT_TIME}{format_stamp(pending.at)}{covered}"


def parse_reason(note: Note) -> PendingRemoval | None:
    """Parse the removal mark of a note; None if missing or in another form."""
    if note.status != PENDING or not note.reason.startswith(_REASON):
        return None
    told, _, rule = note.reason.removeprefix(_REASON).partition("; covered by ")
    cycle, _, when = told.partition(_AT_TIME)
    try:
        return PendingRemoval(cycle, parse_stamp(when), rule) if cycle else None
    except ValueError:
        return None


def check_markable(note: Note) -> None:
    """Refuse to mark rules (see `review`), pinned notes, and notes not shown."""
    if note.kind == "rule":
        raise NoteError(f"{note.handle} is a rule", hint="decide about it in: twiceshy review")
    if note.pinned:
        raise NoteError(
            f"{note.handle} is pinned",
            hint=f"take the pin off first: twiceshy unpin {note.handle}",
        )
    if note.status not in SHOWN:
        raise NoteError(
            f"{note.handle} is {note.status} already", hint=f"see: twiceshy show {note.handle}"
        )


def check_removable(
    note: Note, cycle: Episode | None, *, day_of: Callable[[int], str]
) -> PendingRemoval:
    """Return the removal mark, or refuse if no earlier reflection marked the note.

    ``cycle`` is the project's last reflection; ``day_of`` returns the user's local day.
    """
    pending = parse_reason(note)
    if pending is None:
        raise NoteError(f"no reflection marked {note.handle} for removal", hint=_MARK_FIRST)
    if cycle is None or cycle.id == pending.cycle or cycle.ended_at <= pending.at:
        raise NoteError(
            f"{note.handle} was marked in the last reflection; only a later one may remove it",
            hint="run twiceshy reflect on another day, and confirm then",
        )
    if day_of(cycle.ended_at) <= day_of(pending.at):
        raise NoteError(
            f"{note.handle} was marked on {day_of(pending.at)}; sleep on it",
            hint="run twiceshy reflect on another day, and confirm then",
        )
    return pending


def is_needed_since(
    pending: PendingRemoval, history: Iterable[JournalEntry], shown: Iterable[Exposure]
) -> bool:
    """True if a note was learned, changed or shown again after it was marked."""
    if any(each.at > pending.at and not each.withheld for each in shown):
        return True
    return any(each.at > pending.at and _changes_content(each) for each in history)


def _changes_content(entry: JournalEntry) -> bool:
    if entry.op in (SEE, UNSEE):
        return entry.op == SEE
    return not _CONTENT_FIELDS.isdisjoint(entry.after or ())

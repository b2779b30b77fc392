"""How often a skill was used before anybody counted here: what another program says, told once and not added up twice.

It is an object of the journal like a note, so that it travels to other devices and can be undone.
"""

from __future__ import annotations

from twiceshy.core.history import in_order
from twiceshy.core.session import Usage
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.history import Entry

COUNTED = "u"  # ids of such counts begin with it, as those of notes do with "n"
OP = "count"
HOLDS, GONE = "active", "retired"
FIELDS = frozenset(("program", "skill", "sessions", "last_at", "days", "status"))
_HASH = 31  # hexadecimal digits kept of a SHA-256


class Counted(Value):
    """Which program counted, for which skill, and what; ``days`` hold a day and its count each."""

    program: str
    skill: str
    sessions: int
    last_at: int
    days: tuple[str, ...]
    status: str = HOLDS

    @property
    def usage(self) -> Usage:
        """Return the count as we count ourselves; a day that is none is left out."""
        pairs = (each.partition(" ") for each in self.days)
        daily = {name: int(count) for name, _, count in pairs if count.isdecimal()}
        return Usage(self.skill, max(self.sessions, sum(daily.values())), self.last_at, daily)


def counted(program: str, usage: Usage) -> Counted:
    """Return what a program says as it is kept."""
    days = tuple(f"{name} {count}" for name, count in sorted(usage.daily.items()))
    return Counted(program, usage.skill, usage.sessions, usage.last_at, days)


def counted_id(device: str, program: str, skill: str) -> str:
    """Return the id of a count: every device has a program of its own, which counted for itself."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL, and no hook counts for others

    said = "\x1f".join((device, program, skill)).encode("utf-8", "backslashreplace")
    return COUNTED + hashlib.sha256(said).hexdigest()[:_HASH]


def replay_counted(entries: Iterable[Entry]) -> Counted | None:
    """Add up what was said of a count; None if it makes no sense."""
    fields: dict[str, object] = {}
    for entry in in_order(entries):
        fields.update(entry.after or ())
    if not fields.keys() >= FIELDS:
        return None
    return Counted.of({name: fields[name] for name in Counted.__fields__})

"""Skill usage counted by another program before the import, kept once.

A journal object like a note: counts travel to other devices and can be undone.
"""

from __future__ import annotations

from twiceshy.core.history import sort_entries
from twiceshy.core.session import SkillUsage
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.history import JournalEntry

COUNTED = "u"  # ids of such counts begin with it, as those of notes do with "n"
OP = "count"
HOLDS, GONE = "active", "retired"
FIELDS = frozenset(("program", "skill", "sessions", "last_at", "days", "status"))
_HASH = 31  # hexadecimal digits kept of a SHA-256


class CountedUsage(Value):
    """Usage of a skill as counted by another program; ``days`` maps a day to its count."""

    program: str
    skill: str
    sessions: int
    last_at: int
    days: tuple[str, ...]
    status: str = HOLDS

    @property
    def usage(self) -> SkillUsage:
        """Return the count in our own form; invalid days are dropped."""
        pairs = (each.partition(" ") for each in self.days)
        daily = {name: int(count) for name, _, count in pairs if count.isdecimal()}
        return SkillUsage(self.skill, max(self.sessions, sum(daily.values())), self.last_at, daily)


def build_counted_usage(program: str, usage: SkillUsage) -> CountedUsage:
    """Build the record of usage counted by another program."""
    days = tuple(f"{name} {count}" for name, count in sorted(usage.daily.items()))
    return CountedUsage(program, usage.skill, usage.sessions, usage.last_at, days)


def counted_usage_id(device: str, program: str, skill: str) -> str:
    """Return the id of a count; each device has its own count per program."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL, and no hook counts for others

    said = "\x1f".join((device, program, skill)).encode("utf-8", "backslashreplace")
    return COUNTED + hashlib.sha256(said).hexdigest()[:_HASH]


def replay_counted_usage(entries: Iterable[JournalEntry]) -> CountedUsage | None:
    """Replay the entries of a count; None if invalid."""
    fields: dict[str, object] = {}
    for entry in sort_entries(entries):
        fields.update(entry.after or ())
    if not fields.keys() >= FIELDS:
        return None
    return CountedUsage.of({name: fields[name] for name in CountedUsage.__fields__})

"""Lifetimes of records that pile up; notes by people and agents are not touched.

Counts are added up before their rows are pruned, and evidence of an existing note stays
while shown.
"""

from __future__ import annotations

from twiceshy.core.moment import DAY, format_day
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from twiceshy.core.evidence import Episode

SAVED = ("end", "compact", "checkpoint")  # what is kept of sessions without being asked for
ARCHIVE = "archive"
MOST_OF_NOTE = 10  # rows about one note that stay, however old: reviews and `why` show fewer
MOST_ROUTINES = 200  # workflows that are compared to find a routine
COPIES_DAYS = 90  # clients remove transcripts after a month, and with them what could be copied
ACCOUNTS_DAYS = 400  # a month can be compared with the same one of the last year


class Retention(Value):
    """Limits and lifetimes of each kind of record."""

    sessions: int = 30
    checkpoints: int = 10
    archive_days: int = 30
    archive_months: int = 24
    state_days: int = 3
    evidence_days: int = 180
    showings_days: int = 90

    def state_since(self, now: int) -> int:
        """Return the oldest last-seen time of a session with kept state."""
        return now - self.state_days * DAY

    def archive_since(self, now: int) -> int:
        """Return the oldest end of an episode kept unfolded."""
        return now - max(self.archive_days, self.state_days) * DAY

    def evidence_since(self, now: int) -> int:
        """Return the oldest time of complete evidence."""
        return now - max(self.evidence_days, self.archive_days, self.state_days) * DAY

    def showings_since(self, now: int) -> int:
        """Return the oldest time of showings and outcomes that are not summed yet."""
        shown = max(self.showings_days, self.archive_days, self.state_days)
        return max(now - shown * DAY, self.evidence_since(now))

    def copies_since(self, now: int) -> int:
        """Return the oldest time of known call ids."""
        return now - COPIES_DAYS * DAY

    def accounts_since(self, now: int) -> int:
        """Return the oldest time of kept model calls."""
        return now - max(ACCOUNTS_DAYS, self.evidence_days) * DAY

    def months_since(self, now: int) -> str:
        """Return the first month with kept archives."""
        year, month = map(int, format_day(now)[:7].split("-"))
        before = year * 12 + month - 1 - self.archive_months
        return f"{before // 12:04}-{before % 12 + 1:02}"


def list_due_episodes(
    episodes: Iterable[Episode],
    rules: Retention,
    *,
    now: int,
    project_of: Callable[[str], str] = lambda project: project,
    own: Mapping[str, Retention] | None = None,
) -> list[Episode]:
    """Return episodes to fold into archives: too old, or beyond a project's limit.

    The newest episode of each kind in a project stays. ``project_of`` maps alias ids to a
    project; a project may have rules of its ``own``.
    """
    groups: dict[tuple[str, str], list[Episode]] = {}
    for one in episodes:
        if one.kind in SAVED:
            groups.setdefault((project_of(one.project), one.kind), []).append(one)
    found: list[Episode] = []
    for (project, kind), some in groups.items():
        ours = (own or {}).get(project, rules)
        most = ours.checkpoints if kind == "checkpoint" else ours.sessions
        since = ours.archive_since(now)
        newest = sorted(some, key=lambda one: (-one.ended_at, one.id))
        found += newest[max(1, most) :]
        found += (one for one in newest[1:most] if one.ended_at < since)
    return sorted(found, key=lambda one: (one.ended_at, one.id))


def list_expired_archives(
    archives: Sequence[Episode], rules: Retention, *, now: int
) -> list[Episode]:
    """Return archives older than the kept months."""
    first = rules.months_since(now)
    return [
        one for one in archives if one.kind == ARCHIVE and format_day(one.ended_at)[:7] < first
    ]

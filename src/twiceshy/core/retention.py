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
MOST_OF_NOTE = 50  # rows about one note that stay, however old: reviews and `why` show fewer
MOST_ROUTINES = 200  # workflows that are compared to find a routine
COPIES_DAYS = 90  # clients remove transcripts after a month, and with them what could be copied
ACCOUNTS_DAYS = 400  # a month can be compared with the same one of the last year

# What becomes of each table, and why that is soon and late enough. Times are those of ``Retention``.
LIFETIMES: Mapping[str, str] = {
    "episodes": "end, compact and checkpoint: archive_days, and the newest of a project, then one line in"
    " the archive of their month; archives: archive_months; what somebody wrote stays",
    "journal": "entries of notes stay for ever; those of an episode go with it",
    "payloads": "as the journal",
    "sessions": "state_days after it was last seen, because a client that goes on later has to be met"
    " anew anyway; archive_days if it was compacted, because what it was told is known by how often;"
    " never while its transcript is there and unread. Days are counted in usage, for decay",
    "intents": "state_days; they are about what is going on",
    "uses": "what was told: state_days; the row: evidence_days, then counted in usage, so that a session"
    " counts once however often it goes on",
    "usage": "by day for archive_months, for decay evidence_days, then by month",
    "authors": "state_days, and as long as its session lasts: only sessions ask what others changed",
    "arrivals": "archive_days: no session that asks what arrived is older",
    "exposures": "evidence_days, and the newest of each note for `why`; of a handoff as long as it is"
    " there, or it would be shown again",
    "outcomes": "evidence_days, and the newest of each note, told and withheld, by which it is judged",
    "readings": "state_days once the transcript is gone: as long as it is there it must not be learned"
    " from a second time",
    "calls": "90 days: a fork or a resumed session copies what is younger",
    "ledger": "400 days, so that costs can be compared with the year before",
    "signals": "evidence_days; checkpoints of skills, the newest workflows of a project and what is"
    " evidence of a note stay",
    "evidence": "evidence_days, and the newest of each note, for `why`, `review` and facts told again",
    "firings": "as long as the note",
    "runs": "the newest hundred, let go of whenever one begins",
}
# What is not bounded by time, because it grows with what is known and not with how much is done.
KEPT: Mapping[str, str] = {
    "notes": "retired by caps and worth, removed only by `forget`",
    "labels": "derived from notes",
    "words": "derived from notes",
    "vectors": "derived from notes",
    "triggers": "derived from notes",
    "tallies": "one row for a note, a name and a device",
    "tombstones": "one row for what was forgotten",
    "signatures": "one row for a rule",
    "projects": "one row for a project",
    "aliases": "a few rows for a project",
    "leases": "one row for a name",
    "views": "one row for a file that is there",
    "meta": "a few rows",
    "migrations": "one row for a step of the schema",
}


class Retention(Value):
    """Limits and lifetimes of each kind of record."""

    sessions: int = 30
    checkpoints: int = 10
    archive_days: int = 30
    archive_months: int = 24
    state_days: int = 3
    evidence_days: int = 180

    def state_since(self, now: int) -> int:
        """Return the oldest last-seen time of a session with kept state."""
        return now - self.state_days * DAY

    def archive_since(self, now: int) -> int:
        """Return the oldest end of an episode kept unfolded."""
        return now - max(self.archive_days, self.state_days) * DAY

    def evidence_since(self, now: int) -> int:
        """Return the oldest time of complete evidence."""
        return now - max(self.evidence_days, self.archive_days, self.state_days) * DAY

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

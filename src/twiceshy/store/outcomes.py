"""Outcomes of notes, a row per exposure; each flag only rises, and is counted once.

An exposure is judged again whenever more of its session is known. Devices add their counters
up and keep the higher of two counts, so no count may be taken back or repeated.
"""

from __future__ import annotations

from twiceshy.core.moment import format_day
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.session import SkillUsage
from twiceshy.core.skill_usage import COUNTED, HOLDS, replay_counted_usage
from twiceshy.store.database import explain_errors
from twiceshy.store.entries import list_histories
from twiceshy.store.merged import list_merged_ids, map_merged_notes
from twiceshy.store.notes import SqliteNotes
from twiceshy.store.outcome_sums import is_summed, read_outcomes, select_sums
from twiceshy.store.prune import SEPARATOR, list_pruned_starts
from twiceshy.store.rows import join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

    from twiceshy.core.scope import Scope

_COLUMNS = ", ".join(Outcome.__fields__)
# A repeated judgement of a session only adds to what is known, on whichever device it was made.
_HIGHER = (*FLAGS, "calls_lost", "withheld", "tokens", "lot", "own")
_RISING = ", ".join(f"{name} = max({name}, excluded.{name})" for name in _HIGHER)
# Under these names notes count what came of them; whether it failed is for comparisons only.
_TALLIES = {name: "false" if name == "false_alarm" else name for name in FLAGS if name != "failed"}
_NO_DAY = ""  # of sessions of which nobody knows more than how many they were


class SqliteOutcomes(SqliteNotes):
    """Stores outcomes of notes, and counts sessions able to use notes."""

    @explain_errors
    def list_outcomes(self, *, since: int = 0, note: str = "") -> list[Outcome]:
        """Return the outcomes of exposures since a time, oldest first; old ones are summed by week.

        Outcomes of merged duplicates are those of the note that counts for them.
        """
        merged = map_merged_notes(self._db)
        same = list_merged_ids(self._db, note) if note else []
        within = f"note IN ({join_marks(same)}) AND" if note else ""
        found = read_outcomes(self._db, f"{within} at >= ?", (*same, since))
        summed = select_sums(self._db, f"{within} first_at >= ?", (*same, since))
        found += [each.read_outcome() for each in summed]
        found.sort(key=lambda each: (each.at, each.key))
        return [
            each.but(note=merged[each.note]) if each.note in merged else each for each in found
        ]

    @explain_errors
    def list_session_starts(self, scope: Scope) -> list[int]:
        """Return the start times of sessions able to use notes of a scope, sorted.

        Pruned sessions count on their day.
        """
        projects = () if scope.project == EVERYWHERE else self.list_project_ids(scope.project)
        where, bound = ["1"], list(projects)
        if projects:
            where.append(f"project IN ({join_marks(projects)})")
        if scope.skill:
            where.append("skill = ?")
            bound.append(scope.skill)
        what = "min(at) FROM skill_uses" if scope.skill else "min(started_at) FROM sessions"
        by = "session" if scope.skill else "id"
        found = self._db.execute(
            f"SELECT {what} WHERE {' AND '.join(where)} GROUP BY {by} ORDER BY 1", bound
        )
        pruned = list_pruned_starts(self._db, scope.skill, projects)
        return sorted([*pruned, *(at for (at,) in found)])

    @explain_errors
    def count_skill_usage(self) -> list[SkillUsage]:
        """Count the sessions using each skill: once per session, on the day of last use."""
        days: dict[str, dict[str, int]] = {}
        last: dict[str, int] = {}
        for skill, on, sessions, at in self._list_daily_usage():
            daily = days.setdefault(skill, {})
            daily[on] = daily.get(on, 0) + sessions
            last[skill] = max(at, last.get(skill, at))
        found = []
        for skill, daily in sorted(days.items()):
            dated = {on: count for on, count in sorted(daily.items()) if on != _NO_DAY}
            found.append(SkillUsage(skill, sum(daily.values()), last[skill], dated))
        return found

    def _list_daily_usage(self) -> list[tuple[str, str, int, int]]:
        """Return skill, day, sessions and last time, as counted here and on other devices."""
        rows = "SELECT skill, session, max(at) FROM skill_uses WHERE how = 'active' GROUP BY skill, session"
        found = [(skill, format_day(at), 1, at) for skill, _, at in self._db.execute(rows)]
        # of those whose rows were pruned only days are left; other rows there are about projects
        pruned = "SELECT * FROM skill_usage WHERE instr(skill, ?) = 0"
        found += self._db.execute(pruned, (SEPARATOR,)).fetchall()
        for known in map(replay_counted_usage, list_histories(self._db, COUNTED)):
            if known is None or known.status != HOLDS:
                continue
            one = known.usage
            found += [(one.skill, on, sessions, one.last_at) for on, sessions in one.daily.items()]
            found.append((one.skill, _NO_DAY, one.sessions - sum(one.daily.values()), one.last_at))
        return found

    def _write_outcome(self, outcome: Outcome) -> None:
        """Write the outcome of an exposure; repeated judgements count each flag once."""
        if not self._db.execute("SELECT 1 FROM notes WHERE id = ?", (outcome.note,)).fetchone():
            return  # it was forgotten meanwhile
        if is_summed(self._db, outcome.note, outcome.at, device=self.device):
            return  # it may be in the sum
        known = next(iter(read_outcomes(self._db, "key = ?", (outcome.key,))), None)
        add_outcome(self._db, outcome, own=True)
        if outcome.withheld:
            return
        for flag, name in _TALLIES.items():
            if getattr(outcome, flag) and not (known and getattr(known, flag)):
                self.increment_counter(name, [outcome.note])


def add_outcome(db: sqlite3.Connection, outcome: Outcome, *, own: bool) -> None:
    """Insert an outcome, or add what it knows more; no counter changes.

    ``own``: this device recorded it, and will sum it.
    """
    values = [int(each) if isinstance(each, bool) else each for each in outcome.fields().values()]
    db.execute(
        f"INSERT INTO outcomes ({_COLUMNS}, own) VALUES ({join_marks(values)}, ?)"
        f" ON CONFLICT DO UPDATE SET {_RISING}",
        (*values, own),
    )

"""Sums of outcomes by week: outcomes become sums, and the sums of devices are brought together.

A device sums what it recorded itself. Outcomes of other devices wait for the sums that those
devices make: as soon as any sum of a note's week is known, no outcome that another device recorded
in that week counts, nor does it come in again. So no session counts twice, in whatever order
outcomes and sums arrive. Outcomes whose device never summed them are summed as NOBODY's at the end
of their time, and such a sum gives way to that of a device.
"""

from __future__ import annotations

from twiceshy.core.evidence import STOP
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.outcome_sum import (
    EARLIER,
    NOBODY,
    WEEK,
    OutcomeSum,
    start_of_week,
    sum_earlier_weeks,
    sum_outcomes,
)
from twiceshy.store.rows import check_types, join_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

MOST_SUMMED = 20_000  # outcomes of one run, or of one week if that has more; the next run goes on
_RAW_COLUMNS = ", ".join(Outcome.__fields__)
_RAW_TYPES = tuple(str if kind == "str" else int for kind in Outcome.__annotations__.values())
_COLUMNS = ", ".join(OutcomeSum.__fields__)
_TYPES = tuple(str if kind == "str" else int for kind in OutcomeSum.__annotations__.values())
_IDENTITY = "note = ? AND week = ? AND device = ? AND withheld = ? AND lot = ? AND came = ?"
_FEWEST_WEEKS = 4  # that are moved to the earlier weeks at a time: each note's sums are sent anew
_START_OF_WEEK = f"at - (at + 3 * {WEEK // 7}) % {WEEK}"


def read_outcomes(db: sqlite3.Connection, where: str, bound: Sequence[object]) -> list[Outcome]:
    """Return the outcomes for which a condition holds."""
    found = []
    for row in db.execute(f"SELECT {_RAW_COLUMNS} FROM outcomes WHERE {where}", bound):
        check_types(row, _RAW_TYPES)
        fields = dict(zip(Outcome.__fields__, row, strict=True))
        found.append(
            Outcome.of(fields | {name: bool(fields[name]) for name in ("withheld", *FLAGS)})
        )
    return found


def select_sums(
    db: sqlite3.Connection, where: str = "1", bound: Sequence[object] = ()
) -> list[OutcomeSum]:
    """Return the sums for which a condition holds."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM outcome_sums WHERE {where} ORDER BY week, note, device", bound
    )
    return [build_sum(row) for row in rows]


def build_sum(row: Sequence[object]) -> OutcomeSum:
    """Return the sum of a row."""
    check_types(row, _TYPES)
    fields = dict(zip(OutcomeSum.__fields__, row, strict=True))
    return OutcomeSum.of(fields | {"withheld": bool(fields["withheld"])})


def is_summed(db: sqlite3.Connection, note: str, at: int, *, device: str | None = None) -> bool:
    """True if a note's week is summed, by anybody or by a device."""
    week = start_of_week(at)
    where = f"note = ? AND (week = ? OR (week = {EARLIER} AND until >= ?))"
    bound: list[object] = [note, week, week]
    if device is not None:
        where, bound = f"{where} AND device = ?", [*bound, device]
    return bool(db.execute(f"SELECT 1 FROM outcome_sums WHERE {where} LIMIT 1", bound).fetchone())


def sum_old_outcomes(
    db: sqlite3.Connection, *, device: str, before: int, foreign_before: int
) -> int:
    """Sum the outcomes of weeks that are over; return the number of outcomes.

    ``foreign_before``: when to stop waiting for the sums of other devices.
    """
    own = _sum_weeks(db, own=True, device=device, before=before)
    return own + _sum_weeks(db, own=False, device=NOBODY, before=foreign_before)


def _sum_weeks(db: sqlite3.Connection, *, own: bool, device: str, before: int) -> int:
    due, bound = "own = ? AND at < ?", (own, _choose_end(db, own=own, end=start_of_week(before)))
    outcomes = read_outcomes(db, due, bound)
    for each in sum_outcomes(outcomes, device=device):
        keep_sum(db, each)
    db.execute(f"DELETE FROM outcomes WHERE {due}", bound)
    stops = [(each.key,) for each in outcomes if each.channel == STOP]
    db.executemany("DELETE FROM exposures WHERE key = ?", stops)
    return len(outcomes)


def _choose_end(db: sqlite3.Connection, *, own: bool, end: int) -> int:
    """Return the end of the weeks that a run can sum."""
    many = 0
    for week, count in db.execute(
        f"SELECT {_START_OF_WEEK} AS week, count(*) FROM outcomes WHERE own = ? AND at < ?"
        " GROUP BY week ORDER BY week",
        (own, end),
    ).fetchall():
        if many and many + count > MOST_SUMMED:
            return int(week)
        many += count
    return end


def move_earlier_weeks(db: sqlite3.Connection, *, device: str, before: int) -> int:
    """Move a device's own old weeks to its earlier weeks; return the number of rows saved."""
    end = start_of_week(before)
    where = f"device = ? AND week <> {EARLIER} AND week < ?"
    first = db.execute(f"SELECT min(week) FROM outcome_sums WHERE {where}", (device, end))
    (oldest,) = first.fetchone()
    if oldest is None or oldest + _FEWEST_WEEKS * WEEK > end:
        return 0
    weeks = select_sums(db, where, (device, end))
    many = db.execute("SELECT count(*) FROM outcome_sums").fetchone()[0]
    for note in sorted({each.note for each in weeks}):
        earlier = select_sums(db, f"device = ? AND week = {EARLIER} AND note = ?", (device, note))
        its = [each for each in weeks if each.note == note]
        for one in sum_earlier_weeks(its, earlier, until=end - WEEK):
            keep_sum(db, one)
    return int(many - db.execute("SELECT count(*) FROM outcome_sums").fetchone()[0])


def take_foreign_sum(db: sqlite3.Connection, one: OutcomeSum) -> None:
    """Store the sum that another device made; its stops are in the sum."""
    keep_sum(db, one)
    db.execute(
        f"DELETE FROM exposures WHERE channel = '{STOP}' AND note = ? AND at >= ? AND at < ?",
        _list_bounds(one),
    )


def keep_sum(db: sqlite3.Connection, one: OutcomeSum) -> None:
    """Store a sum, and let go of what it stands for; the greater of two with one identity stays."""
    if _is_covered(db, one):
        return
    known = next(iter(select_sums(db, _IDENTITY, one.identity)), None)
    if known is None or known.extent < one.extent:
        marks = join_marks(OutcomeSum.__fields__)
        values = [int(v) if isinstance(v, bool) else v for v in one.fields().values()]
        db.execute(f"INSERT OR REPLACE INTO outcome_sums ({_COLUMNS}) VALUES ({marks})", values)
    _drop_covered(db, one)


def _is_covered(db: sqlite3.Connection, one: OutcomeSum) -> bool:
    """True if a sum is part of one of earlier weeks, or is nobody's where a device's is known."""
    where, bound = f"note = ? AND week = {EARLIER} AND until >= ?", [one.note, one.week]
    if one.device == NOBODY:
        where = f"note = ? AND device <> '{NOBODY}' AND (week = ? OR (week = {EARLIER} AND until >= ?))"
        bound = [one.note, one.week, one.week]
    elif one.week == EARLIER:
        return False
    else:
        where, bound = f"{where} AND device = ?", [*bound, one.device]
    return bool(db.execute(f"SELECT 1 FROM outcome_sums WHERE {where} LIMIT 1", bound).fetchone())


def _drop_covered(db: sqlite3.Connection, one: OutcomeSum) -> None:
    """Delete what a sum stands for: weeks, nobody's sums, and outcomes that others recorded."""
    if one.week == EARLIER:
        db.execute(
            f"DELETE FROM outcome_sums WHERE device = ? AND note = ? AND week <> {EARLIER} AND week <= ?",
            (one.device, one.note, one.until),
        )
    within = _list_bounds(one)
    if one.device != NOBODY:
        db.execute(
            f"DELETE FROM outcome_sums WHERE device = '{NOBODY}' AND note = ? AND week >= ? AND week < ?",
            within,
        )
    db.execute("DELETE FROM outcomes WHERE own = 0 AND note = ? AND at >= ? AND at < ?", within)


def _list_bounds(one: OutcomeSum) -> tuple[str, int, int]:
    """Return the note of a sum, and the begin and end of its weeks."""
    return (one.note, one.week, one.until + WEEK)

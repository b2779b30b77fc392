"""What came of notes, one row an exposure: its flags only ever rise, and each rise is tallied once.

An exposure is judged again whenever more of its session is known. Devices add their tallies up and
keep the higher of two counts, so nothing that was counted may be taken back, nor counted twice.
"""

from __future__ import annotations

from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.store import observe
from twiceshy.store.rows import check

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

_COLUMNS = ", ".join(Outcome.__fields__)
_MARKS = ", ".join("?" * len(Outcome.__fields__))
_RISING = ", ".join(f"{name} = max({name}, excluded.{name})" for name in (*FLAGS, "calls_lost"))
_TYPES = tuple(str if kind == "str" else int for kind in Outcome.__annotations__.values())
# Under these names notes count what came of them; whether it failed is for comparisons only.
_TALLIES = {name: "false" if name == "false_alarm" else name for name in FLAGS if name != "failed"}


def keep(db: sqlite3.Connection, outcomes: Iterable[Outcome], *, device: str) -> None:
    """Write down what came of exposures, and tally what was not known before."""
    for outcome in outcomes:
        _keep(db, outcome, device=device)


def since(db: sqlite3.Connection, at: int, *, note: str) -> list[Outcome]:
    """Return what came of notes that were shown from that moment on, of one or of all, in order."""
    where, bound = ("note = ? AND at >= ?", (note, at)) if note else ("at >= ?", (at,))
    found = db.execute(f"SELECT {_COLUMNS} FROM outcomes WHERE {where} ORDER BY at, key", bound)
    return [_outcome(row) for row in found]


def began(db: sqlite3.Connection, skill: str, projects: Sequence[str]) -> list[int]:
    """Return when sessions began, in order: those of some projects or all, that used a skill or any.

    Those whose rows were pruned count on their day.
    """
    from twiceshy.store import prune_usage

    where, bound = ["1"], list(projects)
    if projects:
        where.append(f"project IN ({', '.join('?' * len(projects))})")
    if skill:
        where.append("skill = ?")
        bound.append(skill)
    what = "min(at) FROM uses" if skill else "min(started_at) FROM sessions"
    found = db.execute(
        f"SELECT {what} WHERE {' AND '.join(where)} GROUP BY {'session' if skill else 'id'} ORDER BY 1",
        bound,
    )
    pruned = prune_usage.began(db, skill, projects)
    return sorted([*pruned, *(at for (at,) in found)])


def _keep(db: sqlite3.Connection, outcome: Outcome, *, device: str) -> None:
    if not db.execute("SELECT 1 FROM notes WHERE id = ?", (outcome.note,)).fetchone():
        return  # it was forgotten meanwhile
    known = _by_key(db, outcome.key)
    db.execute(
        f"INSERT INTO outcomes ({_COLUMNS}) VALUES ({_MARKS}) ON CONFLICT DO UPDATE SET {_RISING}",
        [int(each) if isinstance(each, bool) else each for each in outcome.fields().values()],
    )
    if outcome.withheld:
        return
    for flag, name in _TALLIES.items():
        if getattr(outcome, flag) and not (known and getattr(known, flag)):
            observe.tally(db, name, [outcome.note], device=device)


def _by_key(db: sqlite3.Connection, key: str) -> Outcome | None:
    row = db.execute(f"SELECT {_COLUMNS} FROM outcomes WHERE key = ?", (key,)).fetchone()
    return _outcome(row) if row else None


def _outcome(row: Sequence[object]) -> Outcome:
    check(row, _TYPES)
    fields = dict(zip(Outcome.__fields__, row, strict=True))
    return Outcome.of(fields | {name: bool(fields[name]) for name in ("withheld", *FLAGS)})

"""Days of use: each day of a write. They attest the clock; see ``core/clock.py``."""

from __future__ import annotations

from twiceshy.core.clock import ATTESTING_DAYS
from twiceshy.core.moment import DAY

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

_KEPT = 31
# A store that was just converted, rescued or filled by a sync has days in its journal only.
_RECORDED = f"""
    SELECT day FROM days UNION SELECT at / {DAY} FROM journal ORDER BY day DESC LIMIT ?
"""


def list_newest_days(db: sqlite3.Connection) -> list[int]:
    """Return the newest days of use as days since 1970, newest first."""
    known = "SELECT day FROM days ORDER BY day DESC LIMIT ?"
    found = db.execute(known, (_KEPT,)).fetchall()
    if len(found) < ATTESTING_DAYS:
        found = db.execute(_RECORDED, (_KEPT,)).fetchall()
    return [day for (day,) in found]


def prune_days(db: sqlite3.Connection, *, now: int) -> None:
    """Keep the newest days, and none from the future: a clock that was wrong attests nothing."""
    db.execute("DELETE FROM days WHERE day > ?", (now // DAY + 1,))
    db.execute(
        "DELETE FROM days WHERE day NOT IN (SELECT day FROM days ORDER BY day DESC LIMIT ?)",
        (_KEPT,),
    )

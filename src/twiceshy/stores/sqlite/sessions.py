"""What lasts as long as a session: its place, its intents, and the skills it used."""

from __future__ import annotations

from twiceshy.core.moment import day
from twiceshy.core.session import INTENT_MS, MOST_INTENTS, Session, Usage, Use
from twiceshy.core.signal import Exposure

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.filter import Filter


def by_id(db: sqlite3.Connection, session: str) -> Session | None:
    """Return what is known of a session."""
    row = db.execute("SELECT * FROM sessions WHERE id = ?", (session,)).fetchone()
    return Session(*row) if row else None


def keep(db: sqlite3.Connection, session: Session) -> None:
    """Write a session down as it is now."""
    values = list(session.fields().values())
    db.execute(f"INSERT OR REPLACE INTO sessions VALUES ({_marks(values)})", values)


def stash(db: sqlite3.Connection, session: str, call: str, intent: str, *, at: int) -> None:
    """Remember an intent; the oldest give way when there are too many."""
    from twiceshy.core.redact import RULES_VERSION

    values = (session, call, intent, at, RULES_VERSION)
    db.execute(f"INSERT OR REPLACE INTO intents VALUES ({_marks(values)})", values)
    db.execute("DELETE FROM intents WHERE call <> '' AND at < ?", (at - INTENT_MS,))
    db.execute(
        """
        DELETE FROM intents WHERE (session, call) NOT IN
            (SELECT session, call FROM intents ORDER BY at DESC, session, call LIMIT ?)
        """,
        (MOST_INTENTS,),
    )


def intent(db: sqlite3.Connection, session: str, call: str, *, now: int) -> str:
    """Return what a call, or without one the session, is about, as far as that is known."""
    row = db.execute(
        "SELECT intent FROM intents WHERE session = ? AND call = ? AND (call = '' OR at >= ?)",
        (session, call, now - INTENT_MS),
    ).fetchone()
    return str(row[0]) if row else ""


def use(db: sqlite3.Connection, session: str, agent: str, skill: str) -> Use | None:
    """Return what is known of a skill in a conversation."""
    found = uses(db, session, agent, "AND skill = ?", skill)
    return found[0] if found else None


def uses(
    db: sqlite3.Connection, session: str, agent: str, more: str = "", *values: str
) -> list[Use]:
    """Return the skills of a conversation, the last one first."""
    found = db.execute(
        f"SELECT * FROM uses WHERE session = ? AND agent = ? {more} ORDER BY at DESC, skill",
        (session, agent, *values),
    )
    return [Use(*row) for row in found]


def keep_use(db: sqlite3.Connection, used: Use) -> None:
    """Write down that a skill was used, and what the agent was told about it."""
    values = list(used.fields().values())
    db.execute(f"INSERT OR REPLACE INTO uses VALUES ({_marks(values)})", values)


def exposures(db: sqlite3.Connection, session: str) -> list[Exposure]:
    """Return what a session was shown or kept from."""
    found = db.execute("SELECT * FROM exposures WHERE session = ? ORDER BY key", (session,))
    return [Exposure(*row).but(withheld=bool(row[-1])) for row in found]


def usage(db: sqlite3.Connection) -> list[Usage]:
    """Count sessions by skill: each once, on the day it used the skill last."""
    found = db.execute(
        "SELECT skill, session, max(at) FROM uses WHERE how = 'active' GROUP BY skill, session"
    ).fetchall()
    days: dict[str, dict[str, int]] = {}
    for skill, _, at in found:
        daily = days.setdefault(skill, {})
        daily[day(at)] = daily.get(day(at), 0) + 1
    return [
        Usage(
            skill,
            sum(daily.values()),
            max(at for name, _, at in found if name == skill),
            dict(sorted(daily.items())),
        )
        for skill, daily in sorted(days.items())
    ]


def state(db: sqlite3.Connection, which: Filter) -> str:
    """Sum up the notes a filter means, so that a change to any of them changes the sum."""
    from twiceshy.stores.sqlite.condition import condition

    where, bound = condition(which)
    counted = "count(*), max(id), sum(revision), sum(pinned)"
    row = db.execute(f"SELECT {counted} FROM notes WHERE {where}", bound).fetchone()
    return "-".join(str(part or 0) for part in row)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))

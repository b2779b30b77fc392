"""What lasts as long as a session: its place, its intents, the skills it used, and what it knows of others."""

from __future__ import annotations

from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import day
from twiceshy.core.session import INTENT_MS, MOST_INTENTS, Prompt, Session, Usage, Use

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from twiceshy.core.filter import Filter
    from twiceshy.core.session import Changed


# What people and agents say on purpose; what was merely seen again is no news.
_TELLING = ("write", "edit", "restore", "promote", "move")
_MOST = 200  # changes that are looked at; whoever was away for longer is told of the last ones

_NO_DAY = ""  # of sessions of which nobody knows more than how many they were


def by_id(db: sqlite3.Connection, session: str) -> Session | None:
    """Return what is known of a session."""
    row = db.execute("SELECT * FROM sessions WHERE id = ?", (session,)).fetchone()
    return Session(*row) if row else None


def keep(db: sqlite3.Connection, session: Session) -> None:
    """Write a session down as it is now; what others counted meanwhile is not taken back."""
    values = list(session.fields().values())
    db.execute(
        f"""
        INSERT INTO sessions VALUES ({_marks(values)}) ON CONFLICT DO UPDATE SET
            runtime = excluded.runtime, project = excluded.project, root = excluded.root,
            transcript = excluded.transcript, started_at = excluded.started_at,
            seen_at = max(seen_at, excluded.seen_at), prompts = max(prompts, excluded.prompts),
            fullness = CASE WHEN excluded.era > era THEN 0 ELSE fullness END,
            era = max(era, excluded.era), looked = max(looked, excluded.looked)
        """,
        values,
    )


def count_prompt(db: sqlite3.Connection, prompt: Prompt) -> None:
    """Count a prompt, unless its key is known; the session is written down if nobody has."""
    key = f"prompt/{prompt.key}"
    said = db.execute(
        "INSERT OR IGNORE INTO calls VALUES (?, ?, ?)", (key, prompt.session, prompt.at)
    )
    if not said.rowcount:
        return
    at = prompt.at
    place = (prompt.session, prompt.runtime, prompt.project, prompt.root, prompt.transcript)
    new = Session(*place, started_at=at, seen_at=at, era=prompt.era)
    values = list(new.fields().values())
    db.execute(f"INSERT OR IGNORE INTO sessions VALUES ({_marks(values)})", values)
    db.execute(
        "UPDATE sessions SET prompts = prompts + 1, seen_at = max(seen_at, ?) WHERE id = ?",
        (at, prompt.session),
    )


def fill(db: sqlite3.Connection, session: str, percent: int) -> None:
    """Write down how much of a session's context is used."""
    db.execute("UPDATE sessions SET fullness = ? WHERE id = ?", (percent, session))


def stash(db: sqlite3.Connection, session: str, call: str, intent: str, *, at: int) -> None:
    """Remember an intent; the oldest give way when there are too many."""
    from twiceshy.safety.redact import RULES_VERSION

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
    from twiceshy.store.prune_usage import SEPARATOR

    rows = "SELECT skill, session, max(at) FROM uses WHERE how = 'active' GROUP BY skill, session"
    found = [(skill, day(at), 1, at) for skill, _, at in db.execute(rows)]
    # of those whose rows were pruned only days are left; other rows there are about projects
    found += db.execute("SELECT * FROM usage WHERE instr(skill, ?) = 0", (SEPARATOR,)).fetchall()
    for one in _elsewhere(db):
        found += [(one.skill, on, sessions, one.last_at) for on, sessions in one.daily.items()]
        found.append((one.skill, _NO_DAY, one.sessions - sum(one.daily.values()), one.last_at))
    days: dict[str, dict[str, int]] = {}
    last: dict[str, int] = {}
    for skill, on, sessions, at in found:
        daily = days.setdefault(skill, {})
        daily[on] = daily.get(on, 0) + sessions
        last[skill] = max(at, last.get(skill, at))
    return [
        Usage(skill, sum(daily.values()), last[skill], _dated(daily))
        for skill, daily in sorted(days.items())
    ]


def _elsewhere(db: sqlite3.Connection) -> list[Usage]:
    """Return how other programs counted."""
    from twiceshy.core.skill_usage import COUNTED, HOLDS, replay_counted
    from twiceshy.store import journal

    known = map(replay_counted, journal.of_kind(db, COUNTED))
    return [one.usage for one in known if one and one.life == HOLDS]


def _dated(daily: dict[str, int]) -> dict[str, int]:
    return {on: count for on, count in sorted(daily.items()) if on != _NO_DAY}


def state(db: sqlite3.Connection, which: Filter) -> str:
    """Sum up the notes a filter means, so that a change to any of them changes the sum."""
    from twiceshy.store.condition import condition

    where, bound = condition(which)
    counted = "count(*), max(id), sum(revision), sum(pinned)"
    row = db.execute(f"SELECT {counted} FROM notes WHERE {where}", bound).fetchone()
    return "-".join(str(part or 0) for part in row)


def changed(
    db: sqlite3.Connection,
    projects: Sequence[str],
    *,
    since: int,
    but: str,
    kinds: Sequence[str],
    device: str,
) -> list[Changed]:
    """Return the notes that somebody else said something new about since a mark, the last first."""
    from twiceshy.core.note import SHOWN
    from twiceshy.core.session import Changed
    from twiceshy.store import find

    found = db.execute(
        f"""
        SELECT object, max(at), max(op = 'write') FROM notes JOIN (
            SELECT j.object, j.at, j.op, j.batch, j.clock AS mark FROM journal j
            WHERE j.clock > ? AND j.device = ? AND j.op IN ({_marks(_TELLING)})
            UNION ALL
            SELECT j.object, j.at, j.op, j.batch, a.arrived FROM arrivals a
                JOIN journal j ON j.clock = a.clock AND j.device = a.device
            WHERE a.arrived > ? AND j.op IN ({_marks(_TELLING)})
        ) ON id = object
        WHERE life IN ({_marks(SHOWN)}) AND kind IN ({_marks(kinds)})
            AND project IN ({_marks(projects)})
            AND batch NOT IN (SELECT batch FROM authors WHERE session = ?)
        GROUP BY object ORDER BY max(mark) DESC, object LIMIT ?
        """,
        (since, device, *_TELLING, since, *_TELLING, *SHOWN, *kinds, *projects, but, _MOST),
    ).fetchall()
    notes = ((find.by_id(db, object_id), at, new) for object_id, at, new in found)
    return [Changed(note, at, bool(new)) for note, at, new in notes if note]


def arrived(db: sqlite3.Connection, clock: int, device: str, *, mark: int, at: int) -> None:
    """Write down that an entry of another device came in."""
    db.execute("INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?)", (clock, device, mark, at))


def sign(db: sqlite3.Connection, batch: str, session: str, *, at: int) -> None:
    """Write down which session makes a change."""
    db.execute("INSERT OR IGNORE INTO authors VALUES (?, ?, ?)", (batch, session, at))


def was_shown(db: sqlite3.Connection, key: str) -> bool:
    """Tell whether something was shown before."""
    return bool(db.execute("SELECT 1 FROM exposures WHERE key = ?", (key,)).fetchone())


def caller(db: sqlite3.Connection, call: str, projects: Sequence[str], *, now: int) -> str:
    """Return who announced a call last, within the time that intents are kept."""
    within = f"AND s.project IN ({_marks(projects)})" if projects else ""
    row = db.execute(
        f"""
        SELECT i.session FROM intents i JOIN sessions s ON s.id = i.session
        WHERE i.call = ? AND i.at >= ? {within} ORDER BY i.at DESC LIMIT 1
        """,
        (call, now - INTENT_MS, *projects),
    ).fetchone()
    return str(row[0]) if row else ""


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))

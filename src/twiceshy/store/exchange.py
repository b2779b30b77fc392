"""Read all that another store would need, and keep what another store knew."""

from __future__ import annotations

from twiceshy.core.clock import from_future
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.history import FORGET, REBASE, Entry
from twiceshy.core.store import Alias, KnownProject, Tally, Tombstone
from twiceshy.store import erase, find, journal, observe, words
from twiceshy.store import settle as settling
from twiceshy.store.rows import load

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.store import Record
    from twiceshy.store.erase import Gone

    Condition = tuple[str, list[object]]

_PROJECTS = "SELECT id, name, root, seen_at FROM projects WHERE {} ORDER BY id"
_ALIASES = "SELECT alias, project FROM aliases WHERE {} ORDER BY alias"
_ENTRIES = """
    SELECT j.clock, j.device, j.batch, j.op, j.object, j.at, b.body, a.body, j.refers
    FROM journal j LEFT JOIN payloads b ON b.id = j.before LEFT JOIN payloads a ON a.id = j.after
    WHERE {} ORDER BY j.clock, j.device
"""
_SIGNALS = f"SELECT {', '.join(Signal.__fields__)} FROM signals WHERE {{}} ORDER BY at, key"
_EXPOSURES = f"SELECT {', '.join(Exposure.__fields__)} FROM exposures WHERE {{}} ORDER BY at, key"
_TALLIES = "SELECT note, name, device, count FROM tallies WHERE {} ORDER BY note, name, device"
_TOMBSTONES = """
    SELECT project, skill, fingerprint, at FROM tombstones
    WHERE {} ORDER BY project, skill, fingerprint
"""


def everything(
    db: sqlite3.Connection,
    *,
    only: Sequence[type[Record]] = (),
    projects: Sequence[str] | None = None,
    skill: str | None = None,
) -> Iterator[Record]:
    """Yield the records of a scope, or all, as they stood at one moment."""
    alone = not db.in_transaction
    if alone:
        db.execute("BEGIN")  # what others write meanwhile is not seen
    try:
        for cls, sql, (where, bound) in _selections(projects, skill):
            if not only or cls in only:
                yield from (_made(cls, row) for row in db.execute(sql.format(where), bound))
    finally:
        if alone and db.in_transaction:
            db.execute("COMMIT")


def take_in(
    db: sqlite3.Connection,
    records: Iterable[Record],
    *,
    gate: Callable[[str], str],
    received: Callable[[Entry], None],
) -> Iterator[str]:
    """Keep each record that is new; yield the notes and episodes it bears on.

    ``received`` hears of every new entry, so that the clock moves on.
    """
    gone = {row[0] for row in db.execute(f"SELECT object FROM journal WHERE op = '{FORGET}'")}
    for record in records:
        if isinstance(record, Entry):
            if record.op == FORGET:
                gone.add(record.object)
            # what was forgotten is not even written to be erased again
            kept = _gated(record, gate, erased=record.object in gone)
            if journal.append(db, kept):
                received(kept)
                yield kept.object
        elif isinstance(record, Tombstone):
            yield from _bury(db, record)
        elif not (isinstance(record, Exposure | Tally) and record.note in gone):
            _keep(db, record, gate)


def settle(db: sqlite3.Connection, objects: Iterable[str]) -> list[Gone]:
    """Bring the tables to what the journal says; return the notes that were erased."""
    objects = list(dict.fromkeys(objects))
    erased = [gone for object_id in objects if (gone := _erase_forgotten(db, object_id))]
    # Two notes may have exchanged their words; on the way there both would say the same.
    db.executemany(
        "UPDATE notes SET fingerprint = 'settling ' || id WHERE id = ?",
        [(object_id,) for object_id in objects],
    )
    for object_id in objects:
        settling.settle(db, object_id)
    if erased:  # only now are they out of the index, whose pages still hold their words
        words.wipe(db)
    return erased


def ahead(db: sqlite3.Connection, entry: Entry, *, now: int) -> bool:
    """Tell whether an entry still counts from the future, whatever others have said about it."""
    known = db.execute(
        f"SELECT clock FROM journal WHERE object = ? AND op = '{REBASE}' AND refers = ?",
        (entry.object, entry.id),
    )
    return from_future(min([entry.clock, *(clock for (clock,) in known)]), now=now)


def _selections(
    projects: Sequence[str] | None, skill: str | None
) -> Iterator[tuple[type[Record], str, Condition]]:
    """Yield what selects each kind of record, in the order in which they are exported."""
    within = where, bound = _within(projects, skill)
    everywhere = where == "1"

    def among(column: str, found: str) -> Condition:
        return within if everywhere else (f"{column} IN ({found} WHERE {where})", bound)

    yield KnownProject, _PROJECTS, among("id", "SELECT project FROM notes")
    yield Alias, _ALIASES, among("project", "SELECT project FROM notes")
    yield Entry, _ENTRIES, within if everywhere else _objects(within, projects, skill)
    yield Signal, _SIGNALS, within
    yield Exposure, _EXPOSURES, among("note", "SELECT id FROM notes")
    yield Tally, _TALLIES, among("note", "SELECT id FROM notes")
    yield Tombstone, _TOMBSTONES, within


def _within(projects: Sequence[str] | None, skill: str | None) -> Condition:
    """Return a condition on the columns of a scope."""
    parts: list[str] = []
    bound: list[object] = []
    if projects is not None:
        parts.append(f"project IN ({', '.join('?' * len(projects))})")
        bound += projects
    if skill is not None:
        parts.append("skill = ?")
        bound.append(skill)
    return " AND ".join(parts) or "1", bound


def _objects(within: Condition, projects: Sequence[str] | None, skill: str | None) -> Condition:
    """Return what the journal of a scope is about; where a forgotten note lived, nobody knows."""
    where, bound = within
    objects = f"SELECT id FROM notes WHERE {where}"
    objects += f" UNION SELECT object FROM journal WHERE op = '{FORGET}'"
    if skill is None:  # episodes belong to no skill
        where, values = _within(projects, None)
        objects, bound = f"{objects} UNION SELECT id FROM episodes WHERE {where}", bound + values
    return f"j.object IN ({objects})", bound


def _made(cls: type[Record], row: Sequence[object]) -> Record:
    fields = dict(zip(cls.__fields__, row, strict=True))
    for name in ("before", "after"):
        if isinstance(body := fields.get(name), str):
            fields[name] = load(body)
    if "withheld" in fields:
        fields["withheld"] = bool(fields["withheld"])
    return cls.of(fields)


def _keep(
    db: sqlite3.Connection,
    record: Signal | Exposure | Tally | KnownProject | Alias,
    gate: Callable[[str], str],
) -> None:
    match record:
        case Signal() | Exposure():
            safe = record.but(**observe.gated(record.fields(), gate))
            observe.keep(db, safe)
        case Tally():
            _count(db, record)
        case KnownProject(project, name, root, seen_at):
            row = (project, gate(name), gate(root), seen_at)
            db.execute("INSERT OR IGNORE INTO projects VALUES (?, ?, ?, ?)", row)
        case Alias(alias, project):
            from twiceshy.store import projects

            if projects.is_linked(db, gate(alias)):
                return  # its entries tell, and whoever sends the name has not heard of them yet
            db.execute("INSERT OR IGNORE INTO aliases VALUES (?, ?)", (gate(alias), project))


def _gated(entry: Entry, gate: Callable[[str], str], *, erased: bool) -> Entry:
    before, after = (
        None if fields is None or erased else observe.gated(fields, gate)
        for fields in (entry.before, entry.after)
    )
    return entry.but(before=before, after=after)


def _bury(db: sqlite3.Connection, grave: Tombstone) -> list[str]:
    """Put up a tombstone, or date it later; return the notes that say what it forbids."""
    place = (grave.project, grave.skill, grave.fingerprint)
    db.execute(
        """
        INSERT INTO tombstones VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET at = max(at, excluded.at)
        """,
        (*place, grave.at),
    )
    same = "SELECT id FROM notes WHERE project = ? AND skill = ? AND fingerprint = ?"
    return [note_id for (note_id,) in db.execute(same, place)]


def _count(db: sqlite3.Connection, tally: Tally) -> None:
    """Take over what a device counted; it only ever counts up."""
    db.execute(
        """
        INSERT INTO tallies (note, name, device, count) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET count = max(count, excluded.count)
        """,
        (tally.note, tally.name, tally.device, tally.count),
    )


def _erase_forgotten(db: sqlite3.Connection, object_id: str) -> Gone | None:
    """Erase what is left of an object that was forgotten; None if there is nothing to erase."""
    entries = journal.about(db, object_id)
    forgets = [entry for entry in entries if entry.op == FORGET]
    if not forgets or all(entry.before is None and entry.after is None for entry in entries):
        return None
    if note := find.by_id(db, object_id):
        erase.bury(db, note, at=min(entry.at for entry in forgets))
    return erase.erase(db, object_id)

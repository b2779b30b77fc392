"""Take quotations out of every table, inside the caller's transaction."""

from __future__ import annotations

from twiceshy.core.erasure import ErasureReport
from twiceshy.core.errors import DamagedStoreError, NoteError
from twiceshy.core.history import FORGET, replay_episode, replay_note
from twiceshy.store import index_notes, text_columns
from twiceshy.store.clean_fields import WORDS, clean_body
from twiceshy.store.entries import list_entries
from twiceshy.store.rows import join_marks
from twiceshy.store.settle import EPISODE, LINK, settle_object
from twiceshy.store.text_columns import PLACES, TEXT_COLUMNS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence

    from twiceshy.language.quoted_words import QuoteFinder

    Row = tuple[object, ...]

_KINDS = {
    "diary": "diary",
    "reflect": "reflections",
    "handoff": "handoffs",
    "page": "pages",
    "task": "tasks",
}
REWRITTEN, SIGNAL = "object", "signal"  # in the table of erasures


class TableSweep:
    """One sweep of a database; ``record_forget`` journals that an object is forgotten."""

    def __init__(
        self,
        db: sqlite3.Connection,
        finder: QuoteFinder,
        *,
        at: int,
        record_forget: Callable[[str], object],
    ) -> None:
        self._db, self._finder, self._at = db, finder, at
        self._record_forget = record_forget
        self.places: dict[str, int] = {}
        self.objects: dict[str, None] = {}  # rewritten or forgotten

    def sweep_tables(self, gone: Sequence[str]) -> None:
        """Sweep the journal, then every other table; ``gone`` are the objects that were named."""
        touched = self._sweep_payloads()
        for object_id in touched:
            self._settle(object_id)
        self._sweep_stray_rows()
        for table, columns in TEXT_COLUMNS.items():
            self._sweep_table(table, columns)
        index_notes.merge_index(self._db)
        self.objects = {each: None for each in self.objects if each not in gone}

    def build_report(self) -> ErasureReport:
        """Return what was swept."""
        return ErasureReport(dict(self.places), tuple(self.objects))

    def count_object(self, object_id: str) -> None:
        """Count an object that goes as a whole."""
        self._count(self._name_place(object_id))

    def drop_signals(self, keys: Sequence[str]) -> None:
        """Delete the signals that taught what is forgotten, and nothing else."""
        for key in keys:
            if self._db.execute("DELETE FROM signals WHERE key = ?", (key,)).rowcount:
                self._count("signals")
                self._note_erased(SIGNAL, key)

    def _sweep_payloads(self) -> list[str]:
        touched: dict[str, None] = {}
        rows = self._db.execute("SELECT id, object, body FROM payloads").fetchall()
        for number, object_id, body in rows:
            if not self._finder.holds(body):
                continue
            cleaned = clean_body(body, self._finder)
            if cleaned != body:
                touched[object_id] = None
                self._db.execute("UPDATE payloads SET body = ? WHERE id = ?", (cleaned, number))
        return list(touched)

    def _settle(self, object_id: str) -> None:
        """Update the tables to a cleaned history; what has no words left is forgotten."""
        place = self._name_place(object_id)
        self._count(place)
        self.objects[object_id] = None
        self._note_erased(REWRITTEN, object_id)
        try:
            if object_id.startswith(LINK) or not self._is_hollow(object_id):
                settle_object(self._db, object_id)
                return
        except (NoteError, DamagedStoreError):
            pass  # it says the same as another note now, or nothing that makes sense
        self._record_forget(object_id)

    def _is_hollow(self, object_id: str) -> bool:
        entries = list_entries(self._db, object_id)
        if any(entry.op == FORGET for entry in entries):
            return False
        if object_id.startswith(EPISODE):
            episode = replay_episode(entries)
            said = (episode.title, episode.summary, *episode.requests) if episode else ()
            return episode is not None and not "".join(said).strip()
        try:
            note = replay_note(entries)
        except (KeyError, TypeError, ValueError):
            return True
        return note is not None and not note.text.strip()

    def _name_place(self, object_id: str) -> str:
        table, other = (
            ("episodes", "notes") if object_id.startswith(EPISODE) else ("notes", "notes")
        )
        row = self._db.execute(f"SELECT kind FROM {table} WHERE id = ?", (object_id,)).fetchone()
        kind = row[0] if row else ""
        return _KINDS.get(kind, "episodes" if table == "episodes" else other)

    def _sweep_stray_rows(self) -> None:
        """Delete rows without a history that quote; what has one was settled."""
        for table in ("episodes", "notes"):
            columns = ["id", *sorted(WORDS.intersection(TEXT_COLUMNS[table]))]
            rows = self._db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
            for row in rows:
                if any(isinstance(value, str) and self._finder.holds(value) for value in row[1:]):
                    self._count(table)
                    self._record_forget(str(row[0]))

    def _sweep_table(self, table: str, columns: dict[str, str]) -> None:
        swept = {
            name: how
            for name, how in columns.items()
            if how not in (text_columns.DERIVED, text_columns.CODE)
            and (how != text_columns.NAME or self._finder.words.exact)
        }
        if not swept:
            return
        keys = _list_key_columns(self._db, table)
        asked = f"SELECT {', '.join((*keys, *swept))} FROM {table}"
        for row in self._db.execute(asked).fetchall():
            key, values = row[: len(keys)], dict(zip(swept, row[len(keys) :], strict=True))
            changed = dict(self._clean_row(swept, values))
            if changed:
                self._change_row(table, keys, key, changed)

    def _clean_row(
        self, swept: dict[str, str], values: dict[str, object]
    ) -> Iterator[tuple[str, str | None]]:
        """Yield the changed columns of a row; None for one that takes the row with it."""
        for name, how in swept.items():
            value = values[name]
            if not isinstance(value, str) or not value or not self._finder.holds(value):
                continue
            if how == text_columns.NAME:
                cleaned = self._finder.replace_exact(value)
            elif how == text_columns.STATE:
                cleaned = self._finder.clean(value, keep_places=True)
            else:
                cleaned = self._finder.clean(value)
            quotes = how == text_columns.DROP and self._finder.replace_exact(value) != cleaned
            gone = how == text_columns.ROW and not cleaned.strip()
            if cleaned != value:
                yield name, None if quotes or gone else cleaned

    def _change_row(
        self, table: str, keys: Sequence[str], key: Row, changed: dict[str, str | None]
    ) -> None:
        self._count(PLACES.get(table, table))
        found = " AND ".join(f"{name} = ?" for name in keys)
        if table == "signals" and keys == ["key"]:
            self._note_erased(SIGNAL, str(key[0]))
        if None in changed.values():
            self._db.execute(f"DELETE FROM {table} WHERE {found}", key)
            return
        names = ", ".join(f"{name} = ?" for name in changed)
        self._db.execute(
            f"UPDATE OR REPLACE {table} SET {names} WHERE {found}", (*changed.values(), *key)
        )

    def _note_erased(self, what: str, key: str) -> None:
        """Remember what must not come back from a remote; the key itself may be words."""
        key = self._finder.replace_exact(key)
        self._db.execute("INSERT OR REPLACE INTO erasures VALUES (?, ?, ?)", (what, key, self._at))

    def _count(self, place: str) -> None:
        self.places[place] = self.places.get(place, 0) + 1


def find_taught(db: sqlite3.Connection, objects: Sequence[str]) -> list[str]:
    """Return the signals that taught machines these notes, and no other note."""
    marks = join_marks(objects)
    asked = f"""
        SELECT DISTINCT e.signal FROM evidence e JOIN notes n ON n.id = e.note
        WHERE e.note IN ({marks}) AND n.source IN ('detector', 'distiller', 'historian')
        AND NOT EXISTS (SELECT 1 FROM evidence o WHERE o.signal = e.signal AND o.note NOT IN ({marks}))
    """
    return [key for (key,) in db.execute(asked, (*objects, *objects))]


def is_erased(db: sqlite3.Connection, what: str, key: str) -> bool:
    """True if an object was rewritten, or a signal deleted, by an erasure."""
    asked = "SELECT 1 FROM erasures WHERE what = ? AND key = ?"
    return db.execute(asked, (what, key)).fetchone() is not None


def _list_key_columns(db: sqlite3.Connection, table: str) -> list[str]:
    rows = db.execute(f"PRAGMA table_info ({table})").fetchall()
    keys = sorted((row[5], row[1]) for row in rows if row[5])
    return [name for _, name in keys] or ["rowid"]

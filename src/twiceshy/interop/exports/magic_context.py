"""magic-context's skill notes table, in a new SQLite file: a row per skill lesson.

Lessons of a skill only. Vectors are omitted: magic-context computes its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from twiceshy.app import is_started_by_agent
from twiceshy.core import jsontext
from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line
from twiceshy.core.value import Value
from twiceshy.interop.held_back import strip_marks
from twiceshy.interop.imports.import_note import hash_text
from twiceshy.interop.originals import list_originals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeGuard

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.interop.exports import ExportedContent

    RowValues = dict[str, str | int | None]

_KINDS = {"pitfall": "gotcha", "principle": "discovery"}  # others are called alike
_UNIQUE = ("skill_id", "tier", "project_identity", "normalized_hash")
_TEXTS = ("resolved_path", "intent", "kind", "delta")  # without these a row is none, either
_SCHEMA = """
    CREATE TABLE skill_memory (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        skill_id TEXT NOT NULL,
        resolved_path TEXT NOT NULL,
        tier TEXT NOT NULL CHECK (tier IN ('project', 'global')),
        skill_source TEXT,
        project_identity TEXT NOT NULL,
        origin_project TEXT,
        source_type TEXT,
        intent TEXT NOT NULL,
        intent_embedding BLOB,
        delta_embedding BLOB,
        embedding_model_version TEXT,
        kind TEXT NOT NULL,
        delta TEXT NOT NULL,
        tags TEXT,
        hit_count INTEGER DEFAULT 0,
        recall_count INTEGER DEFAULT 0,
        pinned INTEGER DEFAULT 0,
        normalized_hash TEXT NOT NULL,
        created_at INTEGER,
        last_used_at INTEGER,
        skill_content_hash TEXT,
        UNIQUE (skill_id, tier, project_identity, normalized_hash)
    );
    CREATE INDEX skill_memory_recent
        ON skill_memory (skill_id, tier, project_identity, last_used_at DESC);
    CREATE INDEX skill_memory_kind ON skill_memory (skill_id, tier, project_identity, kind);
    CREATE VIRTUAL TABLE skill_memory_fts USING fts5 (
        intent, delta, content = 'skill_memory', content_rowid = 'id', tokenize = 'porter unicode61'
    );
    CREATE TRIGGER skill_memory_added AFTER INSERT ON skill_memory BEGIN
        INSERT INTO skill_memory_fts (rowid, intent, delta)
            VALUES (new.id, new.intent, new.delta);
    END;
    CREATE TRIGGER skill_memory_removed AFTER DELETE ON skill_memory BEGIN
        INSERT INTO skill_memory_fts (skill_memory_fts, rowid, intent, delta)
            VALUES ('delete', old.id, old.intent, old.delta);
    END;
    CREATE TRIGGER skill_memory_changed AFTER UPDATE ON skill_memory BEGIN
        INSERT INTO skill_memory_fts (skill_memory_fts, rowid, intent, delta)
            VALUES ('delete', old.id, old.intent, old.delta);
        INSERT INTO skill_memory_fts (rowid, intent, delta)
            VALUES (new.id, new.intent, new.delta);
    END;
"""


class TableRow(Value):
    """A row of the table, and the ids of its notes."""

    columns: RowValues
    notes: tuple[str, ...] = ()


def render_rows(app: App, held: ExportedContent) -> list[TableRow]:
    """Return the table rows: first the rows that came from there."""
    found: dict[tuple[object, ...], TableRow] = {}
    kept: list[str] = []
    told = {note.id: note for note in held.notes}
    came = [] if is_started_by_agent() else list(_read_rows(app))
    imported = _find_imported(app) if came else {}
    of_rows = [imported.get(hash_text(f"skill_memory:{row['id']}"), ()) for row in came]
    rows = Counter(name for known in of_rows for name in known)
    for row, known in zip(came, of_rows, strict=True):
        note = next((told[name] for name in known if name in told), None)
        if note or not known:  # of a row that was refused no note knows
            alone = note and rows[note.id] == 1  # rows that became one note stay as they were
            new = _restore_row(row, note) if note and alone else row
            ids = (note.id,) if note else ()
            _add_row(found, TableRow(new, ids))
            kept += ids
    for note in held.notes:
        if note.kind != "lesson" or not note.scope.skill or note.id in kept:
            continue
        fresh = TableRow(_render_row(note, held), (note.id,))
        same = _add_row(found, fresh)
        if same is not fresh:  # it tells notes apart by less than we do
            for name in ("hit_count", "recall_count"):
                same.columns[name] = int(same.columns[name] or 0) + int(fresh.columns[name] or 0)
    return list(found.values())


def _add_row(found: dict[tuple[object, ...], TableRow], row: TableRow) -> TableRow:
    """Return the first row that the table takes for the same; it holds the notes of both."""
    name = tuple(row.columns[name] for name in _UNIQUE)
    known = found.get(name)
    found[name] = known.but(notes=(*known.notes, *row.notes)) if known else row
    return found[name]


def _read_rows(app: App) -> Iterator[RowValues]:
    """Yield the rows as an import found them; a row that redaction spoilt comes from its note."""
    for file in list_originals(app, "magic-context"):
        for line in file.text.split("\n"):
            with suppress(ValueError):
                row = jsontext.parse_object(line)
                if all(row.get(name) is not None for name in (*_UNIQUE, *_TEXTS, "id")):
                    yield {name: value for name, value in row.items() if _is_plain(value)}


def _find_imported(app: App) -> dict[str, list[str]]:
    """Return the ids of imported notes by the hash of their row's name."""
    found: dict[str, list[str]] = {}
    begins = "import:magic-context:"
    for note in app.store.notes(NoteFilter(statuses=()), limit=None):
        for signal, *_ in app.store.list_evidence(note.id):
            if signal.startswith(begins):
                name = signal.removeprefix(begins).partition(":")[0]
                found.setdefault(name, []).append(note.id)
    return found


def _is_plain(value: object) -> TypeGuard[str | int | None]:
    return value is None or isinstance(value, str | int)


def _restore_row(row: RowValues, note: Note) -> RowValues:
    """Return a row with what changed about its note; all else stays as it came."""
    bare, said = strip_marks(note.text), str(row.get("delta") or "")
    counts: RowValues = {
        "hit_count": max(0, note.sightings - 1),
        "recall_count": note.recalls,
        "pinned": int(note.pinned),
    }
    changed = {name: count for name, count in counts.items() if (row.get(name) or 0) != count}
    if bare != said.strip():
        changed |= {"delta": note.text, "normalized_hash": _hash_delta(bare)}
    elif note.text != bare:
        changed["delta"] = note.text
    if note.why and note.why != str(row.get("intent") or "").strip():
        changed["intent"] = note.why
    return {**row, **changed}


def _hash_delta(text: str) -> str:
    return _md5_hash(" ".join(text.lower().split()))


def _render_row(note: Note, held: ExportedContent) -> RowValues:
    everywhere = note.scope.project == EVERYWHERE
    tags = list(dict.fromkeys(filter(None, (note.tag, *note.concepts))))
    return {
        "skill_id": note.scope.skill,
        "resolved_path": "",
        "tier": "global" if everywhere else "project",
        "skill_source": None,
        "project_identity": _project_identity(note.scope.project, held),
        "origin_project": _project_identity(note.origin_project or note.scope.project, held),
        "source_type": "historian" if note.source == "historian" else None,
        "intent": note.why or note.text,
        "kind": _KINDS.get(note.subtype, note.subtype),
        "delta": note.text,
        "tags": json.dumps(tags, ensure_ascii=False, separators=(",", ":")) if tags else None,
        "hit_count": max(0, note.sightings - 1),
        "recall_count": note.recalls,
        "pinned": int(note.pinned),
        "normalized_hash": _hash_delta(note.text),
        "created_at": note.written_at,
        "last_used_at": note.learned_at,
        "skill_content_hash": note.skill_hash or None,
    }


def _project_identity(project: str, held: ExportedContent) -> str:
    """Return a project's id in magic-context's form: a short hash of its path."""
    root = held.find_project(project).root
    return f"dir:{_md5_hash(root)[:12]}" if project.startswith("dir:") and root else project


def _md5_hash(text: str) -> str:
    # the name of a text there, not a protection
    return hashlib.md5(text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def write_table(path: str, rows: Iterable[TableRow]) -> tuple[set[str], list[str]]:
    """Create the owner-only file; return the ids of its notes, and what is wrong with which row."""
    written, refused = set[str](), []
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(_SCHEMA)
        for row in rows:
            columns = ", ".join(row.columns)
            marks = ", ".join(f":{name}" for name in row.columns)
            insert = f"INSERT INTO skill_memory ({columns}) VALUES ({marks})"  # noqa: S608 - names of ours
            try:
                db.execute(insert, row.columns)
                written.update(row.notes)
            except (sqlite3.IntegrityError, OverflowError) as error:
                what = row.columns.get("id") or row.columns["delta"]
                refused.append(f"skill_memory:{fold_to_line(str(what), limit=60)}: {error}")
    return written, refused

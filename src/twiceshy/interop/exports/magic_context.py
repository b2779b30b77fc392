"""magic-context's skill notes table, in a new SQLite file: a row per skill lesson.

Lessons of a skill only. Vectors are omitted: magic-context computes its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from twiceshy.core.scope import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from twiceshy.core.note import Note
    from twiceshy.interop.exports import ExportedContent

    Row = Mapping[str, str | int | None]

_KINDS = {"pitfall": "gotcha", "principle": "discovery"}  # others are called alike
_UNIQUE = ("skill_id", "tier", "project_identity", "normalized_hash")
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
        hit_count INTEGER NOT NULL DEFAULT 0,
        recall_count INTEGER NOT NULL DEFAULT 0,
        pinned INTEGER NOT NULL DEFAULT 0,
        normalized_hash TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER NOT NULL,
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


def render_rows(held: ExportedContent) -> tuple[list[Row], tuple[str, ...]]:
    """Return the table rows, and the ids of their notes."""
    found: dict[tuple[object, ...], dict[str, str | int | None]] = {}
    kept: list[str] = []
    for note in held.notes:
        if note.kind != "lesson" or not note.scope.skill:
            continue
        row = _render_row(note, held)
        same = found.setdefault(tuple(row[name] for name in _UNIQUE), row)
        if same is not row:  # it tells notes apart by less than we do
            for name in ("hit_count", "recall_count"):
                same[name] = int(same[name] or 0) + int(row[name] or 0)
        kept.append(note.id)
    return list(found.values()), tuple(kept)


def _render_row(note: Note, held: ExportedContent) -> dict[str, str | int | None]:
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
        "tags": json.dumps(tags, ensure_ascii=False) if tags else None,
        "hit_count": max(0, note.sightings - 1),
        "recall_count": note.recalls,
        "pinned": int(note.pinned),
        "normalized_hash": _md5_hash(" ".join(note.text.lower().split())),
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


def write_table(path: str, rows: Iterable[Row]) -> None:
    """Create the owner-only file with these rows."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(_SCHEMA)
        for row in rows:
            columns, values = ", ".join(row), ", ".join(f":{name}" for name in row)
            db.execute(f"INSERT INTO skill_memory ({columns}) VALUES ({values})", row)  # noqa: S608 - names of ours

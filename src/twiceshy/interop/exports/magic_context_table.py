"""Write magic-context's skill notes table into a new SQLite file."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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


_INSERT = """
    INSERT INTO skill_memory (
        skill_id, resolved_path, tier, skill_source, project_identity, origin_project, source_type,
        intent, kind, delta, tags, hit_count, recall_count, pinned, normalized_hash, created_at,
        last_used_at, skill_content_hash
    ) VALUES (
        :skill_id, :resolved_path, :tier, :skill_source, :project_identity, :origin_project,
        :source_type, :intent, :kind, :delta, :tags, :hit_count, :recall_count, :pinned,
        :normalized_hash, :created_at, :last_used_at, :skill_content_hash
    )
"""


def write_table(path: str, rows: Iterable[Mapping[str, str | int | None]]) -> None:
    """Create the owner-only file with these rows."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(_SCHEMA)
        db.executemany(_INSERT, map(dict, rows))

"""The schema, as numbered steps. Append only: a released step never changes."""

from __future__ import annotations

from twiceshy.store.first_schema import FIRST_SCHEMA

# Stores of before the first release have numbers below this; ``convert.py`` brings them here.
FIRST = 100
STEPS: tuple[tuple[str, str], ...] = (
    (
        "first schema",
        FIRST_SCHEMA,
    ),
    (
        "lots of exposures",
        """
        ALTER TABLE exposures ADD COLUMN lot INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE outcomes ADD COLUMN lot INTEGER NOT NULL DEFAULT 0;
        """,
    ),
    (
        "longest failed run of a trigger",
        "ALTER TABLE triggers ADD COLUMN longest_ms INTEGER NOT NULL DEFAULT 0;",
    ),
    (
        "exposures by age",
        "CREATE INDEX exposures_by_age ON exposures (at);",
    ),
    (
        "program of a trigger, and the recent sessions that used it",
        """
        ALTER TABLE triggers ADD COLUMN program TEXT NOT NULL DEFAULT '';
        ALTER TABLE triggers ADD COLUMN uses INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX triggers_by_program ON triggers (program) WHERE program <> '';
        """,
    ),
    (
        "lines of triggers, and the word by which a quoted error is found",
        """
        ALTER TABLE triggers ADD COLUMN line TEXT NOT NULL DEFAULT '';
        ALTER TABLE triggers ADD COLUMN echo_word TEXT NOT NULL DEFAULT '';
        UPDATE triggers SET line = coalesce((SELECT trigger FROM notes WHERE id = note), '');
        CREATE INDEX triggers_by_echo ON triggers (project, echo_word, tool, echo, line)
            WHERE echo_word <> '';
        """,
    ),
    (
        "shortest failed run of a trigger instead of the longest, which may be a question to the user",
        "ALTER TABLE triggers RENAME COLUMN longest_ms TO shortest_ms;",
    ),
    (
        "full-text index without a copy of its terms, and rows side by side for each scope",
        """
        DROP TABLE words;
        CREATE VIRTUAL TABLE words USING fts5 (
            terms, content = '', columnsize = 0, detail = none,
            tokenize = "unicode61 remove_diacritics 0 tokenchars '_.-/:@+#'"
        );
        CREATE TABLE scopes (
            number INTEGER PRIMARY KEY,
            project TEXT NOT NULL,
            skill TEXT NOT NULL,
            notes INTEGER NOT NULL,
            terms INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX scopes_by_name ON scopes (project, skill);
        ALTER TABLE notes ADD COLUMN counts BLOB NOT NULL DEFAULT x'';
        """,
    ),
    (
        "what a session start chooses by, beside the trigger, and no trigger of a merged note",
        """
        DELETE FROM triggers WHERE note IN (SELECT id FROM notes WHERE superseded_by <> '');
        ALTER TABLE triggers ADD COLUMN learned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE triggers ADD COLUMN sightings INTEGER NOT NULL DEFAULT 0;
        UPDATE triggers SET (learned, sightings) = (
            SELECT n.kind = 'lesson' AND n.source = 'detector', n.sightings
            FROM notes n WHERE n.id = note
        ) WHERE note IN (SELECT id FROM notes);
        """,
    ),
    (
        "sums of outcomes by week, and which outcomes this device recorded",
        """
        CREATE TABLE outcome_sums (
            note TEXT NOT NULL, week INTEGER NOT NULL, device TEXT NOT NULL,
            withheld INTEGER NOT NULL, lot INTEGER NOT NULL, came INTEGER NOT NULL,
            until INTEGER NOT NULL, sessions INTEGER NOT NULL, showings INTEGER NOT NULL,
            tokens INTEGER NOT NULL, calls_lost INTEGER NOT NULL, stops INTEGER NOT NULL,
            repeated INTEGER NOT NULL, false_stops INTEGER NOT NULL,
            first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
            PRIMARY KEY (note, week, device, withheld, lot, came)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE outcomes ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
        UPDATE outcomes SET own = 1 WHERE NOT EXISTS (
            SELECT 1 FROM journal WHERE device <> (SELECT value FROM meta WHERE key = 'device')
        );
        """,
    ),
    (
        "days of use, which attest the clock",
        "CREATE TABLE days (day INTEGER PRIMARY KEY) STRICT;",
    ),
    (
        "what an erasure deleted or rewrote, so that no remote brings it back",
        """
        CREATE TABLE erasures (
            what TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (what, key)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
    (
        "verdicts of the gate: what agents are not told, and which parts of it",
        """
        CREATE TABLE verdicts (
            object TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            reason TEXT NOT NULL,
            withheld TEXT NOT NULL,
            origin TEXT NOT NULL,
            rules INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX verdicts_by_hold ON verdicts (object) WHERE reason <> '' OR withheld <> '';
        """,
    ),
    (
        "places on this device where the user worked, with the project of each",
        """
        CREATE TABLE places (
            mark TEXT PRIMARY KEY,
            project TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO places SELECT alias, project FROM aliases WHERE alias LIKE 'path:%';
        """,
    ),
)
VERSION = FIRST + len(STEPS)

"""The schema, as numbered steps. Append only: a released step never changes."""

from __future__ import annotations

# What each table is for, in the words that ``docs/schema.md`` prints.
PURPOSE = {
    "meta": "device id, the last value of the hybrid clock, and the shape the schema should have",
    "migrations": "which step was applied when",
    "projects": "codebases by identity",
    "aliases": "other names of a project: paths, slugs, remotes, weaker identities",
    "journal": "every change to a note or episode, append-only; undo, history and sync read it",
    "payloads": "the fields a journal row changed, before and after; `forget` deletes them",
    "notes": "what the journal adds up to: one row a note, rebuilt from it at any time",
    "labels": "which notes name which file or concept; derived",
    "words": "full-text index of the notes; derived",
    "tallies": "how often a note was shown, missed, helped or harmed, counted per device",
    "tombstones": "fingerprints of forgotten notes, so that they are not learned again",
    "signals": "what machines observed in sessions: errors, fixes, corrections",
    "episodes": "stretches of work, summarised",
    "exposures": "which note was shown to which session, or withheld from it",
    "vectors": "embeddings by note, field and model; derived",
    "sessions": "conversations: where they take place and how far they are",
    "intents": "what sessions and single calls are about, until it is asked for",
    "uses": "which skills a session used, and what it was told about them",
}

STEPS: tuple[tuple[str, str], ...] = (
    (
        "journal and notes",
        """
        CREATE TABLE projects (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            root TEXT NOT NULL,
            seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE aliases (
            alias TEXT PRIMARY KEY,
            project TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX aliases_by_project ON aliases (project);

        CREATE TABLE payloads (
            id INTEGER PRIMARY KEY,
            object TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX payloads_by_object ON payloads (object);
        CREATE TABLE journal (
            clock INTEGER NOT NULL,
            device TEXT NOT NULL,
            batch TEXT NOT NULL,
            op TEXT NOT NULL,
            object TEXT NOT NULL,
            at INTEGER NOT NULL,
            before INTEGER,
            after INTEGER,
            refers TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (clock, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX journal_by_object ON journal (object);
        CREATE INDEX journal_by_batch ON journal (batch);

        CREATE TABLE notes (
            seq INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            subtype TEXT NOT NULL,
            text TEXT NOT NULL,
            why TEXT NOT NULL,
            project TEXT NOT NULL,
            skill TEXT NOT NULL,
            tag TEXT NOT NULL,
            files TEXT NOT NULL,
            concepts TEXT NOT NULL,
            trigger TEXT NOT NULL,
            state TEXT NOT NULL,
            life TEXT NOT NULL,
            reason TEXT NOT NULL,
            pinned INTEGER NOT NULL,
            trust REAL NOT NULL,
            source TEXT NOT NULL,
            origin_project TEXT NOT NULL,
            origin_session TEXT NOT NULL,
            skill_hash TEXT NOT NULL,
            supersedes TEXT NOT NULL,
            superseded_by TEXT NOT NULL,
            written_at INTEGER NOT NULL,
            learned_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            sightings INTEGER NOT NULL,
            days INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            fingerprint TEXT NOT NULL,
            redacted_by INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX notes_the_same ON notes (project, skill, fingerprint)
            WHERE kind <> 'task' AND superseded_by = '';
        CREATE INDEX notes_by_fingerprint ON notes (fingerprint);
        CREATE INDEX notes_by_scope ON notes (skill, project, life, pinned, learned_at);
        CREATE INDEX notes_by_project ON notes (project, life, learned_at);
        CREATE INDEX notes_by_handle ON notes (substr(id, -4));
        CREATE TABLE labels (
            kind TEXT NOT NULL,
            label TEXT NOT NULL,
            note INTEGER NOT NULL,
            PRIMARY KEY (kind, label, note)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX labels_by_note ON labels (note);
        CREATE TABLE tallies (
            note TEXT NOT NULL,
            name TEXT NOT NULL,
            device TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (note, name, device)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tombstones (
            project TEXT NOT NULL,
            skill TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (project, skill, fingerprint)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
    (
        "full text",
        """
        CREATE VIRTUAL TABLE words USING fts5 (
            text, why, tag, concepts, files,
            tokenize = "unicode61 remove_diacritics 0 tokenchars '_.-/:@+#'"
        );
        """,
    ),
    (
        "signals, episodes, exposures, vectors",
        """
        CREATE TABLE signals (
            key TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            session TEXT NOT NULL,
            project TEXT NOT NULL,
            at INTEGER NOT NULL,
            skill TEXT NOT NULL,
            tool TEXT NOT NULL,
            target TEXT NOT NULL,
            mistake TEXT NOT NULL,
            excerpt TEXT NOT NULL,
            call TEXT NOT NULL,
            pair TEXT NOT NULL,
            redacted_by INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX signals_by_session ON signals (session, at);
        CREATE INDEX signals_by_mistake ON signals (project, mistake);
        CREATE TABLE episodes (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            session TEXT NOT NULL,
            project TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            ended_at INTEGER NOT NULL,
            title TEXT NOT NULL,
            summary TEXT NOT NULL,
            requests TEXT NOT NULL,
            tools TEXT NOT NULL,
            files TEXT NOT NULL,
            transcript TEXT NOT NULL,
            redacted_by INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX episodes_by_project ON episodes (project, ended_at);
        CREATE TABLE exposures (
            key TEXT PRIMARY KEY,
            note TEXT NOT NULL,
            session TEXT NOT NULL,
            channel TEXT NOT NULL,
            at INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            withheld INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX exposures_by_session ON exposures (session, note);
        CREATE INDEX exposures_by_note ON exposures (note, at);
        CREATE TABLE vectors (
            note TEXT NOT NULL,
            field TEXT NOT NULL,
            model TEXT NOT NULL,
            vector BLOB NOT NULL,
            PRIMARY KEY (note, field, model)
        ) STRICT, WITHOUT ROWID;
        """,
    ),
    (
        "sessions, intents, uses of skills",
        """
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            runtime TEXT NOT NULL,
            project TEXT NOT NULL,
            root TEXT NOT NULL,
            transcript TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            prompts INTEGER NOT NULL,
            era INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sessions_by_project ON sessions (project, seen_at);
        CREATE TABLE intents (
            session TEXT NOT NULL,
            call TEXT NOT NULL,
            intent TEXT NOT NULL,
            at INTEGER NOT NULL,
            redacted_by INTEGER NOT NULL,
            PRIMARY KEY (session, call)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX intents_by_age ON intents (at);
        CREATE TABLE uses (
            session TEXT NOT NULL,
            agent TEXT NOT NULL,
            skill TEXT NOT NULL,
            project TEXT NOT NULL,
            how TEXT NOT NULL,
            at INTEGER NOT NULL,
            path TEXT NOT NULL,
            told TEXT NOT NULL,
            PRIMARY KEY (session, agent, skill)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX uses_by_skill ON uses (skill, at);
        """,
    ),
)
VERSION = len(STEPS)

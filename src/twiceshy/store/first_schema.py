"""The first schema; ``schema.py`` holds the steps that follow it. A released step never changes."""

from __future__ import annotations

FIRST_SCHEMA = """
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
            status TEXT NOT NULL,
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
        CREATE INDEX notes_by_scope ON notes (skill, project, status, pinned, learned_at);
        CREATE INDEX notes_by_project ON notes (project, status, learned_at);
        CREATE INDEX notes_by_handle ON notes (substr(id, -4));
        CREATE TABLE labels (
            kind TEXT NOT NULL,
            label TEXT NOT NULL,
            note INTEGER NOT NULL,
            PRIMARY KEY (kind, label, note)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX labels_by_note ON labels (note);
        CREATE TABLE counters (
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
        CREATE VIRTUAL TABLE words USING fts5 (
            text, why, tag, concepts, files,
            tokenize = "unicode61 remove_diacritics 0 tokenchars '_.-/:@+#'"
        );
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
        CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            runtime TEXT NOT NULL,
            project TEXT NOT NULL,
            root TEXT NOT NULL,
            transcript TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            prompts INTEGER NOT NULL,
            compactions INTEGER NOT NULL,
            changes_seen INTEGER NOT NULL DEFAULT 0,
            context_percent INTEGER NOT NULL DEFAULT 0
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
        CREATE TABLE skill_uses (
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
        CREATE INDEX skill_uses_by_skill ON skill_uses (skill, at);
        CREATE TABLE signatures (
            note TEXT PRIMARY KEY,
            act TEXT NOT NULL,
            mac TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE model_calls (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            purpose TEXT NOT NULL,
            project TEXT NOT NULL,
            session TEXT NOT NULL,
            backend TEXT NOT NULL,
            model TEXT NOT NULL,
            material TEXT NOT NULL,
            tokens_in INTEGER NOT NULL,
            tokens_out INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL,
            error TEXT NOT NULL
        ) STRICT;
        CREATE INDEX model_calls_by_age ON model_calls (at);
        CREATE INDEX model_calls_by_material ON model_calls (material);
        CREATE TABLE transcript_progress (
            path TEXT PRIMARY KEY,
            session TEXT NOT NULL,
            position TEXT NOT NULL,
            state TEXT NOT NULL,
            at INTEGER NOT NULL,
            redacted_by INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX transcript_progress_by_session ON transcript_progress (session);
        CREATE TABLE seen_calls (
            id TEXT PRIMARY KEY,
            session TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX seen_calls_by_age ON seen_calls (at);
        CREATE TABLE triggers (
            note TEXT PRIMARY KEY,
            project TEXT NOT NULL,
            tool TEXT NOT NULL,
            needle TEXT NOT NULL,
            echo TEXT NOT NULL,
            age INTEGER NOT NULL,
            recent INTEGER NOT NULL,
            unseen INTEGER NOT NULL,
            lost_calls INTEGER NOT NULL,
            lost_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX triggers_by_needle ON triggers (project, tool, needle);
        CREATE TABLE trigger_counts (
            note TEXT NOT NULL,
            context TEXT NOT NULL,
            failed_calls INTEGER NOT NULL,
            succeeded_calls INTEGER NOT NULL,
            streak INTEGER NOT NULL,
            PRIMARY KEY (note, context)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE evidence (
            note TEXT NOT NULL,
            signal TEXT NOT NULL,
            session TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (note, signal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX evidence_by_session ON evidence (session, note);
        CREATE TABLE outcomes (
            key TEXT PRIMARY KEY,
            note TEXT NOT NULL,
            session TEXT NOT NULL,
            project TEXT NOT NULL,
            channel TEXT NOT NULL,
            withheld INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            opportunity INTEGER NOT NULL,
            followed INTEGER NOT NULL,
            violated INTEGER NOT NULL,
            helped INTEGER NOT NULL,
            harmed INTEGER NOT NULL,
            false_alarm INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            calls_lost INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outcomes_by_note ON outcomes (note, at);
        CREATE TABLE authors (
            batch TEXT PRIMARY KEY,
            session TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX authors_by_age ON authors (at);
        CREATE TABLE arrivals (
            clock INTEGER NOT NULL,
            device TEXT NOT NULL,
            arrived INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (clock, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX arrivals_by_clock ON arrivals (arrived);
        CREATE TABLE skill_usage (
            skill TEXT NOT NULL,
            day TEXT NOT NULL,
            sessions INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (skill, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE leases (
            name TEXT PRIMARY KEY,
            holder TEXT NOT NULL,
            until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE maintenance_runs (
            id INTEGER PRIMARY KEY,
            what TEXT NOT NULL,
            began_at INTEGER NOT NULL,
            ended_at INTEGER NOT NULL,
            done TEXT NOT NULL,
            error TEXT NOT NULL
        ) STRICT;
        CREATE INDEX maintenance_runs_by_age ON maintenance_runs (what, began_at);
        CREATE TABLE views (
            path TEXT PRIMARY KEY,
            format TEXT NOT NULL,
            project TEXT NOT NULL,
            skill TEXT NOT NULL,
            body TEXT NOT NULL,
            at INTEGER NOT NULL,
            redacted_by INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

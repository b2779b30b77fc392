"""OpenCode: a single-file plugin, and sessions in its own SQLite file."""

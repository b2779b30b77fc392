"""OpenCode: a plugin of one file that speaks for it, and sessions in an SQLite file of its own."""

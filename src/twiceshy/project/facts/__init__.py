"""Facts extracted from a session file."""

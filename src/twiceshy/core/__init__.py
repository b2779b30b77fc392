"""Notes, drafts, scopes, events, sessions, evidence and the store port. Pure."""

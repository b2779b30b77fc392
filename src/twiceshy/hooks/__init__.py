"""The hot path: one short process for every event, which never hurts the session it serves."""

"""The hot path: one short process per event that never disturbs its session."""

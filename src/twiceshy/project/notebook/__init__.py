"""The error notebook: what the user put right becomes a rule, and a rule that is missed again is counted."""

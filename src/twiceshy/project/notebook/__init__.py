"""Error notebook: user corrections become rules; each repeated miss is counted."""

"""The domain: notes, scopes, and the rules about them. Pure: no I/O, no clock, no randomness."""

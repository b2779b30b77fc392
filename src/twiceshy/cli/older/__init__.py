"""Verbs of the older systems: the same rooms under the names that their users know."""

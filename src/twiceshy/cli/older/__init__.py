"""Commands of the older systems under the names known to their users."""

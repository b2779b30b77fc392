"""Pi: an extension of one file that speaks for it, under both names of its package."""

"""Pi: a single-file extension, under both package names."""

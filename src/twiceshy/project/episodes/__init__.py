"""A stretch of work from what a transcript tells to the files that the older systems knew."""

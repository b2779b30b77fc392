"""Names of a project, and merging two projects."""

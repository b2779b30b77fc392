"""Tasks of a project."""

"""Find the project and the skills of a directory."""

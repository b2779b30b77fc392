"""Find the project and the skills that a directory belongs to."""

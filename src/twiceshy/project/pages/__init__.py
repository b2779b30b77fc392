"""Pages in the project brief: choose, list and route them, and write the hub."""

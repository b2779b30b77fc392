"""Play old sessions through the real hooks and score the notes shown."""

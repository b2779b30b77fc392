"""Play old sessions through the real hooks and tell what they would have shown in time."""

"""Ask a model about a session: material, answer format, and trust in the answer."""

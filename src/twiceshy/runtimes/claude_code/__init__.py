"""Claude Code: what its hooks send, what it writes down, and how it is told about us."""

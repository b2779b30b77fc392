"""The four older systems, in their own places and formats."""

"""Small files: replaced atomically, locked, and edited in place."""

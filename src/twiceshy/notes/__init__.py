"""Write, edit, review, approve, search, undo and forget notes: the only writer of notes."""

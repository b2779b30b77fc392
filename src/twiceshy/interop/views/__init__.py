"""Files that show notes to people, and the edits people make in them."""

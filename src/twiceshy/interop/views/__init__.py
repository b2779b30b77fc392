"""Views: files that show notes to people and take their edits."""

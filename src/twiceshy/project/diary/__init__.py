"""The diary of a day."""

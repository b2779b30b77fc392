"""Episodes: summarise a work segment of a transcript, store and render it."""

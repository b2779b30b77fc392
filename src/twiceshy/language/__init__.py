"""Text as words: terms, stems, vectors, ranking, near-duplicates and supersession. Pure."""

"""Learn notes from transcripts and captured signals."""

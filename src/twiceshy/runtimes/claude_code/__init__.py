"""Claude Code: hook payloads, transcripts, and install."""

"""Choose and render the notes an agent is told at each event."""

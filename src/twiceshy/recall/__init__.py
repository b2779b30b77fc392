"""Choose what an agent is told at each event, and render it."""

"""From what a session went through to what the next one should know."""

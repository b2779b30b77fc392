"""Share notes between devices through a git repository of the user's own."""

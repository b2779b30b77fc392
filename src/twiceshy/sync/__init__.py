"""Share notes between devices through the user's own git repository."""

"""What we say to an event of a runtime: the same for a hook's process and for a server that is there."""

"""Keep the store small and sound: tend, compress, prune."""

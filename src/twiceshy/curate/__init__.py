"""Keep the store good: write, edit, retire, restore, move, forget and undo."""

"""Random trouble for real processes: many at once, killed, out of space, damaged, fed with nonsense."""

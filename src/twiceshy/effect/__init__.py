"""Measure whether notes help: outcomes, hold-out and worth."""

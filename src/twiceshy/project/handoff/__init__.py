"""Handoffs between sessions of a project."""

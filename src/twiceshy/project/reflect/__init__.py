"""Reflection on a project: review notes, ask questions, remove in two steps, report."""

"""Detect mistakes and their fixes in a transcript, without a model."""

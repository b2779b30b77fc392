"""Carry notes from one store to another, as files that people can read, compare and keep."""

"""Redaction, dangerous text, guards, signatures and safe names. Pure."""

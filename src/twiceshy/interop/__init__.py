"""Files of other programs: formats, imports, exports and views."""

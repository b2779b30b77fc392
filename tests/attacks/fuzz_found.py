"""Inputs that broke a parser once, by the name of the parser."""

FOUND: tuple[tuple[str, bytes], ...] = (
    ("reply of an embedder", b'{"data": [{"index":[1e308, 0]}]}'),
    ("settings in TOML", b"top = " + b"9" * 5_000 + b"\n"),
    ("settings of Codex", b"top = " + b"9" * 5_000 + b"\n"),
)

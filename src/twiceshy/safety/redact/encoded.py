"""Secrets in base64, in hex digits and in percent signs: what decodes to a text with a secret is one."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.quick_check import begins_like_hex_text, begins_like_text

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol

    from twiceshy.safety.redact.gate import Finding
    from twiceshy.safety.redact.joints import JoinedText

    class HoldsSecret(Protocol):
        """Tells whether something in a text would be redacted."""

        def __call__(self, inside: str, *, decoded: bool) -> bool:
            """Return True for a text with a secret; one that is not decoded is read as it stands."""


RULE = "encoded-secret"
_BASE64 = r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}"
_HEX = (
    r"(?<![A-Za-z0-9])(?:[2-7c-eC-E][0-9a-fA-F]|[89abAB][0-9a-fA-F]|0[9aAdD]){12,}(?![A-Za-z0-9])"
)
_PERCENT = r"[^\s\"'<>&?;,]*%[2-7][0-9a-fA-F][^\s\"'<>&?;,]*"
_LONGEST = 64_000
_PRINTED = 0.97  # of the characters of a text; of bytes drawn at random a third are printed


def find_encoded_secrets(view: JoinedText, holds_secret: HoldsSecret) -> Iterator[Finding]:
    """Yield the runs that decode to a text in which something would be redacted."""
    text = view.text
    # each by a call of its own: a pattern in a call is prepared for hooks
    for pattern, decode in (
        (compile_pattern(_BASE64), decode_base64),
        (compile_pattern(_HEX), _decode_hex),
        (compile_pattern(_PERCENT) if "%" in text else None, _decode_percent),
    ):
        for run in pattern.finditer(text) if pattern else ():
            inside = decode(run[0][:_LONGEST])
            hidden = inside not in ("", run[0]) and holds_secret(inside, decoded=True)
            if hidden and not holds_secret(run[0], decoded=False):  # else it goes for what is seen
                yield *view.original_span(*run.span()), RULE


def decode_base64(run: str) -> str:
    """Return the text that a run of base64 holds; empty if it holds none."""
    from binascii import Error, a2b_base64  # noqa: PLC0415 - few texts have such a run

    if not begins_like_text(run):
        return ""  # most runs are names, paths and hashes
    body = run.rstrip("=").replace("-", "+").replace("_", "/")
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return _read_printed(a2b_base64(body + "=" * (-len(body) % 4)))
    except Error:
        return ""


def _decode_hex(run: str) -> str:
    if not begins_like_hex_text(run):
        return ""  # a hash
    return _read_printed(bytes.fromhex(run[: len(run) // 2 * 2]))


def _decode_percent(run: str) -> str:
    pieces = run.split("%")
    inside = pieces[0].encode()
    for piece in pieces[1:]:
        try:
            inside += bytes.fromhex(piece[:2]) + piece[2:].encode()
        except ValueError:
            inside += b"%" + piece.encode()
    return _read_printed(inside)


def _read_printed(raw: bytes) -> str:
    """Return bytes as a text, UTF-8 or UTF-16; empty unless nearly all of it can be printed."""
    if raw.count(0) * 3 > len(raw):
        raw = raw.decode("utf-16-le", "ignore").lstrip("\ufeff").encode("utf-8", "ignore")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        if error.start < len(raw) - 3:  # else it was cut within a character
            return ""
        text = raw[: error.start].decode()
    printed = sum(char.isprintable() or char in "\n\r\t" for char in text)
    return text if text and printed >= _PRINTED * len(text) else ""

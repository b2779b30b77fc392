"""Basic text functions: normalise, strip unsafe characters, estimate tokens, escape."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import re

# Characters that show nothing but change what a reader sees or a parser does. A joiner between
# emoji, or a variation selector right after one, is how people write, so only there it may stay.
_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_EMOJI = "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINED = "\u0620-\u08ff\u0900-\u0dff"  # Arabic and Indic letters are joined or kept apart by hand
_UNSAFE = (
    f"[{_CONTROL}{_INVISIBLE}\ud800-\udfff]"
    f"|(?<![{_EMOJI}#*0-9])[\ufe0e\ufe0f]"  # a digit with a selector is the start of a keycap
    f"|(?<![{_EMOJI}{_JOINED}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}{_JOINED}])"
    f"|(?<![{_JOINED}])\u200c|\u200c(?![{_JOINED}])"
)

_SHOWN_ENDS = "\r\n|"  # of a line in a file of Windows: it does nothing to a terminal
_UNSAFE_ASCII = "[\x00-\x08\x0b-\x1f\x7f]"
# Letters and marks that Python calls printable although nothing, or not always something, is printed.
_UNSEEN = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)

_NO_DENSE_START = bytes(range(0xE0))
_HITS = r"(?i)\s*\[hit:\d+\]"
# A list's bullets, dates and tags, as far as something is left behind them; "[x]" is a checkbox,
# "[ -f x ]" is shell and "[x](y)" is a link.
_LEADING = r"(?:(?:[-*+•·]|\d{1,3}[.)])\s+|\[(?!\s|[xX]\])[^\][]{1,40}\](?!\()\s*)+(?=\S)"
# Chinese and Japanese need no blanks; some people put them around Latin words, others do not.
_LOOSE = "(?<=[\u2e80-\u9fff\uf900-\ufaff]) | (?=[\u2e80-\u9fff\uf900-\ufaff])"
_QUOTES = " \"'“”‘’"
# Before these "<" opens nothing, so that redirections and comparisons stay readable.
_HARMLESS = " <=-(0123456789"
_CLOSING = _QUOTES + ".。!;,:"
_CHECKSUM_PRIME = (1 << 61) - 1


def find_unsafe_character(text: str) -> str | None:
    """Return the first character unfit for storage, if any."""
    found = None if _is_plain(text) else _compile_pattern(_unsafe_pattern(text)).search(text)
    return found[0] if found else None


def strip_unsafe(text: str) -> str:
    """Strip control, bidi and zero-width characters, and surrounding blanks."""
    if not text.isprintable():
        text = "\n".join(text.splitlines())
    if not _is_plain(text):
        text = _compile_pattern(_unsafe_pattern(text)).sub("", text)
    return text.strip()


def escape_unsafe(text: str) -> str:
    """Return a text with control, bidi and invisible characters as JSON writes them."""
    if _is_plain(text):
        return text
    return _compile_pattern(_SHOWN_ENDS + _unsafe_pattern(text)).sub(_name_character, text)


def _name_character(found: re.Match[str]) -> str:
    """Return the number of a character; the end of a line stays."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    if found[0] == "\r\n":
        return found[0]
    return "".join(
        f"\\u{high:02x}{low:02x}" for high, low in zip(units[::2], units[1::2], strict=True)
    )


def strip_list_marks(text: str) -> str:
    """Strip list marks of a lesson (bullet, date, tag, count) and fold blanks."""
    if not text.isascii():
        import unicodedata  # noqa: PLC0415  (a shared library; plain English never needs it)

        text = unicodedata.normalize("NFKC", text)
    text = " ".join(text.split())
    # a text that is nothing but tags still needs a key of its own
    while (inner := _peel_marks(text)) not in ("", text):
        text = inner
    return text


def normalise_text(text: str) -> str:
    """Fold differences between equal lessons: case, spacing, bullet, date, tag, count."""
    while (folded := _fold_case(text)) != text:
        text = folded
    return text


def fingerprint_text(kind: str, text: str) -> str:
    """Return 32 hex digits, equal for equal notes of one kind."""
    from twiceshy.core.digest import hash_sha256  # noqa: PLC0415  (recall never needs it)

    return hash_sha256(f"{kind}\x1f{normalise_text(text)}".encode(errors="replace"))[:32]


def checksum_text(text: str) -> str:
    """Return a checksum that tells changed text from unchanged text; needs no module."""
    raw = text.encode("utf-8", "surrogatepass")
    return f"{len(raw):x}.{int.from_bytes(raw, 'big') % _CHECKSUM_PRIME:x}"


def estimate_tokens(text: str) -> int:
    """Estimate tokens, rounding up: 4 characters a token, 1 in dense scripts."""
    if text.isascii():
        return len(text) // 4 + 1
    # what UTF-8 writes in three bytes or more: Chinese, Thai, arrows; counted by first bytes, because
    # compiling a pattern for it takes 3.5 ms where Python itself starts in 8
    dense = len(text.encode("utf-8", "surrogatepass").translate(None, _NO_DENSE_START))
    return (len(text) - dense) // 4 + dense + 1


def keep_both_ends(text: str, *, most: int) -> str:
    """Return a text, or both ends of a longer one, cut between words."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    head, tail = text[:half], text[-half:]
    return f"{head.rpartition(' ')[0] or head}\n{tail.partition(' ')[2] or tail}"


def fold_to_line(text: str, *, limit: int) -> str:
    """Fold text to a single line of at most ``limit`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"


def fold_to_words(text: str, *, limit: int) -> str:
    """Fold text to a single line of whole words, at most ``limit`` characters."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return (flat[:limit].rpartition(" ")[0] or flat[: limit - 1]).rstrip() + "…"


def escape_line(text: str, *, limit: int) -> str:
    """Fold text to one line without any character sequence that closes or forges a frame."""
    flat = fold_to_line(strip_unsafe(text), limit=limit)
    for lookalike in "＜﹤":
        flat = flat.replace(lookalike, "<")
    pieces = flat.split("<")
    safe = pieces[0]
    for piece in pieces[1:]:
        safe += ("<" if piece[:1] in _HARMLESS else "&lt;") + piece
    return safe


def _is_plain(text: str) -> bool:
    """True if a text is safe by a quick check without patterns; False is inconclusive."""
    return text.replace("\n", " ").replace("\t", " ").isprintable() and _UNSEEN.isdisjoint(text)


def _unsafe_pattern(text: str) -> str:
    return _UNSAFE_ASCII if text.isascii() else _UNSAFE


def _peel_marks(text: str) -> str:
    found = _compile_pattern(_LEADING).match(text)
    return " ".join(
        _compile_pattern(_HITS).sub("", text[found.end() :] if found else text).split()
    )


def _fold_case(text: str) -> str:
    text = strip_list_marks(text).casefold()
    if not text.isascii():
        text = _compile_pattern(_LOOSE).sub("", text)
    return text.lstrip(_QUOTES).rstrip(_CLOSING) or text


def _compile_pattern(pattern: str) -> re.Pattern[str]:
    from twiceshy.core.patterns import compile_pattern  # noqa: PLC0415 - plain text needs none

    return compile_pattern(pattern)

"""Decode what a text may hide: codes of bytes, of numbers, of letters. Linear in the text's length.

Each decoder looks for its own shape, and yields texts only if what it decodes is text.
"""

from __future__ import annotations

import re

from twiceshy.safety.danger.late_pattern import LatePattern

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 20_000  # characters that a compressed text may have
_IN_TEXT = "\n\r\t\x1b"
_BLOB = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,8000}={0,2}")
_PIECES = LatePattern(
    r"[A-Za-z0-9+/]{4,400}(?:[\s,\"'+|\\]{1,6}[A-Za-z0-9+/]{2,400}){1,400}={0,2}"
)
_BETWEEN = LatePattern(r"[\"']\s{0,3}\+\s{0,3}[\"']|[\s,\"'|\\]{1,6}")
_CODED = LatePattern(
    r"[A-Za-z0-9+/]{0,200}(?:[a-z][A-Z0-9]|[A-Z0-9][a-z]|\d[A-Z])[A-Za-z0-9+/]{0,200}={0,2}$"
)
_BASE32 = LatePattern(r"(?<![A-Za-z0-9])(?:[A-Z2-7]{16,4000}|[a-z2-7]{24,4000})={0,6}")
_BASE85 = re.compile(r"(?<![!-~])[!-~]{15,4000}(?![!-~])|<~[!-z]{10,4000}~>")
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:[0-9a-fA-F]{2}){8,4000}(?![0-9a-zA-Z])")
_SEPARATE_HEX = LatePattern(
    r"(?:(?:0[xX]|\\?[xX]|\\?u00|U\+00|%)?[0-9a-fA-F]{2}(?:[ ,:;_|-]{1,2}|\n)?){8,4000}"
)
_HEX_PREFIX = re.compile(r"0[xX]|U\+00|u00|[^0-9a-fA-F]")
_PERCENT = LatePattern(r"(?:%[0-9a-fA-F]{2}){1,600}")
_QUOTED_PRINTABLE = LatePattern(r"=(?:[0-9A-Fa-f]{2}|\n)")
_BITS = LatePattern(r"(?:[01]{7,8}[\s,_-]{0,3}){5,1000}")
_NUMBERS = LatePattern(r"(?:\\?\b\d{2,3}\D{1,12}){6,1000}\\?\d{2,3}|(?:\\\d{2,3}){6,1000}")
_DIGITS = re.compile(r"\d{2,3}")
_OCTAL = LatePattern(r"(?:\\[0-7]{3}){3,600}")
_MORSE = LatePattern(
    r"(?:[.\u00b7\u2022\-\u2013_]{1,6}[ /|\n]{1,6}){6,2000}[.\u00b7\u2022\-\u2013_]{0,6}"
)
_CODES = dict(
    zip(".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..".split(),
        "abcdefghijklmnopqrstuvwxyz", strict=True)
)  # fmt: skip
_BRAILLE = LatePattern("[\u2800-\u28ff](?:[ \n]{0,3}[\u2800-\u28ff]){5,4000}")
_DOTS = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵⠀", "abcdefghijklmnopqrstuvwxyz ", strict=True))
_CHINESE = LatePattern("[ -~\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{4,4000}")
_FEWEST_LETTERS = 8
_UNICODE = LatePattern(r"(?:\\u[0-9a-fA-F]{4}){1,2000}")
_UTF7 = LatePattern(r"\+[A-Za-z0-9+/]{5,2000}-")
_ENTITY = LatePattern(r"&(?:#\d{2,6}|#[xX][0-9a-fA-F]{2,5}|[a-zA-Z]{2,10});")
_BRACED = LatePattern(r"\\(?:u\{|U000|U\{)([0-9a-fA-F]{2,6})\}?")
_SELECTORS = LatePattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{6,4000}")
_ZERO_WIDTH = LatePattern("[\u200b\u200c\u200d\u2060\ufeff]{32,8000}")


def decode_texts(raw: str, plain: str) -> Iterator[str]:
    """Yield the texts that a text hides in a code; ``plain`` is the text in plain letters."""
    yield from _decode_base64(plain)
    if any(map(str.isdigit, raw)) or any(map(str.isdigit, plain)):
        for text in {plain, raw}:
            yield from _decode_digits(text)
    yield from _decode_marks(raw)
    if not raw.isascii():
        yield from _decode_invisible(raw)


def _decode_base64(text: str) -> Iterator[str]:
    import binascii  # noqa: PLC0415 - few notes hold such a thing

    blobs = _BLOB.findall(text)
    for pieces in _PIECES.findall(text):
        coded = [piece for piece in _BETWEEN.split(pieces) if _CODED.match(piece)]
        if len(coded) > 1:
            blobs.append("".join(coded))
    for blob in blobs:
        bare = blob.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            told = binascii.a2b_base64(bare[: len(bare) - (len(bare) % 4 == 1)] + "==")
        except binascii.Error:
            continue
        yield from _read_bytes(told)
    for blob in _BASE32.findall(text):
        yield from _decode_base32(blob)


def _decode_base32(blob: str) -> Iterator[str]:
    import base64  # noqa: PLC0415 - as above

    bare = blob.upper().rstrip("=")
    bare = bare[: len(bare) - (len(bare) % 8 in (1, 3, 6))]
    yield from _read_bytes(base64.b32decode(bare + "=" * (-len(bare) % 8)))


def _decode_digits(text: str) -> Iterator[str]:
    """Yield what stands in hexadecimal, binary, octal and decimal numbers."""
    for blob in (*_HEX.findall(text), *_SEPARATE_HEX.findall(text)):
        digits = _HEX_PREFIX.sub("", blob)
        yield from _read_bytes(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for blob in _BITS.findall(text):
        bits = [each for each in re.split(r"[\s,_-]+", blob) if each]
        if len(bits) == 1:
            bits = [bits[0][at : at + 8] for at in range(0, len(bits[0]), 8)]
        yield from _read_bytes(bytes(int(each[:8], 2) for each in bits))
    for blob in _NUMBERS.findall(text):
        numbers = _DIGITS.findall(blob)
        yield from _read_codes([int(each) for each in numbers])
        if not re.search("[89]", blob):
            yield from _read_codes([int(each, 8) for each in numbers])


def _decode_marks(text: str) -> Iterator[str]:
    """Yield a text with its escapes resolved, by the mark that each kind of escape has."""
    for mark, pattern, read in _MARKED:
        if mark in text and (found := pattern.sub(read, text)) != text:
            yield found
    if "=" in text and _QUOTED_PRINTABLE.search(text):
        import binascii  # noqa: PLC0415 - few notes hold such a thing

        yield from _read_bytes(binascii.a2b_qp(text.encode("utf-8", "replace")))
    for blob in _BASE85.findall(text):
        yield from _decode_base85(blob)
    for blob in _MORSE.findall(text):
        yield _read_morse(blob)


def _decode_base85(blob: str) -> Iterator[str]:
    if blob.isalnum() or "://" in blob:
        return
    blob = blob.strip("`\"'").removesuffix(".")
    import base64  # noqa: PLC0415 - few notes hold such a thing

    for decode in (base64.a85decode, base64.b85decode):
        try:
            yield from _read_bytes(decode(blob.removeprefix("<~").removesuffix("~>").encode()))
        except ValueError:
            continue


def _decode_invisible(text: str) -> Iterator[str]:
    """Yield what stands in characters that nobody sees, and in Braille."""
    for blob in _BRAILLE.findall(text):
        yield "".join(each if each in " \n" else _DOTS.get(each, "") for each in blob)
    for blob in _SELECTORS.findall(text):
        codes = [ord(each) for each in blob]
        yield from _read_bytes(
            bytes(
                (code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16) & 255 for code in codes
            )
        )
    for blob in _ZERO_WIDTH.findall(text):
        kinds = sorted(set(blob))[:2]
        for zero in kinds:
            bits = "".join("0" if each == zero else "1" for each in blob if each in kinds)
            eights = range(0, len(bits) // 8 * 8, 8)
            yield from _read_bytes(bytes(int(bits[at : at + 8], 2) for at in eights))


def _read_bytes(raw: bytes) -> Iterator[str]:
    """Yield bytes as text, if they are text; compressed text is decompressed."""
    if raw[:2] == b"\x1f\x8b" or raw[:2] in (b"x\x9c", b"x\xda", b"x\x01", b"x\x5e"):
        import zlib  # noqa: PLC0415 - few notes hold such a thing

        try:
            raw = zlib.decompressobj(47).decompress(raw, _LARGEST)
        except zlib.error:
            return
    for coding in ("utf-8", "utf-16-le", "utf-16-be"):
        try:
            text = raw.decode(coding)
        except UnicodeDecodeError:
            continue
        if coding != "utf-8" and b"\0" not in raw and not _is_one_script(text):
            continue  # any bytes are letters of some script in this coding
        if text and not any(each < " " and each not in _IN_TEXT for each in text):
            yield text
            return


def _is_one_script(text: str) -> bool:
    """True if letters stand as close together as those of one script; any bytes are letters of some."""
    if _CHINESE.fullmatch(text):
        return True
    return (
        len(text) >= _FEWEST_LETTERS and len({ord(each) >> 8 for each in text if each > "~"}) == 1
    )


def _read_codes(codes: list[int]) -> Iterator[str]:
    if all(9 <= code <= 255 for code in codes):
        yield from _read_bytes(bytes(codes))


def _read_percent(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def _read_braced(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""


def _read_unicode(found: re.Match[str]) -> str:
    codes = [int(each, 16) for each in found[0].split("\\u")[1:]]
    units = b"".join(code.to_bytes(2, "big") for code in codes)
    return units.decode("utf-16-be", "replace")


def _read_octal(found: re.Match[str]) -> str:
    codes = [int(each, 8) & 255 for each in found[0].split("\\")[1:]]
    return bytes(codes).decode("utf-8", "replace")


def _read_morse(blob: str) -> str:
    signs = blob.translate({0xB7: ".", 0x2022: ".", 0x2013: "-", 0x5F: "-"})
    words = re.split(r"\s*[/|]\s*|\s{2,}", signs)
    return " ".join("".join(_CODES.get(sign, "") for sign in word.split()) for word in words)


def _read_entity(found: re.Match[str]) -> str:
    from html import unescape  # noqa: PLC0415 - few notes hold such a thing

    return unescape(found[0])


def _read_utf7(found: re.Match[str]) -> str:
    return found[0].encode().decode("utf-7", "replace")


_MARKED = (
    ("%", _PERCENT, _read_percent),
    ("&", _ENTITY, _read_entity),
    ("\\", _BRACED, _read_braced),
    ("\\", _OCTAL, _read_octal),
    ("\\u", _UNICODE, _read_unicode),
    ("+", _UTF7, _read_utf7),
)

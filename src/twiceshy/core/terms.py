"""Text to index terms: stems, identifiers whole and in parts, and pairs of Chinese characters."""

from __future__ import annotations

import re

from twiceshy.core.stem import stem

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

# What a term may contain besides letters and digits; the full-text index is told the same.
JOINERS = "_.-/:@+#"

_CJK = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
)
# Letters to Python, but marks to SQLite, which would split a term at them.
_DISPUTED = "\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3"
_LETTERS = rf"[^\W{_CJK}{_DISPUTED}]+"
# compiled by ``re`` when first used, and only for text that is not plain English: it takes 5 ms,
# where Python itself starts in 8
_CHUNK = rf"([{_CJK}]+)|-{{0,2}}{_LETTERS}(?:[.\-/:@+#]+{_LETTERS})*"
_ASCII_CHUNK = r"()-{0,2}\w+(?:[.\-/:@+#]+\w+)*"
_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LONGEST = 64

STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could
    did do does doing done for from get got had has have having he her here him his how i if in into
    is it its just like make me more most my no nor not now of off on once only or other our out over
    own please same she should so some such than that the their them then there these they this those
    through to too under until up us use used using very was we were what when where which while who
    why will with would you your""".split()
)


def terms(text: str) -> list[str]:
    """Return every term of ``text`` in order, repeated as often as it occurs."""
    return list(_terms(_plain(text)))


def query_terms(text: str, *, most: int = 24) -> tuple[str, ...]:
    """Return what to look for: each term once, stop words dropped unless nothing else is left."""
    found = dict.fromkeys(terms(text))
    telling = [term for term in found if term not in _STOP_STEMS]
    return tuple((telling or list(found))[:most])


def _plain(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata  # noqa: PLC0415  (a shared library; plain English never needs it)

    # the marks of class 8 are not accents: they tell the kana for "ba" from those for "ha"
    apart = unicodedata.normalize("NFKD", text)
    kept = "".join(char for char in apart if unicodedata.combining(char) in (0, 8))
    return unicodedata.normalize("NFC", kept)


def _terms(text: str) -> Iterator[str]:
    for found in re.finditer(_ASCII_CHUNK if text.isascii() else _CHUNK, text):
        chunk = found[0]
        if found[1]:
            yield from _pairs(chunk)
        elif chunk.isalpha() and (chunk.islower() or chunk[1:].islower()):
            yield stem(chunk.casefold())[:_LONGEST]
        else:
            yield from _identifier(chunk)


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _identifier(chunk: str) -> Iterator[str]:
    """Yield the parts, then the whole when it is more than its only part."""
    parts = [piece.casefold() for part in _PART.findall(chunk) for piece in _CAMEL.split(part)]
    for part in parts:
        yield stem(part)[:_LONGEST]
    whole = chunk.casefold()
    if parts != [whole]:
        yield whole[:_LONGEST]


_STOP_STEMS = frozenset(stem(word) for word in STOP_WORDS) | STOP_WORDS

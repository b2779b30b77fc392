"""All readings of a text: as written, as a shell reads it, and what it hides in codes and ciphers."""

from __future__ import annotations

import re

from twiceshy.core.memo import memoise
from twiceshy.core.value import Value
from twiceshy.safety.danger.ciphers import decipher_texts, guess_letters
from twiceshy.safety.danger.encodings import decode_texts
from twiceshy.safety.danger.folding import fold_text

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH = 2
_TAGGED = re.compile("[\U000e0020-\U000e007e]+")  # letters that no terminal shows
_JOINED = re.compile(
    r"(?<=[\w +/=])[\"']\s{0,3}(?:[+.&|,]|\\\n|\|\|)?\s{0,3}[\"'](?=[\w +/=])|(?<=\w)-\n(?=\w)"
)


class Reading(Value):
    """A reading of a text: unfolded, and in plain letters.

    Where letters were guessed, only words are looked at: a guess would make other commands of it.
    """

    raw: str
    plain: str
    guessed: bool = False


@memoise(16)  # each rule asks for those of the same text
def list_readings(text: str) -> list[Reading]:
    """Return each reading of a text; the first is the text itself."""
    told: dict[str, Reading] = {}
    for reading in _list_at_depth(text, _DEPTH):
        told.setdefault(reading.raw, reading)
    return list(told.values())


def _list_at_depth(text: str, depth: int) -> Iterator[Reading]:
    plain = fold_text(text)
    yield Reading(text, plain)
    hidden = list(decode_texts(text, plain)) if depth else []
    for spelled in _resolve_escapes(text):
        folded = fold_text(spelled)
        yield Reading(spelled, folded)
        hidden += decode_texts(spelled, folded) if depth else ()
    for decoded in hidden:
        if decoded != text:
            yield from _list_at_depth(decoded, depth - 1)
    for restored in decipher_texts(text, plain):
        yield Reading(restored, fold_text(restored))
    for guess in guess_letters(text, plain):
        yield Reading(guess, fold_text(guess), guessed=True)


def _resolve_escapes(text: str) -> Iterator[str]:
    if "\\" in text:
        spelled = text.replace("\\r", "\n").replace("\\n", "\n").replace("\\t", " ")
        yield spelled.replace("\\", "/")
        yield text.replace("\\\n", "").replace("\\", "")
    if (apart := _TAGGED.sub(r" \g<0> ", text)) != text:
        yield apart
    if (joined := _JOINED.sub("", text)) != text:
        yield joined

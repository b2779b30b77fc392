"""Split text into word pieces for BERT models.

A word is cut greedily, longest known piece first; a word that cannot be cut completely is
unknown as a whole. Names of special pieces, such as [SEP], are plain text here: a note
cannot forge a special piece.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
_MORE = "##"  # marks a piece that continues a word
_LONGEST_WORD = 100
# Where every character is a word: the blocks that the models were trained to take apart.
_HAN = (
    *((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F)),
    *((0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)),
)


class WordPieces:
    """A vocabulary of pieces by number."""

    def __init__(self, pieces: Mapping[str, int], *, lower: bool = True) -> None:
        self._pieces = pieces
        self._lower = lower
        self._unknown = pieces[UNKNOWN]

    def piece_numbers(self, text: str, *, most: int) -> list[int]:
        """Return the piece numbers of a text, between first and last, at most ``most``."""
        room = most - 2
        found: list[int] = []
        for word in split_words(text, lower=self._lower):
            found += self._cut_word(word)
            if len(found) >= room:
                break
        return [self._pieces[FIRST], *found[:room], self._pieces[LAST]]

    def _cut_word(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            end, number = self._longest_piece(word, start)
            if number is None:
                return [self._unknown]
            found.append(number)
            start = end
        return found

    def _longest_piece(self, word: str, start: int) -> tuple[int, int | None]:
        mark = _MORE if start else ""
        for end in range(len(word), start, -1):
            number = self._pieces.get(mark + word[start:end])
            if number is not None:
                return end, number
        return start, None


def split_words(text: str, *, lower: bool = True) -> Iterator[str]:
    """Yield words, punctuation signs and Chinese characters separately."""
    for chunk in "".join(map(_clean_character, text)).split():
        plain = _strip_accents(chunk).lower() if lower else chunk
        yield from _separate_characters(plain)


def _clean_character(char: str) -> str:
    if " " <= char <= "~":
        return char
    if char in "\t\n\r":
        return " "
    if char == "\ufffd" or unicodedata.category(char)[0] == "C":
        return ""  # even those that Python calls blanks, such as the unit separator
    han = any(first <= ord(char) <= last for first, last in _HAN)
    return f" {char} " if han else char


def _strip_accents(chunk: str) -> str:
    if chunk.isascii():
        return chunk
    parts = unicodedata.normalize("NFD", chunk)
    return "".join(char for char in parts if unicodedata.category(char) != "Mn")


def _separate_characters(chunk: str) -> Iterator[str]:
    start = 0
    for at, char in enumerate(chunk):
        if _is_punctuation(char):
            if start < at:
                yield chunk[start:at]
            yield char
            start = at + 1
    if start < len(chunk):
        yield chunk[start:]


def _is_punctuation(char: str) -> bool:
    if char.isascii():  # with signs that Unicode calls symbols, such as $ and +
        return not char.isalnum()
    return unicodedata.category(char)[0] == "P"

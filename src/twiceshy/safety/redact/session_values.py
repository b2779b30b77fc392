"""Secrets found earlier in a session, known by short keyed hashes of their words only.

A hash has four bytes: some other word may have it by chance once in a billion words, and who has key and
hashes finds thousands of passwords that fit each of them.
"""

from __future__ import annotations

from twiceshy.safety.redact.marks import build_mark, find_marks

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

SIZE = 4  # bytes of a hash
_APART = dict.fromkeys((*range(32), *map(ord, "\"'`,;()<>[]{}|&=:@/\\")), " ")
_SHORTEST, _LONGEST = 8, 128
_ENDS = ".!?"


def hash_values(values: Iterable[str], key: bytes) -> set[bytes]:
    """Return the hashes of the words of secrets."""
    from twiceshy.safety.redact.repeated import is_telling  # noqa: PLC0415 - loaded where secrets are found

    return {
        _hash_word(word, key)
        for value in values
        for _, _, word in _list_words(value)
        if is_telling(word)
    }


def redact_hashed(text: str, hashes: Collection[bytes], key: bytes) -> str:
    """Return the text without the words that have one of these hashes."""
    marks = find_marks(text)
    kept, at = "", 0
    for start, end, word in _list_words(text):
        if any(begin <= start < stop for begin, stop in marks):
            continue
        if not word.isalpha() and _hash_word(word, key) in hashes:
            kept, at = kept + text[at:start] + build_mark("known-secret"), end
    return kept + text[at:] if kept else text


def _list_words(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the words between blanks and signs, by plain searches: compiling a pattern takes longer."""
    at = 0
    for run in text.translate(_APART).split():
        at = text.index(run, at)
        for begin in range(0, len(run), _LONGEST):
            word = run[begin : begin + _LONGEST].rstrip(_ENDS)
            if len(word) >= _SHORTEST:
                yield at + begin, at + begin + len(word), word
        at += len(run)


def _hash_word(word: str, key: bytes) -> bytes:
    from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL besides

    return bytes(blake2b(word.encode("utf-8", "replace"), key=key, digest_size=SIZE).digest())

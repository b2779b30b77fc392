"""Secrets found earlier in a session, known by short keyed hashes of their words only.

A hash has four bytes: some other word may have it by chance once in a billion words, and who has key and
hashes finds thousands of passwords that fit each of them.
"""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.gate import build_mark, find_marks
from twiceshy.safety.redact.repeated import is_telling

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

SIZE = 4  # bytes of a hash
_WORD = r"[^\s\"'`,;()<>\[\]{}|&=:@/\\\x00-\x1f]{8,128}"
_ENDS = ".!?"


def hash_values(values: Iterable[str], key: bytes) -> set[bytes]:
    """Return the hashes of the words of secrets."""
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
    for found in compile_pattern(_WORD).finditer(text):
        word = found[0].rstrip(_ENDS)
        if len(word) >= 8:
            yield found.start(), found.start() + len(word), word


def _hash_word(word: str, key: bytes) -> bytes:
    from _blake2 import blake2b  # noqa: PLC0415 - hashlib loads OpenSSL besides

    return bytes(blake2b(word.encode("utf-8", "replace"), key=key, digest_size=SIZE).digest())

"""Porter's stemmer for English, so that "tagging" finds "tag".

The algorithm is M. F. Porter's of 1980, called ``porter`` by SQLite; a test compares the
two. Words in Cyrillic letters have a stemmer of their own.
"""

from __future__ import annotations

_STEP2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "logi": "log", "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip
_CYRILLIC = ("\u0400", "\u052f")


def stem_word(word: str) -> str:
    """Return the stem of a lower-case word; other text is returned unchanged."""
    if not (3 <= len(word) <= 64 and word.isascii() and word.isalpha()):
        return _stem_cyrillic(word) if _CYRILLIC[0] <= word[:1] <= _CYRILLIC[1] else word
    word = _strip_plural(word)
    word = _strip_past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_longest(word, _STEP2)
    word = _replace_longest(word, _STEP3)
    word = _drop_suffix(word)
    return _tidy_end(word)


def _stem_cyrillic(word: str) -> str:
    from twiceshy.language.cyrillic import stem_cyrillic  # noqa: PLC0415 - only words in Cyrillic letters need it

    return stem_cyrillic(word)


def _strip_plural(word: str) -> str:
    if word[1:].endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    if word[1:].endswith("eed"):
        return word[:-1] if _count_measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word[: -len(suffix)]):
            return _mend_stem(word[: -len(suffix)])
    return word


def _mend_stem(word: str) -> str:
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    doubled = word[-2:-1] == word[-1:] and word[-1:] not in "aeiou"
    if doubled and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _count_measure(word) == 1 and _has_short_end(word) else word


def _replace_longest(word: str, table: dict[str, str]) -> str:
    for length in range(min(7, len(word)), 2, -1):
        suffix = word[-length:]
        if suffix in table:
            root = word[:-length]
            return root + table[suffix] if _count_measure(root) > 0 else word
    return word


def _drop_suffix(word: str) -> str:
    if not word.endswith(_STEP4):
        return word  # most words; to look for the longest suffix takes a third of the time
    found = max((s for s in _STEP4 if word.endswith(s)), key=len)
    root = word[: len(word) - len(found)]
    if _count_measure(root) < 2 or (found == "ion" and root[-1:] not in ("s", "t")):
        return word
    return root


def _tidy_end(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        measure = _count_measure(root)
        if measure > 1 or (measure == 1 and not _has_short_end(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _count_measure(word[:-1]) > 1 else word


def _is_consonant(word: str, at: int) -> bool:
    char = word[at]
    if char == "y":
        return at == 0 or not _is_consonant(word, at - 1)
    return char not in "aeiou"


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, at) for at in range(len(word)))


def _count_measure(word: str) -> int:
    """Count the times a vowel run is followed by a consonant run."""
    count, after_vowel = 0, False
    for at in range(len(word)):
        consonant = _is_consonant(word, at)
        count += after_vowel and consonant
        after_vowel = not consonant
    return count


def _has_short_end(word: str) -> bool:
    """True if the word ends consonant, vowel, consonant (not w, x, y)."""
    end = len(word) - 1
    return (
        end >= 2
        and _is_consonant(word, end)
        and not _is_consonant(word, end - 1)
        and _is_consonant(word, end - 2)
        and word[end] not in "wxy"
    )

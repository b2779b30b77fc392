"""A light stemmer for words in Cyrillic letters, so that "миграций" finds "миграция".

Endings of cases, numbers, genders and verbs are taken off, and then what makes a noun or adjective
of a verb. Accents are folded before: "й" is "и" and "ё" is "е" here. It is made for Russian; the
endings of Ukrainian, Bulgarian and Serbian are mostly the same, and words with letters of other
languages are left alone.
"""

from __future__ import annotations

_VOWELS = frozenset("аеиоуыэюяіє")
# Letters of Turkic, Mongolic and other languages, whose words end in other ways.
_OTHER = frozenset("әғқңөұүһҳҷҡҙҫҥӊҕԥҧҩҭҵҽӏԓԯ")
_SHORTEST, _FIRM = 3, 4  # letters of what is left, without an ending and without a suffix
_ENDINGS = frozenset(
    """а я о е ы и у ю ь ъ і є ом ем ам ям ах ях ами ями ов ев еи ои ою ею ію ия ии ие ию иеи ием
    иям иях иями ья ьи ью ье ьев ьем ьям ьями ьях ів ії ові ыи ая яя ое ее ые ого его ому ему ым им
    ых их ую юю ыми ими ать ять ить еть уть ыть оть ите аите яите аю яю ует уют ает яет аем яем
    ают яют аешь яешь ешь ишь ете ът ата ото""".split()
)
_LONGEST = max(map(len, _ENDINGS))
_REFLEXIVE = ("ся", "лась", "лись", "лось", "юсь", "тесь")
_NOUNS = frozenset(("память", "печать", "кровать"))
# The longest first; these may leave three letters, those below four.
_STRONG = ("ировани", "ированн", "ирован", "ирова", "ировк", "иров", "ируем", "иру")
_SUFFIXES = (
    *("ованн", "овани", "ывани", "ивани", "ывающ", "ивающ"),
    *("енны", "ующ", "ающ", "яющ", "енн", "анн", "янн", "ова", "ева", "ыва", "ива", "ост"),
    *("ем", "ен", "ан", "ян", "ац", "ов", "ал", "ил", "ял", "ел", "ул", "ыл", "ет", "ит", "ут"),
    *("ют", "ят", "ющ", "ящ", "вш"),
)
# After a consonant these make a noun, an adjective or a past of what stands before.
_AFTER_CONSONANT = frozenset("кншь")
_LABIALS = frozenset("бпвфм")


def stem_cyrillic(word: str) -> str:
    """Return the stem of a lower-case word without accents."""
    if len(word) <= _SHORTEST or not _OTHER.isdisjoint(word):
        return word
    stem = _strip_ending(word[:-2] if len(word) > 5 and word.endswith(_REFLEXIVE) else word)
    while (shorter := _strip_suffix(_close_gap(stem))) != stem:
        stem = shorter
    return stem


def _strip_ending(word: str) -> str:
    for length in range(min(_LONGEST, len(word) - _SHORTEST), 0, -1):
        end = word[-length:]
        if end in _ENDINGS and not (length > 1 and word in _NOUNS):
            return word[:-length] if not _VOWELS.isdisjoint(word[:-length]) else word
    return word


def _strip_suffix(word: str) -> str:
    for suffixes, least in ((_STRONG, _SHORTEST), (_SUFFIXES, _FIRM)):
        for suffix in suffixes:
            if word.endswith(suffix) and len(word) - len(suffix) >= least:
                return word[: -len(suffix)]
    return _strip_last(word) if len(word) > _FIRM else word


def _strip_last(word: str) -> str:
    before, last = word[-2], word[-1]
    if (before, last) == ("и", "к") and word[-3] in _VOWELS:
        return word[:-2]
    softened = last == "л" and (before in _LABIALS or before == "с")
    added = last in _AFTER_CONSONANT and before not in _VOWELS
    return word[:-1] if softened or added or last in "ьи" else word


def _close_gap(word: str) -> str:
    """Drop the vowel that only some cases have: "ошибок" beside "ошибка"."""
    if len(word) > _FIRM and word[-1] in "кнц" and word[-2] in "ое":
        if word[-3] not in _VOWELS:
            return word[:-2] + word[-1]
        if word[-2:] == "ек":
            return word[:-2] + "ик"
    return word

"""Whether one of two texts denies less than the whole of what the other one says.

"Do not use Docker volumes" is an exception to "Use Docker", and "You may use sudo in containers" one to
"Never use sudo": both hold. A denial takes the place of a text only if it repeats it without a word more.
What is no known word of grammar counts as a word more, so a text that is not understood retires nothing.
"""

from __future__ import annotations

from itertools import takewhile

from twiceshy.language.denial_words import (
    BOUNDING,
    CHINESE_BOUNDING,
    CHINESE_DENYING,
    CHINESE_EMPTY,
    CHINESE_ENDING,
    CHINESE_TURNING,
    DENYING,
    ELIDED,
    EMPTY,
    ENDING,
    FORBIDDING,
    GERMAN_EMPTY,
    GERMAN_SIGNS,
    HELPING,
    LISTING,
    ROMANCE_EMPTY,
    ROMANCE_SIGNS,
    STATED,
    TURNING,
)
from twiceshy.language.statement import is_chinese, read_statement
from twiceshy.language.statement_words import CHINESE, TRIMMED
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import tell_language

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ALIKE = 4  # letters that two forms of a word have in common at least
_ENDING = 3  # letters in which they may differ
_NEAR = 4  # words within which "ne" is followed by "plus"


def denies_less(newer: str, older: str) -> bool:
    """True if two texts are a statement and an exception to it, in either order.

    A text that first says something else of the same, and then what no longer holds, is no exception.
    """
    known, said = list_things(older, newer), list_things(newer, older)
    old_denials = [part for part in _list_parts(older) if is_denial(part)]
    if any(has_more(list_things(part, newer), said) for part in old_denials):
        return True
    parts = [(part, list_things(part, older)) for part in _list_parts(newer)]
    less = [
        is_denial(part)
        for part, things in parts
        if not set(known).isdisjoint(things) and has_more(things, known)
    ]
    return bool(less) and (less[0] or bool(old_denials))


def denies_whole(newer: str, older: str) -> bool:
    """True if a text says that what the older one says is over, and repeats most of it."""
    known = list_things(older, newer)
    return any(
        not has_more(things := list_things(part, older), known)
        and 2 * len(things) >= len(known) > 0
        and (len(things) == len(known) or LISTING.isdisjoint(_split_words(older)))
        for part in _list_parts(newer)
        if _is_end(part)
    )


def contradicts(newer: str, older: str) -> bool:
    """True if one of two texts denies what the other one says in the same words."""
    new, old = list_things(newer, older), list_things(older, newer)
    differ = is_denial(newer) != is_denial(older)
    return differ and bool(new) and not (has_more(new, old) or has_more(old, new))


def is_denial(text: str) -> bool:
    """True if a text forbids or denies something, in any of the known languages."""
    if is_chinese(text) and any(sign in text for sign in CHINESE_DENYING):
        return True
    return not DENYING.isdisjoint(_split_words(text))


def forbids_value(text: str) -> bool:
    """True if a text forbids one of several values, such as a version, and sets no limit."""
    words = _split_words(text)
    if is_chinese(text):
        bounded = any(sign in text for sign in CHINESE_BOUNDING)
        return not bounded and any(sign in text for sign in CHINESE_DENYING)
    return not FORBIDDING.isdisjoint(words) and BOUNDING.isdisjoint(words)


def has_more(things: Iterable[str], known: Iterable[str]) -> bool:
    """True if something of the first texts is in the second ones not as often."""
    left, unmet = list(known), []
    for thing in things:
        if thing in left:
            left.remove(thing)
        else:
            unmet.append(thing)
    for thing in unmet:
        met = next((one for one in left if _are_forms(thing, one)), None)
        if met is None:
            return True
        left.remove(met)
    return False


def list_things(text: str, other: str) -> list[str]:
    """Return the words of a text that name something, of Chinese the characters; ``other`` tells the language."""
    text = text.casefold()
    for cue in CHINESE_EMPTY if is_chinese(text) else ():
        text = text.replace(cue, " ")
    empty = _find_empty(f"{text} {other}")
    words = _split_words(text)
    around = zip(words, ["", *words], [*words[1:], ""], strict=False)
    return [
        stem_word(word)
        for word, before, after in around
        if word not in empty and not _calls_over(word, before, after)
    ]


def _calls_over(word: str, before: str, after: str) -> bool:
    """True if a word between two others says that something is over, and not which thing is meant."""
    if word == "stop":
        return after.endswith("ing")
    if word in ("more", "longer"):
        return before in ("any", "no")
    return word in STATED and (not after or before in HELPING)


def _find_empty(text: str) -> frozenset[str]:
    """Return the words that name nothing in the language of a text."""
    from twiceshy.language.tongue import GERMAN, ROMANCE  # noqa: PLC0415 - few texts are judged

    words, grammar = _split_words(text), tell_language(text).empty
    if grammar is GERMAN or not GERMAN_SIGNS.isdisjoint(words):
        return EMPTY | GERMAN_EMPTY
    if grammar is ROMANCE or not ROMANCE_SIGNS.isdisjoint(words):
        return EMPTY | ROMANCE_EMPTY
    return EMPTY


def is_foreign(text: str) -> bool:
    """True if a text is in a known language that is not English or Chinese."""
    return _find_empty(text) is not EMPTY


def _list_parts(text: str) -> Iterator[str]:
    """Yield the clauses of a text, each up to where it turns to a reason or to another thing."""
    for clause in read_statement(text).clauses:
        said = clause.text
        for sign in CHINESE_TURNING if is_chinese(said) else ():
            said = said.partition(sign)[0] or said
        words = said.split()
        kept = takewhile(lambda word: word.strip(TRIMMED) not in TURNING, words[1:])
        yield " ".join((*words[:1], *kept))


def _is_end(part: str) -> bool:
    """True if a part of a text says that something is over."""
    if is_chinese(part):
        _, denies, rest = part.partition("不")
        return any(sign in part for sign in CHINESE_ENDING) or (
            bool(denies) and rest.strip().endswith("了")
        )
    words = _split_words(part)
    return any(_follow(first, second, words) for first, second in ENDING)


def _follow(first: str, second: str, words: list[str]) -> bool:
    """True if one word follows another one, with a few between them at most."""
    if second == "plus" and "pas" in words:
        return False  # "ne pas utiliser plus de ..."
    ends = (words[at + 1 : at + 1 + _NEAR] for at, word in enumerate(words) if word == first)
    return any(second in following for following in ends)


def _are_forms(one: str, other: str) -> bool:
    """True if two words are forms of one word, as far as their letters tell."""
    alike = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))
    return (
        alike >= _ALIKE and max(len(one), len(other)) - alike <= _ENDING and not one[-1].isdigit()
    )


def _split_words(text: str) -> list[str]:
    """Split a text into words in lower case, of Chinese into characters, of compounds into parts."""
    text = text.casefold().replace("’", "'")
    spaced = "".join(f" {char} " if char >= CHINESE else char for char in text)
    words = (word.strip(TRIMMED + "、，。；：") for word in spaced.replace("-", " ").split())
    return [part for word in words if word for part in _cut_elided(word)]


def _cut_elided(word: str) -> tuple[str, ...]:
    """Cut an article or a particle that is tied to a word: "n'utilisez"."""
    ahead, tied, rest = word.partition("'")
    if tied and rest and ahead in ELIDED:
        return ("ne", rest) if ahead == "n" else (rest,)
    return (word.removesuffix("'s"),)

"""Propose rules from repeated replacements; propose nothing if the intent is unclear."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.stem import stem
from twiceshy.language.terms import STOP_WORDS
from twiceshy.project.notebook.diffs import swaps, tokens, words
from twiceshy.project.notebook.missed import ARROWS, puts_right

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.project.notebook.diffs import Change, Swap
    from twiceshy.project.notebook.missed import Known

    Category = Literal["code", "prose", "config"]

MOST = 5  # of one analysis; who rewrites everything corrects nothing
_LONGEST_TERM = 60  # characters
_MOST_WORDS = 3
_MOST_CHARACTERS = 6  # of a term in Chinese
_SHORTEST = 3  # letters of a word that is replaced only once
_AROUND = 3  # tokens that must stay around it
_OFTEN = 3  # places
# What stands before a name that is given, and at the beginning of a line that brings names along.
_DEFINING = frozenset("def class function fn func let const var val type struct enum as".split())
_IMPORTING = frozenset("import from use require include package using export".split())
_MARKS = ("[REDACTED:", "[PRIVATE]")
_PROSE = frozenset("md mdx markdown rst txt adoc tex org".split())
_CONFIG = frozenset("json toml yaml yml ini cfg conf env xml properties lock".split())


class Place(Value):
    """Replacement at its place; ``is_alone`` if nothing else was changed there."""

    swap: Swap
    change: Change
    alone: bool


class Proposal(Value):
    """Proposed rule against a mistake corrected by the user."""

    wrong: str
    right: str
    category: Category
    files: tuple[str, ...]
    times: int

    @property
    def text(self) -> str:
        """Rule text."""
        mark = "`" if self.category == "code" and "`" not in self.wrong + self.right else '"'
        return f"Write {mark}{self.right}{mark}, not {mark}{self.wrong}{mark}."

    @property
    def example(self) -> str:
        """Example: wrong and corrected words."""
        return f"{self.wrong} → {self.right}"


def category_of(file: str) -> Category:
    """Return the category of a file by its name."""
    name = file.rpartition("/")[2]
    stem_, dot, ending = name.rpartition(".")
    if not dot or not stem_:
        return "config" if name.startswith(".") or name == "Makefile" else "prose"
    return "prose" if ending.lower() in _PROSE else _code_or_config(ending.lower())


def _code_or_config(ending: str) -> Category:
    return "config" if ending in _CONFIG else "code"


def proposals(changes: Iterable[Change], known: Sequence[Known] = ()) -> list[Proposal]:
    """Propose rules not covered by known rules, most frequent replacements first."""
    places = _places(changes)
    found = [
        made
        for (wrong, right), where in places.items()
        if not _disputed(wrong, right, places)
        and (made := _made(wrong, right, where)) is not None
        and not any(puts_right(rule, made.wrong, made.right) for rule in known)
    ]
    found.sort(key=lambda one: (-one.times, one.wrong, one.right))
    return found[:MOST]


def _places(changes: Iterable[Change]) -> dict[tuple[str, str], list[Place]]:
    """Group replacements by words, ignoring capitals at the start of a sentence."""
    places: dict[tuple[str, str], list[Place]] = {}
    for change in changes:
        made = swaps(change.removed, change.added)
        for swap in made:
            alone = len(made) == 1 and _kept(change.removed, swap.wrong) == _kept(
                change.added, swap.right
            )
            pair = _lowered(swap.wrong, swap.right)
            places.setdefault(pair, []).append(Place(swap, change, alone))
    return places


def _kept(text: str, part: str) -> int:
    """Count the words of a text outside a part."""
    return len(words(text)) - len(words(part))


def _lowered(wrong: str, right: str) -> tuple[str, str]:
    if wrong[:1].isupper() and wrong[1:].islower() and right[:1].isupper() and right[1:].islower():
        return wrong[0].lower() + wrong[1:], right[0].lower() + right[1:]
    return wrong, right


def _disputed(wrong: str, right: str, places: Iterable[tuple[str, str]]) -> bool:
    """True if the same words were replaced differently, or also in reverse."""
    return any(
        (one == wrong and other != right) or (one, other) == (right, wrong)
        for one, other in places
    )


def _made(wrong: str, right: str, where: Sequence[Place]) -> Proposal | None:
    """Build a rule from replacements; if prose files are among them, only those count."""
    where = [each for each in where if category_of(each.change.file) == "prose"] or where
    files = tuple(dict.fromkeys(place.change.file for place in where))
    category = category_of(files[0])
    dense = _dense(wrong) and _dense(right)
    if dense:
        wrong, right = _whole(wrong, right, where)
    clear = _clear(where, dense=dense) if category == "prose" else _no_rename(where, files)
    if not clear or not _terms(wrong, right, often=len(where) >= _OFTEN) or _connects(wrong):
        return None
    return Proposal(wrong, right, category, files, len(where))


def _clear(where: Sequence[Place], *, dense: bool) -> bool:
    """True if a prose replacement clearly means a word substitution."""
    return len(where) > 1 or dense or _clear_once(where[0])


def _no_rename(where: Sequence[Place], files: Sequence[str]) -> bool:
    """True if a replacement in code is a correction rather than a rename.

    In twelve commits of a repository 15 names were replaced twice or more, and none was a correction.
    """
    named = any(
        place.swap.left in _DEFINING
        or place.swap.after in ("=", ":")
        or words(place.change.removed)[0] in _IMPORTING
        for place in where
    )
    spelled = _spelled(where[0].swap.wrong) == _spelled(where[0].swap.right)
    alone = all(place.alone for place in where)
    return alone and not (named or spelled) and len(where) >= _OFTEN and len(files) > 1


def _spelled(name: str) -> str:
    return name.replace("_", "").casefold()


def _terms(wrong: str, right: str, *, often: bool) -> bool:
    """True if both sides are terms of the same type; signs must be replaced often."""
    if not (_a_term(wrong) and _a_term(right)):
        return False
    sides = [any(map(str.isalpha, side)) for side in (wrong, right)]
    whole = all(_bound(side) for side in (wrong, right))
    return whole if all(sides) else often and not any(sides)


def _bound(term: str) -> bool:
    """True if a term starts and ends with letters, so is no fragment."""
    return all(char.isalnum() or char in "-_" for char in (term[0], term[-1]))


def _a_term(text: str) -> bool:
    """True if a text is a quotable term: short, no number, nothing redacted."""
    if not text:
        return False
    said = words(text)
    most = _MOST_CHARACTERS if _dense(text) else _MOST_WORDS
    hidden = any(mark in text for mark in _MARKS)
    quotable = '"' not in text and not any(arrow in text for arrow in ARROWS)
    a_number = any(char.isdigit() for char in text) and not any(map(str.isalpha, text))
    short = len(said) <= most and len(text) <= _LONGEST_TERM
    return short and quotable and not hidden and not a_number


def _connects(wrong: str) -> bool:
    """True if every word is a connecting word, whose use depends on its neighbours."""
    return all(word.casefold() in STOP_WORDS for word in words(wrong))


def _clear_once(place: Place) -> bool:
    """True if a single replacement is enough: a word swapped in an unchanged sentence."""
    wrong, right = place.swap.wrong, place.swap.right
    letters = all(_letters(side) for side in (wrong, right))
    bent = wrong.casefold() != right.casefold() and _stems(wrong) == _stems(right)
    return place.alone and letters and _kept(place.change.removed, wrong) >= _AROUND and not bent


def _letters(text: str) -> bool:
    plain = text.replace("-", "").replace("'", "")
    return len(plain) >= _SHORTEST and plain.isalpha()


def _stems(text: str) -> list[str]:
    return [stem(word.casefold()) for word in words(text)]


def _dense(text: str) -> bool:
    return all(token.dense for token in tokens(text))


def _whole(wrong: str, right: str, where: Sequence[Place]) -> tuple[str, str]:
    """Extend Chinese terms to at least two characters; empty if unclear.

    A single character is part of a word; only equal neighbours in several places show which word.
    """
    if min(len(wrong), len(right)) > 1:
        return wrong, right
    left = _shared([place.swap.left for place in where])
    after = _shared([place.swap.after for place in where])
    if len(where) < 2 or not (left or after):
        return "", ""
    return left + wrong + after, left + right + after


def _shared(neighbours: Sequence[str]) -> str:
    first = neighbours[0]
    return first if first and _dense(first) and all(each == first for each in neighbours) else ""

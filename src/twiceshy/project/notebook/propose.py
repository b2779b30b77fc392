"""Propose rules from repeated replacements; propose nothing if the intent is unclear."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.language.stem import stem_word
from twiceshy.language.terms import STOP_WORDS
from twiceshy.project.notebook.diffs import find_swaps, split_tokens, split_words
from twiceshy.project.notebook.match_edits import ARROWS, RulePairs, is_asked_by_rule

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Literal

    from twiceshy.project.notebook.diffs import TextChange, WordSwap

    FileCategory = Literal["code", "prose", "config"]

MAX_PROPOSALS = 5  # of one analysis; who rewrites everything corrects nothing
_MAX_TERM = 60  # characters
_MAX_WORDS = 3
_MAX_CHARACTERS = 6  # of a term in Chinese
_MIN_WORD = 3  # letters of a word that is replaced only once
_MIN_CONTEXT = 3  # tokens that must stay around it
_MIN_OFTEN = 3  # places
# What stands before a name that is given, and at the beginning of a line that brings names along.
_DEFINING = frozenset("def class function fn func let const var val type struct enum as".split())
_IMPORTING = frozenset("import from use require include package using export".split())
_MARKS = ("[REDACTED:", "[PRIVATE]")
_PROSE = frozenset("md mdx markdown rst txt adoc tex org".split())
_CONFIG = frozenset("json toml yaml yml ini cfg conf env xml properties lock".split())


class ReplacementPlace(Value):
    """Replacement at its place; ``is_alone`` if nothing else was changed there."""

    swap: WordSwap
    change: TextChange
    is_alone: bool


class ProposedRule(Value):
    """Proposed rule against a mistake corrected by the user."""

    wrong: str
    right: str
    category: FileCategory
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


def file_category(file: str) -> FileCategory:
    """Return the category of a file by its name."""
    name = file.rpartition("/")[2]
    stem_, dot, ending = name.rpartition(".")
    if not dot or not stem_:
        return "config" if name.startswith(".") or name == "Makefile" else "prose"
    if ending.lower() in _PROSE:
        return "prose"
    return "config" if ending.lower() in _CONFIG else "code"


def propose_rules(
    changes: Iterable[TextChange], known: Sequence[RulePairs] = ()
) -> list[ProposedRule]:
    """Propose rules not covered by known rules, most frequent replacements first."""
    places = _group_swaps(changes)
    found = [
        made
        for (wrong, right), where in places.items()
        if not _is_disputed(wrong, right, places)
        and (made := _build_rule(wrong, right, where)) is not None
        and not any(is_asked_by_rule(rule, made.wrong, made.right) for rule in known)
    ]
    found.sort(key=lambda one: (-one.times, one.wrong, one.right))
    return found[:MAX_PROPOSALS]


def _group_swaps(changes: Iterable[TextChange]) -> dict[tuple[str, str], list[ReplacementPlace]]:
    """Group replacements by words, ignoring capitals at the start of a sentence."""
    places: dict[tuple[str, str], list[ReplacementPlace]] = {}
    for change in changes:
        made = find_swaps(change.removed, change.added)
        for swap in made:
            left = _count_other_words(change.removed, swap.wrong)
            alone = len(made) == 1 and left == _count_other_words(change.added, swap.right)
            pair = _lower_initials(swap.wrong, swap.right)
            places.setdefault(pair, []).append(ReplacementPlace(swap, change, alone))
    return places


def _count_other_words(text: str, part: str) -> int:
    """Count the words of a text outside a part."""
    return len(split_words(text)) - len(split_words(part))


def _lower_initials(wrong: str, right: str) -> tuple[str, str]:
    if wrong[:1].isupper() and wrong[1:].islower() and right[:1].isupper() and right[1:].islower():
        return wrong[0].lower() + wrong[1:], right[0].lower() + right[1:]
    return wrong, right


def _is_disputed(wrong: str, right: str, places: Iterable[tuple[str, str]]) -> bool:
    """True if the same words were replaced differently, or also in reverse."""
    return any(
        (one == wrong and other != right) or (one, other) == (right, wrong)
        for one, other in places
    )


def _build_rule(wrong: str, right: str, where: Sequence[ReplacementPlace]) -> ProposedRule | None:
    """Build a rule from replacements; if prose files are among them, only those count."""
    where = [each for each in where if file_category(each.change.file) == "prose"] or where
    files = tuple(dict.fromkeys(place.change.file for place in where))
    category = file_category(files[0])
    dense = _is_dense(wrong) and _is_dense(right)
    if dense:
        wrong, right = _complete_words(wrong, right, where)
    if category == "prose":
        clear = len(where) > 1 or dense or _is_clear_once(where[0])
    else:
        clear = _is_clear_in_code(where, files)
    terms = _are_terms(wrong, right, often=len(where) >= _MIN_OFTEN)
    # the use of connecting words depends on their neighbours
    connects = all(word.casefold() in STOP_WORDS for word in split_words(wrong))
    if not clear or not terms or connects:
        return None
    return ProposedRule(wrong, right, category, files, len(where))


def _is_clear_in_code(where: Sequence[ReplacementPlace], files: Sequence[str]) -> bool:
    """True if a replacement in code is a correction rather than a rename.

    In twelve commits of a repository 15 names were replaced twice or more, and none was a correction.
    """
    named = any(
        place.swap.word_before in _DEFINING
        or place.swap.word_after in ("=", ":")
        or split_words(place.change.removed)[0] in _IMPORTING
        for place in where
    )
    spelled = _fold_name(where[0].swap.wrong) == _fold_name(where[0].swap.right)
    alone = all(place.is_alone for place in where)
    return alone and not (named or spelled) and len(where) >= _MIN_OFTEN and len(files) > 1


def _fold_name(name: str) -> str:
    return name.replace("_", "").casefold()


def _are_terms(wrong: str, right: str, *, often: bool) -> bool:
    """True if both sides are terms of the same type; signs must be replaced often."""
    if not (_is_term(wrong) and _is_term(right)):
        return False
    sides = [any(map(str.isalpha, side)) for side in (wrong, right)]
    whole = all(_is_whole_term(side) for side in (wrong, right))
    return whole if all(sides) else often and not any(sides)


def _is_whole_term(term: str) -> bool:
    """True if a term starts and ends with letters, so is no fragment."""
    return all(char.isalnum() or char in "-_" for char in (term[0], term[-1]))


def _is_term(text: str) -> bool:
    """True if a text is a quotable term: short, no number, nothing redacted."""
    if not text:
        return False
    said = split_words(text)
    most = _MAX_CHARACTERS if _is_dense(text) else _MAX_WORDS
    hidden = any(mark in text for mark in _MARKS)
    quotable = '"' not in text and not any(arrow in text for arrow in ARROWS)
    a_number = any(char.isdigit() for char in text) and not any(map(str.isalpha, text))
    short = len(said) <= most and len(text) <= _MAX_TERM
    return short and quotable and not hidden and not a_number


def _is_clear_once(place: ReplacementPlace) -> bool:
    """True if a single replacement is enough: a word swapped in an unchanged sentence."""
    wrong, right = place.swap.wrong, place.swap.right
    letters = all(_is_word(side) for side in (wrong, right))
    bent = wrong.casefold() != right.casefold() and _stem_words(wrong) == _stem_words(right)
    context = _count_other_words(place.change.removed, wrong) >= _MIN_CONTEXT
    return place.is_alone and letters and context and not bent


def _is_word(text: str) -> bool:
    plain = text.replace("-", "").replace("'", "")
    return len(plain) >= _MIN_WORD and plain.isalpha()


def _stem_words(text: str) -> list[str]:
    return [stem_word(word.casefold()) for word in split_words(text)]


def _is_dense(text: str) -> bool:
    return all(token.is_dense for token in split_tokens(text))


def _complete_words(wrong: str, right: str, where: Sequence[ReplacementPlace]) -> tuple[str, str]:
    """Extend Chinese terms to at least two characters; empty if unclear.

    A single character is part of a word; only equal neighbours in several places show which word.
    """
    if min(len(wrong), len(right)) > 1:
        return wrong, right
    left = _shared_neighbour([place.swap.word_before for place in where])
    after = _shared_neighbour([place.swap.word_after for place in where])
    if len(where) < 2 or not (left or after):
        return "", ""
    return left + wrong + after, left + right + after


def _shared_neighbour(neighbours: Sequence[str]) -> str:
    first = neighbours[0]
    shared = all(each == first for each in neighbours)
    return first if first and shared and _is_dense(first) else ""

"""Find the rules applied by an edit: wrong words deleted, right words added."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.value import Value
from twiceshy.language.terms import STOP_WORDS
from twiceshy.project.notebook.diffs import TextChange, find_deleted_words, find_swaps, split_words
from twiceshy.project.notebook.match_prompt import QuotedTerm, find_quoted_terms

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.core.note import Note

    WordRun = tuple[str, ...]

ARROWS = ("→", "->", "=>")
# What tells that the term behind it is the one to avoid.
_AVOID_WORDS = frozenset("not never no don't dont avoid without nor stop isn't".split())
_AVOID_PHRASES = ("instead of", "rather than", "不", "別", "别", "勿", "禁", "避免", "而非")
_CONJUNCTIONS = frozenset(("or", "and", "nor", ",", "、", "或", "和", "及", "/"))
_CLAUSE_ENDS = ".;。;!!"


class WordPair(Value):
    """Words to avoid, and their alternatives; without alternatives the words are deleted."""

    wrong: WordRun
    rights: tuple[WordRun, ...] = ()

    @property
    def ignores_case(self) -> bool:
        """True if case is ignored; False if only case differs."""
        return all(_fold_words(self.wrong) != _fold_words(right) for right in self.rights)


class RulePairs(Value):
    """Rule with its pairs of wrong and right words."""

    note: Note
    pairs: tuple[WordPair, ...]


class MissedRule(Value):
    """Change asked for by a rule; the same change always has the same key."""

    note: Note
    change: TextChange
    at: int  # which of the changes it is
    key: str


def parse_rule(note: Note) -> RulePairs:
    """Parse the word pairs of a rule from quoted terms and examples."""
    pairs = [*_parse_quoted_pairs(note.text), *_parse_example_pairs(note.why)]
    return RulePairs(note, tuple(dict.fromkeys(pairs)))


def find_missed_rules(
    changes: Sequence[TextChange], rules: Iterable[RulePairs]
) -> list[MissedRule]:
    """Match changes to the rules that ask for them, each match once."""
    found, times = [], Counter[str]()
    told = [_ChangeWords(change) for change in changes]
    for rule in rules:
        for at, counted in enumerate(told):
            pair = next((pair for pair in rule.pairs if counted.applies_pair(pair)), None)
            if pair is None:
                continue
            place = _miss_place(rule.note, changes[at], pair)
            times[place] += 1
            found.append(MissedRule(rule.note, changes[at], at, _hash_place(place, times[place])))
    return found


def is_asked_by_rule(rule: RulePairs, removed: str, added: str) -> bool:
    """True if a rule asks for replacing ``removed`` with ``added``."""
    counted = _ChangeWords(TextChange("", removed, added))
    return any(counted.applies_pair(pair) for pair in rule.pairs)


class _ChangeWords:
    """Words on both sides of a change."""

    def __init__(self, change: TextChange) -> None:
        self._sides = split_words(change.removed), split_words(change.added)
        self._low = tuple(list(map(str.casefold, side)) for side in self._sides)

    def applies_pair(self, pair: WordPair) -> bool:
        """True if a pair's wrong words became fewer and a right alternative more."""
        removed, added = self._low if pair.ignores_case else self._sides
        wrong = _fold_words(pair.wrong) if pair.ignores_case else pair.wrong
        if wrong[0] not in removed or _count_runs(wrong, removed) <= _count_runs(wrong, added):
            return False
        rights = [_fold_words(right) if pair.ignores_case else right for right in pair.rights]
        return not rights or any(
            _count_runs(each, added) > _count_runs(each, removed) for each in rights
        )


def _count_runs(wanted: WordRun, among: Sequence[str]) -> int:
    """Count the occurrences of a run of words."""
    size, first = len(wanted), wanted[0]
    return sum(
        each == first and tuple(among[at : at + size]) == wanted for at, each in enumerate(among)
    )


def _miss_place(note: Note, change: TextChange, pair: WordPair) -> str:
    """Return the identity of a miss: rule, file, version, and wrong line."""
    lines = change.removed.splitlines()
    wrong = _fold_words(pair.wrong)
    folded = (_fold_words(split_words(line)) for line in lines)
    found = (line for line, words in zip(lines, folded, strict=True) if _count_runs(wrong, words))
    line = next(found, lines[0])
    return "\x1f".join((note.id, change.file, change.base, " ".join(line.split())))


def _hash_place(place: str, number: int) -> str:
    import hashlib  # noqa: PLC0415  (loads a shared library; recall never needs it)

    told = f"{place}\x1f{number}".encode("utf-8", "replace")
    return "edit:" + hashlib.sha256(told).hexdigest()[:32]


def _parse_quoted_pairs(text: str) -> list[WordPair]:
    """Parse `Write "use", not "utilize"`; skip terms without a term to avoid."""
    named = find_quoted_terms(text)
    avoided = _mark_avoided(text, named)
    words = [tuple(split_words(one.text)) for one in named]
    told = [each for each in zip(words, avoided, strict=True) if each[0]]
    rights = tuple(words for words, bad in told if not bad)
    return [WordPair(words, rights) for words, bad in told if bad]


def _mark_avoided(text: str, named: Sequence[QuotedTerm]) -> list[bool]:
    """Return for each quoted term whether the words before it warn against it."""
    found: list[bool] = []
    at = 0
    for one in named:
        before = text[at : one.start]
        if found and before.strip().casefold() in _CONJUNCTIONS:
            found.append(found[-1])
        else:
            found.append(_is_warning(before))
        at = one.end
    return found


def _is_warning(before: str) -> bool:
    for sign in _CLAUSE_ENDS:
        before = before.rpartition(sign)[2]
    told = " ".join(before.replace("’", "'").replace(",", " ").casefold().split())
    return not _AVOID_WORDS.isdisjoint(told.split()) or any(
        each in told for each in _AVOID_PHRASES
    )


def _parse_example_pairs(why: str) -> Iterator[WordPair]:
    """Parse `wrong → right` examples; leave out words that only connect."""
    for line in why.splitlines():
        arrow = next((each for each in ARROWS if each in line), "")
        if not arrow:
            continue
        wrong, right = (side.strip().strip("\"`“”「」'") for side in line.split(arrow, 1))
        pairs = [
            WordPair(tuple(split_words(e.wrong)), (tuple(split_words(e.right)),))
            for e in find_swaps(wrong, right)
        ]
        pairs += [WordPair(tuple(split_words(each))) for each in find_deleted_words(wrong, right)]
        telling = [pair for pair in pairs if _is_meaningful(pair)]
        yield from telling or pairs


def _is_meaningful(pair: WordPair) -> bool:
    said = (*pair.wrong, *(word for right in pair.rights for word in right))
    return any(word[:1].isalnum() and word.casefold() not in STOP_WORDS for word in said)


def _fold_words(said: Iterable[str]) -> WordRun:
    return tuple(word.casefold() for word in said)

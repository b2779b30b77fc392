"""Find the rules applied by an edit: wrong words deleted, right words added."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.value import Value
from twiceshy.language.terms import STOP_WORDS
from twiceshy.project.notebook.diffs import Change, left_out, swaps, words
from twiceshy.project.notebook.quoted import quoted

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.notebook.quoted import Quoted

    Words = tuple[str, ...]

ARROWS = ("→", "->", "=>")
# What tells that the term behind it is the one to avoid.
_AVOIDED = frozenset("not never no don't dont avoid without nor stop isn't".split())
_AVOIDED_PHRASES = ("instead of", "rather than", "不", "別", "别", "勿", "禁", "避免", "而非")
_JOINING = frozenset(("or", "and", "nor", ",", "、", "或", "和", "及", "/"))
_CLAUSE = ".;。;!!"


class Pair(Value):
    """Words to avoid, and their alternatives; without alternatives the words are deleted."""

    wrong: Words
    rights: tuple[Words, ...] = ()

    @property
    def folds(self) -> bool:
        """True if case is ignored; False if only case differs."""
        return all(_folded(self.wrong) != _folded(right) for right in self.rights)


class Known(Value):
    """Rule with its pairs of wrong and right words."""

    note: Note
    pairs: tuple[Pair, ...]


class Hit(Value):
    """Change asked for by a rule; the same change always has the same key."""

    note: Note
    change: Change
    at: int  # which of the changes it is
    key: str


def known_rule(note: Note) -> Known:
    """Parse the word pairs of a rule from quoted terms and examples."""
    pairs = [*_quoted_pairs(note.text), *_example_pairs(note.why)]
    return Known(note, tuple(dict.fromkeys(pairs)))


def hits(changes: Sequence[Change], rules: Iterable[Known]) -> list[Hit]:
    """Match changes to the rules that ask for them, each match once."""
    found, times = [], Counter[str]()
    told = [_Counted(change) for change in changes]
    for rule in rules:
        for at, counted in enumerate(told):
            pair = next((pair for pair in rule.pairs if counted.puts_right(pair)), None)
            if pair is None:
                continue
            place = _place(rule.note, changes[at], pair)
            times[place] += 1
            found.append(Hit(rule.note, changes[at], at, _key(place, times[place])))
    return found


def puts_right(rule: Known, removed: str, added: str) -> bool:
    """True if a rule asks for replacing ``removed`` with ``added``."""
    counted = _Counted(Change("", removed, added))
    return any(counted.puts_right(pair) for pair in rule.pairs)


class _Counted:
    """Words on both sides of a change."""

    def __init__(self, change: Change) -> None:
        self._sides = words(change.removed), words(change.added)
        self._low = tuple(list(map(str.casefold, side)) for side in self._sides)

    def puts_right(self, pair: Pair) -> bool:
        """True if a pair's wrong words became fewer and a right alternative more."""
        removed, added = self._low if pair.folds else self._sides
        wrong = _folded(pair.wrong) if pair.folds else pair.wrong
        if wrong[0] not in removed or _times(wrong, removed) <= _times(wrong, added):
            return False
        rights = [_folded(right) if pair.folds else right for right in pair.rights]
        return not rights or any(_times(each, added) > _times(each, removed) for each in rights)


def _times(wanted: Words, among: Sequence[str]) -> int:
    """Count the occurrences of a run of words."""
    size, first = len(wanted), wanted[0]
    return sum(
        each == first and tuple(among[at : at + size]) == wanted for at, each in enumerate(among)
    )


def _place(note: Note, change: Change, pair: Pair) -> str:
    """Return the identity of a miss: rule, file, version, and wrong line."""
    lines = change.removed.splitlines()
    wrong = _folded(pair.wrong)
    line = next((each for each in lines if _times(wrong, _low(each))), lines[0])
    return "\x1f".join((note.id, change.file, change.base, " ".join(line.split())))


def _key(place: str, number: int) -> str:
    import hashlib  # noqa: PLC0415  (loads a shared library; recall never needs it)

    told = f"{place}\x1f{number}".encode("utf-8", "replace")
    return "edit:" + hashlib.sha256(told).hexdigest()[:32]


def _quoted_pairs(text: str) -> Iterator[Pair]:
    """Parse `Write "use", not "utilize"`; skip terms without a term to avoid."""
    named = quoted(text)
    avoided = _avoided(text, named)
    wrongs = [one for one, bad in zip(named, avoided, strict=True) if bad]
    rights = [one for one, bad in zip(named, avoided, strict=True) if not bad]
    split = tuple(told for one in rights if (told := tuple(words(one.text))))
    for one in wrongs:
        if wrong := tuple(words(one.text)):
            yield Pair(wrong, split)


def _avoided(text: str, named: Sequence[Quoted]) -> list[bool]:
    """Return for each quoted term whether the words before it warn against it."""
    found: list[bool] = []
    at = 0
    for one in named:
        before = text[at : one.start]
        if found and before.strip().casefold() in _JOINING:
            found.append(found[-1])
        else:
            found.append(_warns(before))
        at = one.end
    return found


def _warns(before: str) -> bool:
    for sign in _CLAUSE:
        before = before.rpartition(sign)[2]
    told = " ".join(before.replace("’", "'").replace(",", " ").casefold().split())
    return not _AVOIDED.isdisjoint(told.split()) or any(each in told for each in _AVOIDED_PHRASES)


def _example_pairs(why: str) -> Iterator[Pair]:
    """Parse `wrong → right` examples; leave out words that only connect."""
    for line in why.splitlines():
        arrow = next((each for each in ARROWS if each in line), "")
        if not arrow:
            continue
        wrong, right = (side.strip().strip("\"`“”「」'") for side in line.split(arrow, 1))
        pairs = [
            Pair(tuple(words(e.wrong)), (tuple(words(e.right)),)) for e in swaps(wrong, right)
        ]
        pairs += [Pair(tuple(words(each))) for each in left_out(wrong, right)]
        telling = [pair for pair in pairs if _tells(pair)]
        yield from telling or pairs


def _tells(pair: Pair) -> bool:
    said = (*pair.wrong, *(word for right in pair.rights for word in right))
    return any(word[:1].isalnum() and word.casefold() not in STOP_WORDS for word in said)


def _folded(said: Words) -> Words:
    return tuple(word.casefold() for word in said)


def _low(text: str) -> list[str]:
    return [word.casefold() for word in words(text)]

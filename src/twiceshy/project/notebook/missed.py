"""Tell which rules an edit had to put right: their wrong words went, and their right ones came."""

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
    """Words to avoid, and those of which one stands in their place; none if they just go."""

    wrong: Words
    rights: tuple[Words, ...] = ()

    @property
    def folds(self) -> bool:
        """Tell whether case does not matter: it does where it is all that differs."""
        return all(_folded(self.wrong) != _folded(right) for right in self.rights)


class Known(Value):
    """A rule, and what it says in pairs."""

    note: Note
    pairs: tuple[Pair, ...]


class Hit(Value):
    """A change that a rule asks for; the key is the same whenever this very change is looked at."""

    note: Note
    change: Change
    at: int  # which of the changes it is
    key: str


def known_rule(note: Note) -> Known:
    """Read the pairs out of a rule: from the terms that it quotes, and from its examples."""
    pairs = [*_quoted_pairs(note.text), *_example_pairs(note.why)]
    return Known(note, tuple(dict.fromkeys(pairs)))


def hits(changes: Sequence[Change], rules: Iterable[Known]) -> list[Hit]:
    """Return which change had to put which rule right, each of them once."""
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
    """Tell whether to write one text in place of the other is what a rule asks for."""
    counted = _Counted(Change("", removed, added))
    return any(counted.puts_right(pair) for pair in rule.pairs)


class _Counted:
    """The words on both sides of a change."""

    def __init__(self, change: Change) -> None:
        self._sides = words(change.removed), words(change.added)
        self._low = tuple(list(map(str.casefold, side)) for side in self._sides)

    def puts_right(self, pair: Pair) -> bool:
        """Tell whether the wrong words became fewer, and one of the right ones more."""
        removed, added = self._low if pair.folds else self._sides
        wrong = _folded(pair.wrong) if pair.folds else pair.wrong
        if wrong[0] not in removed or _times(wrong, removed) <= _times(wrong, added):
            return False
        rights = [_folded(right) if pair.folds else right for right in pair.rights]
        return not rights or any(_times(each, added) > _times(each, removed) for each in rights)


def _times(wanted: Words, among: Sequence[str]) -> int:
    """Count how often words stand in a row."""
    size, first = len(wanted), wanted[0]
    return sum(
        each == first and tuple(among[at : at + size]) == wanted for at, each in enumerate(among)
    )


def _place(note: Note, change: Change, pair: Pair) -> str:
    """Return what tells a miss from others: the rule, the file, its version, and the line that was wrong."""
    lines = change.removed.splitlines()
    wrong = _folded(pair.wrong)
    line = next((each for each in lines if _times(wrong, _low(each))), lines[0])
    return "\x1f".join((note.id, change.file, change.base, " ".join(line.split())))


def _key(place: str, number: int) -> str:
    import hashlib  # noqa: PLC0415  (loads a shared library; recall never needs it)

    told = f"{place}\x1f{number}".encode("utf-8", "replace")
    return "edit:" + hashlib.sha256(told).hexdigest()[:32]


def _quoted_pairs(text: str) -> Iterator[Pair]:
    """Read `Write "use", not "utilize"`; terms of which none is to be avoided say too little."""
    named = quoted(text)
    avoided = _avoided(text, named)
    wrongs = [one for one, bad in zip(named, avoided, strict=True) if bad]
    rights = [one for one, bad in zip(named, avoided, strict=True) if not bad]
    split = tuple(told for one in rights if (told := tuple(words(one.text))))
    for one in wrongs:
        if wrong := tuple(words(one.text)):
            yield Pair(wrong, split)


def _avoided(text: str, named: Sequence[Quoted]) -> list[bool]:
    """Tell of each term whether it is to be avoided, by the words right before it."""
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
    """Read `wrong → right`: what differs between the two, leaving out what only connects words."""
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

"""Which notes are told just in time: few, about this very call, and only if they are likely right.

How likely a call fails that a trigger matches is learned from all calls it ever matched, told or not:
a mistake of usage is one the next time as well, work that failed may well succeed.
"""

from __future__ import annotations

from twiceshy.core.trigger import STATED, Trigger
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.grams import Part
    from twiceshy.core.note import Note

# sort → how many calls we pretend to have seen fail and succeed before the first one
_BEFORE = {STATED: (9, 1), "usage": (3, 1), "missing": (2, 1), "outcome": (1, 3)}
LIKELY = 0.4  # below this a call is rather told nothing
_HOPELESS = 0.1  # below this the note is not even about the failure that has just happened
_KNOWN, _NEARLY_ALWAYS = 5, 0.8
_ENOUGH = 3  # calls in one place that tell more than all calls elsewhere
_WINDOW = 12  # sessions that are looked at for what keeps happening
RECENT = (1 << _WINDOW) - 1
OFTEN = 0.1
_SESSIONS = 2
_LEFT_OUT = ("(address)", "(withheld:")  # what a quote has instead of what may do harm


class Match(Value):
    """A note whose trigger may be about a call, and how its trigger has done so far.

    ``right`` and ``wrong`` count the calls it matched that failed and that worked, here and everywhere
    in the project; ``recent`` has a bit for each of the last sessions, the newest lowest; ``unseen`` is
    how often the mistake was made in a call that no hook was told of.
    """

    note: Note
    trigger: Trigger
    right: int = 0
    wrong: int = 0
    right_here: int = 0
    wrong_here: int = 0
    age: int = 0
    recent: int = 0
    unseen: int = 0

    @property
    def odds(self) -> float:
        """Return how likely a call fails that this matches."""
        before = _BEFORE.get(self.trigger.sort)
        if before is None:
            return 0.0
        right, wrong = self.right, self.wrong
        if self.right_here + self.wrong_here >= _ENOUGH:
            right, wrong = self.right_here, self.wrong_here
        return (before[0] + right) / (sum(before) + right + wrong)

    @property
    def settled(self) -> bool:
        """Tell whether it is known what happens when nobody is told: such calls nearly always fail."""
        return self.right + self.wrong >= _KNOWN and self.odds >= _NEARLY_ALWAYS

    @property
    def share(self) -> float:
        """Return in which share of the last sessions the mistake was made."""
        seen = (self.recent & RECENT).bit_count()
        return seen / max(1, min(_WINDOW, self.age + 1))

    @property
    def mends(self) -> bool:
        """Tell whether the note says what to do, and not only what fails."""
        return self.note.subtype == "fix" or self.trigger.sort == STATED


def before_call(matches: Iterable[Match], *, most: int = 2) -> list[Match]:
    """Return what to say before a call: the likeliest, and a second one that shares nothing with it."""
    worth = [each for each in matches if each.odds >= LIKELY and _helps(each)]
    worth.sort(key=lambda each: (-each.odds, -each.note.sightings, each.note.id))
    told = worth[:1]
    for other in worth[1:]:
        if len(told) < most and all(_disjoint(other, one) for one in told):
            told.append(other)
    return told


def after_failure(matches: Iterable[Match], parts: Sequence[Part], error: str) -> list[Match]:
    """Return what to say to a failure: the note about most of this call, if one is about it at all."""
    grams = {gram for part in parts for gram in part}
    last = parts[-1][-1] if parts else ""
    folders = {last.partition("/")[0]} if "/" in last else set()
    worth = [each for each in matches if each.odds >= _HOPELESS and _helps(each)]
    named = [each for each in worth if _within(each, parts)]
    echoed = [each for each in worth if echoes(each.note, error)]

    def fit(each: Match) -> tuple[bool, int, int, bool, int, str]:
        own, said = set(each.trigger.grams), _words(each.note.text)
        more = each.mends, each.note.sightings, each.note.id
        return (each in echoed, len(grams & own), len(grams & said), *more)

    near = [
        each
        for each in echoed
        if each.trigger.sort != "missing" or folders & _words(each.note.text)
    ]
    return sorted(named or near, key=fit, reverse=True)[:1]


def at_start(matches: Iterable[Match], *, most: int) -> list[Match]:
    """Return the mistakes that keep being made and that no call would tell of in time."""
    worth = [
        each
        for each in matches
        if each.note.life == "active"
        and each.note.sightings >= _SESSIONS
        and each.share >= OFTEN
        and (each.unseen or (each.mends and each.odds < LIKELY))
    ]
    return sorted(worth, key=lambda each: (-each.share, each.note.id))[:most]


def echoes(note: Note, error: str) -> bool:
    """Tell whether an error says what a note quotes, but for names and numbers."""
    quoted = map(_pieces, quotes_of(note.text))
    return any(pieces and all(piece in error for piece in pieces) for pieces in quoted)


def echo_of(note: Note) -> str:
    """Return the longest piece of what a note quotes that stays the same with another name."""
    pieces = [piece for quoted in quotes_of(note.text)[:1] for piece in _pieces(quoted)]
    return max(pieces, key=len, default="")


def quotes_of(text: str) -> list[str]:
    """Return the errors that a learned note quotes: one, or two that mean the same."""
    said = text.partition("` failed: ")[2].partition(". `")[0]
    return said.split('"')[1::2]


def _pieces(line: str) -> list[str]:
    """Return what of a line stays the same when the mistake is made with another name."""
    pieces, words = [], []
    for word in [*line.split()[:8], ""]:
        if _stays(word):
            words.append(word)
        elif words:
            pieces.append(" ".join(words))
            words = []
    return [piece for piece in pieces if len(piece) > 3][:3]


def _stays(word: str) -> bool:
    plain = word.isascii() and word.strip("'\".,:;()").isalpha()
    return plain and word[0] not in "'\"" and not word.startswith(_LEFT_OUT)


def _helps(match: Match) -> bool:
    return match.mends or match.trigger.sort in ("usage", "missing")


def _within(match: Match, parts: Sequence[Part]) -> bool:
    return any(all(gram in part for gram in match.trigger.grams) for part in parts)


def _disjoint(one: Match, other: Match) -> bool:
    return set(one.trigger.grams).isdisjoint(other.trigger.grams)


def _words(text: str) -> set[str]:
    return set(text.replace("`", " ").replace("/", " ").split())

"""Find conflicting notes: opposite advice, or different advice for the same call.

Only literal opposites count: a note avoids the thing that a second note prefers, or the same words
appear with and without a "not". Notes that merely differ are no conflict.
"""

from __future__ import annotations

from twiceshy.core.scope import EVERYWHERE
from twiceshy.language.contrast import pair_of
from twiceshy.language.similar import overlap, words_of
from twiceshy.language.stance import stance
from twiceshy.language.stem import stem
from twiceshy.language.supersede import says_so
from twiceshy.project.audit.finding import found

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Finding

    Thing = tuple[str, frozenset[str]]  # what is named, and the words that say where it holds

_BINDING = ("rule", "preference")
_STATING = (*_BINDING, "decision", "pattern", "lesson")
# What was observed names what failed and what worked, each where it happened: no rule for all places,
# and one call can fail in two ways.
_OBSERVED = ("detector",)
_CONNECTING = frozenset(map(stem, "instead rather replace switch change prefer".split()))
_CONNECTING_CHARACTERS = frozenset("用改换換不是而都以后後一律要别別")
_LONGEST = 400  # characters; a longer text tells more than one thing, and its pairs are no rule
_LEAST_SUBJECT = 2  # words that opposites must have in common to be about one thing


def opposed(facts: Facts) -> Iterator[Finding]:
    """Find notes contradicting each other."""
    notes = [
        note
        for note in sorted(facts.notes, key=lambda note: note.id)
        if note.kind in _STATING
        and note.source not in _OBSERVED
        and note.status == "active"
        and len(note.text) <= _LONGEST
    ]
    pairs = dict.fromkeys([*_swapped(notes), *_turned_round(notes)])
    for one, other in pairs:
        if not _meet(one, other):
            continue
        binding = one.kind in _BINDING and other.kind in _BINDING and one.scope == other.scope
        yield found(
            *("rule-conflict" if binding else "note-conflict", "memory"),
            f"{one.handle}, {other.handle}",
            one=one.text,
            other=other.text,
            older=one.handle,
        )


def shared_triggers(facts: Facts) -> Iterator[Finding]:
    """Find notes with the same trigger but different text."""
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in sorted(facts.notes, key=lambda note: note.id):
        if note.trigger and note.status == "active" and note.source not in _OBSERVED:
            groups.setdefault((note.scope.skill, note.trigger), []).append(note)
    for (_, trigger), same in groups.items():
        texts = {words_of(note.text) for note in same}
        if len(texts) < 2 or _all_alike(list(texts)):
            continue
        handles = ", ".join(note.handle for note in same)
        yield found(
            *("trigger-conflict", "memory", handles),
            count=len(same),
            trigger=trigger,
            older=same[0].handle,
        )


def _swapped(notes: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Yield note pairs that avoid and prefer the same thing under the same conditions."""
    avoiding: dict[Thing, list[Note]] = {}
    preferring: dict[Thing, list[Note]] = {}
    for note in notes:
        if note.kind not in _BINDING and not (says_so(note.text) or " not " in note.text):
            continue  # looking for pairs takes longest, and few notes name one
        avoid, prefer = map(str.casefold, pair_of(note.text))
        if note.kind not in _BINDING and not (avoid and prefer):
            continue  # "use x" alone says nothing against a decision for y elsewhere
        when = _conditions(note.text, avoid, prefer)
        for thing, mine, theirs in ((avoid, avoiding, preferring), (prefer, preferring, avoiding)):
            if thing:
                yield from ((other, note) for other in theirs.get((thing, when), ()))
                mine.setdefault((thing, when), []).append(note)


def _conditions(text: str, avoid: str, prefer: str) -> frozenset[str]:
    """Return the words for where or when advice applies.

    "tabs in Makefiles" is not against "spaces in Python".
    """
    about = stance(text)[1] - words_of(avoid) - words_of(prefer) - _CONNECTING
    return frozenset(word for word in about if _CONNECTING_CHARACTERS.isdisjoint(word))


def _turned_round(notes: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Yield note pairs with the same words, one for and one against."""
    taken: dict[frozenset[str], list[tuple[int, Note]]] = {}
    for note in notes:
        side, subject = stance(note.text) if says_so(note.text) else (0, frozenset())
        if not side or len(subject) < _LEAST_SUBJECT:
            continue
        before = taken.setdefault(subject, [])
        yield from ((other, note) for theirs, other in before if theirs * side < 0)
        before.append((side, note))


def _meet(one: Note, other: Note) -> bool:
    """True if a session can be shown both notes."""
    projects = {one.scope.project, other.scope.project} - {EVERYWHERE}
    return one.scope.skill == other.scope.skill and len(projects) <= 1 and one.id != other.id


def _all_alike(texts: list[frozenset[str]]) -> bool:
    """True if texts are rewordings, which are duplicates and no conflict."""
    first, *others = texts
    return all(overlap(first, other) for other in others)

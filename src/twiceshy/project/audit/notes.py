"""Find duplicate and conflicting notes, and sentences repeated in pages and instruction files.

Only literal opposites count as a conflict: a note avoids the thing that a second note prefers, or the
same words appear with and without a "not". Notes that merely differ are no conflict.
"""

from __future__ import annotations

from twiceshy.core.grouping import group_by
from twiceshy.core.note import MISTAKE
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import normalise_text
from twiceshy.language.contrast import find_contrast, find_stance
from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.language.similar import telling_terms_of, word_overlap
from twiceshy.language.stem import stem_word
from twiceshy.language.supersede import has_supersession_cue
from twiceshy.project.audit.facts import AuditFacts, AuditFinding, build_finding
from twiceshy.project.audit.pages import list_prose_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.language.near_duplicates import Pair

    NamedThing = tuple[str, frozenset[str]]  # what is named, and the words that say where it holds

# A task may be set twice and a page is known by its name; an episode is no note at all.
_COMPARED_KINDS = ("lesson", "decision", "pattern", "issue", "rule", "preference")
# Shorter lines are headings, labels and items that many files may have.
_MIN_LENGTH, _MIN_LENGTH_CJK = 40, 14
_NO_SENTENCE = ("#", "|", ">", "<", "---", "===", "***")
_BINDING_KINDS = ("rule", "preference")
_STATING_KINDS = (*_BINDING_KINDS, "decision", "pattern", "lesson")
# What was observed names what failed and what worked, each where it happened: no rule for all places,
# and one call can fail in two ways.
_OBSERVED_SOURCES = ("detector",)
_CONNECTING = frozenset(map(stem_word, "instead rather replace switch change prefer".split()))
_CONNECTING_CHARACTERS = frozenset("用改换換不是而都以后後一律要别別")
_MAX_LENGTH = 400  # characters; a longer text tells more than one thing, and its pairs are no rule
_MIN_SUBJECT = 2  # words that opposites must have in common to be about one thing


def find_duplicates(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes with the same text in different kinds or scopes."""
    groups = group_by(
        _list_compared(facts.notes), lambda note: (note.scope.skill, normalise_text(note.text))
    )
    for same in groups.values():
        first, *others = sorted(same, key=_rank)
        if others:
            retire = " ".join(note.handle for note in others)
            told = {"count": len(same), "text": first.text, "retire": retire}
            handles = ", ".join(note.handle for note in (first, *others))
            found = build_finding("note-twice", "memory", handles, **told)
            yield found.but(notes=tuple(note.id for note in others))


def report_near_pairs(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Report near-duplicate notes of the same skill and kind."""
    for one, other, share in facts.near:
        better, worse = sorted((one, other), key=_rank)
        told = {"text": better.text, "older": one.handle, "newer": other.handle}
        handles = f"{one.handle}, {other.handle}"
        found = build_finding("note-near", "memory", handles, percent=round(share * 100), **told)
        yield found.but(notes=(worse.id,))


def find_near_pairs(notes: Iterable[Note], threshold: float) -> list[Pair]:
    """Return pairs of near-duplicate but different notes, older note first."""
    pairs = find_near_duplicates(
        _list_compared(notes),
        threshold=threshold,
        # other calls, other lesson
        group_by=lambda note: (note.scope.skill, note.kind, note.trigger),
    )
    return [pair for pair in pairs if normalise_text(pair[0].text) != normalise_text(pair[1].text)]


def _rank(note: Note) -> tuple[bool, bool, int, str]:
    """Sort key of notes that say the same: the first is to be kept."""
    return not note.pinned, note.scope.project != EVERYWHERE, -note.sightings, note.id


def _list_compared(notes: Iterable[Note]) -> list[Note]:
    """Return the notes to compare: of a lesson kept here and for all projects, the one here."""
    compared = [note for note in notes if note.kind in _COMPARED_KINDS]
    own = {note.tag for note in compared if note.scope.project != EVERYWHERE}
    return [
        note
        for note in compared
        if note.scope.project != EVERYWHERE
        or not note.tag.startswith(MISTAKE)
        or note.tag not in own
    ]


def list_sentences(text: str) -> dict[str, str]:
    """Map the normalised sentences of a text to their original wording."""
    found_here: dict[str, str] = {}
    for line in list_prose_lines(_strip_front_matter(text)):
        stripped = line.strip()
        if not stripped or stripped.startswith(_NO_SENTENCE) or "](" in stripped:
            continue  # a pointer may stand in as many files as like
        key = normalise_text(stripped)
        if len(key) >= (_MIN_LENGTH if key.isascii() else _MIN_LENGTH_CJK):
            found_here.setdefault(key, stripped)
    return found_here


def find_shared_lines(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find sentences shared by pages of the same collection."""
    for collection in facts.page_collections:
        holders: dict[str, list[str]] = {}
        words: dict[str, str] = {}
        for page in collection.pages:
            for key, line in list_sentences(page.text).items():
                holders.setdefault(key, []).append(page.where)
                words.setdefault(key, line)
        shared = (held for held in holders.items() if len(held[1]) > 1)
        for places, lines in group_by(shared, lambda held: tuple(held[1])).items():
            told = {"count": len(lines), "text": words[lines[0][0]]}
            yield build_finding("line-twice", "memory", ", ".join(places), **told)


def find_repeated_instructions(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find sentences of an instruction file repeated in a hub or page."""
    documents = [each for collection in facts.page_collections for each in collection.documents]
    known = [(each.where, list_sentences(each.text)) for each in documents]
    for instructions in facts.instructions:
        own = list_sentences(instructions.text)
        for where, lines in known:
            if shared := [key for key in own if key in lines]:
                told = {"count": len(shared), "other": where, "text": own[shared[0]]}
                yield build_finding("instruction-twice", "project", instructions.place, **told)


def _strip_front_matter(text: str) -> str:
    """Return a text without its front matter."""
    lines = text.splitlines()
    if lines[:1] == ["---"] and "---" in lines[1:]:
        return "\n".join(lines[lines.index("---", 1) + 1 :])
    return text


def find_opposites(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes contradicting each other."""
    notes = [
        note
        for note in sorted(facts.notes, key=lambda note: note.id)
        if note.kind in _STATING_KINDS
        and note.source not in _OBSERVED_SOURCES
        and note.status == "active"
        and len(note.text) <= _MAX_LENGTH
    ]
    pairs = dict.fromkeys([*_pair_swapped(notes), *_pair_negated(notes)])
    for one, other in pairs:
        if not _may_meet(one, other):
            continue
        binding = {one.kind, other.kind}.issubset(_BINDING_KINDS) and one.scope == other.scope
        about = "rule-conflict" if binding else "note-conflict"
        told = {"one": one.text, "other": other.text, "older": one.handle}
        yield build_finding(about, "memory", f"{one.handle}, {other.handle}", **told)


def find_shared_triggers(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes with the same trigger but different text."""
    triggered = (
        note
        for note in sorted(facts.notes, key=lambda note: note.id)
        if note.trigger and note.status == "active" and note.source not in _OBSERVED_SOURCES
    )
    groups = group_by(triggered, lambda note: (note.scope.skill, note.trigger))
    for (_, trigger), same in groups.items():
        first, *others = {telling_terms_of(note.text) for note in same}
        # rewordings are duplicates and no conflict
        if not all(word_overlap(first, other) for other in others):
            handles = [note.handle for note in same]
            told = {"count": len(same), "trigger": trigger, "older": handles[0]}
            yield build_finding("trigger-conflict", "memory", ", ".join(handles), **told)


def _pair_swapped(notes: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Yield note pairs that avoid and prefer the same thing under the same conditions."""
    avoiding: dict[NamedThing, list[Note]] = {}
    preferring: dict[NamedThing, list[Note]] = {}
    for note in notes:
        binding = note.kind in _BINDING_KINDS
        if not (binding or has_supersession_cue(note.text) or " not " in note.text):
            continue  # looking for pairs takes longest, and few notes name one
        avoid, prefer = map(str.casefold, find_contrast(note.text))
        if not (binding or (avoid and prefer)):
            continue  # "use x" alone says nothing against a decision for y elsewhere
        when = _condition_words(note.text, avoid, prefer)
        for thing, mine, theirs in ((avoid, avoiding, preferring), (prefer, preferring, avoiding)):
            if thing:
                yield from ((other, note) for other in theirs.get((thing, when), ()))
                mine.setdefault((thing, when), []).append(note)


def _condition_words(text: str, avoid: str, prefer: str) -> frozenset[str]:
    """Return the words for where or when advice applies.

    "tabs in Makefiles" is not against "spaces in Python".
    """
    about = find_stance(text)[1] - telling_terms_of(avoid) - telling_terms_of(prefer) - _CONNECTING
    return frozenset(word for word in about if _CONNECTING_CHARACTERS.isdisjoint(word))


def _pair_negated(notes: Iterable[Note]) -> Iterator[tuple[Note, Note]]:
    """Yield note pairs with the same words, one for and one against."""
    taken: dict[frozenset[str], list[tuple[int, Note]]] = {}
    for note in notes:
        if not has_supersession_cue(note.text):
            continue
        side, subject = find_stance(note.text)
        if not side or len(subject) < _MIN_SUBJECT:
            continue
        before = taken.setdefault(subject, [])
        yield from ((other, note) for theirs, other in before if theirs * side < 0)
        before.append((side, note))


def _may_meet(one: Note, other: Note) -> bool:
    """True if a session can be shown both notes."""
    projects = {one.scope.project, other.scope.project} - {EVERYWHERE}
    return one.scope.skill == other.scope.skill and len(projects) <= 1 and one.id != other.id

"""Find duplicate notes, and sentences repeated in pages, MEMORY.md and instruction files."""

from __future__ import annotations

from twiceshy.core.text import normalise_text
from twiceshy.language.near_duplicates import find_near_duplicates
from twiceshy.language.similar import THRESHOLD
from twiceshy.project.audit.facts import build_finding
from twiceshy.project.audit.pages import list_prose_lines

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.note import Note
    from twiceshy.language.near_duplicates import Pair
    from twiceshy.project.audit.facts import AuditFacts, AuditFinding


# A task may be set twice and a page is known by its name; an episode is no note at all.
_COMPARED_KINDS = ("lesson", "decision", "pattern", "issue", "rule", "preference")
# Shorter lines are headings, labels and items that many files may have.
_MIN_LENGTH, _MIN_LENGTH_CJK = 40, 14
_NO_SENTENCE = ("#", "|", ">", "<", "---", "===", "***")


def find_duplicates(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find notes with the same text in different kinds or scopes."""
    for same in _group_same(facts.notes):
        handles = ", ".join(note.handle for note in same)
        first, *others = same
        yield build_finding(
            *("note-twice", "memory", handles),
            count=len(same),
            text=first.text,
            retire=" ".join(note.handle for note in others),
        )


def report_near_pairs(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Report near-duplicate notes of the same skill and kind."""
    for one, other, share in facts.near:
        yield build_finding(
            *("note-near", "memory", f"{one.handle}, {other.handle}"),
            percent=round(share * 100),
            text=one.text,
            older=one.handle,
            newer=other.handle,
        )


def find_near_pairs(notes: Iterable[Note]) -> list[Pair]:
    """Return pairs of near-duplicate but different notes, older note first."""
    pairs = find_near_duplicates(
        (note for note in notes if note.kind in _COMPARED_KINDS),
        threshold=THRESHOLD,
        group_by=lambda note: (note.scope.skill, note.kind),
    )
    return [pair for pair in pairs if normalise_text(pair[0].text) != normalise_text(pair[1].text)]


def _group_same(notes: Iterable[Note]) -> list[list[Note]]:
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if note.kind in _COMPARED_KINDS:
            groups.setdefault((note.scope.skill, normalise_text(note.text)), []).append(note)
    return [sorted(group, key=lambda note: note.id) for group in groups.values() if len(group) > 1]


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
    for shelf in facts.page_collections:
        holders: dict[str, list[str]] = {}
        words: dict[str, str] = {}
        for page in shelf.pages:
            for key, line in list_sentences(page.text).items():
                holders.setdefault(key, []).append(page.where)
                words.setdefault(key, line)
        for places, lines in _group_by_pages(holders).items():
            text = words[lines[0]]
            yield build_finding(
                "line-twice", "memory", ", ".join(places), count=len(lines), text=text
            )


def find_repeated_instructions(facts: AuditFacts) -> Iterator[AuditFinding]:
    """Find sentences of an instruction file repeated in a hub or page."""
    shelved = [
        (each.where, list_sentences(each.text))
        for shelf in facts.page_collections
        for each in (*((shelf.hub,) if shelf.hub else ()), *shelf.pages)
    ]
    for instructions in facts.instructions:
        own = list_sentences(instructions.text)
        for where, lines in shelved:
            shared = [key for key in own if key in lines]
            if shared:
                yield build_finding(
                    *("instruction-twice", "project", instructions.place),
                    count=len(shared),
                    other=where,
                    text=own[shared[0]],
                )


def _group_by_pages(holders: dict[str, list[str]]) -> dict[tuple[str, ...], list[str]]:
    """Group the sentences shared by several pages by these pages."""
    shared: dict[tuple[str, ...], list[str]] = {}
    for key, places in holders.items():
        if len(places) > 1:
            shared.setdefault(tuple(places), []).append(key)
    return shared


def _strip_front_matter(text: str) -> str:
    """Return a text without its front matter."""
    lines = text.splitlines()
    if lines[:1] == ["---"] and "---" in lines[1:]:
        return "\n".join(lines[lines.index("---", 1) + 1 :])
    return text

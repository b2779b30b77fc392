"""The facts of a project in the shape of memory-keeper's facts.json, made anew from its notes."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.moment import day, stamp

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from twiceshy.core.note import Kind, Note

FACTS: tuple[Kind, ...] = ("decision", "pattern", "issue")
_MOST_CONCEPTS = 10


def facts_file(notes: Iterable[Note]) -> dict[str, object]:
    """Return what facts.json would hold, the oldest first.

    A fact has the id of its note, so no two have the same and none changes when another goes.
    """
    ordered = sorted(notes, key=lambda note: (note.written_at, note.id))
    last = max((note.learned_at for note in ordered), default=0)
    return {
        "_meta": {"counter": 0, "lastSave": stamp(last) if last else None},
        **{f"{kind}s": [_fact(note) for note in ordered if note.kind == kind] for kind in FACTS},
        "concepts": concepts_of(ordered),
    }


def concepts_of(notes: Iterable[Note]) -> dict[str, list[str]]:
    """Return which notes name each concept; it is made of them, so it names none that is gone."""
    found: dict[str, list[str]] = {}
    for note in notes:
        for concept in note.concepts:
            found.setdefault(concept, []).append(note.id)
    return found


def facts_summary(notes: Sequence[Note]) -> list[str]:
    """Say in a few lines which facts there are: how many of which type, and about what."""
    lines = []
    for kind in FACTS:
        own = [note for note in notes if note.kind == kind]
        counts = sorted(
            Counter(note.subtype for note in own).items(), key=lambda one: (-one[1], one[0])
        )
        types = ", ".join(f"{count} {subtype}" for subtype, count in counts)
        lines.append(f"{kind}s: {len(own)}" + (f" ({types})" if types else ""))
    lines.append(f"open issues: {sum(1 for note in notes if _is_open(note))}")
    named = sorted(concepts_of(notes).items(), key=lambda one: (-len(one[1]), one[0]))
    if named:
        lines.append(f"concepts: {', '.join(name for name, _ in named[:_MOST_CONCEPTS])}")
    return lines


def _is_open(note: Note) -> bool:
    return note.kind == "issue" and note.state == "open"


def _fact(note: Note) -> dict[str, object]:
    fact: dict[str, object] = {
        "id": note.id,
        "type": note.subtype,
        "date": day(note.written_at),
        "content": note.text,
    }
    if note.kind == "decision":
        fact["reason"] = note.why
    if note.kind == "issue":
        fact["status"] = note.state
    if note.kind == "issue" and note.why:
        fact["resolution"] = note.why
    for name in ("files", "concepts"):
        if items := getattr(note, name):
            fact[name] = list(items)
    if note.origin_session:
        fact["session"] = note.origin_session
    return fact

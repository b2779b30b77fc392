"""Note kinds that memory-keeper calls facts, and a short summary of them."""

from __future__ import annotations

from collections import Counter

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.core.note import Kind, Note

FACT_KINDS: tuple[Kind, ...] = ("decision", "pattern", "issue")
_MAX_CONCEPTS = 10


def summarise_facts(notes: Sequence[Note]) -> list[str]:
    """Summarise facts in a few lines: counts by type, open issues, concepts."""
    lines = []
    for kind in FACT_KINDS:
        own = [note for note in notes if note.kind == kind]
        counts = sorted(
            Counter(note.subtype for note in own).items(), key=lambda one: (-one[1], one[0])
        )
        types = ", ".join(f"{count} {subtype}" for subtype, count in counts)
        lines.append(f"{kind}s: {len(own)}" + (f" ({types})" if types else ""))
    lines.append(f"open issues: {sum(1 for note in notes if _is_open(note))}")
    counted = Counter(concept for note in notes for concept in note.concepts)
    named = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
    if named:
        lines.append(f"concepts: {', '.join(name for name, _ in named[:_MAX_CONCEPTS])}")
    return lines


def _is_open(note: Note) -> bool:
    return note.kind == "issue" and note.state == "open"

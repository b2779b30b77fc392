"""Plan merges of near-duplicate notes without loss.

Only notes of equal scope, kind, type, state and trigger are compared. A note gives way only
to a note of equal trust, shown at least as widely, that can take over its remaining content;
in doubt both stay. Notes written, pinned or approved by a person are left to the person.
"""

from __future__ import annotations

from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.value import Value
from twiceshy.language.near_duplicates import measure_likeness
from twiceshy.notes.decay import is_exempt

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.note import Note

KINDS = ("lesson", "decision", "pattern", "issue")


class Merger(Value):
    """A planned merge: survivor, merged note, fields taken over."""

    kept: Note
    gone: Note
    carried: tuple[tuple[str, object], ...] = ()


def plan_merge(one: Note, other: Note, *, threshold: float) -> Merger | None:
    """Choose the survivor of two near-duplicates; None if neither qualifies."""
    first, second = sorted((one, other), key=_survivor_order)
    for kept, gone in ((first, second), (second, first)):
        if not _may_give_way(gone, kept):
            continue
        carried = _carried_fields(kept, gone, threshold=threshold)
        if carried is not None and (not carried or gone.trust == kept.trust):
            return Merger(kept, gone, tuple(carried.items()))
    return None


def covers_text(kept: Note, gone: Note, threshold: float) -> bool:
    """True if a note covers the text of another note."""
    same = build_merge_key(kept) == build_merge_key(gone)
    return same and measure_likeness(kept.text, gone.text) >= threshold


def build_merge_key(note: Note) -> tuple[object, ...]:
    """Return the fields that must be equal before a merge."""
    return note.scope, note.kind, note.subtype, note.state, note.trigger


def _survivor_order(note: Note) -> tuple[object, ...]:
    """Sort key for survivors: pinned, active, trusted, by a person, seen often, old."""
    return (
        not note.pinned,
        note.status != "active",
        -note.trust,
        note.source != "user",
        -note.sightings,
        note.id,
    )


def _may_give_way(gone: Note, kept: Note) -> bool:
    if is_exempt(gone) or gone.source == "user":
        return False
    return gone.trust <= kept.trust and (kept.status == "active" or gone.status == "candidate")


def _carried_fields(kept: Note, gone: Note, *, threshold: float) -> dict[str, object] | None:
    """Return fields taken over by the survivor; None if impossible."""
    carried: dict[str, object] = {}
    for name in ("why", "tag"):
        own, other = getattr(kept, name), getattr(gone, name)
        if other and not own:
            carried[name] = other
        elif other and not _is_comparable(
            own, other, threshold=threshold if name == "why" else 1.0
        ):
            return None
    for name in ("files", "concepts"):
        both = tuple(dict.fromkeys((*getattr(kept, name), *getattr(gone, name))))
        if both != getattr(kept, name):
            carried[name] = both
    if kept.expires_at and not 0 < gone.expires_at <= kept.expires_at:
        carried["expires_at"] = gone.expires_at
    fits = all(len(both) <= MAX_ITEMS for both in carried.values() if isinstance(both, tuple))
    return carried if fits else None


def _is_comparable(one: str, other: str, *, threshold: float) -> bool:
    return one.casefold() == other.casefold() or (
        threshold < 1 and measure_likeness(one, other) >= threshold
    )

"""What an erasure swept, and what it could not reach."""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Mapping


class ErasureReport(Value):
    """The counts of changed or removed texts by place, and what is not clean.

    ``objects`` are ids of notes and episodes that were not named, but quoted what was. ``left`` are
    files that may still hold it, ``kept`` files of the user's own that do. ``unreached`` says what is not
    on this machine, or belongs to others, and what to do about it.
    """

    places: Mapping[str, int] = {}
    objects: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    unreached: tuple[str, ...] = ()

    def combine_with(self, other: ErasureReport) -> ErasureReport:
        """Return the sum of two reports."""
        names = dict.fromkeys((*self.places, *other.places))
        counts = {name: self.places.get(name, 0) + other.places.get(name, 0) for name in names}
        return ErasureReport(
            counts,
            tuple(dict.fromkeys((*self.objects, *other.objects))),
            tuple(dict.fromkeys((*self.left, *other.left))),
            tuple(dict.fromkeys((*self.kept, *other.kept))),
            tuple(dict.fromkeys((*self.unreached, *other.unreached))),
        )


class ErasedRecord(Value):
    """A signal that an erasure deleted or cleaned, or an object whose history it cleaned."""

    what: str
    key: str
    at: int

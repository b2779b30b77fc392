"""Which rows a filter means, as a condition and the values bound to it."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.filter import Filter

    Part = tuple[str, Sequence[object]]


def condition(which: Filter) -> tuple[str, list[object]]:
    """Return SQL over ``notes``; never empty, so that it can follow an AND."""
    parts = [*_lists(which), *_equals(which), *_labels(which)]
    if which.since:
        parts.append(("notes.learned_at >= ?", [which.since]))
    if which.until:
        parts.append(("notes.learned_at < ?", [which.until]))
    if which.reason:
        parts.append(("instr(notes.reason, ?) = 1", [which.reason]))
    clauses = [clause for clause, _ in parts] or ["1"]
    return " AND ".join(clauses), [value for _, values in parts for value in values]


def _lists(which: Filter) -> Iterator[Part]:
    for column, values in (
        ("project", which.projects),
        ("life", which.lives or None),
        ("kind", which.kinds or None),
    ):
        if values is not None:
            yield f"notes.{column} IN ({', '.join('?' * len(values))})", values


def _equals(which: Filter) -> Iterator[Part]:
    for column, value in (
        ("skill", which.skill),
        ("subtype", which.subtype or None),
        ("state", which.state or None),
        ("tag", which.tag or None),
        ("pinned", which.pinned),
    ):
        if value is not None:
            yield f"notes.{column} = ?", [value]


def _labels(which: Filter) -> Iterator[Part]:
    labelled = "notes.seq IN (SELECT note FROM labels WHERE kind = '{}' AND {})"
    if which.concept:
        yield labelled.format("concept", "label = ?"), [which.concept.casefold()]
    if which.file:
        yield labelled.format("file", "instr(label, ?) > 0"), [which.file]

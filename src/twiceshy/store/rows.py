"""Convert notes to rows and back, and payloads to JSON; find the rows that a search may read."""

from __future__ import annotations

from twiceshy.core.errors import DamagedStoreError
from twiceshy.core.jsontext import parse_json, write_json
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.value import Value
from twiceshy.store.store_file import REPAIR

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import TypeVar

    from twiceshy.core.filter import NoteFilter

    T = TypeVar("T")

# Fields whose texts pass the gate; ids, scopes and states are not text.
_TEXT_FIELDS = frozenset(
    """text why tag files concepts trigger reason variant
    tool target excerpt title summary requests tools root transcript alias""".split()
)
LISTS = ("files", "concepts", "requests", "tools")
COUNTERS = ("recalls", "missed", "helped", "harmed")
_UNCOUNTED = [0] * len(COUNTERS)
# the columns of a note, in the order of its fields; the scope takes two
COLUMNS = tuple(
    column
    for field in Note.__fields__
    if field not in COUNTERS
    for column in (("project", "skill") if field == "scope" else (field,))
)
SELECTED = ", ".join(f"notes.{column}" for column in COLUMNS)
_SCOPE_AT = COLUMNS.index("project")
_LISTS_AT = tuple(COLUMNS.index(name) for name in ("files", "concepts"))
_PINNED_AT = COLUMNS.index("pinned")
ROWS = 1 << 22  # of a scope; who has more notes gets another number
BLOCK = 256  # numbers that are kept free for the skills of a project
_ALL_ROWS = (1, (1 << 63) - 1)
_MAX_STRETCHES = 16  # to ask for more takes longer than to read what lies between
_STORED_AS = {"int": int, "bool": int, "float": float}
_last_scope = Scope()
_TYPES = tuple(_STORED_AS.get(Note.__annotations__.get(name, ""), str) for name in COLUMNS)


class SearchArea(Value):
    """Stretches of rows that a search reads, with the number and mean length of their notes."""

    stretches: Sequence[tuple[int, int]]  # first and last row
    notes: int
    mean_length: float


def join_marks(values: Collection[object]) -> str:
    """Return an SQL placeholder for each value, separated by commas."""
    return ", ".join("?" * len(values))


def redact_fields(fields: Mapping[str, object], gate: Callable[[str], str]) -> dict[str, object]:
    """Redact every text field."""
    return {
        name: _redact_value(value, gate) if name in _TEXT_FIELDS else value
        for name, value in fields.items()
    }


def build_note(row: Sequence[object], counters: Mapping[str, int] | None = None) -> Note:
    """Build a note from a row of ``SELECTED`` columns."""
    check_types(row, _TYPES)
    values = list(row)
    for at in _LISTS_AT:
        values[at] = () if values[at] == "[]" else load_list(str(values[at]))
    values[_PINNED_AT] = bool(values[_PINNED_AT])
    values[_SCOPE_AT : _SCOPE_AT + 2] = [
        _build_scope(str(row[_SCOPE_AT]), str(row[_SCOPE_AT + 1]))
    ]
    values += [counters.get(name, 0) for name in COUNTERS] if counters else _UNCOUNTED
    return Note(*values)  # type: ignore[arg-type]  # a row has the types of its columns


def _build_scope(project: str, skill: str) -> Scope:
    """Return a scope; most notes of a search have the same one."""
    global _last_scope  # noqa: PLW0603 - one value, which any thread may set
    scope = _last_scope
    if scope.project != project or scope.skill != skill:
        _last_scope = scope = Scope(project, skill)
    return scope


def check_types(row: Iterable[object], types: tuple[type, ...]) -> None:
    """Check the types of a row: a damaged file may hold values of other types."""
    if tuple(map(type, row)) != types:
        raise DamagedStoreError("a row of the store cannot be read", hint=REPAIR)


def build_row(note: Note) -> list[object]:
    """Return the values of ``COLUMNS`` for a note."""
    values = note.fields()
    values |= {"project": note.scope.project, "skill": note.scope.skill}
    columns = (values[column] for column in COLUMNS)
    return [dump_list(value) if isinstance(value, tuple) else value for value in columns]


def dump_payload(fields: Mapping[str, object]) -> str:
    """Write a payload as JSON; equal fields give equal text."""
    return write_json(dict(sorted(fields.items())))


def load_payload(body: str) -> dict[str, object]:
    """Parse a payload."""
    fields = _parse_as(body, dict)
    return {key: tuple(v) if isinstance(v, list) else v for key, v in fields.items()}


def load_list(text: str) -> tuple[str, ...]:
    """Parse a column written by ``dump_list``."""
    return tuple(_parse_as(text, list))


def _parse_as(text: str, shape: type[T]) -> T:
    """Parse our own JSON; SQLite does not notice a changed byte."""
    try:
        parsed = parse_json(text)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, shape):
        raise DamagedStoreError("a row of the store cannot be read", hint=REPAIR)
    return parsed


def _redact_value(value: object, gate: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return gate(value) if value else value
    return tuple(map(gate, value)) if isinstance(value, tuple | list) else value


def dump_list(items: tuple[str, ...]) -> str:
    """Write a list of strings as a column."""
    return write_json(items)


def find_area(db: sqlite3.Connection, which: NoteFilter) -> SearchArea:
    """Return the stretches of rows in which every note of a filter lies."""
    conditions = ["1"]
    bound: list[str] = []
    for column, values in (
        ("project", which.projects),
        ("skill", None if which.skill is None else (which.skill,)),
    ):
        if values is not None:
            conditions.append(f"{column} IN ({join_marks(values)})")
            bound += values
    found = db.execute(
        f"SELECT number, notes, terms FROM scopes WHERE {' AND '.join(conditions)} ORDER BY number",
        bound,
    ).fetchall()
    notes = sum([one[1] for one in found])
    mean = sum([one[2] for one in found]) / max(1, notes)
    if which.projects is None:
        return SearchArea((_ALL_ROWS,), notes, mean)
    return SearchArea(_join_stretches([one[0] for one in found]), notes, mean)


def _join_stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the rows of scopes; those of one project that follow each other are one stretch."""
    found: list[tuple[int, int]] = []
    last = -1
    for number in numbers:
        begin, end = number * ROWS, (number + 1) * ROWS - 1
        if number == last + 1 and number % BLOCK:
            found[-1] = found[-1][0], end
        else:
            found.append((begin, end))
        last = number
    return found if len(found) <= _MAX_STRETCHES else [(found[0][0], found[-1][1])]


def read_rows(
    db: sqlite3.Connection, asked: str, area: SearchArea, *, most: int = -1, newest: bool = False
) -> list[int]:
    """Return the rows of an area that match a full-text query."""
    order = " ORDER BY rowid DESC" if newest else ""
    found: list[int] = []
    for begin, end in area.stretches:
        left = most - len(found) if most >= 0 else -1
        if not left:
            break
        rows = db.execute(
            f"SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?{order} LIMIT ?",
            (asked, begin, end, left),
        )
        found += [row for (row,) in rows]
    return found


def quote_term(term: str) -> str:
    """Return the full-text query for a term."""
    escaped = term.replace('"', '""')
    return f'"{escaped}"'

"""Records of a bundle: to JSON, from JSON, and redacted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError
from twiceshy.core.history import JournalEntry, fields_to_write, rename_older_fields
from twiceshy.core.note import KINDS, Note, parse_kind
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import escape_unsafe
from twiceshy.core.trust import SOURCES, first_status
from twiceshy.store.record_types import RECORD_TYPES
from twiceshy.sync import record_guard as guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twiceshy.core.note import Source
    from twiceshy.core.store import Record

    Fields = Mapping[str, object]

TYPES = RECORD_TYPES
NOTE = "note"

_TEXTS = frozenset(
    """text why tag files concepts trigger reason variant tool target excerpt title summary
    requests tools name root alias transcript""".split()
)
# What a line about a note leaves out, because it says nothing.
_NOTHING: Fields = {
    **dict.fromkeys(
        """why tag trigger reason origin_project origin_session skill_hash supersedes
        superseded_by skill""".split(),
        "",
    ),
    **dict.fromkeys(("files", "concepts"), ()),
    "pinned": False,
    "expires_at": 0,
}
# What someone who writes the line by hand may leave out as well.
_USUAL: Fields = {
    "id": "",
    "kind": "lesson",
    "source": "import",
    "project": EVERYWHERE,
    "written_at": 0,
    "learned_at": 0,
    "sightings": 1,
}


def record_to_json(record: Record | Note) -> dict[str, object]:
    """Return a record as JSON fields, without defaults."""
    if isinstance(record, Note):
        return {NOTE: _drop_defaults({"id": record.id, **fields_to_write(record)}, _NOTHING)}
    name = next(name for name, cls in TYPES.items() if type(record) is cls)
    return {name: _drop_defaults(record.fields(), type(record).__defaults__)}


def encode_line(fields: Fields) -> bytes:
    """Encode JSON fields as a canonical line."""
    text = escape_unsafe(
        json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    )
    return text.encode() + b"\n"


def record_from_json(name: str, body: object) -> Record | Note:
    """Parse a record; BundleError if invalid, NoteError or UnsafeNameError if unfit."""
    if not isinstance(body, dict):
        raise BundleError(f"a {name} is written as an object")
    fields = {key: guard.check_value(key, value) for key, value in _modernise(body).items()}
    if name == NOTE:
        return _parse_note(fields)
    cls = TYPES[name]
    guard.refuse_unknown_fields(fields, frozenset(cls.__fields__), what=name)
    if lacking := [each for each in cls.__fields__ if each not in {**fields, **cls.__defaults__}]:
        raise BundleError(f"this {name} lacks {lacking[0]!r}")
    record = cls.of(fields)
    guard.check_record(record)
    return record


def _modernise(body: dict[str, object]) -> dict[str, object]:
    """Return a record of an older device under today's names of fields."""
    fields = rename_older_fields(body)
    for name in ("before", "after"):
        if isinstance(inner := fields.get(name), dict):
            fields[name] = rename_older_fields(inner)
    return fields


def redact_record(record: Record | Note, redact: Callable[[str], str]) -> Record | Note:
    """Return the record with every text redacted."""
    if isinstance(record, JournalEntry):
        before, after = (
            None if fields is None else _redact_fields(fields, redact)
            for fields in (record.before, record.after)
        )
        return record.but(before=before, after=after)
    return record.but(**_redact_fields(record.fields(), redact))


def describe_record(record: Record | Note) -> str:
    """Return the name of a record for reports."""
    names = ("object", "key", "id", "note", "alias", "fingerprint")
    return str(next(getattr(record, name) for name in names if hasattr(record, name)))


def record_kind(record: Record | Note) -> str:
    """Return the name of the kind of a record."""
    return next((name for name, cls in TYPES.items() if type(record) is cls), NOTE)


def _drop_defaults(fields: Fields, nothing: Fields) -> dict[str, object]:
    return {key: value for key, value in fields.items() if nothing.get(key, ...) != value}


def _parse_note(given: Fields) -> Note:
    """Parse a note without history; missing fields get defaults."""
    guard.refuse_unknown_fields(given, guard.OF_NOTES | {"id"}, what=NOTE)
    if "text" not in given:
        raise BundleError("this note has no text")
    fields = {**_NOTHING, **_USUAL, **given}
    if fields["id"]:
        guard.check_id(NOTE, fields["id"])
    guard.check_names(fields)
    source: Source = fields["source"]  # type: ignore[assignment]  # fit() has looked it up
    subtypes, states = KINDS[parse_kind(str(fields["kind"]))]
    fields = {"subtype": subtypes[0], "state": states[0], "trust": SOURCES[source], **fields}
    trust = float(str(fields["trust"]))
    scope = Scope(str(fields.pop("project")), str(fields.pop("skill")))
    rest = {"scope": scope, "trust": trust, "days": 1, "revision": 1}
    return Note.of({"status": first_status(source, trust), **fields, **rest})


def _redact_fields(fields: Fields, redact: Callable[[str], str]) -> dict[str, object]:
    return {key: _redact_value(v, redact) if key in _TEXTS else v for key, v in fields.items()}


def _redact_value(value: object, redact: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return redact(value) if value else value
    return tuple(map(redact, value)) if isinstance(value, tuple) else value

"""Records of a bundle: to JSON, from JSON, and redacted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.errors import BundleError
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.history import Entry, fields_of, rename_older_fields
from twiceshy.core.note import KINDS, Note, kind_of
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.store import Alias, KnownProject, Tally, Tombstone
from twiceshy.core.trust import SOURCES, first_status
from twiceshy.sync import record_guard as guard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from twiceshy.core.note import Source
    from twiceshy.core.store import Record

    Fields = Mapping[str, object]

TYPES: dict[str, type[Record]] = {
    "project": KnownProject,
    "alias": Alias,
    "entry": Entry,
    "signal": Signal,
    "exposure": Exposure,
    "tally": Tally,
    "tombstone": Tombstone,
}
NOTE = "note"

_TEXTS = frozenset(
    """text why tag files concepts trigger reason variant tool target excerpt title summary
    requests tools name root alias transcript""".split()
)
# What a line about a note leaves out, because it says nothing.
_NOTHING: Fields = {
    "why": "",
    "tag": "",
    "files": (),
    "concepts": (),
    "trigger": "",
    "reason": "",
    "pinned": False,
    "origin_project": "",
    "origin_session": "",
    "skill_hash": "",
    "supersedes": "",
    "superseded_by": "",
    "expires_at": 0,
    "skill": "",
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


def to_json(record: Record | Note) -> dict[str, object]:
    """Return a record as JSON fields, without defaults."""
    if isinstance(record, Note):
        return {NOTE: _saying({"id": record.id, **fields_of(record)}, _NOTHING)}
    name = next(name for name, cls in TYPES.items() if type(record) is cls)
    return {name: _saying(record.fields(), type(record).__defaults__)}


def from_json(name: str, body: object) -> Record | Note:
    """Parse a record; BundleError if invalid, NoteError or UnsafeNameError if unfit."""
    if not isinstance(body, dict):
        raise BundleError(f"a {name} is written as an object")
    fields = {key: guard.typed(key, value) for key, value in _modernise(body).items()}
    if name == NOTE:
        return _note(fields)
    cls = TYPES[name]
    guard.only(fields, frozenset(cls.__fields__), what=name)
    if lacking := [each for each in cls.__fields__ if each not in {**fields, **cls.__defaults__}]:
        raise BundleError(f"this {name} lacks {lacking[0]!r}")
    record = cls.of(fields)
    guard.check(record)
    return record


def _modernise(body: dict[str, object]) -> dict[str, object]:
    """Return a record of an older device under today's names of fields."""
    fields = rename_older_fields(body)
    for name in ("before", "after"):
        if isinstance(inner := fields.get(name), dict):
            fields[name] = rename_older_fields(inner)
    return fields


def redacted(record: Record | Note, redact: Callable[[str], str]) -> Record | Note:
    """Return the record with every text redacted."""
    if isinstance(record, Entry):
        before, after = (
            None if fields is None else _gated(fields, redact)
            for fields in (record.before, record.after)
        )
        return record.but(before=before, after=after)
    return record.but(**_gated(record.fields(), redact))


def name_of(record: Record | Note) -> str:
    """Return the name of a record for reports."""
    names = ("object", "key", "id", "note", "alias", "fingerprint")
    return str(next(getattr(record, name) for name in names if hasattr(record, name)))


def _saying(fields: Fields, nothing: Fields) -> dict[str, object]:
    return {key: value for key, value in fields.items() if nothing.get(key, ...) != value}


def _note(given: Fields) -> Note:
    """Parse a note without history; missing fields get defaults."""
    guard.only(given, guard.OF_NOTES | {"id"}, what=NOTE)
    if "text" not in given:
        raise BundleError("this note has no text")
    fields = {**_NOTHING, **_USUAL, **given}
    if fields["id"]:
        guard.an_id(NOTE, fields["id"])
    guard.fit(fields)
    source: Source = fields["source"]  # type: ignore[assignment]  # fit() has looked it up
    subtypes, states = KINDS[kind_of(str(fields["kind"]))]
    fields = {"subtype": subtypes[0], "state": states[0], "trust": SOURCES[source], **fields}
    trust = float(str(fields["trust"]))
    scope = Scope(str(fields.pop("project")), str(fields.pop("skill")))
    rest = {"scope": scope, "trust": trust, "days": 1, "revision": 1}
    return Note.of({"status": first_status(source, trust), **fields, **rest})


def _gated(fields: Fields, redact: Callable[[str], str]) -> dict[str, object]:
    return {key: _through(v, redact) if key in _TEXTS else v for key, v in fields.items()}


def _through(value: object, redact: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return redact(value) if value else value
    return tuple(map(redact, value)) if isinstance(value, tuple) else value

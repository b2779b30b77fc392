"""Check records: refuse damaged, foreign or hostile content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from twiceshy.core import skill_usage as counted
from twiceshy.core.draft import MAX_PAGE, MAX_TEXT
from twiceshy.core.errors import BundleError, NoteError, UnsafeNameError
from twiceshy.core.evidence import Episode, Exposure, NoteEvidence, Signal
from twiceshy.core.history import RUNTIME, WRITE, JournalEntry
from twiceshy.core.note import KINDS, SOURCES, STATUSES
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.outcome_sum import (
    EARLIER,
    MOST_FACTS,
    NOBODY,
    OutcomeSum,
    start_of_week,
)
from twiceshy.core.project_link import FIELDS, LINK, OP
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.skill_usage import COUNTED
from twiceshy.core.store import KnownProject, NoteCounter, Tombstone
from twiceshy.core.text import find_unsafe_character
from twiceshy.notes.conflict import SETTLED
from twiceshy.places.identity import is_project_id
from twiceshy.safety.names import check_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.core.store import Record

    Fields = Mapping[str, object]

EPISODE = "e"  # ids of episodes begin with it, as those of notes do with "n"
OF_NOTES = frozenset(
    """kind subtype text why project skill tag files concepts trigger state status reason pinned
    trust source origin_project origin_session skill_hash supersedes superseded_by written_at
    learned_at expires_at sightings""".split()
)
# what entries of notes may tell, too
_BESIDE = frozenset(("variant", "times", "merged", RUNTIME, SETTLED))
_OF_EPISODES = frozenset(Episode.__fields__) - {"id"}

# A field means the same wherever it stands, so its type is said once; the rest are strings.
_LISTS = frozenset((*"files concepts requests tools days".split(), SETTLED))
_FLAGS = frozenset(("pinned", "withheld", *FLAGS))
_LATEST = 2**47 - 1  # the last millisecond that a hybrid clock can tell
_MOST = 10**9  # counts are added up in 64 bits
_RANGES: dict[str, tuple[int, int]] = {
    "clock": (1, 2**63 - 1),
    "trust": (0, 1),
    "lot": (0, 1_000),
    "came": (0, MOST_FACTS),
    **dict.fromkeys("calls_lost showings stops repeated false_stops".split(), (0, _MOST)),
    **dict.fromkeys("sightings times count tokens sessions".split(), (-_MOST, _MOST)),
    **dict.fromkeys(
        """at seen_at written_at learned_at expires_at started_at ended_at first_at last_at
        week until""".split(),
        (0, _LATEST),
    ),
}
_IDS = {
    "object": re.compile(r"[nepu][0-9A-Za-z_-]{1,63}"),
    "note": re.compile(r"n[0-9A-Za-z_-]{1,63}"),
    "device": re.compile(r"[0-9A-Za-z][0-9A-Za-z_+-]{0,63}"),
    "batch": re.compile(r"[0-9A-Za-z][0-9A-Za-z_+-]{0,99}"),
    "op": re.compile(r"[a-z][a-z -]{0,39}"),
    "refers": re.compile(r"(?:[0-9a-f]{16}\.[0-9A-Za-z_+-]{1,64})?"),
    "tally": re.compile(r"[a-z_]{1,40}"),
    "fingerprint": re.compile(r"[0-9a-f]{32}"),
}
_NOTE_KINDS = frozenset(KINDS)
_SIGNAL_KINDS = frozenset("error fix retry correction refusal thrash workflow checkpoint".split())
_EPISODE_KINDS = frozenset(
    "note checkpoint compact end archive handoff diary reflect original".split()
)
_CHOICES: dict[str, frozenset[str]] = {
    "status": frozenset(STATUSES),
    "source": frozenset(SOURCES),
    "subtype": frozenset(subtype for subtypes, _ in KINDS.values() for subtype in subtypes),
    "state": frozenset(state for _, states in KINDS.values() for state in states),
}
# Signals and episodes quote what terminals printed; nothing else may hide anything.
_QUOTES = frozenset("tool target excerpt title summary requests tools".split())
_LONG = frozenset("text variant".split()) | _QUOTES
_ROOM = 2  # a mark that redaction left may be longer than the secret was


def check_value(key: str, value: object) -> object:
    """Return a value in our type for a field; BundleError if unfit."""
    if key in ("before", "after") and isinstance(value, dict):
        return {inner: check_value(inner, each) for inner, each in value.items()}
    if key in ("before", "after") and value is None:
        return None
    if key in _LISTS and isinstance(value, list) and all(map(_is_valid_text, value)):
        return tuple(value)
    if key not in ("before", "after", *_LISTS) and _is_valid_value(key, value):
        return value
    raise BundleError(f"{key!r} cannot be {str(value)[:40]!r}")


def check_record(record: Record) -> None:  # noqa: C901 - one case for each kind of record
    """Raise BundleError for impossible records, NoteError or UnsafeNameError for unfit ones."""
    match record:
        case JournalEntry():
            _check_entry(record)
        case Signal(kind=kind):
            check_names(record.fields())
            _check_kind(kind, _SIGNAL_KINDS)
        case Exposure(note=note):
            if note:  # a reminder that was shown is of no note
                check_id("object", note)  # a handoff that was shown is an episode
            check_names(record.fields())
        case NoteEvidence(note=note):
            check_id("note", note)
            check_names(record.fields())
        case Outcome(note=note, project=project):
            check_id("note", note)
            told = record.fields() if project else record.but(project=EVERYWHERE).fields()
            check_names(told)
        case OutcomeSum():
            _check_sum(record)
        case NoteCounter(note=note, name=name, device=device):
            check_id("note", note)
            check_id("tally", name)
            check_id("device", device)
        case Tombstone(fingerprint=fingerprint):
            check_id("fingerprint", fingerprint)
            check_names(record.fields())
        case KnownProject(id=project):
            check_names({**record.fields(), "project": project})
        case _:
            check_names(record.fields())


def refuse_unknown_fields(fields: Fields, known: frozenset[str], *, what: str) -> None:
    """Refuse unknown fields of a record."""
    if strange := sorted(set(fields) - known):
        raise BundleError(
            f"a {what} has no field {strange[0][:40]!r}",
            hint="if a newer twiceshy wrote this bundle, upgrade this one",
        )


def check_id(what: str, value: object) -> None:
    """Refuse an invalid id."""
    if not _IDS[what].fullmatch(str(value)):
        raise BundleError(f"{str(value)[:40]!r} cannot be a {what}")


def check_names(fields: Fields) -> None:
    """Refuse unsafe names, unknown words of a vocabulary, and hidden characters."""
    for key, value in fields.items():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                _check_text(key, text)
    project, skill = fields.get("project"), fields.get("skill")
    if isinstance(project, str) and not is_project_id(project):
        raise UnsafeNameError(f"{project[:40]!r} cannot be a project")
    if isinstance(skill, str) and skill and check_name(skill) != skill:
        raise UnsafeNameError(f"the skill name {skill[:40]!r} is not in its canonical form")


def _check_entry(entry: JournalEntry) -> None:
    for name in ("object", "device", "batch", "op", "refers"):
        check_id(name, getattr(entry, name))
    if entry.object.startswith(LINK):
        _check_link(entry)
        return
    if entry.object.startswith(COUNTED):
        _check_whole(entry, counted.OP, counted.FIELDS, "count")
        return
    of_episode = entry.object.startswith(EPISODE)
    whole = _OF_EPISODES if of_episode else OF_NOTES
    kinds = _EPISODE_KINDS if of_episode else _NOTE_KINDS
    for fields in (entry.before or {}, entry.after or {}):
        refuse_unknown_fields(fields, whole if of_episode else whole | _BESIDE, what="change")
        check_names(fields)
        _check_kind(fields.get("kind"), kinds)
    after = set(entry.after or ())
    if after and not (whole <= after if entry.op == WRITE else "written_at" not in after):
        raise BundleError(f"the entry {entry.id} is not what writes or changes a note")


def _check_sum(one: OutcomeSum) -> None:
    """Refuse a sum of no week, or of fewer than one session."""
    check_id("note", one.note)
    if one.device != NOBODY:
        check_id("device", one.device)
    of_week = one.week == one.until == start_of_week(one.week) and one.week != EARLIER
    of_earlier = one.week == EARLIER and one.until == start_of_week(one.until)
    if not (of_week or of_earlier) or one.sessions < 1 or one.first_at > one.last_at:
        raise BundleError(f"this sum of outcomes of {one.note} is of no week")


def _check_link(entry: JournalEntry) -> None:
    """Refuse an invalid link, or a link of every project."""
    _check_whole(entry, OP, FIELDS, "link")
    for fields in (entry.before or {}, entry.after or {}):
        if EVERYWHERE in (fields.get("alias"), fields.get("project")):
            raise BundleError(f"the entry {entry.id} links every project")


def _check_whole(entry: JournalEntry, op: str, known: frozenset[str], what: str) -> None:
    """Refuse unknown fields of a link or count, and an entry that sets only some of them."""
    for fields in (entry.before or {}, entry.after or {}):
        refuse_unknown_fields(fields, known, what=what)
        check_names(fields)
    if entry.op == op and not set(entry.after or ()) >= known:
        raise BundleError(f"the entry {entry.id} is not a complete {what}")


def _is_valid_value(key: str, value: object) -> bool:
    if key in _FLAGS:
        return isinstance(value, bool)
    if key not in _RANGES:
        return _is_valid_text(value)
    if isinstance(value, bool) or not isinstance(value, int | float if key == "trust" else int):
        return False
    least, most = _RANGES[key]
    return least <= value <= most


def _is_valid_text(text: object) -> bool:
    """True if a text survives UTF-8 encoding."""
    if not isinstance(text, str) or "\0" in text:
        return False
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _check_text(key: str, text: str) -> None:
    if len(text) > _ROOM * (MAX_PAGE if key in _LONG else MAX_TEXT):
        raise NoteError(f"its {key} has {len(text):,} characters")
    if key not in _QUOTES and (unsafe := find_unsafe_character(text)):
        raise NoteError(f"its {key} holds an invisible or control character (U+{ord(unsafe):04X})")
    if key in _CHOICES and text not in _CHOICES[key]:
        raise NoteError(f"its {key} is {text[:40]!r}, which this twiceshy does not know")


def _check_kind(kind: object, known: frozenset[str]) -> None:
    if isinstance(kind, str) and kind not in known:
        raise NoteError(f"it is a {kind[:40]!r}, which this twiceshy does not know")

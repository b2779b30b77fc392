"""Which changes of introduced devices ask first: what erases, joins projects, or changes an approved rule.

Such lines are not merged, but stay in the repository until a person answers, and are then merged like
all others. What concerns nothing of this device asks nothing: a new machine takes in everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.errors import TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import (
    FORGET,
    REBASE,
    SEE,
    UNSEE,
    WRITE,
    JournalEntry,
    fields_to_write,
    replay_note,
)
from twiceshy.core.project_link import LINK, link_id, replay_link
from twiceshy.notes.undo import IMPORT
from twiceshy.notes.user_changes import sort_active_rules
from twiceshy.sync.duplicates import DERIVED_MARK, duplicate_key
from twiceshy.sync.journal_file import ENTRY
from twiceshy.sync.known_devices import AskedChange, digest_line
from twiceshy.sync.merge import WITHOUT_HISTORY, replay_untrusted
from twiceshy.sync.records import record_from_json

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.sync.duplicates import Key
    from twiceshy.sync.journal_file import JournalLine
    from twiceshy.sync.known_devices import KnownDevices

    Said = Sequence[tuple[JournalLine, Collection[str]]]  # lines, and the devices that say them

ERASE, JOIN, RULE, RELAY = "erase", "join", "rule", "relay"
_HARMLESS = (SEE, UNSEE, IMPORT)
_YES = "yes"
_COUNTED = "tally"
_LONGEST = 2_000  # characters of a field that are shown
_OF_RULES = (
    *("status", "superseded_by", "expires_at", "project", "skill"),
    *("kind", "subtype", "text", "why", "trigger", "state"),
)
# Names of folders of one machine: on another one they are nothing, unless they are in use there.
_OF_FOLDERS = ("dir:", "path:", "slug:")


class ChangeSorter:
    """Sorts the lines of introduced devices into those to merge and those to ask about."""

    def __init__(
        self, app: App, known: KnownDevices, *, believed: Collection[str], follow: bool
    ) -> None:
        self._app, self._store, self._known = app, app.store, known
        self._signing = {*believed, *app.store.summarise_store().own_devices}
        self._follow = follow
        self._rules: dict[str, Key] | None = None
        self._standing: set[Key] | None = None
        self._in_use: frozenset[str] | None = None

    def sort_lines(
        self, said: Said, answers: Mapping[str, str]
    ) -> tuple[list[JournalLine], list[AskedChange]]:
        """Return the lines to merge, and the changes to ask about, each with its lines."""
        firsthand = {row.identity for row, devices in said if _speaking_device(row) in devices}
        merged: list[JournalLine] = []
        asked: dict[tuple[str, str, str, str], list[JournalLine]] = {}
        subjects = self._find_subjects(said)
        for row, devices in said:
            relayed = self._find_relay(row, devices, firsthand)
            if relayed and row.kind != ENTRY:
                continue  # what a device counted, it says itself
            if row.kind == _COUNTED and not self._may_count(row, devices):
                continue
            harmless = row.body.get("op") in _HARMLESS  # no such line changes what is here
            about = relayed or (None if harmless else subjects.get(_subject(row)))
            answer = answers.get(digest_line(row.line), "")
            if about is None or answer == _YES:
                merged.append(row)
            elif not answer:
                what, name, other = about
                asked.setdefault((what, name, other, min(devices)), []).append(row)
        return merged, [
            AskedChange(
                *about,
                tuple(sorted(digest_line(row.line) for row in rows)),
                self._find_new_words(about[1], rows) if about[0] == RULE else (),
            )
            for about, rows in sorted(asked.items())
        ]

    def _may_count(self, row: JournalLine, devices: Collection[str]) -> bool:
        """True unless somebody tells the counters of more devices that never signed than people have."""
        device = _speaking_device(row)
        if not device or device in devices or device in self._signing:
            return True
        return self._known.may_speak_for(device, min(devices))

    def _find_new_words(
        self, rule: str, rows: Sequence[JournalLine]
    ) -> tuple[tuple[str, str], ...]:
        """Return what an approved rule would say after these lines: its fields that change."""
        sound = list(filter(None, map(_parse_entry, rows)))
        own = [one for one in sound if one.object == rule]
        later = replay_untrusted(replay_note, [*self._store.history(rule), *own] if own else sound)
        now = self._store.note(rule)
        if later is None or now is None:
            return ()
        before, after = fields_to_write(now), fields_to_write(later)
        redact = self._app.redact
        return tuple(
            (name, redact(str(after.get(name, "")))[:_LONGEST])
            for name in _OF_RULES
            if before.get(name) != after.get(name)
        )

    def _find_relay(
        self, row: JournalLine, devices: Collection[str], firsthand: Collection[object]
    ) -> tuple[str, str, str] | None:
        """Return what to ask if a device speaks for another one that speaks for itself."""
        device = _speaking_device(row)
        if not device or device in devices or device not in self._signing:
            return None
        if row.identity in firsthand:
            return None
        return RELAY, "", device

    def _find_subjects(self, said: Said) -> dict[str, tuple[str, str, str]]:
        """Return the subjects that ask, each with what to ask about it."""
        found: dict[str, tuple[str, str, str]] = {}
        for row, _ in () if self._follow else said:
            if about := self._find_question(row):
                found.setdefault(_subject(row), about)
        return found

    def _find_question(self, row: JournalLine) -> tuple[str, str, str] | None:
        body = row.body
        if row.kind == "tombstone":
            key = tuple(str(body.get(name, "")) for name in ("project", "skill", "fingerprint"))
            return (ERASE, key[2], key[0]) if key in self._standing_keys() else None
        if row.kind == "alias":
            return self._find_join(str(body.get("alias")), str(body.get("project")))
        if row.kind != ENTRY or body.get("op") in _HARMLESS:
            return None
        if row.object_id.startswith(LINK):
            return self._find_linked(row)
        return self._find_erased(row) if body.get("op") == FORGET else self._find_ruled(row)

    def _find_erased(self, row: JournalLine) -> tuple[str, str, str] | None:
        known = self._store.history(row.object_id)
        stands = known and not any(entry.op == FORGET for entry in known)
        return (ERASE, row.object_id, "") if stands else None

    def _find_linked(self, row: JournalLine) -> tuple[str, str, str] | None:
        fields = {**_mapping(row.body.get("before")), **_mapping(row.body.get("after"))}
        known = replay_link(self._store.history(row.object_id))
        if known:
            fields = known.fields() | fields
        if "alias" in fields and "project" in fields:
            return self._find_join(str(fields["alias"]), str(fields["project"]), known=bool(known))
        return (JOIN, row.object_id, "") if known else None

    def _find_join(
        self, alias: str, project: str, *, known: bool = False
    ) -> tuple[str, str, str] | None:
        """Return what to ask if a project of this device would get another name, or lose one."""
        same = self._store.list_project_ids(alias)
        if not known and project in same:
            return None
        if self._in_use is None:
            counts = self._store.list_project_counts()
            self._in_use = frozenset(
                one.project for one in counts if one.notes or one.sessions or one.episodes
            )
        touched = {*same}
        if not alias.startswith(_OF_FOLDERS):
            touched |= {*self._store.list_project_ids(project)}
        return (JOIN, alias, project) if touched & self._in_use else None

    def _find_ruled(self, row: JournalLine) -> tuple[str, str, str] | None:
        """Return what to ask if an approved rule would change, or give way to another note."""
        rules = self._approved_rules()
        if not rules:
            return None
        if row.object_id in rules:
            return (RULE, row.object_id, "") if self._changes_rule(row) else None
        if row.body.get("op") != WRITE or not row.body.get("after"):
            return None
        entry = _parse_entry(row)
        note = replay_note([entry]) if entry else None
        same = next(
            (rule for rule, key in rules.items() if note and key == duplicate_key(note)), ""
        )
        return (RULE, same, "") if same else None

    def _changes_rule(self, row: JournalLine) -> bool:
        """True if an entry gives a rule other words, another place, or another status."""
        if row.body.get("op") == REBASE:
            return True  # it may bring back older words
        note, after = self._store.note(row.object_id), _mapping(row.body.get("after"))
        now = fields_to_write(note) if note else {}
        return any(name in after and after[name] != now.get(name) for name in _OF_RULES)

    def _approved_rules(self) -> dict[str, Key]:
        if self._rules is None:
            found = sort_active_rules(self._store, key=self._app.rule_key()).approved
            self._rules = {note.id: duplicate_key(note) for note, _ in found}
        return self._rules

    def _standing_keys(self) -> set[Key]:
        if self._standing is None:
            notes = self._store.notes(NoteFilter(statuses=()), limit=None)
            self._standing = {duplicate_key(note) for note in notes}
        return self._standing


def _parse_entry(row: JournalLine) -> JournalEntry | None:
    """Return the entry of a line; None if it is unfit, and the merge will leave it out."""
    try:
        found = record_from_json(ENTRY, dict(row.body))
    except TwiceshyError:
        return None
    return found if isinstance(found, JournalEntry) else None


def _subject(row: JournalLine) -> str:
    """Return what a line is about: lines of one note, or of one name of a project, go together."""
    if row.kind == "alias":
        return link_id(str(row.body.get("alias")))
    return row.object_id or row.key


def _speaking_device(row: JournalLine) -> str:
    """Return the device in whose name a line is said; empty if in nobody's."""
    device = str(row.body.get("device", "")) if row.kind in (ENTRY, "tally") else ""
    return "" if DERIVED_MARK in device or device.startswith(WITHOUT_HISTORY) else device


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def summarise_asked(asked: Iterable[AskedChange]) -> dict[str, int]:
    """Return how many changes of each kind wait for an answer."""
    found: dict[str, int] = {}
    for one in asked:
        found[one.what] = found.get(one.what, 0) + 1
    return found

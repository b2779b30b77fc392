"""Import a note: recognised from an earlier import, merged with a duplicate, or new.

Earlier imports are recognised by source, former id and content, kept as evidence: importing
twice changes nothing, and later changes by the user stay. No item gets more trust than an
import has; rules wait for approval, and dangerous items wait as well.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from twiceshy.core.admit import Refused
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import Filter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.language.supersede import opposite
from twiceshy.places.identity import project_id_valid
from twiceshy.safety.danger import danger
from twiceshy.safety.danger.reasons import INSTRUCTION
from twiceshy.safety.names import safe_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Store
    from twiceshy.interop.imports import Offered
    from twiceshy.notes.write import Outcome

_UNDONE = "undone"  # the reason of a note that `undo` took back
_MANY = 1_000_000
_MOST_COUNTED = 1_000  # sightings, misses or recalls that another program may claim
_LONGEST_ORIGIN = 200
_SAID = ("kind", "subtype", "tag", "text", "why", "state")
# What is over, where both sides tell a state.
_OVER = {"task": "done", "issue": "resolved", "rule": "cleared"}


class Tools(Value):
    """What others do for an import: write a draft apart from all others, count a sighting, redact."""

    write: Callable[[Draft], Outcome]
    see: Callable[[Note, Draft], Note]
    redact: Callable[[str], str]
    near: float  # how alike two notes are of which only one is kept
    longest: int


class Arriving:
    """The notes of an import, and their results."""

    def __init__(self, store: Store, source: str, tools: Tools) -> None:
        self.imported: list[str] = []
        self.merged: dict[str, str] = {}
        self.known = 0
        self.secrets: dict[str, None] = {}
        self.conflicts: dict[str, str] = {}
        self._store = store
        self._source = source
        self._tools = tools
        self._brought = self._brought_before()
        self._tasks: dict[str, dict[str, list[str]]] = {}  # project → what is said → ids

    def take(self, piece: Offered, offered: Draft) -> None:
        """Import a note; NoteError explains a refusal."""
        draft = self._prepared(piece, offered)
        key = f"{self._prefix}{_hashed(piece.alias)}:{_digest(draft)}"
        if note := self._own(piece, draft) or self._brought_as(key, draft):
            self._again(note)
            return
        note = self._page(piece, draft) if draft.kind == "page" else self._joined(piece, draft)
        note = note or self._written(piece, draft)
        self._brought.setdefault(key, []).append(note.id)
        at = draft.learned_at or self._store.now()
        self._store.attest(note.id, key, draft.origin_session, at=at)

    @property
    def _prefix(self) -> str:
        return f"import:{self._source}:"

    def _brought_before(self) -> dict[str, list[str]]:
        """Return notes of earlier imports of this source, by origin."""
        found: dict[str, list[str]] = {}
        for note in self._store.notes(Filter(statuses=()), limit=_MANY):
            for signal, *_ in self._store.evidence(note.id):
                if signal.startswith(self._prefix):
                    found.setdefault(signal, []).append(note.id)
        return found

    def _prepared(self, piece: Offered, offered: Draft) -> Draft:
        """Return a draft cleaned, redacted, with limited trust and history."""
        redact = self._tools.redact
        scope = _checked(offered.scope, redact)
        origin = offered.origin_session or f"{self._source}: {piece.what}"
        draft = offered.but(
            scope=scope,
            source="import",
            trust=None,
            supersedes="",
            origin_project=offered.origin_project or scope.project,
            origin_session=one_line(clean(redact(origin)), limit=_LONGEST_ORIGIN),
            learned_at=min(max(0, offered.learned_at), self._store.now()),
            sightings=min(max(1, offered.sightings), _MOST_COUNTED),
        )
        if piece.redacted or any(redact(text) != text for text in _texts(draft)):
            self.secrets[piece.what] = None
        return prepare(draft, redact, longest=self._tools.longest)

    def _own(self, piece: Offered, draft: Draft) -> Note | None:
        """Return our own note written to a file and returning unchanged."""
        note = self._store.note(piece.alias) if piece.alias.startswith("n") else None
        return note if note and note.fingerprint == draft.fingerprint else None

    def _brought_as(self, key: str, draft: Draft) -> Note | None:
        """Return the note of an earlier import in the same project."""
        projects = self._store.same_project(draft.scope.project)
        notes = map(self._store.note, self._brought.get(key, ()))
        return next((each for each in notes if each and each.scope.project in projects), None)

    def _again(self, note: Note) -> None:
        """Keep an earlier import; restore it after an undo."""
        if (note.status, note.reason) != ("retired", _UNDONE):
            self.known += 1
            return
        undone = [entry for entry in self._store.history(note.id) if entry.op == "undo"]
        # it was taken back step by step: how it was before is what the first step knew
        first = next((one for one in undone if one.batch == undone[-1].batch), None)
        before = (first.before if first else None) or {}
        status, reason = before.get("status", "quarantined"), before.get("reason", "")
        self._set(note, "restore", status=status, reason=reason)
        self.imported.append(note.id)

    def _joined(self, piece: Offered, draft: Draft) -> Note | None:
        """Merge a draft with its duplicate; None if none."""
        note = self._same_task(draft) if draft.kind == "task" else self._same(draft)
        if note is None:
            return None
        self.merged[piece.what] = note.id
        if draft.kind != "task":
            at = draft.learned_at or note.learned_at
            self._tools.see(note, draft.but(learned_at=at))
            if draft.sightings > 1:
                self._store.record(SEE, note.id, {"times": draft.sightings - 1, "learned_at": at})
        over = _OVER.get(draft.kind)
        if over and note.state != draft.state:
            if draft.state == over:
                return self._set(note, "edit", state=over)
            self.conflicts[piece.what] = (
                f"{note.handle} stays {note.state}; there it is {draft.state}"
            )
        return note

    def _same(self, draft: Draft) -> Note | None:
        """Return a duplicate or near-duplicate; dangerous items join none."""
        if self._store.forgotten(draft.scope, draft.fingerprint):
            return None
        twin = self._store.twin(draft)
        if twin:
            return twin if twin.fingerprint == draft.fingerprint else None
        near = self._store.near(draft, threshold=self._tools.near)
        apart = near is None or opposite(draft.text, near.text) or _danger(draft)
        return None if apart else near

    def _same_task(self, draft: Draft) -> Note | None:
        """Return an equal task; a done task may come up again."""
        same = map(self._store.note, self._tasks_of(draft).get(draft.fingerprint, ()))
        tasks = sorted(filter(None, same), key=lambda task: task.state != "open")
        fit = (task for task in tasks if task.state == "open" or draft.state == "done")
        return next(fit, None)

    def _tasks_of(self, draft: Draft) -> dict[str, list[str]]:
        """Return a project's tasks by text; lists may hold thousands."""
        project = draft.scope.project
        if project not in self._tasks:
            found = self._tasks.setdefault(project, {})
            which = Filter(projects=self._store.same_project(project), kinds=("task",))
            for task in self._store.notes(which, limit=_MANY):
                found.setdefault(task.fingerprint, []).append(task.id)
        return self._tasks[project]

    def _page(self, piece: Offered, draft: Draft) -> Note | None:
        """Import a page: new, unchanged, newer, or renamed beside another page."""
        there = self._store.twin(draft)
        if there is None:
            return None
        if there.text == draft.text:
            self.merged[piece.what] = there.id
            return there
        if self._untouched(there):
            self.merged[piece.what] = there.id
            return self._written(piece, draft, counted=False)
        ending = f" from {self._source}"
        if draft.tag.endswith(ending):
            raise NoteError(f"the page {draft.tag!r} was changed since", hint="")
        beside = draft.but(tag=draft.tag + ending)
        self.conflicts[piece.what] = (
            f"page {draft.tag!r} says something else; kept as {beside.tag!r}"
        )
        return self._page(piece, beside) or self._written(piece, beside)

    def _untouched(self, page: Note) -> bool:
        """True if a page still has the text of an earlier import."""
        ours = [signal for signal in self._brought if page.id in self._brought[signal]]
        return page.status in SHOWN and any(each.endswith(_digest(page)) for each in ours)

    def _written(self, piece: Offered, draft: Draft, *, counted: bool = True) -> Note:
        waits = _danger(draft)
        outcome = self._tools.write(draft.but(pinned=draft.pinned and not waits))
        if isinstance(outcome, Refused):
            raise NoteError(outcome.reason, hint=outcome.hint)
        note = outcome.note
        if waits and note.status in SHOWN:
            note = self._set(note, "quarantine", status="quarantined", reason=waits)
        elif piece.elsewhere and note.status == "active":
            note = self._set(note, "edit", status="candidate")
        if draft.kind == "task":
            self._tasks_of(draft).setdefault(note.fingerprint, []).append(note.id)
        if counted:
            self.imported.append(note.id)
            for name, count in (("missed", piece.missed), ("recalls", piece.recalls)):
                self._store.tally(name, [note.id] * min(max(0, count), _MOST_COUNTED))
        return note

    def _set(self, note: Note, op: str, **after: object) -> Note:
        before = {name: getattr(note, name) for name in after}
        return self._store.record(op, note.id, after, before=before) or note


def _checked(scope: Scope, redact: Callable[[str], str]) -> Scope:
    """Return a scope safe as a key; other programs name freely."""
    if not project_id_valid(scope.project):
        raise NoteError(f"{scope.project[:40]!r} is no project", hint="")
    if redact(scope.skill) != scope.skill:
        raise NoteError("the name of its skill holds a secret", hint="")
    return scope.but(skill=safe_name(scope.skill, what="skill")) if scope.skill else scope


def _danger(draft: Draft) -> str:
    """Return the reason to wait; labels may name files and commands, but give no orders."""
    labels = "\n".join((draft.tag, draft.trigger, *draft.concepts, *draft.files))
    return danger(f"{draft.text}\n{draft.why}") or (
        INSTRUCTION if danger(labels) == INSTRUCTION else ""
    )


def _texts(draft: Draft) -> tuple[str, ...]:
    return (draft.text, draft.why, draft.tag, draft.trigger, *draft.files, *draft.concepts)


def _digest(said: Draft | Note) -> str:
    """Return a hash of an item about a skill."""
    parts = [said.scope.skill, *(str(getattr(said, name)) for name in _SAID)]
    return _hashed("\x1f".join(parts))


def _hashed(text: str) -> str:
    """Return a key for a text of any length, possibly secret."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]

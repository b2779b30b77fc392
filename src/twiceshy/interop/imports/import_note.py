"""Import a note: recognised from an earlier import, merged with a duplicate, or new.

Earlier imports are recognised by source, former id and content, kept as evidence: importing
twice changes nothing, and later changes by the user stay. No item gets more trust than an
import has; rules wait for approval, and dangerous items wait as well.
"""

import hashlib

from twiceshy.app import App
from twiceshy.core.admit import Refused
from twiceshy.core.draft import Draft, prepare
from twiceshy.core.errors import NoteError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import SEE
from twiceshy.core.note import SHOWN, Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.interop.held_back import strip_marks
from twiceshy.interop.imports import OfferedItem
from twiceshy.notes.person import is_person_present
from twiceshy.notes.review import accept_note
from twiceshy.notes.write import change_note, count_sighting, note_limits_of, write_draft
from twiceshy.places.identity import is_project_id
from twiceshy.project.facts.items import FACT_KINDS
from twiceshy.safety.danger import find_danger
from twiceshy.safety.danger.reasons import INSTRUCTION
from twiceshy.safety.gate import judge_note
from twiceshy.safety.gate_rules import ELSEWHERE
from twiceshy.safety.names import check_name

_UNDONE = "undone"  # the reason of a note that `undo` took back
_MANY = 1_000_000
_MOST_COUNTED = 1_000  # sightings, misses or recalls that another program may claim
_LONGEST_ORIGIN = 200
_SAID = ("kind", "subtype", "tag", "text", "why", "state")
# What is over, where both sides tell a state.
_OVER = {"task": "done", "issue": "resolved", "rule": "cleared"}


class NoteImport:
    """The notes of an import, and their results."""

    def __init__(self, app: App, source: str) -> None:
        self.imported: dict[str, str] = {}  # the id of a new note → where it stood
        self.merged: dict[str, str] = {}
        self.known = 0
        self.secrets: dict[str, None] = {}
        self.conflicts: dict[str, str] = {}
        self._app, self._store = app, app.store
        self._source = source
        self._limits = note_limits_of(app.config)
        self._brought = self._earlier_imports()
        self._tasks: dict[str, dict[str, list[str]]] = {}  # project → what is said → ids

    def import_note(
        self, piece: OfferedItem, offered: Draft, before: frozenset[str] = frozenset()
    ) -> str:
        """Import a note, and return its id; NoteError explains a refusal.

        ``before`` are the ids of what an earlier import brought from its file.
        """
        draft = self._prepare_draft(piece, offered)
        key = f"{self._key_prefix}{hash_text(piece.alias)}:{_hash_item(draft)}"
        if note := self._find_own_note(piece, draft) or self._find_earlier_import(
            key, draft, before
        ):
            self._repeat_import(piece, note)
            self._approve_own(piece, note)
            return note.id
        merge = self._import_page if draft.kind == "page" else self._merge_with_same
        note = self._approve_own(piece, merge(piece, draft) or self._write_note(piece, draft))
        self._brought.setdefault(key, []).append(note.id)
        at = draft.learned_at or self._store.now()
        self._store.record_evidence(note.id, key, draft.origin_session, at=at)
        return note.id

    @property
    def _key_prefix(self) -> str:
        return f"import:{self._source}:"

    def _earlier_imports(self) -> dict[str, list[str]]:
        """Return notes of earlier imports of this source, by origin."""
        found: dict[str, list[str]] = {}
        for note in self._store.notes(NoteFilter(statuses=()), limit=_MANY):
            for signal, *_ in self._store.list_evidence(note.id):
                if signal.startswith(self._key_prefix):
                    found.setdefault(signal, []).append(note.id)
        return found

    def _prepare_draft(self, piece: OfferedItem, offered: Draft) -> Draft:
        """Return a draft cleaned, redacted, with limited trust and history."""
        redact = self._app.redact
        scope = _check_scope(self._app, offered.scope)
        offered = offered.but(text=strip_marks(offered.text), why=strip_marks(offered.why))
        origin = offered.origin_session or f"{self._source}: {piece.what}"
        draft = offered.but(
            scope=scope,
            source="import",
            trust=None,
            supersedes="",
            origin_project=offered.origin_project or scope.project,
            origin_session=fold_to_line(strip_unsafe(redact(origin)), limit=_LONGEST_ORIGIN),
            learned_at=min(max(0, offered.learned_at), self._store.now()),
            sightings=min(max(1, offered.sightings), _MOST_COUNTED),
        )
        if piece.redacted or any(redact(text) != text for text in _list_texts(draft)):
            self.secrets[piece.what] = None
        return prepare(draft, redact, longest=self._limits.longest)

    def _approve_own(self, piece: OfferedItem, note: Note) -> Note:
        """Approve a rule of the user's own, if a person confirmed the import; danger still waits."""
        if piece.own and note.status == "candidate" and is_person_present():
            return accept_note(self._app, note, act=None)
        return note

    def _find_own_note(self, piece: OfferedItem, draft: Draft) -> Note | None:
        """Return our own note written to a file and returning unchanged."""
        note = self._store.note(piece.alias) if piece.alias.startswith("n") else None
        return note if note and note.fingerprint == draft.fingerprint else None

    def _find_earlier_import(self, key: str, draft: Draft, before: frozenset[str]) -> Note | None:
        """Return the note of an earlier import of the same file, or else in the same project."""
        projects = self._store.list_project_ids(draft.scope.project)
        notes = [*filter(None, map(self._store.note, self._brought.get(key, ())))]
        own = [each for each in notes if each.id in before]
        own += [
            each
            for each in notes
            if each.scope.project in projects or each.origin_project in projects
        ]
        return next(iter(own), None)

    def _repeat_import(self, piece: OfferedItem, note: Note) -> None:
        """Keep an earlier import; restore it after an undo."""
        if (note.status, note.reason) != ("retired", _UNDONE):
            self.known += 1
            return
        undone = [entry for entry in self._store.history(note.id) if entry.op == "undo"]
        # it was taken back step by step: how it was before is what the first step knew
        first = next((one for one in undone if one.batch == undone[-1].batch), None)
        before = (first.before if first else None) or {}
        status, reason = before.get("status", "quarantined"), before.get("reason", "")
        change_note(self._app, "restore", note, status=status, reason=reason)
        self.imported[note.id] = piece.what

    def _merge_with_same(self, piece: OfferedItem, draft: Draft) -> Note | None:
        """Merge a draft with its duplicate; None if none."""
        note = self._find_same_task(draft) if draft.kind == "task" else self._find_same(draft)
        if note is None:
            return None
        self.merged[piece.what] = note.id
        if draft.kind != "task" and self._is_sighting(note, draft):
            at = draft.learned_at or note.learned_at
            count_sighting(self._app, note, draft.but(learned_at=at))
            if draft.sightings > 1:
                counted = {"times": draft.sightings - 1, "learned_at": at}
                self._store.record_entry(SEE, note.id, counted)
        over = _OVER.get(draft.kind)
        if over and note.state != draft.state:
            if draft.state == over:
                return change_note(self._app, "edit", note, state=over)
            said = f"{note.handle} stays {note.state}; there it is {draft.state}"
            self.conflicts[piece.what] = said
        return note

    def _is_sighting(self, note: Note, draft: Draft) -> bool:
        """True unless it is a fact of a session that told the note already, in another file.

        A file that names no session is of no session of its own.
        """
        if draft.kind not in FACT_KINDS:
            return True
        told = [
            session
            for signal, session, _ in self._store.list_evidence(note.id)
            if signal.startswith(self._key_prefix)
        ]
        unnamed = f"{self._source}: "
        sessions = {session for session in told if not session.startswith(unnamed)}
        if draft.origin_session.startswith(unnamed):
            return not told
        return draft.origin_session not in sessions if sessions else not told

    def _find_same(self, draft: Draft) -> Note | None:
        """Return a duplicate or near-duplicate; dangerous items join none."""
        if self._store.is_forgotten(draft.scope, draft.fingerprint):
            return None
        duplicate = self._store.find_duplicate(draft)
        if duplicate:
            return duplicate if duplicate.fingerprint == draft.fingerprint else None
        near = self._store.find_near_duplicate(draft, threshold=self._limits.near)
        return None if near is None or _find_danger(draft) else near

    def _find_same_task(self, draft: Draft) -> Note | None:
        """Return an equal task; a done task may come up again."""
        same = map(self._store.note, self._list_tasks(draft).get(draft.fingerprint, ()))
        tasks = sorted(filter(None, same), key=lambda task: task.state != "open")
        fit = (task for task in tasks if task.state == "open" or draft.state == "done")
        return next(fit, None)

    def _list_tasks(self, draft: Draft) -> dict[str, list[str]]:
        """Return a project's tasks by text; lists may hold thousands."""
        project = draft.scope.project
        if project not in self._tasks:
            found = self._tasks.setdefault(project, {})
            which = NoteFilter(projects=self._store.list_project_ids(project), kinds=("task",))
            for task in self._store.notes(which, limit=_MANY):
                found.setdefault(task.fingerprint, []).append(task.id)
        return self._tasks[project]

    def _import_page(self, piece: OfferedItem, draft: Draft) -> Note | None:
        """Import a page: new, unchanged, newer, or renamed beside another page."""
        there = self._store.find_duplicate(draft)
        if there is None:
            return None
        if there.text == draft.text:
            self.merged[piece.what] = there.id
            return there
        if self._is_untouched(there):
            self.merged[piece.what] = there.id
            return self._write_note(piece, draft, counted=False)
        ending = f" from {self._source}"
        if draft.tag.endswith(ending):
            raise NoteError(f"the page {draft.tag!r} was changed since", hint="")
        beside = draft.but(tag=draft.tag + ending)
        said = f"page {draft.tag!r} says something else; kept as {beside.tag!r}"
        self.conflicts[piece.what] = said
        return self._import_page(piece, beside) or self._write_note(piece, beside)

    def _is_untouched(self, page: Note) -> bool:
        """True if a page still has the text of an earlier import."""
        ours = [signal for signal in self._brought if page.id in self._brought[signal]]
        return page.status in SHOWN and any(each.endswith(_hash_item(page)) for each in ours)

    def _write_note(self, piece: OfferedItem, draft: Draft, *, counted: bool = True) -> Note:
        waits = _find_danger(draft)
        draft = draft.but(pinned=draft.pinned and not waits)
        outcome = write_draft(self._app, draft, bounds=self._limits, keep_apart=True)
        if isinstance(outcome, Refused):
            raise NoteError(outcome.reason, hint=outcome.hint)
        note = outcome.note
        if not piece.own:
            waits = waits or judge_note(note, ELSEWHERE).reason  # as the gate will
        if waits and note.status in SHOWN:
            note = change_note(self._app, "quarantine", note, status="quarantined", reason=waits)
        elif piece.elsewhere and note.status == "active":
            note = change_note(self._app, "edit", note, status="candidate")
        if draft.kind == "task":
            self._list_tasks(draft).setdefault(note.fingerprint, []).append(note.id)
        if counted:
            self.imported[note.id] = piece.what
            for name, count in (("missed", piece.missed), ("recalls", piece.recalls)):
                self._store.increment_counter(name, [note.id] * min(max(0, count), _MOST_COUNTED))
        return note


def _check_scope(app: App, scope: Scope) -> Scope:
    """Return a scope safe as a key; other programs name freely."""
    if not is_project_id(scope.project):
        raise NoteError(f"{scope.project[:40]!r} is no project", hint="")
    if app.redact(scope.skill) != scope.skill:
        raise NoteError("the name of its skill holds a secret", hint="")
    return scope.but(skill=check_name(scope.skill, what="skill")) if scope.skill else scope


def _find_danger(draft: Draft) -> str:
    """Return the reason to wait; labels may name files and commands, but give no orders."""
    labels = "\n".join((draft.tag, draft.trigger, *draft.concepts, *draft.files))
    ordered = INSTRUCTION if find_danger(labels) == INSTRUCTION else ""
    return find_danger(f"{draft.text}\n{draft.why}") or ordered


def _list_texts(draft: Draft) -> tuple[str, ...]:
    return (draft.text, draft.why, draft.tag, draft.trigger, *draft.files, *draft.concepts)


def _hash_item(said: Draft | Note) -> str:
    """Return a hash of an item about a skill."""
    parts = [said.scope.skill, *(str(getattr(said, name)) for name in _SAID)]
    return hash_text("\x1f".join(parts))


def hash_text(text: str) -> str:
    """Return a key for a text of any length, possibly secret."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]

"""Apply hand edits of a file: rewording revises, removal retires, new lines add notes.

Agents can write files, too, so risky content waits in `review`, and a changed rule needs a
new approval.
"""

from __future__ import annotations

from twiceshy.app import is_started_by_agent
from twiceshy.core.admit import Refused
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError, UnsafeNameError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.core.history import REVISE
from twiceshy.core.note import SHOWN, is_known_by_tag
from twiceshy.core.text import fold_to_line
from twiceshy.core.trust import ORIGINS, SOURCES
from twiceshy.core.value import Value
from twiceshy.interop.views.threeway import is_note_id, item_text
from twiceshy.notes.edit import EDITABLE, edit_fields, retire_note
from twiceshy.notes.take_note import take_note
from twiceshy.notes.user_changes import list_unapproved
from twiceshy.notes.write import change_note, note_limits_of
from twiceshy.project.tasks.project_tasks import find_same_task

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note, Source
    from twiceshy.interop.formats import ParsedItem, Piece
    from twiceshy.interop.views.folders import ViewTarget
    from twiceshy.interop.views.threeway import Edits

_WAITS = ("quarantined", "candidate")
_LONGEST_EPISODE = 200_000
_SHOWN_TEXT = 80
_MANY = 10_000


class EditsResult(Value):
    """Result of hand edits: notes by handle, and refusals with reasons."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    unread: tuple[str, ...] = ()  # the lines of what was refused, as they stand in the file
    secret: bool = False  # there was one in the file; it is not there any more

    def __bool__(self) -> bool:
        return bool(self.edited or self.added or self.retired or self.refused or self.secret)

    def combine_with(self, later: EditsResult) -> EditsResult:
        """Combine two results; refusals repeat."""
        lists = {
            name: tuple(dict.fromkeys((*getattr(self, name), *getattr(later, name))))
            for name in ("edited", "added", "retired", "refused", "unread")
        }
        return EditsResult(**lists, secret=self.secret or later.secret)


class HandEdit:
    """Applies edits of a file, and maps its items to notes.

    A file never written by us is ``foreign``: its content is imported, not the user's own word.
    """

    def __init__(self, app: App, place: ViewTarget, *, foreign: bool, changed_at: int = 0) -> None:
        """Apply edits of a file that was ``changed_at`` a time; an agent that worked then may have written it."""
        self._app, self._place = app, place
        by_agent = is_started_by_agent() or bool(changed_at and app.store.session(at=changed_at))
        self._source: Source = "agent" if by_agent else "user"
        if foreign or not place.own:
            self._source = "import"
        self._became: dict[str, str] = {}
        self._refused: dict[str, tuple[str, str]] = {}
        self._refused_lines: dict[str, None] = {}
        self._unread: dict[str, ParsedItem] = {}

    def apply_edits(self, done: Edits) -> EditsResult:
        """Apply every edit as one undoable change."""
        with self._app.store.change():
            edited = [self._apply_rewordings(now, was) for was, now in done.edited]
            retired = [self._apply_safely(self._retire_item, item) for item in done.deleted]
            added = [self._apply_safely(self._add_item, item) for item in done.added]
        return EditsResult(
            edited=tuple(filter(None, edited)),
            added=tuple(filter(None, added)),
            retired=tuple(filter(None, retired)),
            refused=tuple(self._refused.values()),
            unread=tuple(self._refused_lines),
        )

    def build_namer(self, known: Sequence[object]) -> Callable[[ParsedItem], str]:
        """Return a function from an item to its note, or nothing."""
        ids = {str(getattr(one, "id", "") or getattr(one, "key", "")) for one in known}
        prints = {
            str(getattr(one, "fingerprint", "")): str(getattr(one, "id", "")) for one in known
        }
        only = next((one.id for one in known if isinstance(one, Episode)), "")

        def name(item: ParsedItem) -> str:
            if item.key in self._became:
                return self._became[item.key]
            if item.key in ids:
                return item.key
            if item.episode is not None:
                return only
            return prints.get(item.draft.fingerprint, "") if item.draft is not None else ""

        return name

    def is_gone(self, item: ParsedItem) -> bool:
        """True if an item's content is no longer kept, so that its line goes."""
        if item.draft is None or item.key in self._refused:
            return False
        store = self._app.store
        if is_note_id(item.key):
            note = store.note(item.key)
            return note is None or note.status not in _WAITS
        note = self._find_same_note(item.draft)
        if note is None:
            return store.is_forgotten(item.draft.scope, item.draft.fingerprint)
        return note.status not in (*SHOWN, "quarantined") or (
            note.fingerprint != item.draft.fingerprint  # another one took its place
        )

    def is_refused(self, item: ParsedItem) -> bool:
        """True if an item was refused, so that it stays as written."""
        return item.key in self._refused

    def taken_text(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Return the applied part of a file: refused parts are examined again next time."""
        return [
            piece if isinstance(piece, str) else self._unread.get(piece.key, piece)
            for piece in pieces
        ]

    def _apply_rewordings(self, now: ParsedItem, was: ParsedItem) -> str:
        name = self._apply_safely(self._edit_item, now, was)
        if self.is_refused(now):
            self._unread[now.key] = was
        return name

    def _apply_safely(self, act: Callable[..., str], item: ParsedItem, *more: ParsedItem) -> str:
        """Apply an edit; on refusal the file keeps the text, with a reason for the user."""
        try:
            return act(item, *more)
        except (NoteError, UnsafeNameError) as error:
            said = fold_to_line(self._app.redact(item_text(item)), limit=_SHOWN_TEXT)
            self._refused[item.key] = (said, str(error))
            self._refused_lines[item.raw] = None
            return ""

    def _add_item(self, item: ParsedItem) -> str:
        store = self._app.store
        if item.signal is not None:
            store.capture(item.signal)
            return item.key
        if item.episode is not None or item.draft is None:
            raise NoteError("a file of this kind tells of one session only")
        draft = self._prepare_draft(self._with_session(item.draft))
        known = self._find_known(draft)
        if known is not None and known.status in SHOWN:
            self._became[item.key] = known.id
            return self._set_state(known, draft)
        outcome = take_note(self._app, draft, keep_apart=True, is_typed=False)
        if isinstance(outcome, Refused):
            raise NoteError(outcome.reason)
        self._became[item.key] = outcome.note.id
        return outcome.note.handle

    def _edit_item(self, now: ParsedItem, was: ParsedItem) -> str:
        if now.episode is not None and was.episode is not None:
            return self._edit_episode(now.episode, was.episode)
        note = self._find_note(was)
        if now.draft is None or was.draft is None:
            raise NoteError("an observation cannot be edited; add a line instead")
        if note is None or note.status not in SHOWN:
            return self._add_item(now)
        if self._is_approved(note):
            raise NoteError(
                f"a file changes no approved rule; say it yourself: twiceshy edit {note.handle}"
            )
        draft = self._prepare_draft(now.draft)
        if draft.text != note.text:
            self._refuse_agent(note, command="edit")
        self._became[now.key] = note.id
        if draft.trust is not None:
            raise NoteError("it asks for something risky now; say it yourself: twiceshy edit")
        if draft.kind == "page":
            outcome = take_note(self._app, draft, is_typed=False)
            return outcome.note.handle  # type: ignore[union-attr]  # the user's
        return self._revise_note(note, was.draft, draft)

    def _revise_note(self, note: Note, was: Draft, now: Draft) -> str:
        """Revise the fields known to the file; others stay."""
        told = {name: getattr(now, name) for name in EDITABLE}
        fields = {name: value for name, value in told.items() if value != getattr(was, name)}
        if "tag" in fields and (note.tag == now.tag or is_known_by_tag(note.kind, note.tag)):
            del fields["tag"]
        duplicate = self._find_known(now)
        if duplicate is not None and duplicate.id != note.id and duplicate.status in SHOWN:
            retire_note(self._app, note, reason=f"{duplicate.handle} says the same")
            return duplicate.handle
        edited = edit_fields(self._app, note, fields)
        trust = SOURCES[self._source]
        if self._source != "user":  # it may lend its words no more trust than it has
            trust = min(trust, note.trust)
        change_note(self._app, "edit", edited, source=self._source, trust=trust)
        return edited.handle

    def _edit_episode(self, told: Episode, was: Episode) -> str:
        """Change an episode by a file; omitted fields stay."""
        known = self._place.find_episode(self._app)
        if known is None:
            raise NoteError("the session of this file is not in the store")
        fields = self._place.find_rewording(known, was, told)
        if len(str(fields)) > _LONGEST_EPISODE:
            raise NoteError("it is too long to be kept")
        after = {name: self._redact_item(value) for name, value in fields.items()}
        after = {name: value for name, value in after.items() if value != getattr(known, name)}
        if not after:
            return ""
        before = {name: getattr(known, name) for name in after}
        self._app.store.record_entry(REVISE, known.id, after, before=before)
        return known.id

    def _retire_item(self, item: ParsedItem) -> str:
        note = self._find_note(item)
        if note is None or note.status not in SHOWN or self._is_approved(note):
            return ""
        self._refuse_agent(note, command="retire")
        retire_note(self._app, note, reason=f"its line was deleted in {self._place.name}")
        return note.handle

    def _refuse_agent(self, note: Note, *, command: str) -> None:
        """Refuse a change of a person's note that an agent may have made: it may not by a command either."""
        if self._source == "agent" and (note.source == "user" or note.pinned):
            raise NoteError(
                "the file was changed while an agent worked, and you wrote this note; say it yourself:"
                f" twiceshy {command} {note.handle}"
            )

    def _is_approved(self, note: Note) -> bool:
        return note.kind == "rule" and not list_unapproved(self._app, [note])

    def _set_state(self, note: Note, draft: Draft) -> str:
        """Tick a box, or close an issue."""
        if draft.state == note.state or note.kind not in ("task", "issue"):
            return ""
        return change_note(self._app, "edit", note, state=draft.state).handle

    def _find_note(self, item: ParsedItem) -> Note | None:
        if item.draft is None:
            return None
        if is_note_id(item.key):
            return self._app.store.note(item.key)
        known = self._find_known(item.draft)
        return known if known and known.fingerprint == item.draft.fingerprint else None

    def _find_known(self, draft: Draft) -> Note | None:
        store = self._app.store
        if draft.kind == "task":
            return find_same_task(store, draft, store.list_project_ids(draft.scope.project))
        found = store.find_duplicate(draft)
        return found if found and found.fingerprint == draft.fingerprint else None

    def _find_same_note(self, draft: Draft) -> Note | None:
        """Return an equal note, active or retired."""
        store = self._app.store
        if draft.kind != "task":
            return store.find_duplicate(draft)
        projects = store.list_project_ids(draft.scope.project)
        which = NoteFilter(projects=projects, kinds=("task",), statuses=())
        same = [
            task
            for task in store.notes(which, limit=_MANY)
            if task.fingerprint == draft.fingerprint
        ]
        return next((task for task in same if task.status in SHOWN), next(iter(same), None))

    def _prepare_draft(self, draft: Draft) -> Draft:
        """Return a checked, redacted draft with its source and trust."""
        from twiceshy.safety.danger import find_danger  # noqa: PLC0415 - loads many patterns

        risky = find_danger(f"{draft.text}\n{draft.why}")
        ready = draft.but(source=self._source, trust=ORIGINS["output"] if risky else None)
        return prepare(ready, self._app.redact, longest=note_limits_of(self._app.config).longest)

    def _with_session(self, draft: Draft) -> Draft:
        """Return a fact with the session of the file."""
        episode = self._place.find_episode(self._app)
        session = episode.session if episode else ""
        return draft.but(origin_session=session) if session else draft

    def _redact_item(self, value: object) -> object:
        if isinstance(value, tuple):
            return tuple(self._app.redact(str(one)) for one in value)
        return self._app.redact(str(value))

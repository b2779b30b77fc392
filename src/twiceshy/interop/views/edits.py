"""Apply hand edits of a file: rewording revises, removal retires, new lines add notes.

Agents can write files, too, so risky content waits in `review`, and a changed rule needs a
new approval.
"""

from __future__ import annotations

from twiceshy.core.admit import Refused
from twiceshy.core.draft import prepare
from twiceshy.core.errors import NoteError, UnsafeNameError
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import Filter
from twiceshy.core.history import REVISE
from twiceshy.core.note import SHOWN
from twiceshy.core.text import one_line
from twiceshy.core.trust import ORIGINS, SOURCES
from twiceshy.core.value import Value
from twiceshy.interop.views.threeway import is_id, text_of
from twiceshy.notes.edit import EDITABLE, edit, retire
from twiceshy.notes.take_note import take_note
from twiceshy.notes.write import bounds_of, change
from twiceshy.project.tasks.write import known_task

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note, Source
    from twiceshy.interop.formats import Item, Piece
    from twiceshy.interop.views.targets import Place
    from twiceshy.interop.views.threeway import Edits

_WAITS = ("quarantined", "candidate")
_LONGEST_EPISODE = 200_000
_SHOWN_TEXT = 80
_MANY = 10_000


class Taken(Value):
    """Result of hand edits: notes by handle, and refusals with reasons."""

    edited: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    secret: bool = False  # there was one in the file; it is not there any more

    def __bool__(self) -> bool:
        return bool(self.edited or self.added or self.retired or self.refused or self.secret)

    def and_then(self, later: Taken) -> Taken:
        """Combine two results; refusals repeat."""
        return Taken(
            edited=tuple(dict.fromkeys((*self.edited, *later.edited))),
            added=tuple(dict.fromkeys((*self.added, *later.added))),
            retired=tuple(dict.fromkeys((*self.retired, *later.retired))),
            refused=tuple(dict.fromkeys((*self.refused, *later.refused))),
            secret=self.secret or later.secret,
        )


class Hand:
    """Applies edits of a file, and maps its items to notes.

    A file never written by us is ``foreign``: its content is imported, not the user's own word.
    """

    def __init__(self, app: App, place: Place, *, foreign: bool) -> None:
        self._app, self._place = app, place
        self._source: Source = "import" if foreign or not place.own else "user"
        self._became: dict[str, str] = {}
        self._refused: dict[str, tuple[str, str]] = {}
        self._unread: dict[str, Item] = {}

    def take(self, done: Edits) -> Taken:
        """Apply every edit as one undoable change."""
        with self._app.store.change():
            edited = [self._reworded(now, was) for was, now in done.edited]
            retired = [self._retired(item) for item in done.deleted]
            added = [self._safely(self._added, item) for item in done.added]
        return Taken(
            edited=tuple(filter(None, edited)),
            added=tuple(filter(None, added)),
            retired=tuple(filter(None, retired)),
            refused=tuple(self._refused.values()),
        )

    def names(self, known: Sequence[object]) -> Callable[[Item], str]:
        """Return a function from an item to its note, or nothing."""
        ids = {str(getattr(one, "id", "") or getattr(one, "key", "")) for one in known}
        prints = {
            str(getattr(one, "fingerprint", "")): str(getattr(one, "id", "")) for one in known
        }
        only = next((one.id for one in known if isinstance(one, Episode)), "")

        def name(item: Item) -> str:
            if item.key in self._became:
                return self._became[item.key]
            if item.key in ids:
                return item.key
            if item.episode is not None:
                return only
            return prints.get(item.draft.fingerprint, "") if item.draft is not None else ""

        return name

    def gone(self, item: Item) -> bool:
        """True if an item's content is no longer kept, so that its line goes."""
        if item.draft is None or item.key in self._refused:
            return False
        store = self._app.store
        if is_id(item.key):
            note = store.note(item.key)
            return note is None or note.status not in _WAITS
        note = self._once(item.draft)
        if note is None:
            return store.forgotten(item.draft.scope, item.draft.fingerprint)
        return note.status not in (*SHOWN, "quarantined") or (
            note.fingerprint != item.draft.fingerprint  # another one took its place
        )

    def refused(self, item: Item) -> bool:
        """True if an item was refused, so that it stays as written."""
        return item.key in self._refused

    def as_told(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Return the applied part of a file: refused parts are examined again next time."""
        return [
            piece if isinstance(piece, str) else self._unread.get(piece.key, piece)
            for piece in pieces
        ]

    def _reworded(self, now: Item, was: Item) -> str:
        name = self._safely(self._edited, now, was)
        if self.refused(now):
            self._unread[now.key] = was
        return name

    def _safely(self, act: Callable[..., str], item: Item, *more: Item) -> str:
        """Apply an edit; on refusal the file keeps the text, with a reason for the user."""
        try:
            return act(item, *more)
        except (NoteError, UnsafeNameError) as error:
            said = one_line(self._app.redact(text_of(item)), limit=_SHOWN_TEXT)
            self._refused[item.key] = (said, str(error))
            return ""

    def _added(self, item: Item) -> str:
        store = self._app.store
        if item.signal is not None:
            store.capture(item.signal)
            return item.key
        if item.episode is not None or item.draft is None:
            raise NoteError("a file of this kind tells of one session only")
        draft = self._ready(self._of_session(item.draft))
        known = self._known(draft)
        if known is not None and known.status in SHOWN:
            self._became[item.key] = known.id
            return self._with_state(known, draft)
        outcome = take_note(self._app, draft, keep_apart=True)
        if isinstance(outcome, Refused):
            raise NoteError(outcome.reason)
        self._became[item.key] = outcome.note.id
        return outcome.note.handle

    def _edited(self, now: Item, was: Item) -> str:
        if now.episode is not None and was.episode is not None:
            return self._edited_episode(now.episode, was.episode)
        note = self._note_of(was)
        if now.draft is None or was.draft is None:
            raise NoteError("what was observed is not changed by hand; add a line instead")
        if note is None or note.status not in SHOWN:
            return self._added(now)
        self._became[now.key] = note.id
        draft = self._ready(now.draft)
        if draft.trust is not None:
            raise NoteError("it asks for something risky now; say it yourself: twiceshy edit")
        if draft.kind == "page":
            return take_note(self._app, draft).note.handle  # type: ignore[union-attr]  # the user's
        return self._revised(note, was.draft, draft)

    def _revised(self, note: Note, was: Draft, now: Draft) -> str:
        """Revise the fields known to the file; others stay."""
        told = {name: getattr(now, name) for name in EDITABLE}
        fields = {name: value for name, value in told.items() if value != getattr(was, name)}
        if "tag" in fields and note.tag == now.tag:
            del fields["tag"]
        twin = self._known(now)
        if twin is not None and twin.id != note.id and twin.status in SHOWN:
            retire(self._app, note, reason=f"{twin.handle} says the same")
            return twin.handle
        edited = edit(self._app, note, fields)
        trust = SOURCES[self._source]
        if self._source != "user":  # it may lend its words no more trust than it has
            trust = min(trust, note.trust)
        change(self._app, "edit", edited, source=self._source, trust=trust)
        return edited.handle

    def _edited_episode(self, told: Episode, was: Episode) -> str:
        """Change an episode by a file; omitted fields stay."""
        known = self._place.episode(self._app)
        if known is None:
            raise NoteError("nothing is known of this session")
        fields = self._place.retold(known, was, told)
        if len(str(fields)) > _LONGEST_EPISODE:
            raise NoteError("it is too long to be kept")
        after = {name: self._safe(value) for name, value in fields.items()}
        after = {name: value for name, value in after.items() if value != getattr(known, name)}
        if not after:
            return ""
        before = {name: getattr(known, name) for name in after}
        self._app.store.record(REVISE, known.id, after, before=before)
        return known.id

    def _retired(self, item: Item) -> str:
        note = self._note_of(item)
        if note is None or note.status not in SHOWN:
            return ""
        retire(self._app, note, reason=f"its line was deleted in {self._place.name}")
        return note.handle

    def _with_state(self, note: Note, draft: Draft) -> str:
        """Tick a box, or close an issue."""
        if draft.state == note.state or note.kind not in ("task", "issue"):
            return ""
        return change(self._app, "edit", note, state=draft.state).handle

    def _note_of(self, item: Item) -> Note | None:
        if item.draft is None:
            return None
        if is_id(item.key):
            return self._app.store.note(item.key)
        known = self._known(item.draft)
        return known if known and known.fingerprint == item.draft.fingerprint else None

    def _known(self, draft: Draft) -> Note | None:
        store = self._app.store
        if draft.kind == "task":
            return known_task(store, draft, store.same_project(draft.scope.project))
        found = store.twin(draft)
        return found if found and found.fingerprint == draft.fingerprint else None

    def _once(self, draft: Draft) -> Note | None:
        """Return an equal note, active or retired."""
        store = self._app.store
        if draft.kind != "task":
            return store.twin(draft)
        projects = store.same_project(draft.scope.project)
        tasks = store.notes(Filter(projects=projects, kinds=("task",), statuses=()), limit=_MANY)
        same = [task for task in tasks if task.fingerprint == draft.fingerprint]
        return next((task for task in same if task.status in SHOWN), next(iter(same), None))

    def _ready(self, draft: Draft) -> Draft:
        """Return a checked, redacted draft with its source and trust."""
        from twiceshy.safety.danger import danger  # noqa: PLC0415 - loads many patterns

        risky = danger(f"{draft.text}\n{draft.why}")
        ready = draft.but(source=self._source, trust=ORIGINS["output"] if risky else None)
        return prepare(ready, self._app.redact, longest=bounds_of(self._app.config).longest)

    def _of_session(self, draft: Draft) -> Draft:
        """Return a fact with the session of the file."""
        episode = self._place.episode(self._app)
        session = episode.session if episode else ""
        return draft.but(origin_session=session) if session else draft

    def _safe(self, value: object) -> object:
        if isinstance(value, tuple):
            return tuple(self._app.redact(str(one)) for one in value)
        return self._app.redact(str(value))

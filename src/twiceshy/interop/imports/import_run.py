"""Import the items of a source as one change; a plan is rolled back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from twiceshy.core import skill_usage
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.value import Value
from twiceshy.interop.formats.registry import FORMATS
from twiceshy.interop.held_back import strip_marks
from twiceshy.interop.imports import OfferedItem
from twiceshy.interop.imports.files import read_text_file
from twiceshy.interop.imports.import_episode import EpisodeImport
from twiceshy.interop.imports.import_note import NoteImport
from twiceshy.interop.originals import OriginalFile, keep_original, list_originals
from twiceshy.places.identity import is_project_id
from twiceshy.project.identity import link_name
from twiceshy.safety.names import check_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.core.session import SkillUsage
    from twiceshy.interop.imports import ImportContext, ImportPlace, ImportSource
    from twiceshy.places.identity import Identity

    Piece = tuple[ImportPlace, OfferedItem]
    Watch = Callable[[Sequence[Piece], str], Iterable[Piece]]

_WAITING = ("candidate", "quarantined")
_RULE = "a rule waits for your approval"
_UNPROVEN = "on probation, until it is seen again or you accept it"
_ROWS = 200  # of a database, in one text that is kept
MOST = 100_000  # pieces of one import
# formats with one episode in a file
_WHOLE_FILES = ("engine_session", "engine_handoff", "engine_diary", "engine_reflect")
_LONGEST = 300  # of what is told of one piece


class ImportReport(Value):
    """Import report; items are named by their position in the source."""

    source: str
    offered: int
    imported: tuple[str, ...]  # notes that are new here, by id
    merged: Mapping[str, str]  # a piece → the note that said it before
    known: int  # pieces that an earlier import brought
    episodes: int
    signals: int
    counts: int  # skills of which another program told how often they were used
    # what is new and agents are not told, by id → where it stood, and why it waits
    waiting: Mapping[str, str]
    retired: int  # of the new notes: more than a skill, or the global scope, may hold
    refused: Mapping[str, str]  # a piece → why it stays out
    secrets: tuple[str, ...]  # pieces that redaction took something out of
    conflicts: Mapping[str, str]  # a piece → what was done, for something else was there
    batch: str  # what `undo` takes back; empty if nothing was changed


def import_places(
    app: App,
    source: ImportSource,
    places: Sequence[ImportPlace],
    around: ImportContext,
    *,
    plan: bool = False,
    watch: Watch | None = None,
) -> ImportReport:
    """Import places of a source; a single ``undo`` reverts everything."""
    # read before the store is kept from others
    pieces = list(_read_pieces(source, places, around))
    with app.store.change(rehearsal=plan) as batch:
        importing = _ImportRun(app, source)
        for place, piece in watch(pieces, source.TITLE) if watch else pieces:
            importing.take_item(place, piece)
        importing.keep_originals(places, around, pieces)
        changed = importing.has_changed(batch) and not plan
        return importing.build_report(batch if changed else "")


def _read_pieces(
    source: ImportSource, places: Iterable[ImportPlace], around: ImportContext
) -> Iterator[Piece]:
    """Yield every item with its place; a read error is an item, too."""
    count = 0
    for place in places:
        try:
            if place.problem:
                yield place, OfferedItem(place.path, refused=place.problem)
                continue
            for piece in source.read_place(place, around):
                count += 1
                if count > MOST:
                    refused = f"more than {MOST:,} pieces at once"
                    yield place, OfferedItem(piece.what, refused=refused)
                    return
                yield place, piece
        except TwiceshyError as error:
            yield place, OfferedItem(place.path, refused=str(error))


class _ImportRun:
    """A running import with its results."""

    def __init__(self, app: App, source: ImportSource) -> None:
        self._store, self._redact = app.store, app.redact
        self._source = source.NAME
        self._notes = NoteImport(app, source.NAME)
        self._stretches = EpisodeImport(app, source.NAME)
        self._app = app
        self._items: dict[str, list[str]] = {}  # of each file that is kept, by path: ids in order
        self._owners: dict[str, str] = {}  # and its project, if its items name it
        # and of earlier imports, by path in the layout of the system
        self._earlier = {each.path: each for each in list_originals(app, source.NAME)}
        self._kept: set[str] = set()  # ids of the kept files
        self._projects: set[tuple[str, tuple[str, ...]]] = set()
        self._offered = self._known = self._counts = 0
        self._refused: dict[str, str] = {}

    def take_item(self, place: ImportPlace, piece: OfferedItem) -> None:
        """Decide about an item, and record the decision."""
        self._offered += 1
        piece = piece.but(what=self._safe_name(piece.what))
        name, identity = "", piece.identity or place.identity
        brought = self._earlier.get(place.original)
        before = brought.objects if brought else frozenset()
        try:
            if piece.refused:
                self._refuse_item(piece, piece.refused)
                return
            self._join_earlier_names(identity)
            if piece.draft:
                name = self._notes.import_note(piece, piece.draft, before)
            elif piece.usage:
                self._import_usage(place, piece.usage)
            else:
                whole = before if place.what in _WHOLE_FILES else frozenset()
                name = self._stretches.import_item(piece, whole)
            self._register_project(identity)
        except TwiceshyError as error:
            self._refuse_item(piece, str(error))
        if not piece.beside:
            self._items.setdefault(place.path, []).append(name)
        if piece.identity:
            self._owners[place.path] = piece.identity.id

    def keep_originals(
        self, places: Sequence[ImportPlace], around: ImportContext, pieces: Sequence[Piece]
    ) -> None:
        """Keep the files that an export gives back; what could not be read is no original."""
        for place in places:
            if not place.original or place.problem or self._store.list_views(place.path):
                continue
            rows = [piece.row for of, piece in pieces if of is place and piece.row]
            with suppress(TwiceshyError):
                if rows:
                    self._keep_rows(place, rows)
                else:
                    text = strip_marks(read_text_file(place.path))
                    self._keep_original(place, text, around)

    def _keep_rows(self, place: ImportPlace, rows: Sequence[str]) -> None:
        for number, at in enumerate(range(0, len(rows), _ROWS)):
            text, path = "\n".join(rows[at : at + _ROWS]), f"{place.original}/{number}"
            file = OriginalFile(self._source, place.project_id, path, place.what, text)
            self._kept.add(keep_original(self._app, file))

    def _keep_original(self, place: ImportPlace, text: str, around: ImportContext) -> None:
        form = place.what if place.what in FORMATS else ""
        items = tuple((name, "") for name in self._items.get(place.path, ()))
        project = self._owners.get(place.path, place.project_id)
        file = OriginalFile(
            self._source, project, place.original, form, around.redact(text), items
        )
        self._kept.add(keep_original(self._app, file))

    def has_changed(self, batch: str) -> bool:
        """True if more was changed than files that are kept to give them back."""
        return any(entry.object not in self._kept for entry in self._store.history(batch=batch))

    def build_report(self, batch: str) -> ImportReport:
        """Return the report."""
        notes, stretches = self._notes, self._stretches
        new = [note for each in notes.imported if (note := self._store.note(each))]
        return ImportReport(
            source=self._source,
            offered=self._offered,
            imported=tuple(notes.imported),
            merged=notes.merged,
            known=notes.known + stretches.known + self._known,
            episodes=stretches.episodes,
            signals=stretches.signals,
            counts=self._counts,
            waiting=self._list_waiting(new),
            retired=sum(note.status == "retired" for note in new),
            refused=self._refused,
            secrets=tuple(dict.fromkeys((*notes.secrets, *stretches.secrets))),
            conflicts=notes.conflicts,
            batch=batch,
        )

    def _list_waiting(self, new: Iterable[Note]) -> dict[str, str]:
        """Return what agents are not told yet, and why: notes, and texts of sessions."""
        found = {
            note.id: note.reason or (_RULE if note.kind == "rule" else _UNPROVEN)
            for note in new
            if note.status in _WAITING
        }
        told = {name: f"{self._notes.imported[name]}: {why}" for name, why in found.items()}
        return told | self._stretches.held

    def _import_usage(self, place: ImportPlace, usage: SkillUsage) -> None:
        """Keep usage counted by another program; files written by us are skipped."""
        usage = usage.but(
            skill=self._redact(check_name(usage.skill, what="skill")),
            last_at=min(usage.last_at, self._store.now()),
        )
        ours = bool(self._store.list_views(place.path))
        if ours or not self._count_usage(usage):
            self._known += 1
        else:
            self._counts += 1

    def _count_usage(self, usage: SkillUsage) -> bool:
        """Keep the source's usage count of a skill; False if known."""
        said = skill_usage.build_counted_usage(self._source, usage)
        object_id = skill_usage.counted_usage_id(self._store.device, said.program, said.skill)
        known = skill_usage.replay_counted_usage(self._store.history(object_id))
        if known == said:
            return False
        before = known.fields() if known else {"status": skill_usage.GONE}
        self._store.record_entry(skill_usage.OP, object_id, said.fields(), before=before)
        return True

    def _register_project(self, identity: Identity | None) -> None:
        """Register a project of imported items, once."""
        name = (identity.id, identity.aliases) if identity else (EVERYWHERE, ())
        if identity and identity.id != EVERYWHERE and name not in self._projects:
            self._projects.add(name)
            self._store.record_project(
                identity.id,
                name=identity.name,
                root=identity.root,
                aliases=identity.aliases,
                places=identity.places,
            )

    def _join_earlier_names(self, identity: Identity | None) -> None:
        """Link a project to what an import called it while only its name was known."""
        if identity is None or (identity.id, identity.aliases) in self._projects:
            return
        known = self._store.list_projects()
        for each in filter(is_project_id, identity.aliases):
            if each in known and not known[each][1] and each != identity.id:
                link_name(self._store, each, identity.id)

    def _refuse_item(self, piece: OfferedItem, why: str) -> None:
        what, count = piece.what, 1
        while what in self._refused:
            count += 1
            what = f"{piece.what} ({count})"
        self._refused[what] = self._safe_name(why)

    def _safe_name(self, text: str) -> str:
        """Return a file name, row name or reason, safe to show."""
        return fold_to_line(strip_unsafe(self._redact(strip_unsafe(text))), limit=_LONGEST)

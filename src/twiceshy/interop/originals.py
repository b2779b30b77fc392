"""Files of other programs, kept as an import found them, so that an export can give them back.

A kept file is an episode of its own kind, which no list of sessions asks for: it is redacted,
synced, undone and erased like any other. Beside the text stand the ids of the items that the
import made of it, in their order, each with a checksum of its content at that time. An export
writes every line of an unchanged item as it was, and renders only items that changed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.draft import MAX_PAGE
from twiceshy.core.evidence import WITHHELD_PART, Episode
from twiceshy.core.history import replay_episode
from twiceshy.core.note import Note
from twiceshy.core.text import checksum_text
from twiceshy.core.value import Value
from twiceshy.interop.formats import FileContext, ParsedItem, join_pieces
from twiceshy.interop.formats.pieces import stable_name
from twiceshy.interop.formats.registry import load_format
from twiceshy.interop.views.threeway import item_content
from twiceshy.notes.vouch import answer_as

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import EpisodeKind
    from twiceshy.core.store import Store
    from twiceshy.interop.formats import FileFormat

    Cover = Callable[[str, str], str]  # id of an item, or none for prose, and its lines

KIND: EpisodeKind = "original"
_ALL = 1_000_000
_NOTE, _EPISODE = "n", "e"  # how ids of objects begin; those of signals are keys
_JSON = ("keeper_facts",)
_MARKED_INSIDE = ("keeper_facts", "keeper_session")  # a type stands before the text of an item
_GONE = ("retired", "pending removal")
_OF_NOTES = ("text", "why", "tag", "state", "subtype", "missed", "sightings")
_OF_EPISODES = ("title", "summary", "requests", "tools", "files")


class OriginalFile(Value):
    """A file as an import found it: path in its system's layout, format, text, and its items."""

    source: str
    project: str
    path: str
    form: str  # empty for a file that holds no items
    text: str
    items: tuple[tuple[str, str], ...] = ()  # id and checksum; an empty id was refused

    @property
    def objects(self) -> frozenset[str]:
        """Return the ids of the notes and episodes that came from the file."""
        return frozenset(each for each, _ in self.items if each)


def keep_original(app: App, file: OriginalFile) -> str:
    """Keep a file, inside the import's change, and return its id; an unchanged file stays as it was."""
    name = f"e{stable_name(KIND, file.source, file.path)}"
    if len(file.text) > MAX_PAGE or not file.text:
        return name
    items = tuple(f"{each} {_checksum_object(app.store, each)}" for each, _ in file.items)
    known = replay_episode(app.store.history(name))
    if known is None:
        at = app.store.now()
        kept = Episode(name, KIND, f"import:{file.source}:{name[:12]}", file.project, at, at)
        told = {"title": file.path, "summary": file.text, "requests": items, "tools": (file.form,)}
        app.store.capture(kept.but(**told))
    elif known.summary != file.text:
        after = {"summary": file.text, "requests": items}
        before = {each: getattr(known, each) for each in after}
        app.store.record_entry("edit", name, after, before=before)
    return name


def list_originals(
    app: App, source: str, projects: Sequence[str] | None = None
) -> list[OriginalFile]:
    """Return the kept files of a source by path.

    In the place of a part that agents are not told stands a mark; in JSON, ``restore_text`` puts it
    into the text of an entry.
    """
    kept = app.store.list_episodes(projects, kinds=(KIND,), limit=_ALL)
    with answer_as(app, agent=False):
        whole = {
            one.id: one for one in app.store.list_episodes(projects, kinds=(KIND,), limit=_ALL)
        }
    own = (
        whole[one.id] if one.tools[:1] == _JSON else one
        for one in kept
        if one.session.startswith(f"import:{source}:")
    )
    return sorted(map(_read_original, own), key=lambda file: file.path)


def restore_text(app: App, file: OriginalFile, cover: Cover) -> str:
    """Return the text of a kept file with what changed since; empty if nothing of it is left.

    ``cover`` marks or takes out of the lines of an item, by its id, what agents are not told. In
    JSON a mark stands in the text of an entry; an agent who may not read the rest gets no file.
    """
    if not file.form:
        return cover("", file.text)
    form = load_format(file.form)
    about = FileContext(file.project, name=file.path, now=app.store.now())
    pieces = form.parse_text(file.text, about)
    items = [piece for piece in pieces if isinstance(piece, ParsedItem)]
    if len(items) != len(file.items):  # read differently since: what is there stays
        return cover("", file.text)
    known, kept, left = iter(file.items), [], []
    for piece in pieces:
        if isinstance(piece, ParsedItem):
            left.append(_restore_item(app, (form, about), piece, next(known), cover))
            kept.append(left[-1])
        elif form.mend_file and WITHHELD_PART in cover("", piece):
            return ""
        else:
            kept.append(piece if form.mend_file else cover("", piece))
    if left and not any(left):
        return ""
    return form.mend_file(join_pieces(kept)) if form.mend_file and "" in left else "".join(kept)


def _restore_item(
    app: App,
    place: tuple[FileFormat, FileContext],
    item: ParsedItem,
    known: tuple[str, str],
    cover: Cover,
) -> str:
    """Return the lines of an item as who exports may have them."""
    text, name, form = _renew_lines(app, place, item, known), known[0], place[0]
    if form.name not in _MARKED_INSIDE:
        return cover(name, text)
    note = app.store.note(name) if text and name.startswith(_NOTE) else None
    if note is None or form.renew_item is None:
        return text if form.mend_file else cover(name, text)
    told = cover(name, note.text)
    return text if told == note.text else told and form.renew_item(item, note.but(text=told))


def _renew_lines(
    app: App, place: tuple[FileFormat, FileContext], item: ParsedItem, known: tuple[str, str]
) -> str:
    """Return the lines of an item: as they were, rendered anew, or none."""
    (form, about), (name, checksum) = place, known
    if not name or _checksum_object(app.store, name) == checksum:
        return item.raw
    found = _find_object(app.store, name)
    if found is None:  # forgotten; of what was folded into an archive no entry is left
        return "" if app.store.history(name) else item.raw
    if isinstance(found, Note) and found.status in _GONE:
        return ""
    if form.renew_item and isinstance(found, Note):
        return form.renew_item(item, found)
    fresh = form.render_items([found], about)
    now = next((piece for piece in fresh if isinstance(piece, ParsedItem)), None)
    return item.raw if now is None or item_content(now) == item_content(item) else now.raw


def _read_original(kept: Episode) -> OriginalFile:
    items = (each.partition(" ") for each in kept.requests)
    return OriginalFile(
        source=kept.session.split(":")[1],
        project=kept.project,
        path=kept.title,
        form="".join(kept.tools),
        text=kept.summary,
        items=tuple((name, checksum) for name, _, checksum in items),
    )


def _find_object(store: Store, name: str) -> Note | Episode | None:
    if name.startswith(_NOTE):
        return store.note(name)
    return replay_episode(store.history(name)) if name.startswith(_EPISODE) else None


def _checksum_object(store: Store, name: str) -> str:
    """Return a checksum of what an object says now; empty if it is gone, or is a signal."""
    found = _find_object(store, name)
    if found is None:
        return ""
    is_note = isinstance(found, Note)
    names = _OF_NOTES if is_note else _OF_EPISODES
    gone = (
        isinstance(found, Note) and found.status in _GONE
    )  # as one that was over the cap at once
    return checksum_text("\x1f".join((*(str(getattr(found, each)) for each in names), str(gone))))

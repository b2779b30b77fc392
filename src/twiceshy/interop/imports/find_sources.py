"""Find content of other programs, import it, or answer as if imported."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from twiceshy import app as composition
from twiceshy.core.errors import NotFoundError, TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.store import HealthFinding
from twiceshy.core.value import Value
from twiceshy.files import open_plain
from twiceshy.files.json_cache import JsonCache
from twiceshy.interop.formats.registry import guess_formats
from twiceshy.interop.imports import ImportContext, load_sources
from twiceshy.interop.imports.claude_folders import find_folders_of_slug, find_projects_folder
from twiceshy.interop.imports.files import list_file_names
from twiceshy.interop.imports.import_run import import_places
from twiceshy.notes.embed import embed_new_notes
from twiceshy.places.identity import Identity, claude_slug
from twiceshy.runtimes.claude_code.transcript import read_opening
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.interop.imports import ImportPlace, ImportSource
    from twiceshy.interop.imports.import_run import ImportReport, Watch
    from twiceshy.notes.embed import Tell

    T = TypeVar("T")

SEEDS = ("fireworks", "memory-keeper", "memory-engine", "magic-context")
_IMPORTED = "import:"  # how what an import leaves begins: then the source, then what it was
_EPISODES = (*SAVED, ARCHIVE, "note", "handoff", "diary", "reflect")
_NOTEBOOKS = ("engine_notebook",)
_FEW = 10
_MANY = 100_000
_HEAD = 4_096  # characters of a file that tell whose it is


class FoundSource(Value):
    """Existing places of a source."""

    source: ImportSource
    places: Sequence[ImportPlace]


def build_context(app: App, *, given: str = "", chosen: Identity | None = None) -> ImportContext:
    """Return the search context; ``chosen`` is a project named by the user."""
    projects = [
        Identity(each, name, root) for each, (name, root) in app.store.list_projects().items()
    ]
    known = tuple(one for one in projects if one.root and os.path.isdir(one.root))
    gone = [one for one in projects if one.root and one not in known]
    here = app.current_project()

    @cache
    def by_slug(name: str) -> Identity | None:
        return _project_by_slug(app, name, (here, *known), gone) or chosen

    return ImportContext(
        home=composition.user_home(),
        here=chosen or here,
        environ=os.environ,
        identify=lambda path: composition.identify_project(path, app),
        by_slug=by_slug,
        given=os.path.join(app.cwd, os.path.expanduser(given)) if given else "",
        named=chosen is not None,
        known=known,
        rootless=frozenset(one.id for one in projects if not one.root),
        redact=app.redact,
        is_own=_own_files(app),
    )


def find_sources(where: ImportContext, *, only: Collection[str] = ()) -> list[FoundSource]:
    """Return every source with content, or those given."""
    looked = [source for name, source in load_sources().items() if name in only or not only]
    there = (FoundSource(source, _list_foreign(source, where)) for source in looked)
    return [each for each in there if each.places]


def _list_foreign(source: ImportSource, where: ImportContext) -> Sequence[ImportPlace]:
    """Return the places of a source but files that we wrote: edits of these are read anyway."""
    return [place for place in source.find_places(where) if not where.is_own(place.path)]


def _own_files(app: App) -> Callable[[str], bool]:
    """Return a function that tells the files that we wrote."""
    written = {os.path.realpath(view.path) for view in app.store.list_views() if view.body}
    return lambda path: os.path.realpath(path) in written


def list_source_places(source: ImportSource, where: ImportContext) -> Sequence[ImportPlace]:
    """Return the places of a source; none is an error."""
    places = source.find_places(where)
    own = next((place.path for place in places if where.is_own(place.path)), "")
    places = [place for place in places if not where.is_own(place.path)]
    if own and not places:
        raise NotFoundError(
            worded("twiceshy wrote {path} itself", path=own),
            hint=worded("your edits there are read by: twiceshy views read"),
        )
    if not places and os.path.isfile(where.given):
        beside = source.find_places(where.but(given=os.path.dirname(where.given)))
        places = [place for place in beside if os.path.samefile(place.path, where.given)]
    if not places:
        raise NotFoundError(
            f"nothing of {source.TITLE} was found",
            hint=f"say where it is: twiceshy import {source.NAME} PATH",
        )
    return places


def list_own_rules(app: App, chosen: Sequence[FoundSource], where: ImportContext) -> Iterator[str]:
    """Yield the rules that the user wrote down for himself and that do not hold here yet."""
    for one in chosen:
        for place in one.places:
            if place.what not in _NOTEBOOKS:
                continue
            with suppress(TwiceshyError):  # the import says that it cannot be read
                drafts = [
                    piece.draft for piece in one.source.read_place(place, where) if piece.own
                ]
                yield from (draft.text for draft in drafts if draft and _is_news(app, draft))


def _is_news(app: App, draft: Draft) -> bool:
    known = app.store.find_duplicate(draft)
    return known is None or known.status == "candidate"


def import_found(
    app: App, one: FoundSource, where: ImportContext, *, plan: bool, watch: Watch, tell: Tell
) -> ImportReport:
    """Import everything found as one change, or plan it."""
    report = import_places(app, one.source, one.places, where, plan=plan, watch=watch)
    if report.batch:
        embed_new_notes(app, tell=tell)
    return report


def list_not_imported(app: App) -> list[FoundSource]:
    """Return content of older systems not yet imported."""
    there = [
        each
        for each in find_sources(build_context(app), only=SEEDS)
        if not all(place.problem for place in each.places)
    ]
    known = set(_imported_sources(app)) if there else set()
    return [each for each in there if each.source.NAME not in known]


def read_in_place(app: App, ask: Callable[[], T]) -> tuple[T, str]:
    """Answer as if notes of older systems were imported, and say so in a line; nothing stays."""
    there = list_not_imported(app)
    if not there or app.store.read_only:
        return ask(), ""
    where = build_context(app)
    with app.store.change(rehearsal=True):
        for one in there:
            import_places(app, one.source, one.places, where)
        return ask(), _describe_sources(there)


def follow_older_files(app: App) -> None:
    """Import what is new in files of older systems if the user wants that; unchanged files cost a look."""
    if not app.config.flag("import.follow") or app.store.read_only:
        return
    where = build_context(app)
    cache = JsonCache(os.path.join(app.config.home, "followed.json"))
    known = cache.read_document()
    now: dict[str, object] = {}
    for one in find_sources(where, only=SEEDS):
        stamps: list[object] = [f"{place.path} {_stamp_file(place.path)}" for place in one.places]
        now[one.source.NAME] = stamps
        if stamps != known.get(one.source.NAME):
            import_places(app, one.source, one.places, where)
    if now != known:
        cache.write_document(now)


def _stamp_file(path: str) -> str:
    """Return what changes with a file, and with the log of a database."""
    parts = []
    for name in (path, f"{path}-wal"):
        with suppress(OSError):
            found = os.stat(name)
            parts.append(f"{found.st_mtime_ns}.{found.st_size}")
    return " ".join(parts)


def waiting_finding(app: App) -> HealthFinding:
    """Return the finding about unimported notes."""
    there = list_not_imported(app)
    nothing = "no older system left notes that were not imported"
    return HealthFinding("import", "ok", _describe_sources(there) if there else nothing)


def guess_source(path: str) -> str:
    """Return the source of a file by name and first lines; empty if unknown."""
    try:
        with open(path, encoding="utf-8", errors="replace", opener=open_plain) as stream:
            likely = guess_formats(os.path.abspath(path), stream.read(_HEAD))
    except OSError:
        return ""
    owner = likely[0].partition("_")[0] if likely else ""
    return next((name for name in load_sources() if owner and owner in name), "")


def identify_named(app: App, project: str, given: str) -> Identity:
    """Return a project named by the user, with its known identity."""
    if os.path.isdir(given):
        return composition.identify_project(os.path.join(app.cwd, given), app)
    if project == EVERYWHERE:
        return Identity(EVERYWHERE, "everywhere", "")
    name, root = app.store.list_projects().get(project, ("", ""))
    return Identity(project, name, root)


def _project_by_slug(
    app: App, name: str, known: Sequence[Identity], gone: Sequence[Identity]
) -> Identity | None:
    """Return the project of a folder below ``~/.claude/projects``.

    It is known, or named by a session there, or the only folder of this machine with that name,
    or a project whose folder is gone.
    """
    for each in known:
        if name == claude_slug(each.root) or f"slug:{name}" in app.store.list_project_ids(each.id):
            return each
    folder = os.path.join(find_projects_folder(os.environ, composition.user_home()), name)
    for file in list_file_names(folder, ".jsonl")[:_FEW]:
        cwd = read_opening(os.path.join(folder, file)).cwd
        if os.path.isabs(cwd) and claude_slug(cwd) == name:
            return composition.identify_project(cwd, app)
    there = list(find_folders_of_slug(name))
    if len(there) == 1:
        return composition.identify_project(there[0], app)
    lost = [each for each in gone if name == claude_slug(each.root)]
    return lost[0] if len(lost) == 1 and not there else None


def _imported_sources(app: App) -> Iterator[str]:
    """Yield sources with earlier imports."""
    for note in app.store.notes(NoteFilter(statuses=()), limit=_MANY):
        signals = app.store.list_evidence(note.id) if note.source == "import" else ()
        yield from (_source_of_name(signal) for signal, *_ in signals)
    for episode in app.store.list_episodes(kinds=_EPISODES, limit=None):
        yield _source_of_name(episode.session)


def _source_of_name(name: str) -> str:
    """Return the source of a name; None if unknown."""
    return name.split(":")[1] if name.startswith(_IMPORTED) else ""


def _describe_sources(there: Sequence[FoundSource]) -> str:
    names = ", ".join(each.source.NAME for each in there)
    return worded(
        "not imported yet, so shown here and to no agent: notes of {sources}; see: twiceshy import",
        sources=names,
    )

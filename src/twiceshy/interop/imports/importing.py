"""Find content of other programs, import it, or answer as if imported."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from twiceshy import app as composition
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.interop.formats.registry import sniff
from twiceshy.interop.imports import Around, sources
from twiceshy.interop.imports.arriving import Tools
from twiceshy.interop.imports.bringing import bring_in
from twiceshy.interop.imports.claude_folders import projects_folder
from twiceshy.interop.imports.files import names_in
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.write import bounds_of, see, write
from twiceshy.places.identity import Identity, slug
from twiceshy.runtimes.claude_code.transcript_places import opening_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.interop.imports import Place, Source
    from twiceshy.interop.imports.bringing import Report, Watch
    from twiceshy.notes.meaning import Tell
    from twiceshy.notes.write import Outcome

    T = TypeVar("T")

SEEDS = ("fireworks", "memory-keeper", "memory-engine", "magic-context")
_IMPORTED = "import:"  # how what an import leaves begins: then the source, then what it was
_EPISODES = (*SAVED, ARCHIVE, "note", "handoff", "diary", "reflect")
_FEW = 10
_MANY = 100_000
_HEAD = 4_096  # characters of a file that tell whose it is


class Found(Value):
    """Existing places of a source."""

    source: Source
    places: Sequence[Place]


def around(app: App, *, given: str = "", chosen: Identity | None = None) -> Around:
    """Return the search context; ``chosen`` is a project named by the user."""
    known = tuple(
        Identity(each, name, root)
        for each, (name, root) in app.store.projects().items()
        if root and os.path.isdir(root)
    )
    return Around(
        home=composition.user_home(),
        here=chosen or app.here(),
        environ=os.environ,
        identify=lambda path: composition.identify(path, app.config),
        by_slug=lambda name: _by_slug(app, name, known) or chosen,
        given=os.path.join(app.cwd, os.path.expanduser(given)) if given else "",
        named=chosen is not None,
        known=known,
        redact=app.redact,
    )


def found(where: Around, *, only: Collection[str] = ()) -> list[Found]:
    """Return every source with content, or those given."""
    looked = [source for name, source in sources().items() if name in only or not only]
    there = (Found(source, source.places(where)) for source in looked)
    return [each for each in there if each.places]


def places_of(source: Source, where: Around) -> Sequence[Place]:
    """Return the places of a source; none is an error."""
    places = source.places(where)
    if not places and os.path.isfile(where.given):
        beside = source.places(where.but(given=os.path.dirname(where.given)))
        places = [place for place in beside if os.path.samefile(place.path, where.given)]
    if not places:
        raise NotFoundError(
            f"nothing of {source.TITLE} was found",
            hint=f"say where it is: twiceshy import {source.NAME} PATH",
        )
    return places


def bring(app: App, one: Found, where: Around, *, plan: bool, watch: Watch, tell: Tell) -> Report:
    """Import everything found as one change, or plan it."""
    report = bring_in(
        app.store, one.source, one.places, where, tools=_tools(app), plan=plan, watch=watch
    )
    if report.batch:
        embed_new(app, tell=tell)
    return report


def as_if_imported(app: App, chosen: Iterable[Found], ask: Callable[[], T]) -> T:
    """Answer a question as if everything were imported; nothing stays."""
    tools, where = _tools(app), around(app)
    with app.store.change(rehearsal=True):
        for one in chosen:
            bring_in(app.store, one.source, one.places, where, tools=tools)
        return ask()


def not_imported(app: App) -> list[Found]:
    """Return content of older systems not yet imported."""
    there = [
        each
        for each in found(around(app), only=SEEDS)
        if not all(place.problem for place in each.places)
    ]
    known = set(_brought(app)) if there else set()
    return [each for each in there if each.source.NAME not in known]


def guess_source(path: str) -> str:
    """Return the source of a file by name and first lines; empty if unknown."""
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            likely = sniff(os.path.abspath(path), stream.read(_HEAD))
    except OSError:
        return ""
    owner = likely[0].partition("_")[0] if likely else ""
    return next((name for name in sources() if owner and owner in name), "")


def identity_of(app: App, project: str, given: str) -> Identity:
    """Return a project named by the user, with its known identity."""
    if os.path.isdir(given):
        return composition.identify(os.path.join(app.cwd, given), app.config)
    if project == EVERYWHERE:
        return Identity(EVERYWHERE, "everywhere", "")
    name, root = app.store.projects().get(project, ("", ""))
    return Identity(project, name, root)


def _tools(app: App) -> Tools:
    bounds = bounds_of(app.config)

    def written(draft: Draft) -> Outcome:
        return write(app, draft, bounds=bounds, keep_apart=True)

    def seen(note: Note, draft: Draft) -> Note:
        return see(app, note, draft)

    return Tools(written, seen, app.redact, bounds.near, bounds.longest)


def _by_slug(app: App, name: str, known: Sequence[Identity]) -> Identity | None:
    """Return the project of a folder below ``~/.claude/projects``: known, or named by a session there."""
    for each in (app.here(), *known):
        if name == slug(each.root) or f"slug:{name}" in app.store.same_project(each.id):
            return each
    folder = os.path.join(projects_folder(os.environ, composition.user_home()), name)
    for file in names_in(folder, ".jsonl")[:_FEW]:
        cwd = opening_of(os.path.join(folder, file)).cwd
        if os.path.isabs(cwd) and slug(cwd) == name:
            return composition.identify(cwd, app.config)
    return None


def _brought(app: App) -> Iterator[str]:
    """Yield sources with earlier imports."""
    for note in app.store.notes(Filter(statuses=()), limit=_MANY):
        signals = app.store.evidence(note.id) if note.source == "import" else ()
        yield from (_source(signal) for signal, *_ in signals)
    for episode in app.store.episodes(kinds=_EPISODES, limit=None):
        yield _source(episode.session)


def _source(name: str) -> str:
    """Return the source of a name; None if unknown."""
    return name.split(":")[1] if name.startswith(_IMPORTED) else ""

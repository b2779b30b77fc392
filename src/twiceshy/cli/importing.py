"""Bring in what other programs kept: find it, say what there is, and tell what became of it."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy import app as composition
from twiceshy.cli.export import watched
from twiceshy.cli.opening import opened
from twiceshy.cli.options import the_project
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.core.note import handle
from twiceshy.core.project import Identity, slug
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.value import Value
from twiceshy.curate.write import see, write
from twiceshy.exchange.imports import Around, sources
from twiceshy.exchange.imports.arriving import Tools
from twiceshy.exchange.imports.bringing import bring_in
from twiceshy.exchange.imports.claude_folders import projects_folder
from twiceshy.exchange.imports.files import names_in
from twiceshy.serving.meaning import embed_new
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    from twiceshy.app import App
    from twiceshy.core.draft import Draft
    from twiceshy.core.note import Note
    from twiceshy.curate.write import Outcome
    from twiceshy.exchange.imports import Place, Source
    from twiceshy.exchange.imports.bringing import Piece, Report

    T = TypeVar("T")

_FEW = 10


class Found(Value):
    """What is there of one source."""

    source: Source
    places: Sequence[Place]


class Asked(Value):
    """What somebody wants to import: one source, or whatever is there; where it lies, and whose it is."""

    source: Source | None = None
    path: str = ""
    project: str | None = None
    everything: bool = False


def run(asked: Asked, *, plan: bool, as_json: bool) -> None:
    """Import what was asked for, or offer what there is."""
    with opened() as app:
        where = around(app, given=asked.path, project=asked.project)
        if asked.source:
            chosen = [Found(asked.source, places_of(asked.source, where))]
        else:
            there = found(where)
            chosen = there if asked.everything or plan else _offer(there, as_json=as_json)
        if chosen:
            reports = [bring(app, each, where, plan=plan) for each in chosen]
            tell(reports, plan=plan, as_json=as_json)


def around(app: App, *, given: str = "", project: str | None = None) -> Around:
    """Return where to look from here; ``project`` is the one that somebody named."""
    chosen = _identity(app, the_project(app, project), project) if project else None
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
    """Return every source of which something is there, or of some sources those."""
    looked = [source for name, source in sources().items() if name in only or not only]
    there = (Found(source, source.places(where)) for source in looked)
    return [each for each in there if each.places]


def places_of(source: Source, where: Around) -> Sequence[Place]:
    """Return what is there of one source; nothing at all is an error."""
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


def bring(app: App, one: Found, where: Around, *, plan: bool) -> Report:
    """Import all of what was found, as one change, or say what that would do."""

    def watch(pieces: Sequence[Piece], label: str) -> Iterator[Piece]:
        return watched(pieces, label, total=len(pieces))

    report = bring_in(
        app.store, one.source, one.places, where, tools=_tools(app), plan=plan, watch=watch
    )
    if report.batch:
        embed_new(app, tell=say)
    return report


def as_if_imported(app: App, chosen: Iterable[Found], ask: Callable[[], T]) -> T:
    """Answer as if all of what was found had been imported; nothing of it stays."""
    tools, where = _tools(app), around(app)

    def act() -> T:
        for one in chosen:
            bring_in(app.store, one.source, one.places, where, tools=tools)
        return ask()

    return app.store.rehearse(act)


def _tools(app: App) -> Tools:
    bounds = app.bounds

    def written(draft: Draft) -> Outcome:
        return write(app.store, draft, redact=app.redact, bounds=bounds, keep_apart=True)

    def seen(note: Note, draft: Draft) -> Note:
        return see(app.store, note, draft)

    return Tools(written, seen, app.redact, bounds.near, bounds.longest)


def _offer(there: Sequence[Found], *, as_json: bool) -> list[Found]:
    """Say what could be imported; ask about each, where somebody can answer."""
    if as_json:
        print_json([_listed(each) for each in there])
        return []
    for each in there:
        click.echo(f"{each.source.NAME:<18}  {_where(each.places)}")
    if not there:
        say(worded("no notes of other programs were found here"))
        return []
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        say(worded("hint: twiceshy import SOURCE --plan, or --all for all of them"))
        return []
    return [
        each
        for each in there
        if click.confirm(worded("import {name}?", name=each.source.TITLE), err=True)
    ]


def _where(places: Sequence[Place]) -> str:
    """Say where something lies, as far as a line goes."""
    paths = sorted({place.path for place in places})
    home = os.path.join(composition.user_home(), "")
    first = f"~/{paths[0].removeprefix(home)}" if paths[0].startswith(home) else paths[0]
    match len(paths):
        case 1:
            return first
        case 2:
            return first + worded(" and one more file")
        case count:
            return first + worded(" and {count} more files", count=count - 1)


def tell(reports: Sequence[Report], *, plan: bool, as_json: bool) -> None:
    """Say what became of what was offered."""
    if as_json:
        print_json([report.fields() | {"planned": plan} for report in reports])
        return
    for report in reports:
        counts = ", ".join(f"{what} {count}" for what, count in _counts(report).items())
        click.echo(f"{report.source}: {counts}")
        for line in (*_remarks(report), *_not_shown(report, plan=plan)):
            say(line)
        if report.batch:
            say(worded("to take it back: twiceshy undo b{change}", change=report.batch[-4:]))
    if plan:
        say(worded("this is a plan; nothing was changed"))


def _counts(report: Report) -> dict[str, int]:
    """Count what there is to report; what is new always, the rest if there is any."""
    always = {worded("offered"): report.offered, worded("new"): len(report.imported)}
    rest = {
        worded("merged"): len(report.merged),
        worded("known"): report.known,
        worded("episodes"): report.episodes,
        worded("signals"): report.signals,
        worded("use of skills"): report.counts,
        worded("waiting"): len(report.waiting),
        worded("over the cap"): report.retired,
        worded("redacted"): len(report.secrets),
        worded("conflicts"): len(report.conflicts),
        worded("refused"): len(report.refused),
    }
    return always | {what: count for what, count in rest.items() if count}


def _remarks(report: Report) -> Iterator[str]:
    yield from _some(
        worded("left out {what}: {why}", what=what, why=why)
        for what, why in report.refused.items()
    )
    yield from _some(
        worded("another stands there, {what}: {why}", what=what, why=why)
        for what, why in report.conflicts.items()
    )
    yield from _some(
        worded("a secret was taken out of {what}", what=what) for what in report.secrets
    )


def _not_shown(report: Report, *, plan: bool) -> Iterator[str]:
    """Say which of the new notes nobody is told, and what can be done about it."""
    few = " ".join(handle(note) for note in report.waiting[:_FEW])
    if report.waiting and plan:  # nothing goes by these names yet
        yield worded("{count} would wait until you decide", count=len(report.waiting))
    elif report.waiting:
        yield worded("not shown until you decide: twiceshy review ({few})", few=few)
    if report.retired:
        yield worded(
            "{count} are kept for search only: notes.global_max or notes.skill_max allows no more, "
            "and --project says where notes belong that name no project",
            count=report.retired,
        )


def _some(lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    yield from told[:_FEW]
    if len(told) > _FEW:
        yield worded("… and {count} more; --json lists them", count=len(told) - _FEW)


def _listed(each: Found) -> Mapping[str, object]:
    return {
        "source": each.source.NAME,
        "title": each.source.TITLE,
        "places": [
            {
                "path": place.path,
                "project": place.project,
                "skill": place.skill or None,
                "count": place.count or None,
                "problem": place.problem or None,
            }
            for place in each.places
        ],
    }


def _identity(app: App, project: str, given: str) -> Identity:
    """Return a project that somebody named, with all that is known of it."""
    if os.path.isdir(given):
        return composition.identify(os.path.join(app.cwd, given), app.config)
    if project == EVERYWHERE:
        return Identity(EVERYWHERE, "everywhere", "")
    name, root = app.store.projects().get(project, ("", ""))
    return Identity(project, name, root)


def _by_slug(app: App, name: str, known: Sequence[Identity]) -> Identity | None:
    """Return the project of a folder below ``~/.claude/projects``: one we know, or that a session there names."""
    for each in (app.here(), *known):
        if name == slug(each.root) or f"slug:{name}" in app.store.same_project(each.id):
            return each
    from twiceshy.runtimes.claude_code.transcript_places import opening_of

    folder = os.path.join(projects_folder(os.environ, composition.user_home()), name)
    for file in names_in(folder, ".jsonl")[:_FEW]:
        cwd = opening_of(os.path.join(folder, file)).cwd
        if os.path.isabs(cwd) and slug(cwd) == name:
            return composition.identify(cwd, app.config)
    return None

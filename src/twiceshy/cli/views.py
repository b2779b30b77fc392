"""``twiceshy views``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, the_project
from twiceshy.cli.output import print_json, say, show
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import stamp
from twiceshy.core.text import clean
from twiceshy.interop.views.targets import place_named, places
from twiceshy.interop.views.update import Failed, Refreshed, planned, refresh_all, state_of, sweep
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.app import App
    from twiceshy.interop.views.edits import Taken
    from twiceshy.interop.views.targets import Place


@click.command("views")
@click.argument("act", type=click.Choice(["list", "write", "read", "diff"]), default="list")
@click.argument("name", required=False)
@project_option
@click.option("--plan", is_flag=True, help="Tell what write or read would do, and do nothing.")
@json_option
def command(*, act: str, name: str | None, project: str | None, plan: bool, as_json: bool) -> None:
    """Write notes as files in older formats, and import your edits of these files.

    list shows the views, write updates them, read only imports your edits, and diff shows the
    changes that write would make. An edited line becomes a revision of its note, a deleted line
    retires the note, an added line becomes a new note, and all other text stays in place. A
    deleted file is not written again until you name it.

    Example: twiceshy views write KNOWLEDGE.md
    """
    with opened() as app:
        where = the_project(app, project)
        chosen = [place_named(app, where, name)] if name else places(app, where)
        if act == "list":
            _list(app, chosen, as_json=as_json)
            return
        bring = planned if plan or act == "diff" else refresh_all
        came = bring(app, chosen, asked=name is not None, write=act != "read")
        done = [one for one in came if isinstance(one, Refreshed)]
        for one in came:
            if isinstance(one, Failed):
                say(f"{one.place.name}: {one.error}")
        if act == "write" and not (name or plan):
            for path in sweep(app, where):
                say(worded("removed, nothing is kept of it any more: {path}", path=clean(path)))
    (_print_diffs if act == "diff" else _print_done)(done, as_json=as_json)
    if plan and act != "diff" and not as_json:
        say(worded("nothing was done; without --plan it is"))
    if len(done) < len(chosen):
        raise TwiceshyError(worded("some views could not be written; the reasons are above"))


def _list(app: App, chosen: Iterable[Place], *, as_json: bool) -> None:
    found = [(place, *state_of(app, place)) for place in chosen]
    plain = [
        {
            "name": place.name,
            "path": place.spot.path,
            "format": place.format,
            "state": state,
            "written": stamp(at) if at else None,
        }
        for place, state, at in found
    ]
    words = _words()
    lines = (
        f"{words[state]:10}  {clean(place.name)}  {clean(place.spot.path)}"
        for place, state, _ in found
    )
    talk = () if found else (worded("nothing is kept here yet"),)
    show(plain, lines, talk=talk, as_json=as_json)


def _print_done(done: Iterable[Refreshed], *, as_json: bool) -> None:
    if as_json:
        print_json([_plain(one) for one in done])
        return
    for one in done:
        place = one.place
        click.echo(f"{_words()[one.became]}  {clean(place.name)}  {clean(place.spot.path)}")
        for text in _edits(one.taken):
            say(f"  {text}")


def _print_diffs(done: Iterable[Refreshed], *, as_json: bool) -> None:
    if as_json:
        print_json([_plain(one) | {"old": one.old, "new": one.new} for one in done])
        return
    from difflib import unified_diff

    for one in done:
        for text in _edits(one.taken):
            say(f"{one.place.name}: {text}")
        old, new = ([*map(_harmless, text.splitlines())] for text in (one.old, one.new))
        path = one.place.spot.path
        for line in unified_diff(old, new, path, path, lineterm=""):
            click.echo(line)


def _harmless(line: str) -> str:
    """Remove terminal control characters from a line, and keep its indentation."""
    return line[: len(line) - len(line.lstrip(" "))] + clean(line)


def _plain(one: Refreshed) -> dict[str, object]:
    where = {"name": one.place.name, "path": one.place.spot.path}
    return {**where, "became": one.became, **one.taken.fields()}


def _edits(taken: Taken) -> Iterator[str]:
    """Format the imported edits of the user, a line per result."""
    if taken.edited:
        yield worded("edited: {notes}", notes=" ".join(taken.edited))
    if taken.added:
        yield worded("new: {notes}", notes=" ".join(taken.added))
    if taken.retired:
        yield worded("retired, undo brings them back: {notes}", notes=" ".join(taken.retired))
    for text, reason in taken.refused:
        yield worded("not taken: {text} ({reason})", text=clean(text), reason=reason)
    if taken.secret:
        yield worded("there was a secret in the file; it is taken out, so change it")


def _words() -> dict[str, str]:
    """Return the translated words for view states and results."""
    return {
        "not written": worded("not written"),
        "current": worded("written"),
        "edited": worded("edited"),
        "set aside": worded("set aside"),
        "written": worded("written"),
        "read": worded("read"),
        "unchanged": worded("unchanged"),
        "nothing to show": worded("nothing to show"),
    }

"""``twiceshy views``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_project
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import stamp
from twiceshy.core.text import clean
from twiceshy.interop.views.targets import place_named, places
from twiceshy.interop.views.update import Failed, Refreshed, planned, refresh_all, state_of, sweep
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.app import App
    from twiceshy.interop.views.edits import Taken
    from twiceshy.interop.views.targets import Place


@click.command("views")
@click.argument("act", type=click.Choice(["list", "write", "read", "diff"]), default="list")
@click.argument("name", required=False)
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--plan", is_flag=True, help="Tell what write or read would do, and do nothing.")
@json_option
def command(*, act: str, name: str | None, project: str | None, plan: bool, as_json: bool) -> None:
    """Have notes as files in the older systems' formats, and read back what you edit there.

    list tells which there are, write brings them up to date, read only takes your edits in, and diff
    shows what write would change. A line you edit is a revision of its note, one you delete retires
    it, one you add is a new note, and all other text stays where it is. A file you delete is not
    written again until you name it.

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
        if act == "diff":
            _print_diffs(done, as_json=as_json)
        else:
            _print_done(done, plan=plan, as_json=as_json)
    if len(done) < len(chosen):
        raise TwiceshyError(worded("some views could not be written; the reasons are above"))


def _list(app: App, chosen: Iterable[Place], *, as_json: bool) -> None:
    found = [(place, *state_of(app, place)) for place in chosen]
    if as_json:
        print_json(
            [
                {
                    "name": place.name,
                    "path": place.spot.path,
                    "format": place.format,
                    "state": state,
                    "written": stamp(at) if at else None,
                }
                for place, state, at in found
            ]
        )
        return
    for place, state, _ in found:
        click.echo(f"{_STATES[state]():10}  {clean(place.name)}  {clean(place.spot.path)}")
    if not found:
        say(worded("nothing is kept here yet"))


def _print_done(done: Iterable[Refreshed], *, plan: bool, as_json: bool) -> None:
    if as_json:
        print_json([_plain(one) for one in done])
        return
    for one in done:
        click.echo(
            f"{_BECAME[one.became]()}  {clean(one.place.name)}  {clean(one.place.spot.path)}"
        )
        for text in _said(one.taken):
            say(f"  {text}")
    if plan:
        say(worded("nothing was done; without --plan it is"))


def _print_diffs(done: Iterable[Refreshed], *, as_json: bool) -> None:
    if as_json:
        print_json([_plain(one) | {"old": one.old, "new": one.new} for one in done])
        return
    for one in done:
        for text in _said(one.taken):
            say(f"{one.place.name}: {text}")
        click.echo(_diff(one), nl=False)


def _diff(one: Refreshed) -> str:
    from difflib import unified_diff

    old, new = ([*map(_harmless, text.splitlines())] for text in (one.old, one.new))
    path = one.place.spot.path
    return "".join(f"{line}\n" for line in unified_diff(old, new, path, path, lineterm=""))


def _harmless(line: str) -> str:
    """Return a line that does nothing to a terminal, and stands where it stood."""
    margin = line[: len(line) - len(line.lstrip(" "))]
    return margin + clean(line)


def _plain(one: Refreshed) -> dict[str, object]:
    return {
        "name": one.place.name,
        "path": one.place.spot.path,
        "became": one.became,
        **one.taken.fields(),
    }


def _said(taken: Taken) -> list[str]:
    """Return what was taken from the user's edits, a line each."""
    told = []
    if taken.edited:
        told.append(worded("edited: {notes}", notes=" ".join(taken.edited)))
    if taken.added:
        told.append(worded("new: {notes}", notes=" ".join(taken.added)))
    if taken.retired:
        told.append(
            worded("retired, undo brings them back: {notes}", notes=" ".join(taken.retired))
        )
    for text, reason in taken.refused:
        told.append(worded("not taken: {text} ({reason})", text=clean(text), reason=reason))
    if taken.secret:
        told.append(worded("there was a secret in the file; it is taken out, so change it"))
    return told


_STATES = {
    "not written": lambda: worded("not written"),
    "current": lambda: worded("written"),
    "edited": lambda: worded("edited"),
    "set aside": lambda: worded("set aside"),
}
_BECAME = {
    "written": lambda: worded("written"),
    "read": lambda: worded("read"),
    "unchanged": lambda: worded("unchanged"),
    "set aside": lambda: worded("set aside"),
    "nothing to show": lambda: worded("nothing to show"),
}

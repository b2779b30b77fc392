"""``twiceshy views``."""

from collections.abc import Iterable, Iterator

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app, project_option, resolve_project
from twiceshy.cli.output import print_json, print_message, print_result, print_worded
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import format_stamp
from twiceshy.core.text import strip_unsafe
from twiceshy.interop.views.edits import EditsResult
from twiceshy.interop.views.folders import ViewTarget
from twiceshy.interop.views.refresh import (
    FailedView,
    RefreshReport,
    plan_refresh,
    refresh_views,
    view_state,
)
from twiceshy.interop.views.sweep import sweep_views
from twiceshy.interop.views.targets import find_target, list_targets
from twiceshy.wording import worded


@click.command("views")
@click.argument("act", type=click.Choice(["list", "write", "read", "diff"]), default="list")
@click.argument("name", required=False)
@project_option
@click.option("--plan", is_flag=True, help="Show the result of write or read; change nothing.")
@json_option
def command(*, act: str, name: str | None, project: str | None, plan: bool, as_json: bool) -> None:
    """Write all that is remembered as Markdown files, and read your edits of these files.

    The files are the vault, `<home>/vault`; views.layouts adds those of older systems.

    list shows the files, write updates them, read only imports your edits, and diff shows the
    changes that write would make. An edited line becomes a revision of its note, a deleted line
    retires the note, an added line becomes a new note, and all other text stays in place. A
    deleted file is not written again until you name it.

    Example: twiceshy views write Tasks.md
    """
    with open_app() as app:
        where = resolve_project(app, project)
        chosen = [find_target(app, where, name)] if name else list_targets(app, where)
        if act == "list":
            _list_views(app, chosen, as_json=as_json)
            return
        bring = plan_refresh if plan or act == "diff" else refresh_views
        came = bring(app, chosen, asked=name is not None, write=act != "read")
        done = [one for one in came if isinstance(one, RefreshReport)]
        for one in came:
            if isinstance(one, FailedView):
                print_message(f"{one.place.name}: {one.error}")
        if act == "write" and not (name or plan):
            for path in sweep_views(app, where):
                print_worded(
                    "removed, because its notes are gone: {path}", path=strip_unsafe(path)
                )
    (_print_diffs if act == "diff" else _print_results)(done, as_json=as_json)
    if plan and act != "diff" and not as_json:
        print_worded("nothing was changed; to apply this, leave out --plan")
    if len(done) < len(chosen):
        hints = [one.error.hint for one in came if isinstance(one, FailedView)]
        raise TwiceshyError(
            worded("some views could not be written; the reasons are above"), hint=hints[0]
        )


def _list_views(app: App, chosen: Iterable[ViewTarget], *, as_json: bool) -> None:
    found = [(place, *view_state(app, place)) for place in chosen]
    plain = [
        {
            "name": place.name,
            "path": place.spot.path,
            "format": place.format,
            "state": state,
            "written": format_stamp(at) if at else None,
        }
        for place, state, at in found
    ]
    words = _translate_states()
    lines = (
        f"{words[state]:10}  {strip_unsafe(place.name)}  {strip_unsafe(place.spot.path)}"
        for place, state, _ in found
    )
    talk = () if found else (worded("nothing is kept here yet"),)
    print_result(plain, lines, talk=talk, as_json=as_json)


def _print_results(done: Iterable[RefreshReport], *, as_json: bool) -> None:
    if as_json:
        print_json([_view_to_json(one) for one in done])
        return
    for one in done:
        place = one.place
        click.echo(
            f"{_translate_states()[one.became]}  {strip_unsafe(place.name)}  {strip_unsafe(place.spot.path)}"
        )
        for text in _format_edits(one.taken):
            print_message(f"  {text}")


def _print_diffs(done: Iterable[RefreshReport], *, as_json: bool) -> None:
    if as_json:
        print_json([_view_to_json(one) | {"old": one.old, "new": one.new} for one in done])
        return
    from difflib import unified_diff

    for one in done:
        for text in _format_edits(one.taken):
            print_message(f"{one.place.name}: {text}")
        old, new = ([*map(_clean_line, text.splitlines())] for text in (one.old, one.new))
        path = one.place.spot.path
        for line in unified_diff(old, new, path, path, lineterm=""):
            click.echo(line)


def _clean_line(line: str) -> str:
    """Remove terminal control characters from a line, and keep its indentation."""
    return line[: len(line) - len(line.lstrip(" "))] + strip_unsafe(line)


def _view_to_json(one: RefreshReport) -> dict[str, object]:
    where = {"name": one.place.name, "path": one.place.spot.path}
    return {**where, "became": one.became, **one.taken.fields()}


def _format_edits(taken: EditsResult) -> Iterator[str]:
    """Format the imported edits of the user, a line per result."""
    if taken.edited:
        yield worded("edited: {notes}", notes=" ".join(taken.edited))
    if taken.added:
        yield worded("new: {notes}", notes=" ".join(taken.added))
    if taken.retired:
        yield worded("retired, undo brings them back: {notes}", notes=" ".join(taken.retired))
    for text, reason in taken.refused:
        yield worded("not taken: {text} ({reason})", text=strip_unsafe(text), reason=reason)
    if taken.secret:
        yield worded("there was a secret in the file; it is taken out, so change it")


def _translate_states() -> dict[str, str]:
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

"""``twiceshy todo``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import writer
from twiceshy.cli.marking import mark_notes
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, the_project, the_scope
from twiceshy.cli.output import flat, note_json, notes_json, say, show
from twiceshy.cli.reading import given_text
from twiceshy.core.errors import NoteError
from twiceshy.core.scope import EVERYWHERE
from twiceshy.project.tasks.rules import DONE, listed_tasks, open_tasks
from twiceshy.project.tasks.tasks import add_tasks, by_project, suggested, tasks_of
from twiceshy.project.tasks.write import finish, reopen
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.note import Note
    from twiceshy.project.tasks.rules import NextTask
    from twiceshy.project.tasks.tasks import Group

_LONGEST = 120


@click.command("todo", cls=TextCommand)
@click.argument("words", nargs=-1, metavar="[add TEXT | done ID... | reopen ID...]")
@click.option("--project", metavar="P", help="Of this one: a path, name or id.")
@click.option("--everywhere", "-g", is_flag=True, help="With add: for no project in particular.")
@click.option("--next", "first", is_flag=True, help="With add: it comes before all others.")
@click.option("--all", "-a", "everything", is_flag=True, help="List finished ones, too.")
@json_option
def command(
    *,
    words: tuple[str, ...],
    project: str | None,
    everywhere: bool,
    first: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """List open tasks of every project, and suggest the next task.

    `add` adds a task to this project; `add -` reads a list from stdin, in which [x] marks a
    finished task. --all also lists finished tasks, and `undo` reverts each of these changes.

    Example: twiceshy todo add "Write the changelog" --next
    """
    if words[:1] != ("add",) and (first or everywhere):
        raise click.UsageError("--next and --everywhere belong to: todo add TEXT")
    match words:
        case ():
            _list(project, everything=everything, as_json=as_json)
        case ("add", *said) if said:
            _add(said, project, everywhere=everywhere, first=first, as_json=as_json)
        case ("done", *names) if names:
            mark_notes(names, finish, done=worded("done"), as_json=as_json)
        case ("reopen", *names) if names:
            mark_notes(names, reopen, done=worded("open again"), as_json=as_json)
        case _:
            raise click.UsageError("give add TEXT, done ID or reopen ID, or nothing to list")


def _add(
    said: Sequence[str], project: str | None, *, everywhere: bool, first: bool, as_json: bool
) -> None:
    items, strays = listed_tasks(given_text(said))
    if not items:
        raise NoteError(worded("there is no task in it"), hint='twiceshy todo add "…"')
    with opened() as app:
        scope = the_scope(app, skill=None, project=project, everywhere=everywhere)
        added = add_tasks(app, items, scope=scope, source=writer(), first=first)
    plain = [note_json(one.task) | {"known": one.known} for one in added]
    show(plain, (one.task.handle for one in added), as_json=as_json)
    new = sum(1 for one in added if not one.known)
    say(worded("tasks added: {new}, known already: {known}", new=new, known=len(added) - new))
    if strays:
        say(worded("lines that are no tasks: {count}", count=strays))


def _list(project: str | None, *, everything: bool, as_json: bool) -> None:
    with opened() as app:
        tasks = tasks_of(app, None if project is None else the_project(app, project))
        groups = by_project(app, tasks)
        following = suggested(app, tasks)
    listed = [(group, _shown(group, everything=everything)) for group in groups]
    suggestion = {"id": following.task.id, "because": following.because} if following else None
    plain = {"next": suggestion, "projects": [_plain(*each) for each in listed]}
    talk = () if following else (worded("nothing is left to do"),)
    show(plain, _lines(listed, following), talk=talk, as_json=as_json)


def _lines(
    listed: Sequence[tuple[Group, list[Note]]], following: NextTask | None
) -> Iterator[str]:
    for group, shown in listed:
        left, total = len(open_tasks(group.tasks)), len(group.tasks)
        if shown:
            yield worded(
                "{name}: {open} open of {total}", name=_name(group), open=left, total=total
            )
        for task in shown:
            box = "[x]" if task.state == DONE else "[ ]"
            mark = "*" if task.pinned else " "
            yield f"  {box} {task.handle}{mark} {flat(task.text, limit=_LONGEST)}"
    if following:
        yield _suggestion(following, [group for group, _ in listed])


def _shown(group: Group, *, everything: bool) -> list[Note]:
    finished = [task for task in group.tasks if task.state == DONE] if everything else []
    return [*open_tasks(group.tasks), *finished]


def _suggestion(following: NextTask, groups: Sequence[Group]) -> str:
    task = following.task
    there = next(group for group in groups if task in group.tasks)
    why = {
        "pinned": worded("it was put first"),
        "worked on last": worded("{name} was worked on last", name=_name(there)),
        "oldest": worded("it is the oldest"),
    }[following.because]
    text = flat(task.text, limit=_LONGEST)
    return worded("next: {handle} {text} ({why})", handle=task.handle, text=text, why=why)


def _name(group: Group) -> str:
    if group.project == EVERYWHERE:
        return worded("no project in particular")
    return flat(group.name or group.project, limit=_LONGEST)


def _plain(group: Group, shown: list[Note]) -> dict[str, object]:
    return {
        "project": group.project,
        "name": group.name,
        "open": len(open_tasks(group.tasks)),
        "total": len(group.tasks),
        "tasks": notes_json(shown),
    }

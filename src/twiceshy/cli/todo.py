"""``twiceshy todo``."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.app import command_author
from twiceshy.cli.note_changes import mark_notes
from twiceshy.cli.options import TextCommand, json_option, open_app, resolve_project, resolve_scope
from twiceshy.cli.output import flatten_text, note_json, notes_json, print_result, print_worded
from twiceshy.cli.text_input import read_text_argument
from twiceshy.core.errors import NoteError
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.project.tasks.project_tasks import (
    TaskGroup,
    add_tasks,
    finish_task,
    group_by_project,
    list_project_tasks,
    reopen_task,
    suggest_task,
)
from twiceshy.project.tasks.rules import DONE, NextTask, list_open_tasks, parse_task_list
from twiceshy.wording import worded

_LONGEST = 120


@click.command("todo", cls=TextCommand)
@click.argument("words", nargs=-1, metavar="[add TEXT | done ID... | reopen ID...]")
@click.option("--project", metavar="P", help="Only this project: a path, name or id.")
@click.option("--everywhere", "-g", is_flag=True, help="With add: not for a specific project.")
@click.option("--next", "first", is_flag=True, help="With add: put the task first.")
@click.option("--all", "-a", "everything", is_flag=True, help="Also list finished tasks.")
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
            _list_tasks(project, everything=everything, as_json=as_json)
        case ("add", *said) if said:
            _add_tasks(said, project, everywhere=everywhere, first=first, as_json=as_json)
        case ("done", *names) if names:
            mark_notes(names, finish_task, done=worded("done"), as_json=as_json)
        case ("reopen", *names) if names:
            mark_notes(names, reopen_task, done=worded("open again"), as_json=as_json)
        case _:
            raise click.UsageError("give add TEXT, done ID or reopen ID, or nothing to list")


def _add_tasks(
    said: Sequence[str], project: str | None, *, everywhere: bool, first: bool, as_json: bool
) -> None:
    items, strays = parse_task_list(read_text_argument(said))
    if not items:
        raise NoteError(worded("there is no task in it"), hint='twiceshy todo add "…"')
    with open_app(for_agents=True) as app:
        scope = resolve_scope(app, skill=None, project=project, everywhere=everywhere)
        added = add_tasks(app, items, scope=scope, source=command_author(), first=first)
    plain = [note_json(one.task) | {"known": one.known} for one in added]
    print_result(plain, (one.task.handle for one in added), as_json=as_json)
    new = sum(1 for one in added if not one.known)
    print_worded("tasks added: {new}, known already: {known}", new=new, known=len(added) - new)
    if strays:
        print_worded("lines that are no tasks: {count}", count=strays)


def _list_tasks(project: str | None, *, everything: bool, as_json: bool) -> None:
    with open_app(for_agents=True) as app:
        tasks = list_project_tasks(app, None if project is None else resolve_project(app, project))
        groups = group_by_project(app, tasks)
        following = suggest_task(app, tasks)
    listed = [(group, _select_tasks(group, everything=everything)) for group in groups]
    suggestion = {"id": following.task.id, "because": following.reason} if following else None
    plain = {"next": suggestion, "projects": [_group_to_json(*each) for each in listed]}
    talk = () if following else (worded("nothing is left to do"),)
    print_result(plain, _format_tasks(listed, following), talk=talk, as_json=as_json)


def _format_tasks(
    listed: Sequence[tuple[TaskGroup, list[Note]]], following: NextTask | None
) -> Iterator[str]:
    for group, shown in listed:
        left, total = len(list_open_tasks(group.tasks)), len(group.tasks)
        if shown:
            yield worded(
                "{name}: {open} open of {total}", name=_name_group(group), open=left, total=total
            )
        for task in shown:
            box = "[x]" if task.state == DONE else "[ ]"
            mark = "*" if task.pinned else " "
            yield f"  {box} {task.handle}{mark} {flatten_text(task.text, limit=_LONGEST)}"
    if following:
        yield _format_suggestion(following, [group for group, _ in listed])


def _select_tasks(group: TaskGroup, *, everything: bool) -> list[Note]:
    finished = [task for task in group.tasks if task.state == DONE] if everything else []
    return [*list_open_tasks(group.tasks), *finished]


def _format_suggestion(following: NextTask, groups: Sequence[TaskGroup]) -> str:
    task = following.task
    there = next(group for group in groups if task in group.tasks)
    why = {
        "pinned": worded("it was put first"),
        "worked on last": worded("{name} was worked on last", name=_name_group(there)),
        "oldest": worded("it is the oldest"),
    }[following.reason]
    text = flatten_text(task.text, limit=_LONGEST)
    return worded("next: {handle} {text} ({why})", handle=task.handle, text=text, why=why)


def _name_group(group: TaskGroup) -> str:
    if group.project == EVERYWHERE:
        return worded("no project in particular")
    return flatten_text(group.name or group.project, limit=_LONGEST)


def _group_to_json(group: TaskGroup, shown: list[Note]) -> dict[str, object]:
    return {
        "project": group.project,
        "name": group.name,
        "open": len(list_open_tasks(group.tasks)),
        "total": len(group.tasks),
        "tasks": notes_json(shown),
    }

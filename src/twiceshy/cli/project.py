"""``twiceshy project``."""

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app, parse_day_option, resolve_project
from twiceshy.cli.output import fields_json, flatten_text, print_result, print_worded
from twiceshy.cli.project_view import (
    format_membership,
    format_move,
    format_project,
    format_projects,
)
from twiceshy.notes.person import require_person
from twiceshy.project import identity as projects
from twiceshy.project import membership
from twiceshy.project.identity import ProjectChoice
from twiceshy.safety.names import check_name

_WORDS = (
    "[list | show P | join [PATH [P]] | separate [PATH] | alias P NAME | merge FROM INTO"
    " | move-notes FROM INTO]"
)
_PLANNED = ("move-notes", "merge", "join", "separate")


@click.command("project")
@click.argument("words", nargs=-1, metavar=_WORDS)
@click.option("--since", metavar="DAY", help="move-notes: learned on or after this day.")
@click.option("--session", metavar="S", help="move-notes: learned in this session.")
@click.option("--skill", metavar="S", help="move-notes: of this skill.")
@click.option("--plan", is_flag=True, help="Show the planned changes; change nothing.")
@json_option
def command(
    *,
    words: tuple[str, ...],
    since: str | None,
    session: str | None,
    skill: str | None,
    plan: bool,
    as_json: bool,
) -> None:
    """List, join, separate, alias or merge projects, or move notes between projects.

    Name a project by path, name or id. A renamed or moved repository is recognised automatically,
    and so are worktrees and clones that git made here from the same remote. Any other checkout that
    claims to be a known project begins with an empty memory: `join` says that it is yours, and
    `separate` keeps a checkout apart.
    For a plain folder that moved, `alias` adds its old path; NAME may also be the folder name that
    another device or Claude Code used for the project (slug:-home-u-app), or an id. `merge` shows
    all notes of FROM in INTO; equal notes become one. `move-notes` moves only some of the notes,
    for a session started in the wrong folder. One `undo` reverts each of these.

    Example: twiceshy project merge old-shop shop --plan
    """
    which = ProjectChoice(
        since=parse_day_option(since) if since else 0,
        session=session or "",
        skill=check_name(skill, what="skill") if skill else None,
    )
    _check_options(words, which, plan=plan)
    with open_app() as app:
        match words:
            case () | ("list",):
                known = projects.list_projects(app)
                print_result(
                    [fields_json(one) for one in known],
                    format_projects(known),
                    as_json=as_json,
                )
            case ("show", name):
                one = projects.describe_project(app, resolve_project(app, name))
                print_result(fields_json(one), format_project(one), as_json=as_json)
            case ("join" | "separate", *_):
                done = _change_membership(app, words, plan=plan)
                plain = {"plan": plan, **done.fields()}
                print_result(plain, format_membership(done, plan=plan), as_json=as_json)
            case ("alias", name, other):
                project = resolve_project(app, name)
                require_person("join", [f"{flatten_text(name)} = {flatten_text(other)}"])
                new = projects.add_alias(app, project, other)
                print_result(
                    {"project": project, "aliases": new}, map(flatten_text, new), as_json=as_json
                )
                if not (new or as_json):
                    print_worded("the project is known by that name already")
            case ("merge" | "move-notes" as verb, source, into):
                moved = _move_notes(app, verb, (source, into), which, plan=plan)
                print_result(
                    {"plan": plan, **moved.fields()},
                    format_move(moved, plan=plan),
                    as_json=as_json,
                )
            case _:
                raise click.UsageError(f"say one of {_WORDS}")


def _move_notes(
    app: App, verb: str, names: tuple[str, str], which: ProjectChoice, *, plan: bool
) -> projects.MoveResult:
    ends = resolve_project(app, names[0]), resolve_project(app, names[1])
    if not plan:
        require_person("join", [flatten_text(" → ".join(names))])
    if verb == "merge":
        return projects.merge_projects(app, *ends, plan=plan)
    return projects.move_chosen_notes(app, *ends, which, plan=plan)


def _change_membership(app: App, words: tuple[str, ...], *, plan: bool) -> membership.Membership:
    match words:
        case ("join", *rest) if len(rest) < 3:
            into = resolve_project(app, rest[1]) if len(rest) > 1 else None
            return membership.join_checkout(app, rest[0] if rest else ".", into, plan=plan)
        case ("separate", *rest) if len(rest) < 2:
            return membership.separate_checkout(app, rest[0] if rest else ".", plan=plan)
        case _:
            raise click.UsageError(f"say one of {_WORDS}")


def _check_options(words: tuple[str, ...], which: ProjectChoice, *, plan: bool) -> None:
    """Reject options without effect for the given words."""
    moving = words[:1] == ("move-notes",)
    if moving and which == ProjectChoice():
        raise click.UsageError(
            "say which notes: --since, --session or --skill; all of them: merge"
        )
    if not moving and which != ProjectChoice():
        raise click.UsageError("--since, --session and --skill are for move-notes")
    if plan and (not words or words[0] not in _PLANNED):
        raise click.UsageError("--plan is for join, separate, merge and move-notes")

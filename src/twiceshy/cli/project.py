"""``twiceshy project``."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.cli.options import json_option, open_app, parse_day_option, resolve_project
from twiceshy.cli.output import fact_lines, fields_json, flatten_text, print_result, print_worded
from twiceshy.core.moment import format_day
from twiceshy.notes.person import require_person
from twiceshy.project import identity as projects
from twiceshy.project.identity import MoveResult, ProjectChoice, ProjectOverview
from twiceshy.safety.names import check_name
from twiceshy.wording import worded

_WORDS = "[list | show P | alias P NAME | merge FROM INTO | move-notes FROM INTO]"


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
    """List, alias or merge projects, or move notes between projects.

    Name a project by path, name or id. A renamed or moved repository is recognised automatically.
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
                    _format_projects(known),
                    as_json=as_json,
                )
            case ("show", name):
                one = projects.describe_project(app, resolve_project(app, name))
                print_result(fields_json(one), _format_project(one), as_json=as_json)
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
                ends = resolve_project(app, source), resolve_project(app, into)
                if not plan:
                    require_person("join", [f"{flatten_text(source)} → {flatten_text(into)}"])
                if verb == "merge":
                    done = projects.merge_projects(app, *ends, plan=plan)
                else:
                    done = projects.move_chosen_notes(app, *ends, which, plan=plan)
                plain = {"plan": plan, **done.fields()}
                print_result(plain, _format_move(done, plan=plan), as_json=as_json)
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
    if plan and words[:1] not in (("move-notes",), ("merge",)):
        raise click.UsageError("--plan is for merge and move-notes")


def _format_projects(known: Sequence[ProjectOverview]) -> Iterator[str]:
    for one in known:
        yield worded(
            "{name}: notes {notes}, sessions {sessions}, last seen {day}",
            name=flatten_text(one.name) or "-",
            notes=one.notes,
            sessions=one.sessions,
            day=format_day(one.seen_at),
        )
        yield f"  {one.id}  {_format_root(one)}".rstrip()
    if not known:
        print_worded("no projects are known yet")
    if any(one.gone and one.id.startswith("dir:") for one in known):
        print_worded("if a folder moved: twiceshy project alias NEWPATH OLDPATH")


def _format_project(known: ProjectOverview) -> Iterator[str]:
    yield f"{known.id}  {flatten_text(known.name)}"
    facts = {
        "root": _format_root(known),
        "notes": str(known.notes),
        "sessions": str(known.sessions),
        "episodes": str(known.episodes),
        "seen": format_day(known.seen_at) if known.seen_at else "",
    }
    yield from fact_lines(facts)
    for alias in known.aliases:
        yield from fact_lines({"alias": flatten_text(alias)})


def _format_move(done: MoveResult, *, plan: bool) -> Iterator[str]:
    if plan:
        print_worded("nothing was changed; this would be done:")
    yield worded("{count} notes moved", count=len(done.moved))
    if done.merged:
        yield worded("{count} of them were known there; the older stays", count=len(done.merged))
    if done.renamed:
        yield worded("{count} pages have a new name", count=len(done.renamed))


def _format_root(known: ProjectOverview) -> str:
    path = flatten_text(known.root)
    return worded("{path} (gone)", path=path) if known.gone else path

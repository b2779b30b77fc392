"""``twiceshy project``."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from twiceshy.cli.approval import keeping_approvals
from twiceshy.cli.opening import opened
from twiceshy.cli.options import a_day, json_option, the_project
from twiceshy.cli.output import print_json, say
from twiceshy.core.moment import day, stamp
from twiceshy.core.text import clean, one_line
from twiceshy.project.identity import overview as projects
from twiceshy.project.identity.overview import Chosen
from twiceshy.safety.names import safe_name
from twiceshy.wording import worded

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from twiceshy.app import App
    from twiceshy.project.identity.merge import Rehomed
    from twiceshy.project.identity.overview import Known

_WORDS = "[list | show P | alias P NAME | merge FROM INTO | move-notes FROM INTO]"
_WIDTH = 200


@click.command("project")
@click.argument("words", nargs=-1, metavar=_WORDS)
@click.option("--since", metavar="DAY", help="move-notes: learned on or after this day.")
@click.option("--session", metavar="S", help="move-notes: learned in this session.")
@click.option("--skill", metavar="S", help="move-notes: of this skill.")
@click.option("--plan", is_flag=True, help="Say what would be done, and do nothing.")
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
    """List projects, give one another name, make two one, or bring notes home.

    A project is named by its path, name or id. A repository that was renamed or moved is known again
    by itself. For a plain folder that moved, `alias` names its old path; NAME may also be the folder
    that another device or Claude Code had for it (slug:-home-u-app), or an id. `merge` shows in INTO
    all that FROM knew; equal notes become one. `move-notes` takes only some of them, when a session
    was started in the wrong folder. One `undo` takes each of these back.

    Example: twiceshy project merge old-shop shop --plan
    """
    which = Chosen(
        since=a_day(since) if since else 0,
        session=session or "",
        skill=safe_name(skill, what="skill") if skill else None,
    )
    _refuse_idle(words, which, plan=plan)
    with opened() as app:
        match words:
            case () | ("list",):
                _list(app, as_json=as_json)
            case ("show", name):
                _show(app, name, as_json=as_json)
            case ("alias", name, other):
                _alias(app, name, other, as_json=as_json)
            case ("merge", source, into):
                names = the_project(app, source), the_project(app, into)
                with _approved(app, plan=plan):
                    done = projects.merge(app, *names, plan=plan)
                _tell(done, plan=plan, as_json=as_json)
            case ("move-notes", source, into):
                names = the_project(app, source), the_project(app, into)
                with _approved(app, plan=plan):
                    done = projects.bring_home(app, *names, which, plan=plan)
                _tell(done, plan=plan, as_json=as_json)
            case _:
                raise click.UsageError(f"say one of {_WORDS}")


def _refuse_idle(words: tuple[str, ...], which: Chosen, *, plan: bool) -> None:
    """Refuse options that would do nothing."""
    moving = words[:1] == ("move-notes",)
    if moving and which == Chosen():
        raise click.UsageError(
            "say which notes: --since, --session or --skill; all of them: merge"
        )
    if not moving and which != Chosen():
        raise click.UsageError("--since, --session and --skill are for move-notes")
    if plan and words[:1] not in (("move-notes",), ("merge",)):
        raise click.UsageError("--plan is for merge and move-notes")


def _approved(app: App, *, plan: bool) -> AbstractContextManager[None]:
    """Keep approvals of rules that are moved; a plan is taken back, so it needs none."""
    return nullcontext() if plan else keeping_approvals(app, changing=("scope",))


def _list(app: App, *, as_json: bool) -> None:
    known = projects.projects_known(app)
    if as_json:
        print_json([_plain(one) for one in known])
        return
    for one in known:
        click.echo(
            worded(
                "{name}: notes {notes}, sessions {sessions}, last seen {day}",
                name=_flat(one.name) or "-",
                notes=one.notes,
                sessions=one.sessions,
                day=day(one.seen_at),
            )
        )
        where = worded("{path} (gone)", path=_flat(one.root)) if one.gone else _flat(one.root)
        click.echo(f"  {one.id}  {where}".rstrip())
    if not known:
        say(worded("no projects are known yet"))
    moved = next((one for one in known if one.gone and one.id.startswith("dir:")), None)
    if moved:
        say(worded("if a folder moved: twiceshy project alias NEWPATH OLDPATH"))


def _show(app: App, name: str, *, as_json: bool) -> None:
    known = projects.project_known(app, the_project(app, name))
    if as_json:
        print_json(_plain(known))
        return
    click.echo(f"{known.id}  {_flat(known.name)}")
    for fact, value in {
        "root": worded("{path} (gone)", path=_flat(known.root)) if known.gone else known.root,
        "notes": str(known.notes),
        "sessions": str(known.sessions),
        "episodes": str(known.episodes),
        "seen": day(known.seen_at) if known.seen_at else "",
    }.items():
        if value:
            click.echo(f"  {fact + ':':<10} {_flat(value)}")
    for alias in known.aliases:
        click.echo(f"  {'alias:':<10} {_flat(alias)}")


def _alias(app: App, name: str, other: str, *, as_json: bool) -> None:
    project = the_project(app, name)
    new = projects.alias(app, project, other)
    if as_json:
        print_json({"project": project, "aliases": new})
        return
    for alias in new:
        click.echo(_flat(alias))
    if not new:
        say(worded("the project is known by that name already"))


def _tell(done: Rehomed, *, plan: bool, as_json: bool) -> None:
    if as_json:
        print_json({"plan": plan, **done.fields()})
        return
    if plan:
        say(worded("nothing was changed; this would be done:"))
    click.echo(worded("{count} notes moved", count=len(done.moved)))
    if done.merged:
        click.echo(
            worded("{count} of them were known there; the older stays", count=len(done.merged))
        )
    if done.renamed:
        click.echo(worded("{count} pages have a new name", count=len(done.renamed)))


def _plain(one: Known) -> dict[str, object]:
    return {**one.fields(), "seen_at": stamp(one.seen_at) if one.seen_at else None}


def _flat(text: str) -> str:
    return one_line(clean(text), limit=_WIDTH)

"""``twiceshy project``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import a_day, json_option, the_project
from twiceshy.cli.output import fact_lines, flat, say, show
from twiceshy.core.moment import day, stamp
from twiceshy.project.identity import overview as projects
from twiceshy.project.identity.overview import Chosen
from twiceshy.safety.names import safe_name
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.project.identity.merge import Rehomed
    from twiceshy.project.identity.overview import Known

_WORDS = "[list | show P | alias P NAME | merge FROM INTO | move-notes FROM INTO]"


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
    """List, alias or merge projects, or move notes between projects.

    Name a project by path, name or id. A renamed or moved repository is recognised automatically.
    For a plain folder that moved, `alias` adds its old path; NAME may also be the folder name that
    another device or Claude Code used for the project (slug:-home-u-app), or an id. `merge` shows
    all notes of FROM in INTO; equal notes become one. `move-notes` moves only some of the notes,
    for a session started in the wrong folder. One `undo` reverts each of these.

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
                known = projects.projects_known(app)
                show([_plain(one) for one in known], _list_lines(known), as_json=as_json)
            case ("show", name):
                one = projects.project_known(app, the_project(app, name))
                show(_plain(one), _lines(one), as_json=as_json)
            case ("alias", name, other):
                project = the_project(app, name)
                new = projects.alias(app, project, other)
                show({"project": project, "aliases": new}, map(flat, new), as_json=as_json)
                if not (new or as_json):
                    say(worded("the project is known by that name already"))
            case ("merge" | "move-notes" as verb, source, into):
                ends = the_project(app, source), the_project(app, into)
                if verb == "merge":
                    done = projects.merge(app, *ends, plan=plan)
                else:
                    done = projects.bring_home(app, *ends, which, plan=plan)
                plain = {"plan": plan, **done.fields()}
                show(plain, _moved_lines(done, plan=plan), as_json=as_json)
            case _:
                raise click.UsageError(f"say one of {_WORDS}")


def _refuse_idle(words: tuple[str, ...], which: Chosen, *, plan: bool) -> None:
    """Reject options without effect for the given words."""
    moving = words[:1] == ("move-notes",)
    if moving and which == Chosen():
        raise click.UsageError(
            "say which notes: --since, --session or --skill; all of them: merge"
        )
    if not moving and which != Chosen():
        raise click.UsageError("--since, --session and --skill are for move-notes")
    if plan and words[:1] not in (("move-notes",), ("merge",)):
        raise click.UsageError("--plan is for merge and move-notes")


def _list_lines(known: Sequence[Known]) -> Iterator[str]:
    for one in known:
        yield worded(
            "{name}: notes {notes}, sessions {sessions}, last seen {day}",
            name=flat(one.name) or "-",
            notes=one.notes,
            sessions=one.sessions,
            day=day(one.seen_at),
        )
        yield f"  {one.id}  {_root(one)}".rstrip()
    if not known:
        say(worded("no projects are known yet"))
    if any(one.gone and one.id.startswith("dir:") for one in known):
        say(worded("if a folder moved: twiceshy project alias NEWPATH OLDPATH"))


def _lines(known: Known) -> Iterator[str]:
    yield f"{known.id}  {flat(known.name)}"
    facts = {
        "root": _root(known),
        "notes": str(known.notes),
        "sessions": str(known.sessions),
        "episodes": str(known.episodes),
        "seen": day(known.seen_at) if known.seen_at else "",
    }
    yield from fact_lines(facts)
    for alias in known.aliases:
        yield from fact_lines({"alias": flat(alias)})


def _moved_lines(done: Rehomed, *, plan: bool) -> Iterator[str]:
    if plan:
        say(worded("nothing was changed; this would be done:"))
    yield worded("{count} notes moved", count=len(done.moved))
    if done.merged:
        yield worded("{count} of them were known there; the older stays", count=len(done.merged))
    if done.renamed:
        yield worded("{count} pages have a new name", count=len(done.renamed))


def _root(known: Known) -> str:
    path = flat(known.root)
    return worded("{path} (gone)", path=path) if known.gone else path


def _plain(one: Known) -> dict[str, object]:
    return {**one.fields(), "seen_at": stamp(one.seen_at) if one.seen_at else None}

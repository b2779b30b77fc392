"""``twiceshy episodes``."""

from typing import Any

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, open_app, project_option, resolve_project
from twiceshy.cli.output import fields_json, flatten_text, format_minute, print_json, print_worded
from twiceshy.core.evidence import Episode
from twiceshy.core.scope import EVERYWHERE
from twiceshy.interop.formats import FileContext
from twiceshy.interop.formats.keeper_sessions import KEEPER_SESSION
from twiceshy.project.episodes.archive import TAIL, render_archive, render_log
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.episodes.find import find_episode, list_sessions
from twiceshy.project.episodes.pages import MAX_INDEXED, render_engine_page, render_index_page

_ALL = 100_000
_NAME = 6  # last characters of an id, enough to tell one from another


@click.command("episodes")
@click.argument("name", required=False, metavar="[ID]")
@project_option
@click.option("--all", "-a", "everything", is_flag=True, help="List all projects.")
@click.option(
    "--index", is_flag=True, help=f"As memory-engine's index, {MAX_INDEXED} of each project."
)
@click.option("--log", is_flag=True, help="Print as memory.md of memory-keeper, oldest first.")
@click.option(
    "--lines",
    type=click.IntRange(1, _ALL),
    help=f"Only so many lines from the end of the log; a session is told {TAIL}.",
)
@click.option(
    "--as", "form", type=click.Choice(["session", "keeper"]), help="Print ID as a session file."
)
@click.option("--refined", is_flag=True, help="Print the shortened, redacted transcript of ID.")
@click.option(
    "--keep", is_flag=True, help="With --refined: also keep a temporary copy in the memory home."
)
@click.option("--limit", type=click.IntRange(1, _ALL), default=MAX_INDEXED, show_default=True)
@json_option
def command(
    *, name: str | None, project: str | None, everything: bool, limit: int, **given: Any
) -> None:
    """List past sessions, newest first; with ID, print a session as a file.

    Files have the format of memory-engine (session) or memory-keeper (keeper). Transcripts stay
    where their client keeps them. --refined prints one redacted JSON object per message or tool
    call, and --keep also keeps a copy until the session is due for the archive; the setting
    transcripts.keep keeps one of each session. ID and --json tell where a copy lies.

    Example: twiceshy episodes --index --all
    """
    _check_options(name, **given)
    with open_app(for_agents=True) as app:
        if name:
            _print_one(app, find_episode(app.store, name), **given)
            return
        names = {known: shown for known, (shown, _) in app.store.list_projects().items()}
        where = (
            (*names, EVERYWHERE)
            if everything
            else app.store.list_project_ids(resolve_project(app, project))
        )
        found = list_sessions(
            app.store, where, limit=_ALL if given["index"] or given["log"] else limit
        )
    if given["as_json"]:
        print_json([_episode_to_json(app, each) for each in found])
    elif given["index"]:
        click.echo(render_index_page(found, name_of=lambda known: names.get(known, "")), nl=False)
    elif given["log"]:
        for line in render_log(found).splitlines()[-(given["lines"] or 0) :]:
            click.echo(line)
    else:
        for each in found:
            about = flatten_text(each.title or each.summary, limit=80)
            click.echo(
                f"e{each.id[-_NAME:]}  {format_minute(each.ended_at)}  {each.kind:<10}  {about}"
            )
        if not found:
            print_worded("no episodes")


def _check_options(name: str | None, **given: Any) -> None:
    """Reject options without the option they depend on."""
    for option, asked in (("--as", given["form"]), ("--refined", given["refined"])):
        if asked and not name:
            raise click.UsageError(f"{option} needs the ID of an episode; see: twiceshy episodes")
    if given["keep"] and not given["refined"]:
        raise click.UsageError("--keep needs --refined: nothing else is copied")
    if given["lines"] and not given["log"]:
        raise click.UsageError("--lines needs --log")


def _print_one(app: App, episode: Episode, **given: Any) -> None:
    from twiceshy.learning.episodes import find_refined_copy

    if given["refined"]:
        _print_refined(app, episode, keep=given["keep"])
    elif given["as_json"]:
        print_json([_episode_to_json(app, episode)])
    elif given["form"] == "keeper":
        page = KEEPER_SESSION.render([episode], FileContext(episode.project))
        click.echo(render_archive([episode]) or page, nl=False)
    else:
        project = app.store.list_projects().get(episode.project, ("", ""))[0]
        click.echo(render_engine_page(episode, project=project), nl=False)
        if path := find_refined_copy(app, episode):
            print_worded("its transcript is kept in {path}", path=path)


def _print_refined(app: App, episode: Episode, *, keep: bool) -> None:
    from twiceshy.learning.episodes import render_refined_lines, write_refined_copy

    if keep:
        path = write_refined_copy(app, episode)
        days = app.config.integer("retention.archive_days")
        print_worded("kept in {path} for {days} days", path=path, days=days)
    for line in render_refined_lines(app, episode):
        click.echo(line)


def _episode_to_json(app: App, episode: Episode) -> dict[str, object]:
    from twiceshy.learning.episodes import find_refined_copy

    facts = parse_episode_facts(episode)
    said = {
        "messages": facts.messages,
        "tag": facts.tag,
        "doing": facts.doing,
        "ended": facts.ended,
        "refined": find_refined_copy(app, episode),
    }
    return {**fields_json(episode), **said, "trigger": facts.trigger}

"""``twiceshy memory-search``."""

from collections.abc import Iterator, Mapping

import click

from twiceshy.cli.held_back import say_held_back
from twiceshy.cli.options import json_option, list_visible_projects, open_app, project_option
from twiceshy.cli.output import fields_json, print_result
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import strip_unsafe
from twiceshy.project.memory_search import (
    MAX_HITS,
    SearchHit,
    SearchReport,
    cut_excerpt,
    search_memory,
)
from twiceshy.wording import worded

_WIDTH = 120


@click.command("memory-search")
@click.argument("keyword", nargs=-1, required=True)
@project_option
@click.option("--all", "-a", "everything", is_flag=True, help="Search all projects.")
@json_option
def command(
    *, keyword: tuple[str, ...], project: str | None, everything: bool, as_json: bool
) -> None:
    """Find a word in notes, pages, sessions, archives and the diary.

    Ignores case, and finds parts of words. Prints at most 20 lines of 120 characters, newest
    first, and related words. `search` finds notes by topic, and has filters.

    Example: twiceshy memory-search deploy
    """
    if everything and project:
        raise click.UsageError("--all and --project exclude each other")
    text = " ".join(" ".join(keyword).split())
    if not text:
        raise click.UsageError("give a word to look for")
    with open_app(for_agents=True) as app:
        projects = None if everything else list_visible_projects(app, project)
        looked = search_memory(app.store, text, projects)
        held = say_held_back(app, text, NoteFilter(projects=projects))
        names = {known: name for known, (name, _) in app.store.list_projects().items()}
    lines = (_format_hit(hit, text, names if everything else {}) for hit in looked.hits)
    talk = (*_list_remarks(looked, text, everywhere=everything), *held)
    print_result(_report_to_json(looked, text), lines, talk=talk, as_json=as_json)


def _format_hit(hit: SearchHit, keyword: str, names: Mapping[str, str]) -> str:
    where = "" if hit.project == EVERYWHERE else names.get(hit.project, "")
    shown = f"[{strip_unsafe(where)}] " if where else ""
    head = f"{format_day(hit.at)}  {hit.kind:<10} {strip_unsafe(hit.name):<8} {shown}"
    room = max(20, _WIDTH - len(head))
    return (head + cut_excerpt(hit.text, keyword, width=room))[:_WIDTH]


def _report_to_json(looked: SearchReport, keyword: str) -> dict[str, object]:
    hits = [
        fields_json(hit, "kind", "name", "project", "at")
        | {"line": cut_excerpt(hit.text, keyword, width=_WIDTH)}
        for hit in looked.hits
    ]
    return looked.fields() | {"hits": hits}


def _list_remarks(looked: SearchReport, keyword: str, *, everywhere: bool) -> Iterator[str]:
    if not looked.hits:
        yield worded(
            "{keyword} was not found; searched: notes {notes}, pages {pages},"
            " sessions and diary {episodes}",
            keyword=repr(strip_unsafe(keyword)),
            **looked.searched,
        )
        if not everywhere:
            yield worded("in other projects: --all")
    if looked.counted > MAX_HITS:
        yield worded(
            "only the newest {most} of {count} are shown", most=MAX_HITS, count=looked.counted
        )
    for word, meant in looked.corrected.items():
        yield worded(
            "{word}: did you mean {meant}?", word=strip_unsafe(word), meant=strip_unsafe(meant)
        )
    if looked.related:
        yield worded("related: {words}", words=", ".join(map(strip_unsafe, looked.related)))

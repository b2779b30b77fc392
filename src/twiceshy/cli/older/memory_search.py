"""``twiceshy memory-search``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, projects_seen
from twiceshy.cli.output import show
from twiceshy.core.moment import day, stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean
from twiceshy.project.memory_search import MOST, excerpt, look_for
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.project.memory_search import Hit, Looked

_WIDTH = 120


@click.command("memory-search")
@click.argument("keyword", nargs=-1, required=True)
@project_option
@click.option("--all", "-a", "everything", is_flag=True, help="In every project.")
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
    with opened() as app:
        projects = None if everything else projects_seen(app, project)
        looked = look_for(app.store, text, projects)
        names = {known: name for known, (name, _) in app.store.projects().items()}
    lines = (_line(hit, text, names if everything else {}) for hit in looked.hits)
    talk = _talk(looked, text, everywhere=everything)
    show(_plain(looked, text), lines, talk=talk, as_json=as_json)


def _line(hit: Hit, keyword: str, names: Mapping[str, str]) -> str:
    where = "" if hit.project == EVERYWHERE else names.get(hit.project, "")
    shown = f"[{clean(where)}] " if where else ""
    head = f"{day(hit.at)}  {hit.kind:<10} {clean(hit.name):<8} {shown}"
    room = max(20, _WIDTH - len(head))
    return (head + excerpt(hit.text, keyword, width=room))[:_WIDTH]


def _plain(looked: Looked, keyword: str) -> dict[str, object]:
    hits = [
        {
            "kind": hit.kind,
            "name": hit.name,
            "project": hit.project,
            "at": stamp(hit.at),
            "line": excerpt(hit.text, keyword, width=_WIDTH),
        }
        for hit in looked.hits
    ]
    return looked.fields() | {"hits": hits}


def _talk(looked: Looked, keyword: str, *, everywhere: bool) -> Iterator[str]:
    if not looked.hits:
        yield worded(
            "nothing holds {keyword}; looked through: notes {notes}, pages {pages},"
            " sessions and diary {episodes}",
            keyword=repr(clean(keyword)),
            **looked.searched,
        )
        if not everywhere:
            yield worded("in other projects: --all")
    if looked.counted > MOST:
        yield worded(
            "only the newest {most} of {count} are shown", most=MOST, count=looked.counted
        )
    for word, meant in looked.corrected.items():
        yield worded("{word}: did you mean {meant}?", word=clean(word), meant=clean(meant))
    if looked.related:
        yield worded("related: {words}", words=", ".join(map(clean, looked.related)))

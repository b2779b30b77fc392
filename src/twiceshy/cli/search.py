"""``twiceshy search``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.cli.hits_json import episode_json, hit_json
from twiceshy.cli.opening import opened
from twiceshy.cli.options import chosen, filter_options, json_option
from twiceshy.cli.output import say, show
from twiceshy.cli.snippets import Look, episode_lines, facet_lines, hit_lines, room
from twiceshy.core.text import clean
from twiceshy.notes.meaning import asked as meaning_of
from twiceshy.project.episodes.find import FoundEpisode
from twiceshy.recall.searching import COUNTED, Search, search_all, term_shares

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.recall.searching import SearchResults

_OPTIONS = {"subtype": "type"}  # where the name in the code is another one


@click.command("search")
@click.argument("query", nargs=-1)
@filter_options
@click.option("--newest", is_flag=True, help="Newest first, not best first.")
@click.option("--facets", "counting", is_flag=True, help="Also count what was found.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--limit", type=click.IntRange(1, COUNTED), default=20, show_default=True)
@json_option
def command(
    *,
    query: tuple[str, ...],
    newest: bool,
    counting: bool,
    explain: bool,
    limit: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Find notes by words and filters; --status any includes retired notes.

    Searches this project and global notes; --all searches every project. Summaries of recent work
    follow the notes, unless a filter applies to notes only.

    A word matches in any of its forms: tagging finds tagged, state finds useState, simplified
    Chinese finds traditional. --facets counts all matches, up to 1000, by kind, skill, project and
    concept; with --json the output is one object: hits, counts, and suggestions.

    Example: twiceshy search lock file --kind lesson --concept packaging
    """
    text = " ".join(query)
    with opened() as app:
        which = chosen(app, **given)
        asked = Search(text, which, meaning_of(app, text, tell=say), newest, counting)
        results = search_all(app.store, asked, limit=limit)
        look = _look(app, asked, results, explain=explain)
    hits = [
        episode_json(hit, look) if isinstance(hit, FoundEpisode) else hit_json(hit, look)
        for hit in results.hits
    ]
    plain = results.fields() | {"hits": hits} if counting else hits
    show(plain, _lines(results, look.but(width=room())), as_json=as_json)
    for line in _talk(text, results, given):
        say(line)


def _look(app: App, asked: Search, results: SearchResults, *, explain: bool) -> Look:
    here = app.store.same_project(app.here().id) if results.hits else ()
    look = Look(asked.terms, app.store.now(), here, app.store.projects())
    return look.but(shares=term_shares(app.store, asked, results.hits)) if explain else look


def _lines(results: SearchResults, look: Look) -> Iterator[str]:
    for hit in results.hits:
        yield from (
            episode_lines(hit, look) if isinstance(hit, FoundEpisode) else hit_lines(hit, look)
        )
    if results.facets and results.hits:
        yield ""
        yield from facet_lines(results.facets, look)


def _talk(text: str, results: SearchResults, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield remarks on missing results, with suggestions."""
    if not results.hits:
        where = "in any project" if given["everything"] else "here"
        about = f" for {clean(text)!r}" if text.strip() else ""
        used = _used(given, but="everything")
        yield f"nothing found {where}{about}" + (f", with {used}" if used else "")
    said = {
        "projects": "in other projects: --all",
        "statuses": "retired or set aside: --status any",
        "filters": f"without {_used(given, but='everything project')}",
    }
    for place, count in results.elsewhere.items():
        yield f"{count} {said[place]}"
    for word, meant in results.corrected.items():
        yield f"{word}: did you mean {clean(meant)}?"
    if results.related:
        yield f"related: {', '.join(map(clean, results.related))}"
    if results.counted > len(results.hits):
        counts = ", to count them: --facets" if results.facets is None else ""
        yield f"only {len(results.hits)} are shown; for more: --limit{counts}"


def _used(given: Mapping[str, Any], *, but: str) -> str:
    """Format the given filters as options, without those in ``but``."""
    several = {name: each if isinstance(each, tuple) else (each,) for name, each in given.items()}
    return " ".join(
        f"--{_OPTIONS.get(name, name)}" + ("" if one is True else f" {clean(str(one))}")
        for name, values in several.items()
        for one in values
        if one and name not in but.split()
    )

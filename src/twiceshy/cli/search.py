"""Commands that find notes: ``search`` and ``list``."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from twiceshy.app import App
from twiceshy.cli.held_back import say_held_back
from twiceshy.cli.hits_json import episode_json, hit_json
from twiceshy.cli.older.session_facts import print_overview
from twiceshy.cli.options import build_filter, filter_options, json_option, open_app
from twiceshy.cli.output import (
    format_note,
    notes_json,
    print_message,
    print_messages,
    print_result,
)
from twiceshy.cli.snippets import (
    HitDisplay,
    format_episode,
    format_facets,
    format_hit,
    measure_snippet_width,
)
from twiceshy.core.text import strip_unsafe
from twiceshy.language.terms import query_terms
from twiceshy.notes.embed import embed_query as meaning_of
from twiceshy.project.episodes.find import FoundEpisode
from twiceshy.recall.search import COUNTED, Search, SearchResults, search_all, term_shares

_OPTIONS = {"subtype": "type"}  # where the name in the code is another one


@click.command("search")
@click.argument("query", nargs=-1)
@filter_options
@click.option("--newest", is_flag=True, help="Sort by date instead of relevance.")
@click.option("--facets", "counting", is_flag=True, help="Also count the matches.")
@click.option("--explain", is_flag=True, help="Show the parts of each score.")
@click.option("--limit", type=click.IntRange(1, COUNTED), default=20, show_default=True)
@json_option
def search(
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
    follow the notes, unless a filter applies to notes only. With nothing asked, counts what there is.

    A word matches in any of its forms: tagging finds tagged, state finds useState, simplified
    Chinese finds traditional. --facets counts all matches, up to 1000, by kind, skill, project and
    concept; with --json the output is one object: hits, counts, and suggestions.

    Example: twiceshy search lock file --kind lesson --concept packaging
    """
    text = " ".join(query)
    with open_app(for_agents=True) as app:
        if not (text.strip() or newest or counting or as_json or any(given.values())):
            print_overview(app)
            return
        which = build_filter(app, **given)
        asked = Search(text, which, meaning_of(app, text, tell=print_message), newest, counting)
        results = search_all(app.store, asked, limit=limit)
        look = _build_display(app, asked, results, explain=explain)
        held = say_held_back(app, text, which)
    hits = [
        episode_json(hit, look) if isinstance(hit, FoundEpisode) else hit_json(hit, look)
        for hit in results.hits
    ]
    plain = results.fields() | {"hits": hits} if counting else hits
    print_result(
        plain, _format_results(results, look.but(width=measure_snippet_width())), as_json=as_json
    )
    print_messages((*_list_remarks(text, results, given), *held))


def _build_display(
    app: App, asked: Search, results: SearchResults, *, explain: bool
) -> HitDisplay:
    here = app.store.list_project_ids(app.current_project().id) if results.hits else ()
    look = HitDisplay(asked.terms, app.store.now(), here, app.store.list_projects())
    return look.but(shares=term_shares(app.store, asked, results.hits)) if explain else look


def _format_results(results: SearchResults, look: HitDisplay) -> Iterator[str]:
    for hit in results.hits:
        yield from (
            format_episode(hit, look) if isinstance(hit, FoundEpisode) else format_hit(hit, look)
        )
    if results.facets and results.hits:
        yield ""
        yield from format_facets(results.facets, look)


def _list_remarks(text: str, results: SearchResults, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield remarks on missing results, with suggestions."""
    if text.strip() and not query_terms(text):
        yield "no word of the query can be searched for; the newest notes are listed"
    elif not results.hits:
        where = "in any project" if given["everything"] else "here"
        about = f" for {strip_unsafe(text)!r}" if text.strip() else ""
        used = _format_filters(given, but="everything")
        yield f"nothing found {where}{about}" + (f", with {used}" if used else "")
    said = {
        "projects": "in other projects: --all",
        "statuses": "retired or set aside: --status any",
        "filters": f"without {_format_filters(given, but='everything project')}",
    }
    for place, count in results.elsewhere.items():
        yield f"{count} {said[place]}"
    for word, meant in results.corrected.items():
        yield f"{word}: did you mean {strip_unsafe(meant)}?"
    if results.related:
        yield f"related: {', '.join(map(strip_unsafe, results.related))}"
    if results.counted > len(results.hits):
        counts = ", to count them: --facets" if results.facets is None else ""
        yield f"only {len(results.hits)} are shown; for more: --limit{counts}"


def _format_filters(given: Mapping[str, Any], *, but: str) -> str:
    """Format the given filters as options, without those in ``but``."""
    several = {name: each if isinstance(each, tuple) else (each,) for name, each in given.items()}
    return " ".join(
        f"--{_OPTIONS.get(name, name)}" + ("" if one is True else f" {strip_unsafe(str(one))}")
        for name, values in several.items()
        for one in values
        if one and name not in but.split()
    )


@click.command("list")
@filter_options
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True)
@json_option
def list_(*, limit: int, as_json: bool, **given: Any) -> None:
    """List notes: pinned first, then by date learned, newest first.

    Lists notes of this project and global notes; --all lists the notes of every project.

    Example: twiceshy list --kind decision --since 2026-11-01
    """
    with open_app() as app:
        which = build_filter(app, **given)
        notes = app.store.notes(which, limit=limit)
        total = app.store.count_notes(which) if len(notes) == limit else len(notes)
    print_result(notes_json(notes), map(format_note, notes), as_json=as_json)
    if total > limit:
        print_message(f"{total - limit} more; --limit {total} shows them")
    elif not notes:
        print_message("no notes")

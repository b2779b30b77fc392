"""``twiceshy episodes``, and how stretches of work look that a search finds beside the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_project
from twiceshy.cli.output import print_json, say
from twiceshy.cli.snippets import place_and_age, snippet_json, snippet_line
from twiceshy.core.episode.pages import NEWEST, engine_page, index_page, keeper_page
from twiceshy.core.episode.told import facts_of
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter, Fit
from twiceshy.core.moment import stamp
from twiceshy.core.rank import bm25, describe
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.snippet import snippet
from twiceshy.core.terms import terms
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.cli.snippets import Look
    from twiceshy.core.ports import Store
    from twiceshy.core.signal import Episode

_KINDS = ("note", "checkpoint", "compact", "end", "handoff", "diary", "reflect")
_LATEST = 100  # older ones are history; what was learned from them is in the notes
_COVERED = 0.5  # a summary has so many words that one of several says nothing
_SAVED = ("end", "compact", "checkpoint")  # what is kept of sessions without being asked for
_ALL = 100_000
_NAME = 6  # last characters of an id, enough to tell one from another


@click.command("episodes")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--all", "-a", "everything", is_flag=True, help="In every project.")
@click.option("--index", is_flag=True, help=f"As memory-engine's index, {NEWEST} of each project.")
@click.option(
    "--as", "form", type=click.Choice(["session", "keeper"]), help="Print ID as a session file."
)
@click.option("--limit", type=click.IntRange(1, _ALL), default=NEWEST, show_default=True)
@json_option
def command(
    *,
    name: str | None,
    project: str | None,
    everything: bool,
    index: bool,
    form: str | None,
    limit: int,
    as_json: bool,
) -> None:
    """List what sessions were about, the last first; with an ID, print one as a file.

    Files are those of memory-engine (session) and memory-keeper (keeper).

    Example: twiceshy episodes --index --all
    """
    if form and not name:
        raise click.UsageError("--as needs the ID of an episode; see: twiceshy episodes")
    with opened() as app:
        names = {known: shown for known, (shown, _) in app.store.projects().items()}
        if name:
            found = [_the_episode(app, name)]
        else:
            most = _ALL if index else limit
            found = app.store.episodes(
                _projects(app, project, everything=everything), kinds=_SAVED, limit=most
            )
    if as_json:
        print_json([_plain(each) for each in found])
    elif index:
        click.echo(index_page(found, name_of=lambda known: names.get(known, "")), nl=False)
    elif name:
        page = keeper_page(found[0]) if form == "keeper" else _session_page(found[0], names)
        click.echo(page, nl=False)
    else:
        _print_lines(found)


def _projects(app: App, given: str | None, *, everything: bool) -> Sequence[str]:
    if everything:
        return tuple(app.store.projects())
    return app.store.same_project(the_project(app, given))


def _the_episode(app: App, name: str) -> Episode:
    """Return the one episode that an id or its ending means."""
    everywhere = app.store.episodes(tuple(app.store.projects()), kinds=_KINDS, limit=_ALL)
    ending = name.removeprefix("e")
    found = [each for each in everywhere if each.id == name or each.id.endswith(ending)]
    if len(found) != 1 or len(ending) < 3:
        many = "several episodes end in" if found else "there is no episode"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy episodes --all")
    return found[0]


def _session_page(episode: Episode, names: dict[str, str]) -> str:
    return engine_page(episode, project=names.get(episode.project, ""))


def _plain(episode: Episode) -> dict[str, object]:
    """Return an episode as it appears in --json."""
    facts = facts_of(episode)
    times = {name: stamp(getattr(episode, name)) for name in ("started_at", "ended_at")}
    said = {"messages": facts.messages, "tag": facts.tag, "doing": facts.doing}
    return {**episode.fields(), **times, **said, "trigger": facts.trigger}


def _print_lines(episodes: Iterable[Episode]) -> None:
    none = True
    for each in episodes:
        none = False
        when = stamp(each.ended_at)[:16].replace("T", " ")
        about = one_line(clean(each.title or each.summary), limit=80)
        click.echo(f"e{each.id[-_NAME:]}  {when}  {each.kind:<10}  {about}")
    if none:
        say("no episodes")


class Told(Value):
    """A stretch of work, and how well what was written about it fits."""

    episode: Episode
    fit: Fit

    @property
    def text(self) -> str:
        """Return all that was written about it; many summaries begin with the title themselves."""
        title, summary = self.episode.title, self.episode.summary
        parts = ("" if title in summary else title, summary, *self.episode.requests)
        return " ".join(filter(None, parts))


def told(store: Store, query: Sequence[str], which: Filter) -> list[Told]:
    """Return the latest episodes that hold most of the words, best first; notes' filters exclude them."""
    only = Filter(projects=which.projects, since=which.since, until=which.until, file=which.file)
    if not query or which != only:
        return []
    projects = (*store.projects(), EVERYWHERE) if which.projects is None else which.projects
    latest = [
        Told(episode, Fit())
        for episode in store.episodes(projects, kinds=_KINDS, since=which.since, limit=_LATEST)
        if any(which.file in file for file in episode.files) or not which.file
    ]
    parts = [[terms(one.text), (), (), (), terms(" ".join(one.episode.files))] for one in latest]
    weigh = bm25(query, describe(parts, query))
    found = [one.but(fit=Fit(*weigh(each))) for one, each in zip(latest, parts, strict=True)]
    found = [one for one in found if one.fit.covered >= _COVERED]
    return sorted(found, key=lambda one: (-one.fit.words, one.episode.id))


def episode_lines(one: Told, look: Look) -> Iterator[str]:
    """Write an episode that was found: what it was, then what it says about the words."""
    episode = one.episode
    where = place_and_age(episode.project, episode.ended_at, look)
    yield f"{'-':<8}episode ({episode.kind}) {where}"
    yield snippet_line("text", snippet(clean(one.text), look.query, limit=look.width))


def episode_json(one: Told, look: Look) -> dict[str, object]:
    """Return an episode that was found as it appears in --json."""
    found = snippet(clean(one.text), look.query, limit=look.width)
    times = {name: stamp(getattr(one.episode, name)) for name in ("started_at", "ended_at")}
    return {
        "parts": {"words": round(one.fit.words, 6), "covered": round(one.fit.covered, 6)},
        "snippets": [snippet_json("text", found)],
        **one.episode.fields(),
        **times,
        "kind": "episode",
        "subtype": one.episode.kind,
        "text": one.text,
    }

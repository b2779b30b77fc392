"""``twiceshy episodes``, and how stretches of work look that a search finds beside the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, the_project
from twiceshy.cli.output import print_json, say
from twiceshy.cli.snippets import place_and_age, snippet_json, snippet_line
from twiceshy.core.errors import NotFoundError
from twiceshy.core.filter import Filter, Fit
from twiceshy.core.moment import stamp
from twiceshy.core.retention import ARCHIVE, SAVED
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.interop.formats import About, joined, keeper_session
from twiceshy.language.rank import bm25, describe
from twiceshy.language.snippet import snippet
from twiceshy.language.terms import terms
from twiceshy.project.episodes.archive import archive_page, entries_of
from twiceshy.project.episodes.log import TAIL, log_page
from twiceshy.project.episodes.pages import NEWEST, engine_page, index_page
from twiceshy.project.episodes.told import facts_of
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.cli.snippets import Look
    from twiceshy.core.evidence import Episode
    from twiceshy.core.store import Store

_KINDS = ("note", "checkpoint", "compact", "end", "archive", "handoff", "diary", "reflect")
_LATEST = 100  # older ones are history; what was learned from them is in the notes
_COVERED = 0.5  # a summary has so many words that one of several says nothing
_OF_SESSIONS = (*SAVED, ARCHIVE)
_ALL = 100_000
_NAME = 6  # last characters of an id, enough to tell one from another


@click.command("episodes")
@click.argument("name", required=False, metavar="[ID]")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
@click.option("--all", "-a", "everything", is_flag=True, help="In every project.")
@click.option("--index", is_flag=True, help=f"As memory-engine's index, {NEWEST} of each project.")
@click.option("--log", is_flag=True, help="As memory-keeper's memory.md, the oldest first.")
@click.option(
    "--lines",
    type=click.IntRange(1, _ALL),
    help=f"Only so many lines from the end of the log; a session is told {TAIL}.",
)
@click.option(
    "--as", "form", type=click.Choice(["session", "keeper"]), help="Print ID as a session file."
)
@click.option("--refined", is_flag=True, help="Print what ID's transcript says, without its bulk.")
@click.option("--keep", is_flag=True, help="Keep that in the memory home as well, for a while.")
@click.option("--limit", type=click.IntRange(1, _ALL), default=NEWEST, show_default=True)
@json_option
def command(
    *, name: str | None, project: str | None, everything: bool, limit: int, **given: Any
) -> None:
    """List what sessions were about, the last first; with an ID, print one as a file.

    Files are those of memory-engine (session) and memory-keeper (keeper). Transcripts stay where
    their client keeps them; --refined prints one JSON object for each thing that was said or done,
    redacted, and --keep keeps a copy of that for as long as sessions stay out of the archive.

    Example: twiceshy episodes --index --all
    """
    _check(name, **given)
    with opened() as app:
        if name:
            _print_one(app, _the_episode(app, name), **given)
            return
        names = {known: shown for known, (shown, _) in app.store.projects().items()}
        most = _ALL if given["index"] or given["log"] else limit
        found = _sessions(app, _projects(app, project, everything=everything), limit=most)
    if given["as_json"]:
        print_json([_plain(each) for each in found])
    elif given["index"]:
        click.echo(index_page(found, name_of=lambda known: names.get(known, "")), nl=False)
    elif given["log"]:
        _print_log(found, given["lines"])
    else:
        _print_lines(found)


def _check(name: str | None, **given: Any) -> None:
    """Refuse options that go with another."""
    for option, asked in (("--as", given["form"]), ("--refined", given["refined"])):
        if asked and not name:
            raise click.UsageError(f"{option} needs the ID of an episode; see: twiceshy episodes")
    if given["keep"] and not given["refined"]:
        raise click.UsageError("--keep needs --refined: nothing else is copied")
    if given["lines"] and not given["log"]:
        raise click.UsageError("--lines needs --log")


def _print_one(app: App, episode: Episode, **given: Any) -> None:
    if given["refined"]:
        _print_refined(app, episode, keep=given["keep"])
    elif given["as_json"]:
        print_json([_plain(episode)])
    elif given["form"] == "keeper":
        page = joined(keeper_session.items([episode], About(episode.project)))
        click.echo(archive_page([episode]) or page, nl=False)
    else:
        project = app.store.projects().get(episode.project, ("", ""))[0]
        click.echo(engine_page(episode, project=project), nl=False)


def _print_refined(app: App, episode: Episode, *, keep: bool) -> None:
    from twiceshy.cli.refining import keep_refined, refined_lines

    if keep:
        path = keep_refined(app, episode, refined_lines(app, episode))
        days = app.config.integer("retention.archive_days")
        say(worded("kept in {path} for {days} days", path=path, days=days))
    for line in refined_lines(app, episode):
        click.echo(line)


def _print_log(found: Sequence[Episode], lines: int | None) -> None:
    page = log_page(found).splitlines()
    for line in page[-lines:] if lines else page:
        click.echo(line)


def _sessions(app: App, projects: Sequence[str], *, limit: int) -> list[Episode]:
    """Return what sessions left, also where only a line in an archive is left, the last first."""
    known = app.store.episodes(projects, kinds=_OF_SESSIONS, limit=_ALL)
    found = [entry for each in known for entry in entries_of(each)]
    return sorted(found, key=lambda each: (-each.ended_at, each.id))[:limit]


def _projects(app: App, given: str | None, *, everything: bool) -> Sequence[str]:
    if everything:
        return tuple(app.store.projects())
    return app.store.same_project(the_project(app, given))


def _the_episode(app: App, name: str) -> Episode:
    """Return the one episode that an id or its ending means."""
    known = app.store.episodes(tuple(app.store.projects()), kinds=_KINDS, limit=_ALL)
    everywhere = {entry.id: entry for each in known for entry in (*entries_of(each), each)}
    ending = name.removeprefix("e")
    found = [each for each in everywhere.values() if each.id == name or each.id.endswith(ending)]
    if len(found) != 1 or len(ending) < 3:
        many = "several episodes end in" if found else "there is no episode"
        raise NotFoundError(f"{many} {name!r}", hint="see: twiceshy episodes --all")
    return found[0]


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
        say(worded("no episodes"))


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
    others = [kind for kind in _KINDS if kind != ARCHIVE]
    known = store.episodes(projects, kinds=others, since=which.since, limit=_LATEST)
    known += store.episodes(projects, kinds=(ARCHIVE,), since=which.since, limit=_ALL)
    latest = [
        Told(entry, Fit())
        for episode in known
        for entry in entries_of(episode)
        if entry.ended_at >= which.since
        and (any(which.file in file for file in entry.files) or not which.file)
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

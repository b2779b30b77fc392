"""Format search hits: matching words, age and score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from twiceshy.cli.output import name_kind, name_project
from twiceshy.cli.safe_output import BOLD, PLAIN
from twiceshy.core.moment import DAY, count_months, format_day
from twiceshy.core.note import Note
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value
from twiceshy.language.rank import RankedNote
from twiceshy.language.snippet import Snippet, cut_snippet
from twiceshy.project.episodes.find import FoundEpisode
from twiceshy.project.facts.items import FACT_KINDS
from twiceshy.recall.search import note_snippets

Counts = Mapping[str, Mapping[str, int]]

_INDENT = " " * 8
_WIDTH = 160  # where no terminal says how wide it is; two lines in most
_NARROW, _BROAD = 40, 400
_MOST_COUNTS = 8


class HitDisplay(Value):
    """Context for displaying search hits: query, time, project, width and term shares."""

    query: tuple[str, ...]
    now: int
    here: tuple[str, ...]  # the ids of this project
    projects: Mapping[str, tuple[str, str]]
    width: int = _WIDTH
    # of each note that is explained: what each term of the query adds
    shares: Mapping[str, Mapping[str, float]] | None = None


def measure_snippet_width() -> int:
    """Return the snippet width: two terminal lines, or a default without a terminal."""
    import shutil
    import sys

    if not sys.stdout.isatty():
        return _WIDTH
    columns = shutil.get_terminal_size().columns
    return min(max(2 * (columns - len(_INDENT)), _NARROW), _BROAD)


def format_hit(hit: RankedNote, look: HitDisplay) -> Iterator[str]:
    """Format a found note: heading, matching snippets, and explanation."""
    yield _format_heading(hit.note, look)
    if hit.note.kind in FACT_KINDS:
        yield from _format_fact(hit.note, look)
    else:
        for field, found in note_snippets(hit.note, look.query, width=look.width):
            yield format_snippet(field, found)
    if look.shares is not None:
        for text in _explain_score(hit, look.shares.get(hit.note.id, {})):
            yield _INDENT + text


def _format_fact(note: Note, look: HitDisplay) -> Iterator[str]:
    """Format text, reason, files and concepts of a fact, as memory-keeper's search did."""
    for field, value in (("text", note.text), ("reason", note.why)):
        if value:
            yield format_snippet(
                field, cut_snippet(strip_unsafe(value), look.query, limit=look.width)
            )
    lists = {"files": note.files, "concepts": note.concepts}
    about = [f"{name}: {strip_unsafe(', '.join(each))}" for name, each in lists.items() if each]
    if about:
        yield _INDENT + " | ".join(about)


def format_snippet(field: str, found: Snippet) -> str:
    """Format a snippet with its field name, unless the field is the text."""
    return _INDENT + ("" if field == "text" else f"{field}: ") + _highlight_matches(found)


def format_episode(one: FoundEpisode, look: HitDisplay) -> Iterator[str]:
    """Format a found episode: heading and matching snippet."""
    episode = one.episode
    where = format_place_and_age(episode.project, episode.ended_at, look)
    yield f"{'-':<8}episode ({episode.kind}) {where}"
    yield format_snippet("text", cut_snippet(strip_unsafe(one.text), look.query, limit=look.width))


def format_facets(counts: Counts, look: HitDisplay) -> Iterator[str]:
    """Format the facet counts, a facet per line."""
    for facet, values in counts.items():
        names = [
            f"{name_project(value, look.projects) if facet == 'project' else strip_unsafe(value)} {count}"
            for value, count in values.items()
        ]
        more = f", {len(names) - _MOST_COUNTS} more" if len(names) > _MOST_COUNTS else ""
        if names:
            yield f"{facet + ':':<9} {', '.join(names[:_MOST_COUNTS])}{more}"


def format_place_and_age(project: str, at: int, look: HitDisplay) -> str:
    """Format the age, and the project if different from the current project."""
    here = project in (*look.here, EVERYWHERE)
    return ("" if here else f"in {name_project(project, look.projects)}, ") + format_age(
        at, now=look.now
    )


def format_age(at: int, *, now: int) -> str:
    """Format an age in days, weeks, months or years."""
    days = now // DAY - at // DAY
    months = count_months(at, now)
    for least, count, unit in (
        (730, months // 12, "years"),
        (60, months, "months"),
        (14, days // 7, "weeks"),
        (2, days, "days"),
    ):
        if days >= least:
            return f"{count} {unit} ago"
    return "yesterday" if days == 1 else "today"


def _format_heading(note: Note, look: HitDisplay) -> str:
    pin = "*" if note.pinned else " "
    facts = [
        f"[{strip_unsafe(note.scope.skill)}]" if note.scope.skill else "",
        "" if note.status == "active" else f"({note.status})",
        f"({note.final_state})" if note.final_state else "",
        format_place_and_age(note.scope.project, note.learned_at, look),
    ]
    return f"{note.handle:<6}{pin} {_name_type(note)} {' '.join(filter(None, facts))}"


def _name_type(note: Note) -> str:
    """Return the type of a note; of a fact kind, type and day."""
    if note.kind not in FACT_KINDS:
        return name_kind(note)
    return f"{note.kind}/{note.subtype} {format_day(note.learned_at)}"


def _highlight_matches(found: Snippet) -> str:
    """Set the matching words in bold, where there is a terminal."""
    written, at = "", 0
    for start, end in found.marks:
        written += f"{found.text[at:start]}{BOLD}{found.text[start:end]}{PLAIN}"
        at = end
    return written + found.text[at:]


def _explain_score(hit: RankedNote, shares: Mapping[str, float]) -> Iterator[str]:
    yield (
        f"score {hit.score:.3f}: relevance {hit.relevance:.2f}, recency {hit.recency:.2f}, "
        f"sightings {hit.sightings:.2f}"
    )
    weighed = ", ".join(f"{strip_unsafe(term)} {share:.2f}" for term, share in shares.items())
    words = f"words {hit.fit.words:.2f}" + (f" ({weighed})" if weighed else "")
    yield f"{words}, {hit.fit.covered:.0%} of the query; meaning {hit.fit.meaning:.2f}"

"""``twiceshy why``."""

from collections.abc import Iterator

import click

from twiceshy.cli.history import change_json, format_change, format_details
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import note_json, print_result
from twiceshy.core.evidence import Exposure, Signal
from twiceshy.core.lesson_value import LessonValue
from twiceshy.core.moment import format_day
from twiceshy.core.note import is_exempt
from twiceshy.core.prices import Prices
from twiceshy.core.text import fold_to_line
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.origin import NoteOrigin, explain_note
from twiceshy.shell.derive_trigger import read_note_trigger

_LONGEST = 120
_CHANNELS = {
    "call": "with a call",
    "failure": "at a failure",
    "use": "at the first use of its program",
    "stop": "as the reason to stop a call",
    "rewrite": "as the reason to change a call",
    "prompt": "at a prompt",
    "start": "at the start",
    "skill": "with its skill",
    "read": "with its SKILL.md",
}


@click.command("why")
@click.argument("name", metavar="ID")
@json_option
def command(*, name: str, as_json: bool) -> None:
    """Show the origin, trust, use and history of a note.

    Example: twiceshy why n7k2x
    """
    with open_app() as app:
        found = explain_note(app, find_only_note(app, name))
        projects = app.store.list_projects()
    print_result(_origin_to_json(found), _format_origin(found, projects), as_json=as_json)


def _origin_to_json(found: NoteOrigin) -> dict[str, object]:
    trigger = read_note_trigger(found.note)
    return {
        "note": note_json(found.note),
        "worth": found.worth,
        "variants": found.variants,
        "learned": {
            "trigger": trigger.to_line() if trigger else "",
            "failed": found.failed_calls,
            "worked": found.succeeded_calls,
            "odds": found.odds,
            "lost_calls": found.lost_calls,
            "telling": _value_to_json(found),
            "lost_seconds": found.lost_seconds,
            "superseded_by": found.superseded_by,
            "evidence": [_format_evidence(one) for one in found.evidence],
            "shown": [_format_exposure(one) for one in found.shown],
            "showings": found.showings.fields(),
        },
        "runtime": found.runtime or None,
        "history": [change_json(entry) for entry in found.entries],
    }


def _format_origin(found: NoteOrigin, projects: dict[str, tuple[str, str]]) -> Iterator[str]:
    yield from format_details(found.note, projects=projects)
    for text in (*_format_story(found, projects), *_format_learning(found)):
        yield f"  {text}"
    for variant in found.variants:
        yield f"  also worded: {variant}"
    yield "  history:"
    for entry in found.entries:
        yield f"    {format_change(entry)}"


def _format_story(found: NoteOrigin, projects: dict[str, tuple[str, str]]) -> Iterator[str]:
    note = found.note
    origin = projects.get(note.origin_project, (note.origin_project, ""))[0]
    yield f"written by: {note.source}" + (f", in {origin}" if origin else "")
    if note.origin_session:
        yield f"session:    {note.origin_session}"
    if found.runtime:
        yield f"runtime:    {found.runtime}"
    yield f"trust:      {note.trust:g} of 1"
    if note.state == "resting":
        yield "told:       at prompts that share its words; it was not said again for 30 sessions"
    judged = f", helped {note.helped}, harmed {note.harmed}" if note.helped or note.harmed else ""
    yield f"shown:      {_format_showings(found)}{judged}"
    worth = f"worth {found.worth:.3g} by {found.policy}"
    yield f"keeping:    {'kept whatever it is worth' if is_exempt(note) else worth}"


def _format_times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _format_showings(found: NoteOrigin) -> str:
    """Say how often a note was shown, and which of the showings are on record."""
    here, lines = found.showings, len(found.shown)
    total = max(found.note.recalls, here.told)  # a showing may wait to be counted
    elsewhere, on_record = total - here.told, here.told + here.withheld
    more = [
        f"{_format_times(here.told)} on record here" if elsewhere else "",
        f"withheld {_format_times(here.withheld)}" if here.withheld else "",
        f"the newest {lines} of {on_record} are below" if on_record > lines else "",
    ]
    reason = " by hooks, commands, tools and other devices" if elsewhere else ""
    said = "; ".join(filter(None, more))
    return f"{_format_times(total)}{reason}" + (f" ({said})" if said else "")


def _format_learning(found: NoteOrigin) -> Iterator[str]:
    if found.superseded_by:
        yield f"superseded: by {found.superseded_by}"
    if found.odds is not None:
        counted = f"{found.failed_calls} failed, {found.succeeded_calls} worked"
        yield f"such calls: {counted}; the next one fails by {found.odds:.0%}"
    if found.value:
        yield f"telling:    {_format_value(found.value, found.prices)}"
    if found.lost_calls:
        yield f"took:       {found.lost_calls} calls, {found.lost_seconds:.0f} s so far"
    yield from (f"learned:    {_format_evidence(one)}" for one in found.evidence)
    yield from (f"was shown:  {_format_exposure(one)}" for one in found.shown)


def _format_value(value: LessonValue, prices: Prices) -> str:
    """Say what telling a lesson at a session start is expected to save, and what it costs."""
    saving, cost = value.saving(prices), value.cost(prices)
    verdict = "told" if value.pays(prices) else "not told"
    return (
        f"comes back in {value.chance:.1%} of sessions and takes {value.lost_calls:.1f} calls,"
        f" so {value.tokens} tokens save {saving:,.0f} for {cost:,.0f}: {verdict} at a start"
    )


def _value_to_json(found: NoteOrigin) -> dict[str, object] | None:
    value, prices = found.value, found.prices
    if value is None:
        return None
    saving, cost = round(value.saving(prices)), round(value.cost(prices))
    more = {"saves": saving, "costs": cost, "pays": value.pays(prices)}
    return {**value.fields(), **more}


def _format_evidence(one: Signal) -> str:
    return fold_to_line(
        f"{format_day(one.at)} in {one.session}: {one.target}: {one.excerpt}", limit=_LONGEST
    )


def _format_exposure(one: Exposure) -> str:
    withheld = ", but withheld" if one.withheld else ""
    return f"{format_day(one.at)} in {one.session}, {_CHANNELS.get(one.channel, one.channel)}{withheld}"

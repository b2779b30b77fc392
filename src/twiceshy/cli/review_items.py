"""What waits for a decision: on paper, as JSON, or one after the other in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.approval import accept_edited, accept_now, accept_other, keeping_approvals
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import say
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.moment import day, stamp
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.text import clean, one_line
from twiceshy.notes.review import GROUPS, reject
from twiceshy.recall.brief import seen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from twiceshy.app import App
    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Note
    from twiceshy.notes.review import Group, Item
    from twiceshy.safety.signing import Act

    Projects = Mapping[str, tuple[str, str]]

_TITLES: dict[Group, str] = {
    "proposals": "Proposed rules",
    "rules": "Rules that are left out",
    "conflicts": "Changed on two devices",
    "doubted": "Doubted by an agent, and shown all the same",
    "quarantined": "Quarantined",
    "candidates": "On probation",
}
_LONGEST = 2_000
_EXCERPT = 120
_CHOICES = "[a]ccept, [e]dit, [r]eject, [s]kip, [q]uit"
_TORN_CHOICES = "[a]ccept, [o]ther words, [e]dit, [r]eject, [s]kip, [q]uit"


def as_json(items: Sequence[Item]) -> dict[str, list[dict[str, object]]]:
    """Return all that waits, by group."""
    found: dict[str, list[dict[str, object]]] = {group: [] for group in GROUPS}
    for item in items:
        evidence = [one.fields() | {"at": stamp(one.at)} for one in item.evidence]
        others = [
            {"field": one.field, "said": one.said, "device": one.device, "at": stamp(one.at)}
            for one in item.others
        ]
        more = {
            "because": item.because,
            "sessions": item.sessions,
            "evidence": evidence,
            "others": others,
        }
        found[item.group].append(note_json(item.note) | more)
    return found


def show(items: Sequence[Item], *, projects: Projects) -> None:
    """Print all that waits, and say what can be done about it."""
    for group in GROUPS:
        members = [item for item in items if item.group == group]
        if members:
            click.echo(f"{_TITLES[group]} ({len(members)})")
        for item in members:
            for text in _lines(item, projects):
                click.echo(text)
    if items:
        ours = items[0].note.handle
        say(
            f"hint: twiceshy review --accept {ours}, --reject {ours}, or --edit {ours} with new words"
        )
        if torn := [item.note.handle for item in items if item.others]:
            say(
                f"hint: to have the other device's words instead: twiceshy review --other {torn[0]}"
            )
    else:
        say("nothing waits for you")


def walk(app: App, items: Sequence[Item], *, act: Act | None) -> None:
    """Ask about one after the other; each answer is a change of its own."""
    projects = app.store.projects()
    for number, item in enumerate(items, start=1):
        click.echo(f"{_TITLES[item.group]}, {number} of {len(items)}")
        for text in _lines(item, projects):
            click.echo(text)
        try:
            if not _answered(app, item, act):
                return
        except click.Abort:
            say("\nstopped; what you decided before stays decided")
            return


def _answered(app: App, item: Item, act: Act | None) -> bool:
    """Carry out an answer, asking again until it makes sense; False to stop."""
    choices = _TORN_CHOICES if item.others else _CHOICES
    while True:
        answer = click.prompt(choices, default="s", show_default=False, err=True)
        first = answer.strip().lower()[:1]
        if first in ("q", "s"):
            return first == "s"
        try:
            if _carried_out(app, item.note, first, act):
                return True
        except TwiceshyError as error:
            say(f"{error}; {error.hint}" if error.hint else str(error))


def _carried_out(app: App, note: Note, answer: str, act: Act | None) -> bool:
    match answer:
        case "a":
            accept_now(app, note, act=act)
            say("accepted")
        case "e":
            words = click.prompt("in which words", default=note.text, show_default=False, err=True)
            accept_edited(app, note, {"text": words}, act=act)
            say("accepted")
        case "o":
            accept_other(app, note, act=act)
            say("accepted")
        case "r":
            because = click.prompt("because", default="", show_default=False, err=True)
            with keeping_approvals(app):
                reject(app, note, because=because)
            say("rejected")
        case _:
            return False
    return True


def _lines(item: Item, projects: Projects) -> Iterator[str]:
    note = item.note
    kind = f"{note.kind}, {note.subtype}" if note.subtype else note.kind
    yield f"{note.handle}  {kind}: {_flat(note.text)}"
    facts = {
        "waits": _flat(item.because),
        "where": _where(note, projects),
        "why": _flat(note.why),
        "trigger": _flat(note.trigger),
        "seen": f"{seen(note).removeprefix('seen ')}, last on {day(note.learned_at)}",
        "trust": f"{note.trust:g} of 1, from the {note.source}",
        "sessions": ", ".join(map(_flat, item.sessions)),
    }
    for fact, value in facts.items():
        if value:
            yield f"  {fact + ':':<10} {value}"
    for other in item.others:
        said = (
            f"{_flat(other.said)} ({other.field}, {day(other.at)}, device {_flat(other.device)})"
        )
        yield f"  {'other:':<10} {said}"
    for signal in item.evidence:
        yield f"  {'evidence:':<10} {_evidence(signal)}"


def _evidence(signal: Signal) -> str:
    what = ": ".join(filter(None, (signal.target, signal.excerpt)))
    said = one_line(clean(what), limit=_EXCERPT)
    return f"{day(signal.at)} {signal.kind} in {_flat(signal.session)}: {said}"


def _where(note: Note, projects: Projects) -> str:
    name = projects.get(note.scope.project, ("", ""))[0]
    where = "everywhere" if note.scope.project == EVERYWHERE else name or note.scope.project
    return f"{where}, skill {note.scope.skill}" if note.scope.skill else where


def _flat(text: str) -> str:
    """Fold to one line: what waits here may be hostile."""
    return one_line(clean(text), limit=_LONGEST)

"""Texts of sessions that agents are not told: listed and decided about by ``twiceshy review``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import flatten_text, print_message
from twiceshy.core.moment import format_day
from twiceshy.notes.person import require_person
from twiceshy.project.episodes.find import find_episode
from twiceshy.project.episodes.held import (
    HeldText,
    accept_text,
    list_held_texts,
    quarantine_held_notes,
    reject_text,
)
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import App

_EPISODE = "e"  # how ids of episodes begin
_MOST_PARTS = 3
_LONGEST = 300
_SHORT_ID = 8


def decide_texts(app: App, verb: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Accept or reject the texts of sessions among some names; return their ids, and the other names."""
    texts = [name for name in names if name.startswith(_EPISODE)]
    if texts and verb not in ("accept", "reject"):
        raise click.UsageError("a text of a session can be accepted or rejected")
    found = [find_episode(app.store, name) for name in texts]
    if found:
        about = (flatten_text(one.title or one.summary, limit=_LONGEST) for one in found)
        require_person("decide", [f"{verb}: {line}" for line in about])
    for episode in found:
        (accept_text if verb == "accept" else reject_text)(app, episode)
    return [episode.id for episode in found], [name for name in names if name not in texts]


def gather_texts(app: App, projects: Sequence[str] | None) -> list[HeldText]:
    """Return the texts that wait; held notes are quarantined, so that they wait as others do."""
    if app.store.for_agents:
        return []
    if not app.store.read_only:
        quarantine_held_notes(app)
    return list_held_texts(app.store, projects)


def texts_json(found: Sequence[HeldText]) -> list[dict[str, object]]:
    """Return the texts that wait for ``--json``."""
    return [
        {"id": one.episode.id, "kind": one.episode.kind, "because": one.reason}
        | {"whole": one.is_whole, "parts": list(one.parts)}
        for one in found
    ]


def print_texts(found: Sequence[HeldText]) -> None:
    """Print the texts that wait: the reason, and what agents are not told of them."""
    if not found:
        return
    click.echo(worded("Kept from agents ({count})", count=len(found)))
    for one in found:
        episode = one.episode
        name, day = _EPISODE + episode.id[-_SHORT_ID:], format_day(episode.ended_at)
        click.echo(f"{name}  {episode.kind}, {day}: {one.reason}")
        for part in one.parts[:_MOST_PARTS]:
            click.echo(f"    {flatten_text(part, limit=_LONGEST)}")
    name = _EPISODE + found[0].episode.id[-_SHORT_ID:]
    said = worded(
        "to tell agents: twiceshy review --accept {name}; never: --reject {name}", name=name
    )
    print_message(worded("hint: {hint}", hint=said))

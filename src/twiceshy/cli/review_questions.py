"""Questions about waiting notes in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import App
from twiceshy.cli.output import is_interactive, print_json, print_message
from twiceshy.cli.review_changes import print_asked_changes
from twiceshy.cli.review_items import TITLES, format_item, items_json, print_items, print_left
from twiceshy.cli.review_texts import gather_texts, print_texts, texts_json
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.note import Note
from twiceshy.notes.person import require_person
from twiceshy.notes.review import (
    ReviewItem,
    WaitingNotes,
    accept_reworded,
    choose_waiting,
    decide_notes,
)
from twiceshy.sync.devices import list_asked_changes

if TYPE_CHECKING:
    from twiceshy.safety.signing import Act

_MOST = 10  # notes listed at a time
_CHOICES = "[a]ccept, [e]dit, [r]eject, [s]kip, [q]uit"
_PAIR_CHOICES = "[a]ccept: it replaces the older note, [k]eep both, [e]dit, [s]kip, [q]uit"
_TORN_CHOICES = "[a]ccept, [o]ther words, [e]dit, [r]eject, [s]kip, [q]uit"


def show_waiting(
    app: App, projects: tuple[str, ...] | None, *, act: Act | None, everything: bool, as_json: bool
) -> None:
    """Print what waits for the user, or ask about it in a terminal."""
    most = None if everything or as_json else _MOST
    texts = gather_texts(app, projects)
    found = choose_waiting(app.store, key=app.rule_key(), projects=projects, most=most)
    if as_json:
        asked = [one.fields() for one in list_asked_changes(app)]
        print_json({**items_json(found.items), "texts": texts_json(texts), "changes": asked})
        return
    print_asked_changes(app)
    if found.items and is_interactive():
        require_person("decide")
        ask_about_notes(app, found, act=act)
    else:
        print_items(found, projects=app.store.list_projects(), is_alone=not texts)
        print_texts(texts)


def ask_about_notes(app: App, found: WaitingNotes, *, act: Act | None) -> None:
    """Ask about each waiting note."""
    projects = app.store.list_projects()
    for number, item in enumerate(found.items, start=1):
        click.echo(f"{TITLES[item.group]}, {number} of {len(found.items)}")
        for text in format_item(item, projects):
            click.echo(text)
        try:
            if not _ask_about_note(app, item, act):
                return
        except click.Abort:
            print_message("\nstopped; what you decided before stays decided")
            return
    print_left(found)


def _ask_about_note(app: App, item: ReviewItem, act: Act | None) -> bool:
    """Ask until an answer is valid, and apply the answer; return False to stop."""
    choices = _PAIR_CHOICES if item.old else _TORN_CHOICES if item.others else _CHOICES
    while True:
        answer = click.prompt(choices, default="s", show_default=False, err=True)
        first = answer.strip().lower()[:1]
        if first in ("q", "s"):
            return first == "s"
        try:
            if done := _apply_answer(app, item.note, first, act):
                print_message(done)
                return True
        except TwiceshyError as error:
            print_message(f"{error}; {error.hint}" if error.hint else str(error))


def _apply_answer(app: App, note: Note, answer: str, act: Act | None) -> str:
    """Apply an answer to a note; return the result, empty for an invalid answer."""
    match answer:
        case "a" | "o":
            decide_notes(app, "other" if answer == "o" else "accept", [note], act=act)
        case "e":
            words = click.prompt("in which words", default=note.text, show_default=False, err=True)
            accept_reworded(app, note, {"text": words}, act=act)
        case "k":
            decide_notes(app, "keep", [note], act=act)
            return "both are kept"
        case "r":
            because = click.prompt("because", default="", show_default=False, err=True)
            decide_notes(app, "reject", [note], act=act, because=because)
            return "rejected"
        case _:
            return ""
    return "accepted"

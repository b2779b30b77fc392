"""``twiceshy correct``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option, projects_seen
from twiceshy.cli.output import approval_hint, flat, note_json, notes_json, show
from twiceshy.notes.user_changes import list_unapproved, refuse_agents
from twiceshy.project.notebook.by_command import list_rules, set_rule_states
from twiceshy.project.notebook.keep import CLEARED, CURRENT
from twiceshy.project.notebook.page import entry_of, notebook_page
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.project.notebook.by_command import NotebookRule


@click.command("correct")
@click.argument("category", required=False)
@click.option("--clear", "cleared", multiple=True, metavar="ID", help="This rule is learned.")
@click.option("--activate", multiple=True, metavar="ID", help="It counts again.")
@click.option("--all", "-a", "everything", is_flag=True, help="Cleared rules, too.")
@click.option("--page", is_flag=True, help="As memory-engine's writing-review-list.md.")
@project_option
@json_option
def command(
    *,
    category: str | None,
    cleared: tuple[str, ...],
    activate: tuple[str, ...],
    everything: bool,
    page: bool,
    project: str | None,
    as_json: bool,
) -> None:
    """List the error notebook: rules by category, with miss counts.

    `analyze` adds rules from your edits; `note --type correction` adds a rule of your own. A rule
    missed three times needs a hard rule, which waits for you in `review`.

    Example: twiceshy correct prose
    """
    if page and as_json:
        raise click.UsageError("--page and --json exclude each other")
    with opened() as app:
        if cleared or activate:
            _set(app, {CLEARED: cleared, CURRENT: activate}, as_json=as_json)
            return
        where = projects_seen(app, project)
        rules = list_rules(app, category, where, cleared=everything or page)
    if page:
        click.echo(notebook_page(entry_of(one.note) for one in rules), nl=False)
        return
    talk = approval_hint(one.note for one in rules if not one.approved)
    if not rules:
        talk = [worded("the notebook is empty; `twiceshy analyze` fills it from what you edit")]
    show([_plain(one) for one in rules], _lines(rules), talk=talk, as_json=as_json)


def _set(app: App, wanted: dict[str, tuple[str, ...]], *, as_json: bool) -> None:
    refuse_agents()
    changed = set_rule_states(app, wanted)
    hint = approval_hint(list_unapproved(app, changed))
    talk = [worded("done; `twiceshy undo` takes it back"), *hint]
    show(notes_json(changed), (note.handle for note in changed), talk=talk, as_json=as_json)


def _plain(one: NotebookRule) -> dict[str, object]:
    return {
        **note_json(one.note),
        "category": one.category,
        "approved": one.approved,
        "needs_hard": one.needs_hard,
        "hard_rule": one.hard.id if one.hard else None,
    }


def _lines(rules: Sequence[NotebookRule]) -> Iterator[str]:
    for category in sorted({one.category for one in rules}):
        own = [one for one in rules if one.category == category]
        yield f"{category} ({len(own)})"
        for one in own:
            note = one.note
            yield f"  {note.handle}  {flat(note.text)}"
            marks = [worded("missed: {times}", times=note.missed), _hardness(one)]
            marks += [worded("cleared")] if note.state == CLEARED else []
            marks += [] if one.approved else [worded("not approved")]
            yield f"         {', '.join(filter(None, marks))}"
            if note.why:
                yield f"         {flat(note.why)}"


def _hardness(one: NotebookRule) -> str:
    if one.hard and one.hard.status == "active":
        return worded("hard rule {id}", id=one.hard.handle)
    if one.hard and one.hard.status == "candidate":
        return worded("hard rule {id} waits for you", id=one.hard.handle)
    return worded("needs hard rule") if one.needs_hard else ""

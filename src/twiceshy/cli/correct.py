"""``twiceshy correct``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.approval import hint_for, keeping_approvals, refuse_agents, without_approval
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, projects_seen
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NotFoundError
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.notes.naming import the_note
from twiceshy.project.notebook.keep import (
    CLEARED,
    CURRENT,
    hard_rule,
    needs_hard,
    notebook,
    set_state,
)
from twiceshy.project.notebook.page import category_name, entry_of, notebook_page
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.note import Note

_WIDTH = 200


@click.command("correct")
@click.argument("category", required=False)
@click.option("--clear", "cleared", multiple=True, metavar="ID", help="This rule is learned.")
@click.option("--activate", multiple=True, metavar="ID", help="It counts again.")
@click.option("--all", "-a", "everything", is_flag=True, help="Cleared rules, too.")
@click.option("--page", is_flag=True, help="As memory-engine's writing-review-list.md.")
@click.option("--project", metavar="P", help="A path, name or id; default: here.")
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
    """List the error notebook: rules by category, and how often each was missed.

    `analyze` fills it from what you edit; `note --type correction` writes a rule yourself. What was
    missed three times needs a hard rule, which then waits in `review`.

    Example: twiceshy correct prose
    """
    if page and as_json:
        raise click.UsageError("--page and --json exclude each other")
    with opened() as app:
        if cleared or activate:
            refuse_agents()
            _set(app, {CLEARED: cleared, CURRENT: activate}, as_json=as_json)
            return
        rules = _rules(app, category, project, everything=everything or page)
        if page:
            click.echo(notebook_page(entry_of(one.note) for one in rules), nl=False)
        elif as_json:
            print_json([one.plain() for one in rules])
        else:
            _show(rules)


class _Rule(Value):
    """A rule of the notebook, whether it is shown to agents, and the hard rule made of it."""

    note: Note
    approved: bool
    hard: Note | None

    @property
    def category(self) -> str:
        """Return under which heading it stands."""
        return category_name(self.note)

    def plain(self) -> dict[str, object]:
        """Return it as it appears in --json."""
        return {
            **note_json(self.note),
            "category": self.category,
            "approved": self.approved,
            "needs_hard": needs_hard(self.note) and self.hard is None,
            "hard_rule": self.hard.id if self.hard else None,
        }


def _rules(
    app: App, category: str | None, project: str | None, *, everything: bool
) -> list[_Rule]:
    found = notebook(app.store, projects=projects_seen(app, project))
    known = dict.fromkeys(category_name(note) for note in found)
    if category is not None and category not in known:
        raise NotFoundError(
            f"the notebook has no category {category!r}",
            hint=f"known: {', '.join(known) or 'none yet'}",
        )
    wanted = [
        note
        for note in found
        if category in (None, category_name(note)) and (everything or note.state == CURRENT)
    ]
    unapproved = {note.id for note in without_approval(app, wanted)}
    return [_Rule(note, note.id not in unapproved, hard_rule(app.store, note)) for note in wanted]


def _show(rules: Sequence[_Rule]) -> None:
    for category in sorted({one.category for one in rules}):
        own = [one for one in rules if one.category == category]
        click.echo(f"{category} ({len(own)})")
        for one in own:
            for line in _lines(one):
                click.echo(line)
    if not rules:
        say(worded("the notebook is empty; `twiceshy analyze` fills it from what you edit"))
    elif unapproved := [one.note for one in rules if not one.approved]:
        say(hint_for(unapproved))


def _lines(one: _Rule) -> Iterator[str]:
    note = one.note
    yield f"  {note.handle}  {_flat(note.text)}"
    marks = [worded("missed: {times}", times=note.missed), _hardness(one)]
    if note.state == CLEARED:
        marks.append(worded("cleared"))
    if not one.approved:
        marks.append(worded("not approved"))
    yield f"         {', '.join(filter(None, marks))}"
    if note.why:
        yield f"         {_flat(note.why)}"


def _hardness(one: _Rule) -> str:
    if one.hard and one.hard.life == "active":
        return worded("hard rule {id}", id=one.hard.handle)
    if one.hard and one.hard.life == "candidate":
        return worded("hard rule {id} waits for you", id=one.hard.handle)
    return worded("needs hard rule") if needs_hard(one.note) and not one.hard else ""


def _set(app: App, wanted: dict[str, tuple[str, ...]], *, as_json: bool) -> None:
    """Set the state of rules as one change; the user's approval stays with them."""
    named = [(the_note(app, name), state) for state, names in wanted.items() for name in names]
    with keeping_approvals(app, changing=("state",)):
        changed = [set_state(app, note, state) for note, state in named]
    if as_json:
        print_json([note_json(note) for note in changed])
        return
    for note in changed:
        click.echo(note.handle)
    say(worded("done; `twiceshy undo` takes it back"))
    if unapproved := without_approval(app, changed):
        say(hint_for(unapproved))


def _flat(text: str) -> str:
    return one_line(clean(text), limit=_WIDTH)

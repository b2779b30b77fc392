"""``twiceshy correct``."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.app import App
from twiceshy.cli.analyze_view import format_waiting
from twiceshy.cli.options import json_option, list_visible_projects, open_app, project_option
from twiceshy.cli.output import approval_hint, flatten_text, note_json, notes_json, print_result
from twiceshy.notes.person import require_person
from twiceshy.notes.user_changes import list_unapproved
from twiceshy.project.local_day import format_local_day
from twiceshy.project.notebook.corrections import (
    CLEARED,
    CURRENT,
    NotebookRule,
    list_rules,
    list_waiting_rules,
    set_rule_states,
)
from twiceshy.project.notebook.page import build_entry, render_notebook
from twiceshy.wording import worded


@click.command("correct")
@click.argument("category", required=False)
@click.option("--clear", "cleared", multiple=True, metavar="ID", help="Mark this rule as learned.")
@click.option("--activate", multiple=True, metavar="ID", help="Count this rule again.")
@click.option("--all", "-a", "everything", is_flag=True, help="Include cleared rules.")
@click.option("--page", is_flag=True, help="Print as writing-review-list.md of memory-engine.")
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
    """List the error notebook: rules by category, how often each was broken, newest first.

    `analyze` adds rules from your edits; `note --type correction` adds a rule of your own. A rule
    missed three times needs a hard rule, which waits for you in `review`.

    Example: twiceshy correct prose
    """
    if page and as_json:
        raise click.UsageError("--page and --json exclude each other")
    with open_app() as app:
        if cleared or activate:
            _change_rule_states(app, {CLEARED: cleared, CURRENT: activate}, as_json=as_json)
            return
        where = list_visible_projects(app, project)
        rules = list_rules(app, category, where, cleared=everything or page)
        waiting = list_waiting_rules(app.store, projects=where)
    if page:
        click.echo(render_notebook(build_entry(one.note) for one in rules), nl=False)
        return
    talk = approval_hint(one.note for one in rules if not one.approved)
    if not (rules or waiting):
        talk = [worded("the notebook is empty; `twiceshy analyze` fills it from what you edit")]
    plain = [_rule_to_json(one) for one in rules]
    plain += [_rule_to_json(NotebookRule(note, approved=False, hard=None)) for note in waiting]
    lines = (*_format_rules(rules), *format_waiting(waiting))
    print_result(plain, lines, talk=talk, as_json=as_json)


def _change_rule_states(app: App, wanted: dict[str, tuple[str, ...]], *, as_json: bool) -> None:
    require_person("decide")
    changed = set_rule_states(app, wanted)
    hint = approval_hint(list_unapproved(app, changed))
    talk = [worded("done; `twiceshy undo` takes it back"), *hint]
    print_result(
        notes_json(changed), (note.handle for note in changed), talk=talk, as_json=as_json
    )


def _rule_to_json(one: NotebookRule) -> dict[str, object]:
    return {
        **note_json(one.note),
        "category": one.category,
        "approved": one.approved,
        "needs_hard": one.needs_hard,
        "hard_rule": one.hard.id if one.hard else None,
    }


def _format_rules(rules: Sequence[NotebookRule]) -> Iterator[str]:
    for category in sorted({one.category for one in rules}):
        own = [one for one in rules if one.category == category]
        yield f"{category} ({len(own)})"
        for one in own:
            note = one.note
            yield f"  {note.handle}  {flatten_text(note.text)}"
            marks = [_describe_misses(one), _describe_hardness(one)]
            marks += [worded("cleared")] if note.state == CLEARED else []
            marks += [] if one.approved else [worded("not approved")]
            yield f"         {', '.join(filter(None, marks))}"
            if note.why:
                yield f"         {flatten_text(note.why)}"


def _describe_misses(one: NotebookRule) -> str:
    if not one.note.missed:
        return worded("not broken since {day}", day=format_local_day(one.note.written_at))
    if not one.missed_at:
        return worded("broken: {times}", times=one.note.missed)
    day = format_local_day(one.missed_at)
    return worded("broken: {times}, last on {day}", times=one.note.missed, day=day)


def _describe_hardness(one: NotebookRule) -> str:
    if one.hard and one.hard.status == "active":
        return worded("hard rule {id}", id=one.hard.handle)
    if one.hard and one.hard.status == "candidate":
        return worded("hard rule {id} waits for you", id=one.hard.handle)
    return worded("needs hard rule") if one.needs_hard else ""

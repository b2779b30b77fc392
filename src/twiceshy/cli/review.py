"""``twiceshy review``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import App
from twiceshy.cli.options import json_option, list_visible_projects, needless_yes_option, open_app
from twiceshy.cli.output import (
    flatten_text,
    format_note,
    notes_json,
    print_result,
)
from twiceshy.cli.review_texts import decide_texts
from twiceshy.core.note import Note
from twiceshy.notes.find_by_name import find_named_notes, find_only_note
from twiceshy.notes.person import require_person
from twiceshy.notes.review import accept_reworded, choose_waiting, decide_notes, list_bulk_rules
from twiceshy.safety.signing import ACTS

if TYPE_CHECKING:
    from twiceshy.safety.signing import Act

_VERBS = ("accept", "other", "edit", "keep", "reject", "patch")
_DONE = {"reject": "rejected", "keep": "both are kept"}
_USAGE = {
    "": "say what to do with it: --accept, --edit, --keep, --reject or --patch",
    "accept-all": "--accept-all rules takes no ID",
    "edit": 'give an ID and the new words: twiceshy review --edit ID "text"',
    "patch": "give one ID and a file: twiceshy review --patch ID --into CLAUDE.md",
}


@click.command("review")
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option(
    "--accept",
    is_flag=True,
    help="Accept: show these notes, replace older ones; rules are signed.",
)
@click.option(
    "--as",
    "act",
    type=click.Choice(ACTS),
    help="Effect of a rule on a call; default: unchanged, or tell.",
)
@click.option("--other", is_flag=True, help="Accept the wording of the other device.")
@click.option("--edit", is_flag=True, help="Accept ID with a new text.")
@click.option("--keep", is_flag=True, help="Keep both: the note replaces no other note.")
@click.option("--reject", is_flag=True, help="Retire these notes, and do not learn them again.")
@click.option("--because", default="", help="With --reject: the reason.")
@click.option(
    "--accept-all",
    type=click.Choice(["rules", "changes"]),
    help="Accept all rules from other devices, or all changes that ask.",
)
@click.option(
    "--reject-all", type=click.Choice(["changes"]), help="Leave those changes out for good."
)
@click.option("--patch", is_flag=True, help="Print ID as a patch for an instruction file.")
@click.option("--into", metavar="FILE", help="With --patch: CLAUDE.md, AGENTS.md, SKILL.md …")
@click.option("--all", "everything", is_flag=True, help="List all waiting notes, not only ten.")
@click.option("--project", metavar="P", help="Only this project and global notes.")
@needless_yes_option
@json_option
def command(
    *,
    names: tuple[str, ...],
    act: Act | None,
    because: str,
    accept_all: str | None,
    reject_all: str | None,
    into: str | None,
    everything: bool,
    project: str | None,
    as_json: bool,
    **verbs: bool,
) -> None:
    """Decide about proposed and unsigned rules, and doubtful or conflicting notes.

    Without an action option, lists the ten best, and in a terminal asks about each in turn; --json
    lists all. A proposed rule expires if you do not decide in time (notes.proposal_days). Every session
    sees a rule that you accept; with --as ask or deny, the rule also stops matching calls. If two
    devices changed a note, the later wording is shown until you decide. If a note may replace an older
    one, both are shown until you --accept it or --keep both. `undo` reverts a decision.
    A patch is only printed: apply it with git apply or patch -p1.

    If another device forgets notes, joins projects or changes an approved rule, that asks first:
    --accept-all changes takes all of it in, --reject-all changes leaves it out.

    Example: twiceshy review --accept n7k2x --as ask
    """
    if "changes" in (accept_all, reject_all):
        if names or any(verbs.values()) or (accept_all and reject_all):
            raise click.UsageError("--accept-all and --reject-all changes go alone")
        from twiceshy.cli.review_changes import answer_asked_changes

        answer_asked_changes(yes=accept_all == "changes", as_json=as_json)
        return
    verb = _choose_verb(verbs, names, accept_all=accept_all, into=into)
    with open_app() as app:
        if verb == "patch":
            from twiceshy.cli.review_items import print_patch

            print_patch(app, find_only_note(app, names[0]), into or "")
        elif not verb:
            from twiceshy.cli.review_questions import show_waiting

            projects = list_visible_projects(app, project) if project else None
            show_waiting(app, projects, act=act, everything=everything, as_json=as_json)
        else:
            decided: list[str] = []
            if verb == "edit":
                note = find_only_note(app, names[0])
                require_person("decide", [format_note(note), f"→ {flatten_text(names[1])}"])
                changed = [accept_reworded(app, note, {"text": names[1]}, act=act)]
            else:
                decided, named = decide_texts(app, verb, names)
                notes = find_named_notes(app, named) if names else _list_bulk_rules(app)
                require_person("decide", [f"{verb}: {format_note(note)}" for note in notes])
                changed = decide_notes(app, verb, notes, act=act, because=because)
            done = _DONE.get(verb, "accepted")
            nothing = done if decided else "no rule waits for that"
            end = f"{done}; `twiceshy undo` takes it back" if changed else nothing
            lines, talk = (*decided, *(note.handle for note in changed)), map(format_note, changed)
            print_result(notes_json(changed), lines, talk=(*talk, end), as_json=as_json)


def _choose_verb(
    given: dict[str, bool], names: tuple[str, ...], *, accept_all: str | None, into: str | None
) -> str:
    """Return the chosen action; an empty string means listing."""
    chosen = [verb for verb in _VERBS if given[verb]] + (["accept-all"] if accept_all else [])
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    verb = chosen[0] if chosen else ""
    takes = {"": 0, "accept-all": 0, "edit": 2, "patch": 1}
    if verb in takes and len(names) != takes[verb]:
        raise click.UsageError(_USAGE[verb])
    if verb in ("accept", "other", "keep", "reject") and not names:
        raise click.UsageError(f"say which: twiceshy review --{verb} ID")
    if (verb == "patch") != bool(into):
        raise click.UsageError(_USAGE["patch"])
    return verb


def _list_bulk_rules(app: App) -> list[Note]:
    """Return the rules for bulk approval."""
    key = app.rule_key()
    return list_bulk_rules(choose_waiting(app.store, key=key).items, key=key)

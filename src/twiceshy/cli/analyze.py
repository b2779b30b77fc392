"""``twiceshy analyze``."""

import os

import click

from twiceshy.app import App, is_started_by_agent
from twiceshy.cli.analyze_view import (
    analysis_json,
    format_analysis,
    format_proposal,
    format_waiting,
)
from twiceshy.cli.options import json_option, list_visible_projects, open_app
from twiceshy.cli.output import flatten_text, is_interactive, print_result, print_worded
from twiceshy.cli.text_input import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.text import fingerprint_text
from twiceshy.notes.person import require_person
from twiceshy.project.notebook.corrections import (
    LATER,
    EditAnalysis,
    WrittenAnalysis,
    analyse_changes,
    list_waiting_rules,
    write_analysis,
)
from twiceshy.project.notebook.diffs import (
    MAX_DIFF,
    EditedText,
    UnifiedDiff,
    find_changes,
    read_diff,
)
from twiceshy.project.notebook.propose import ProposedRule
from twiceshy.wording import worded

_MEGABYTES = MAX_DIFF // 1024 // 1024
_TOO_LARGE = "look at one file: git diff HEAD -- FILE | twiceshy analyze -"


@click.command("analyze")
@click.argument("files", nargs=-1, metavar="[BEFORE AFTER | -]")
@click.option(
    "--since", "--diff", "since", metavar="REV", help="Compare with this revision; default: HEAD."
)
@click.option("--plan", is_flag=True, help="Only show the result; write nothing.")
@json_option
def command(*, files: tuple[str, ...], since: str | None, plan: bool, as_json: bool) -> None:
    """Compare your edits with the rules, and learn from the differences.

    Reads the changes in the working tree since the last commit, two files, or a unified diff on
    stdin (-). A rule that your edit had to apply is counted as missed, once per change. Words that
    you replaced repeatedly become a new rule: in a terminal you are asked about it, otherwise it
    waits in `review`. A rule missed three times is proposed as a hard rule.

    Example: twiceshy analyze draft.md final.md
    """
    if since and files:
        raise click.UsageError("--since and files exclude each other")
    with open_app() as app:
        diff = _read_edits(app, files, since or "HEAD")
        changes = find_changes(diff.edited, app.redact)
        found = analyse_changes(app.store, changes, projects=list_visible_projects(app, None))
        asking = not plan and not as_json and not is_started_by_agent() and is_interactive()
        if asking and found.proposals:
            require_person("sign")
        answers = _ask_about_rules(found) if asking else {}
        done = WrittenAnalysis() if plan else write_analysis(app, found, answers)
        waiting = list_waiting_rules(app.store, projects=list_visible_projects(app, None))
    plain = analysis_json(found, done) | {"skipped": list(diff.skipped)}
    lines = (*format_analysis(found, done), *format_waiting(waiting))
    print_result(plain | {"undecided": len(waiting)}, lines, as_json=as_json)
    if as_json:
        return
    for path in diff.skipped:
        print_worded("not looked at, no text: {file}", file=flatten_text(path, limit=100))
    if done.hard or any(note.status == "candidate" for _, note in done.kept):
        print_worded("hint: not shown until you approve: twiceshy review")


def _read_edits(app: App, files: tuple[str, ...], since: str) -> UnifiedDiff:
    match files:
        case ():
            from twiceshy.places.git import diff_since

            return read_diff(_check_diff_size(diff_since(app.cwd, since)))
        case ("-",):
            return read_diff(_check_diff_size(_read_text(STDIN)))
        case (before, after) if "-" not in files:
            old, new = (_read_text(os.path.join(app.cwd, each)) for each in (before, after))
            return UnifiedDiff((EditedText(after, old, new, fingerprint_text("edit", old)),), ())
        case _:
            raise click.UsageError("give two files, or - for a diff on stdin, or nothing")


def _read_text(path: str) -> str:
    content = read_input(
        path, megabytes=_MEGABYTES, give="give two text files", too_large=_TOO_LARGE
    )
    if b"\0" in content:
        name = "the diff" if path == STDIN else path
        raise NoteError(f"{name} is binary, not text", hint="give two text files, or a diff")
    return content.decode("utf-8-sig", "replace")


def _check_diff_size(text: str) -> str:
    if len(text) > MAX_DIFF:
        raise NoteError(f"the diff is larger than {_MEGABYTES} MiB", hint=_TOO_LARGE)
    return text


def _ask_about_rules(found: EditAnalysis) -> dict[ProposedRule, str]:
    """Ask about each new rule, before any write."""
    answers = {}
    for proposal in found.proposals:
        click.echo(format_proposal(proposal, proposal.text))
        choices = worded("[y]es, from now on; [n]o, never; [l]ater")
        answer = click.prompt(choices, default=LATER, show_default=False, err=True)
        answers[proposal] = answer.strip().lower()[:1]
    return answers

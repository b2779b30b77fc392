"""``twiceshy analyze``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.analyze_view import analysis_json, analysis_lines, proposal_line
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, projects_seen
from twiceshy.cli.output import flat, is_interactive, say, show
from twiceshy.cli.reading import STDIN, read_input
from twiceshy.core.errors import NoteError
from twiceshy.core.text import fingerprint
from twiceshy.project.notebook.by_command import LATER, WrittenAnalysis, write_analysis
from twiceshy.project.notebook.diffs import LARGEST, Diff, Edited, changes_in, read_diff
from twiceshy.project.notebook.keep import analysed
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.project.notebook.keep import Analysis
    from twiceshy.project.notebook.propose import Proposal

_MEGABYTES = LARGEST // 1024 // 1024
_TOO_LARGE = "look at one file: git diff HEAD -- FILE | twiceshy analyze -"


@click.command("analyze")
@click.argument("files", nargs=-1, metavar="[BEFORE AFTER | -]")
@click.option("--since", "--diff", "since", metavar="REV", help="Against this; default: HEAD.")
@click.option("--plan", is_flag=True, help="Write nothing down.")
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
    with opened() as app:
        diff = _diff(app, files, since or "HEAD")
        changes = changes_in(diff.edited, app.redact)
        found = analysed(app.store, changes, projects=projects_seen(app, None))
        asking = not plan and not as_json and not by_agent() and is_interactive()
        answers = _ask(found) if asking else {}
        done = WrittenAnalysis() if plan else write_analysis(app, found, answers)
    plain = analysis_json(found, done) | {"skipped": list(diff.skipped)}
    show(plain, analysis_lines(found, done), as_json=as_json)
    if as_json:
        return
    for path in diff.skipped:
        say(worded("not looked at, no text: {file}", file=flat(path, limit=100)))
    if done.hard or any(note.status == "candidate" for _, note in done.kept):
        say(worded("hint: not shown until you approve: twiceshy review"))


def _diff(app: App, files: tuple[str, ...], since: str) -> Diff:
    match files:
        case ():
            from twiceshy.places.git_edits import edits

            return read_diff(_bounded(edits(app.cwd, since)))
        case ("-",):
            return read_diff(_bounded(_read(STDIN)))
        case (before, after) if "-" not in files:
            old, new = (_read(os.path.join(app.cwd, each)) for each in (before, after))
            return Diff((Edited(after, old, new, fingerprint("edit", old)),), ())
        case _:
            raise click.UsageError("give two files, or - for a diff on stdin, or nothing")


def _read(path: str) -> str:
    content = read_input(
        path, megabytes=_MEGABYTES, give="give two text files", too_large=_TOO_LARGE
    )
    if b"\0" in content:
        name = "the diff" if path == STDIN else path
        raise NoteError(f"{name} is binary, not text", hint="give two text files, or a diff")
    return content.decode("utf-8-sig", "replace")


def _bounded(text: str) -> str:
    if len(text) > LARGEST:
        raise NoteError(f"the diff is larger than {_MEGABYTES} MiB", hint=_TOO_LARGE)
    return text


def _ask(found: Analysis) -> dict[Proposal, str]:
    """Ask about each new rule, before any write."""
    answers = {}
    for proposal in found.proposals:
        click.echo(proposal_line(proposal, proposal.text))
        choices = worded("[y]es, from now on; [n]o, never; [l]ater")
        answer = click.prompt(choices, default=LATER, show_default=False, err=True)
        answers[proposal] = answer.strip().lower()[:1]
    return answers

"""``twiceshy analyze``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.approval import approve
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, projects_seen
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.core.scope import Scope
from twiceshy.core.text import clean, fingerprint, one_line
from twiceshy.core.value import Value
from twiceshy.notes.review import reject
from twiceshy.project.notebook.diffs import LARGEST, Diff, Edited, changes_in, read_diff
from twiceshy.project.notebook.keep import analysed, count_missed, keep, propose_hard
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from twiceshy.app import App
    from twiceshy.core.note import Note, Source
    from twiceshy.project.notebook.keep import Analysis, Missed
    from twiceshy.project.notebook.propose import Proposal

_WIDTH = 100
_FEW = 3
_YES, _NO, _LATER = "y", "n", "l"


@click.command("analyze")
@click.argument("files", nargs=-1, metavar="[BEFORE AFTER | -]")
@click.option("--since", "--diff", "since", metavar="REV", help="Against this; default: HEAD.")
@click.option("--plan", is_flag=True, help="Write nothing down.")
@json_option
def command(*, files: tuple[str, ...], since: str | None, plan: bool, as_json: bool) -> None:
    """Compare what you edited with the rules, and learn from the difference.

    Looks at what the working tree changed since the last commit, at two files, or at a unified diff
    on stdin (-). A rule that your edit had to put right is counted as missed, once for each change.
    Words that you replaced repeatedly become a new rule; in a terminal you are asked about it, else
    it waits in `review`. A rule missed three times is proposed as a hard one.

    Example: twiceshy analyze draft.md final.md
    """
    if since and files:
        raise click.UsageError("--since and files exclude each other")
    with opened() as app:
        diff = _diff(app, files, since or "HEAD")
        changes = changes_in(diff.edited, app.redact)
        found = analysed(app.store, changes, projects=projects_seen(app, None))
        asking = not plan and not as_json and not by_agent() and _at_terminal()
        done = _Done() if plan else _written(app, found, _asked(found) if asking else {})
    if as_json:
        print_json(_plain(found, done, diff))
        return
    for line in _lines(found, done):
        click.echo(line)
    for path in diff.skipped:
        say(worded("not looked at, no text: {file}", file=_flat(path)))
    if done.hard or any(note.life == "candidate" for _, note in done.kept):
        say(worded("hint: not shown until you approve: twiceshy review"))


class _Done(Value):
    """What was written down: rules as counted, rules that are new, and hard ones proposed."""

    counted: tuple[Note, ...] = ()
    kept: tuple[tuple[Proposal, Note], ...] = ()
    hard: tuple[Note, ...] = ()


def _diff(app: App, files: tuple[str, ...], since: str) -> Diff:
    match files:
        case ():
            from twiceshy.places.git_edits import edits

            return read_diff(_bounded(edits(app.cwd, since), "the diff"))
        case ("-",):
            return read_diff(_decoded(sys.stdin.buffer.read(LARGEST + 1), "the diff"))
        case (before, after) if "-" not in files:
            old, new = (_content(os.path.join(app.cwd, each)) for each in (before, after))
            return Diff((Edited(after, old, new, fingerprint("edit", old)),), ())
        case _:
            raise click.UsageError("give two files, or - for a diff on stdin, or nothing")


def _content(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return _decoded(file.read(LARGEST + 1), path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no such path"
        raise NotFoundError(f"cannot read {path!r}: {why}", hint="give two text files") from error


def _decoded(content: bytes, name: str) -> str:
    if b"\0" in content:
        raise NoteError(f"{name} is binary, not text", hint="give two text files, or a diff")
    return _bounded(content.decode("utf-8-sig", "replace"), name)


def _bounded(text: str, name: str) -> str:
    if len(text) > LARGEST:
        raise NoteError(
            f"{name} is larger than {LARGEST // 1024 // 1024} MiB",
            hint="look at one file: git diff HEAD -- FILE | twiceshy analyze -",
        )
    return text


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _asked(found: Analysis) -> dict[Proposal, str]:
    """Ask about each new rule, before anything is written."""
    answers = {}
    for proposal in found.proposals:
        click.echo(_new_line(proposal, proposal.text))
        choices = worded("[y]es, from now on; [n]o, never; [l]ater")
        answer = click.prompt(choices, default=_LATER, show_default=False, err=True)
        answers[proposal] = answer.strip().lower()[:1]
    return answers


def _written(app: App, found: Analysis, answers: Mapping[Proposal, str]) -> _Done:
    """Count, keep and propose as one change, which one ``undo`` takes back but for the counts."""
    here = app.here().id
    others: Source = "agent" if by_agent() else "detector"
    with app.store.change():
        counted = count_missed(app, found, project=here)
        hard = [propose_hard(app, note) for note in counted]
        kept = []
        for proposal in found.proposals:
            answer = answers.get(proposal, _LATER)
            source = "user" if answer == _YES else others
            note = keep(app, proposal, found.changes, scope=Scope(here), source=source)
            if note and answer == _NO:
                reject(app, note)
            elif note:
                approve(app, [note] if answer == _YES else [])
                kept.append((proposal, note))
    return _Done(tuple(counted), tuple(kept), tuple(note for note in hard if note))


def _lines(found: Analysis, done: _Done) -> Iterator[str]:
    yield worded(
        "{corrections} corrections, {known} known, {new} new",
        corrections=len(found.changes),
        known=found.known,
        new=len(found.proposals),
    )
    now = {note.id: note for note in done.counted}
    for missed in found.missed:
        yield _missed_line(missed, now.get(missed.note.id))
    for missed in found.waiting:
        yield worded("waits for you: {rule}", rule=_rule(missed.note))
    for missed in found.cleared:
        yield worded("cleared, but missed again: {rule}", rule=_rule(missed.note))
    for note in found.contradicted:
        yield worded(
            "your edit does the opposite of {rule}; if it holds no longer: twiceshy correct --clear {id}",
            rule=_rule(note),
            id=note.handle,
        )
    names = {proposal: note.handle for proposal, note in done.kept}
    for proposal in found.proposals:
        name = names.get(proposal, "")
        yield _new_line(proposal, f"{name} {proposal.text}".strip())
    for note in done.hard:
        yield worded("missed too often, proposed as a hard rule: {rule}", rule=_rule(note))


def _missed_line(missed: Missed, now: Note | None) -> str:
    files = ", ".join(dict.fromkeys(_flat(hit.change.file) for hit in missed.hits[:_FEW]))
    total = now.missed if now else missed.note.missed + len(missed.fresh)
    return worded(
        "missed: {rule} ({fresh} more, {total} in all; {files})",
        rule=_rule(missed.note),
        fresh=len(missed.fresh),
        total=total,
        files=files,
    )


def _new_line(proposal: Proposal, rule: str) -> str:
    files = ", ".join(map(_flat, proposal.files[:_FEW]))
    return worded(
        "new, {category}: {rule} (places: {times}; {files})",
        category=proposal.category,
        rule=_flat(rule),
        times=proposal.times,
        files=files,
    )


def _plain(found: Analysis, done: _Done, diff: Diff) -> dict[str, object]:
    """Return an analysis as it appears in --json."""
    now = {note.id: note for note in done.counted}
    names = dict(done.kept)
    return {
        "corrections": len(found.changes),
        "known": found.known,
        "new": len(found.proposals),
        "missed": [
            {
                "counted": len(each.fresh),
                "files": list(dict.fromkeys(hit.change.file for hit in each.hits)),
                "note": note_json(now.get(each.note.id, each.note)),
            }
            for each in found.missed
        ],
        "proposed": [
            {
                **one.fields(),
                "text": one.text,
                "example": one.example,
                "note": note_json(names[one]) if one in names else None,
            }
            for one in found.proposals
        ],
        "hard": [note_json(note) for note in done.hard],
        "waiting": [note_json(each.note) for each in found.waiting],
        "cleared": [note_json(each.note) for each in found.cleared],
        "contradicted": [note_json(note) for note in found.contradicted],
        "skipped": list(diff.skipped),
    }


def _rule(note: Note) -> str:
    return f"{note.handle} {_flat(note.text)}"


def _flat(text: str) -> str:
    return one_line(clean(text), limit=_WIDTH)

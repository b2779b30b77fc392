"""``twiceshy note``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import by_agent
from twiceshy.cli.approval import approve, hint_for, keeping_approvals, without_approval
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, scope_options, the_scope
from twiceshy.cli.output import as_json as note_json
from twiceshy.cli.output import print_json, say
from twiceshy.core.admit import Admitted, Refused, Revised, Seen, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.note import KINDS, kind_of, kind_of_subtype
from twiceshy.notes.approve import same_words
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.naming import the_note
from twiceshy.notes.take_note import take_note

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note
    from twiceshy.notes.write import Outcome

_WORDS = {Admitted: "noted", Seen: "seen", Revised: "revised", Superseding: "superseding"}


@click.command("note", cls=TextCommand)
@click.argument("text")
@scope_options(everywhere="For every project.")
@click.option("--kind", type=click.Choice(list(KINDS)), help="Default: lesson, or by --type.")
@click.option("--type", "subtype", default="", metavar="T", help="gotcha, fix, architecture …")
@click.option("--why", default="", help="When it applies, or the reason.")
@click.option("--tag", default="", help="What it is about; a page's name.")
@click.option("--file", "files", multiple=True, help="A file it concerns; may be repeated.")
@click.option("--concept", "concepts", multiple=True, help="A concept; may be repeated.")
@click.option("--pin", is_flag=True, help="Show it first.")
@click.option("--supersedes", default="", metavar="ID", help="The note it replaces.")
@click.option("--as-agent", is_flag=True, help="Say that an agent writes this, not you.")
@click.option("--new", "keep_apart", is_flag=True, help="Keep it even if a note says nearly this.")
@json_option
def command(
    *,
    text: str,
    skill: str | None,
    project: str | None,
    everywhere: bool,
    kind: str | None,
    subtype: str,
    why: str,
    tag: str,
    files: tuple[str, ...],
    concepts: tuple[str, ...],
    pin: bool,
    supersedes: str,
    as_agent: bool,
    keep_apart: bool,
    as_json: bool,
) -> None:
    """Write a note. TEXT - reads it from stdin.

    What is known already is counted, not kept twice. Secrets are taken out before it is written.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """
    with opened() as app:
        wanted = kind_of(kind) if kind else kind_of_subtype(subtype) if subtype else "lesson"
        # what is known about the user holds wherever he works, unless somebody says otherwise
        everywhere = everywhere or (wanted == "preference" and not project)
        scope = the_scope(app, skill=skill, project=project, everywhere=everywhere)
        draft = Draft(
            kind=wanted,
            text=_stdin() if text == "-" else text,
            scope=scope,
            source="agent" if as_agent or (wanted == "rule" and by_agent()) else "user",
            subtype=subtype,
            why=why,
            tag=tag,
            files=files,
            concepts=concepts,
            pinned=pin,
            supersedes=the_note(app, supersedes).id if supersedes else "",
        )
        with keeping_approvals(app):
            outcome = take_note(app, draft, keep_apart=keep_apart)
        unapproved = _approved(app, outcome, draft)
        embed_new(app, tell=say)
    _tell(outcome, as_json=as_json)
    if unapproved:
        say(hint_for(unapproved))


def _approved(app: App, outcome: Outcome, draft: Draft) -> list[Note]:
    """Sign a rule that says what the user wrote, and nothing else; return it if it is not approved."""
    if isinstance(outcome, Refused) or outcome.note.kind != "rule":
        return []
    note = outcome.note
    known = app.store.note(note.id) or note
    own = not isinstance(outcome, Seen) or (
        (outcome.variant, note.why, note.trigger) == ("", draft.why, draft.trigger)
    )
    if draft.source == "user" and own and same_words(note, known):
        approve(app, [known])
    return without_approval(app, [known])


def _tell(outcome: Outcome, *, as_json: bool) -> None:
    if isinstance(outcome, Refused):
        raise NoteError(outcome.reason, hint=outcome.hint)
    word = _WORDS[type(outcome)]
    if as_json:
        print_json({"outcome": word, "note": note_json(outcome.note)})
        return
    click.echo(outcome.note.handle)
    match outcome:
        case Seen(note, "", _):
            say(f"known already; seen {note.sightings} times now")
        case Seen(note, _, _):
            say(f"nearly the same as {note.handle}: {note.text}")
            say("hint: the wording is kept with it; --new keeps yours as a note of its own")
        case Revised(note, _):
            say(f"now revision {note.revision}")
        case Superseding(_, old):
            say(f"noted; {old.handle} is retired")
        case _ if outcome.note.life == "quarantined":
            say(f"noted, but shown to nobody: {outcome.note.reason}; see: twiceshy review")
        case _:
            say("noted")


def _stdin() -> str:
    # unreadable bytes become surrogates, which the note's own check names as invalid UTF-8
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")

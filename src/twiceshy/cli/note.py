"""``twiceshy note``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import command_author
from twiceshy.cli.options import TextCommand, json_option, open_app, resolve_scope, scope_options
from twiceshy.cli.output import (
    approval_hint,
    flatten_text,
    note_json,
    print_message,
    print_messages,
    print_result,
)
from twiceshy.cli.text_input import read_stdin
from twiceshy.core.admit import Admitted, Revised, SeenAgain, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.note import KINDS, kind_for_subtype, parse_kind, short_handle
from twiceshy.notes.embed import embed_new_notes
from twiceshy.notes.find_by_name import find_only_note
from twiceshy.notes.user_changes import write_note
from twiceshy.notes.write import require_written
from twiceshy.shell.derive_trigger import parse_when

if TYPE_CHECKING:
    from twiceshy.core.note import Kind
    from twiceshy.notes.write import Written

PLAIN = "note"  # the word of people for a lesson
CHOICES = (
    PLAIN,
    "rule",
    "task",
    "page",
    *(kind for kind in KINDS if kind not in ("rule", "task", "page")),
)
_WIDTH = 80
_WORDS = {Admitted: "noted", SeenAgain: "seen", Revised: "revised", Superseding: "superseding"}


@click.command("note", cls=TextCommand)
@click.argument("text")
@scope_options("For every project.")
@click.option("--kind", type=click.Choice(CHOICES), help="Default: note, or by --type.")
@click.option("--type", "subtype", default="", metavar="T", help="gotcha, fix, architecture …")
@click.option("--why", default="", help="When the note applies, or the reason.")
@click.option(
    "--when", default="", metavar="CALL", help="Show it at such calls: a command, a file, or none."
)
@click.option("--tag", default="", help="Topic, or the name of a page.")
@click.option("--file", "files", multiple=True, help="A related file; may be repeated.")
@click.option("--concept", "concepts", multiple=True, help="A concept; may be repeated.")
@click.option("--pin", "pinned", is_flag=True, help="Pin the note: show it first.")
@click.option("--supersedes", default="", metavar="ID", help="The note to replace.")
@click.option("--as-agent", is_flag=True, help="Mark the note as written by an agent.")
@click.option(
    "--new", "keep_apart", is_flag=True, help="Keep the note even if a near-duplicate exists."
)
@json_option
def command(
    *,
    text: str,
    kind: str | None,
    subtype: str,
    when: str,
    supersedes: str,
    as_agent: bool,
    keep_apart: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Write a note. TEXT - reads the text from stdin.

    A known note is counted, not stored twice. Secrets are removed before the note is written.
    Commands and files in the text decide at which calls the note is shown; --when sets it.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """
    with open_app() as app:
        wanted = _choose_kind(kind, subtype)
        skill, project, everywhere = map(given.pop, ("skill", "project", "everywhere"))
        source = "agent" if as_agent else command_author()
        # what a person says of himself holds wherever he works, unless he says otherwise
        own = source == "user" and wanted == "preference"
        everywhere = everywhere or (own and not project)
        draft = Draft(
            kind=wanted,
            text=read_stdin() if text == "-" else text,
            scope=resolve_scope(app, skill=skill, project=project, everywhere=everywhere),
            source=source,
            subtype=subtype,
            trigger=parse_when(when),
            supersedes=find_only_note(app, supersedes).id if supersedes else "",
            **given,
        )
        outcome, unapproved = write_note(app, draft, keep_apart=keep_apart)
        embed_new_notes(app, tell=print_message)
    written = require_written(outcome)
    plain = {
        "outcome": _WORDS[type(written)],
        "note": note_json(written.note),
        "may_replace": written.note.replaced_id or None,
    }
    print_result(plain, [written.note.handle], talk=_talk(written), as_json=as_json)
    print_messages(approval_hint(unapproved))


def _choose_kind(named: str | None, subtype: str) -> Kind:
    """Return the kind that people name, or that a type belongs to."""
    if named and named != PLAIN:
        return parse_kind(named)
    return kind_for_subtype(subtype) if subtype else "lesson"


def _talk(outcome: Written) -> Iterator[str]:
    match outcome:
        case SeenAgain(note, "", _):
            yield f"known already; seen {note.sightings} times now"
            if note.status == "quarantined":
                yield f"shown to nobody: {note.reason}; see: twiceshy review"
        case SeenAgain(note, _, _):
            yield f"nearly the same as {note.handle}: {note.text}"
            yield "hint: the wording is kept with it; --new keeps yours as a note of its own"
        case Revised(note, _):
            yield f"now revision {note.revision}"
        case Superseding(_, old):
            yield f"noted; it replaces {old.handle}, which is retired: {flatten_text(old.text, limit=_WIDTH)}"
            yield f"hint: twiceshy restore {old.handle} keeps both"
        case Admitted(note) if note.status == "quarantined":
            yield f"noted, but shown to nobody: {note.reason}; see: twiceshy review"
        case Admitted(note) if asked := note.replaced_id:
            older = short_handle(asked)
            yield f"noted; it may replace {older}, and both are shown until you decide:"
            yield f"hint: twiceshy review --accept {note.handle} retires {older}; --keep {note.handle} keeps both"
        case _:
            yield "noted"

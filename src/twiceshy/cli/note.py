"""``twiceshy note``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from twiceshy.app import by_agent
from twiceshy.cli.opening import opened
from twiceshy.cli.options import TextCommand, json_option, scope_options, the_scope
from twiceshy.cli.output import approval_hint, note_json, say, show
from twiceshy.cli.reading import read_stdin
from twiceshy.core.admit import Admitted, Revised, Seen, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.note import KINDS, kind_of, kind_of_subtype
from twiceshy.notes.meaning import embed_new
from twiceshy.notes.naming import the_note
from twiceshy.notes.user_changes import write_note
from twiceshy.notes.write import require_written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.notes.write import Written

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
@click.option("--pin", "pinned", is_flag=True, help="Show it first.")
@click.option("--supersedes", default="", metavar="ID", help="The note it replaces.")
@click.option("--as-agent", is_flag=True, help="Say that an agent writes this, not you.")
@click.option("--new", "keep_apart", is_flag=True, help="Keep it even if a note says nearly this.")
@json_option
def command(
    *,
    text: str,
    kind: str | None,
    subtype: str,
    supersedes: str,
    as_agent: bool,
    keep_apart: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Write a note. TEXT - reads the text from stdin.

    A known note is counted, not stored twice. Secrets are removed before the note is written.

    Example: twiceshy note "Lock with uv lock --frozen before tagging" --skill release
    """
    with opened() as app:
        wanted = kind_of(kind) if kind else kind_of_subtype(subtype) if subtype else "lesson"
        skill, project, everywhere = map(given.pop, ("skill", "project", "everywhere"))
        # what is known about the user holds wherever he works, unless somebody says otherwise
        everywhere = everywhere or (wanted == "preference" and not project)
        draft = Draft(
            kind=wanted,
            text=read_stdin() if text == "-" else text,
            scope=the_scope(app, skill=skill, project=project, everywhere=everywhere),
            source="agent" if as_agent or (wanted == "rule" and by_agent()) else "user",
            subtype=subtype,
            supersedes=the_note(app, supersedes).id if supersedes else "",
            **given,
        )
        outcome, unapproved = write_note(app, draft, keep_apart=keep_apart)
        embed_new(app, tell=say)
    written = require_written(outcome)
    plain = {"outcome": _WORDS[type(written)], "note": note_json(written.note)}
    show(plain, [written.note.handle], talk=_talk(written), as_json=as_json)
    for hint in approval_hint(unapproved):
        say(hint)


def _talk(outcome: Written) -> Iterator[str]:
    match outcome:
        case Seen(note, "", _):
            yield f"known already; seen {note.sightings} times now"
        case Seen(note, _, _):
            yield f"nearly the same as {note.handle}: {note.text}"
            yield "hint: the wording is kept with it; --new keeps yours as a note of its own"
        case Revised(note, _):
            yield f"now revision {note.revision}"
        case Superseding(_, old):
            yield f"noted; {old.handle} is retired"
        case Admitted(note) if note.status == "quarantined":
            yield f"noted, but shown to nobody: {note.reason}; see: twiceshy review"
        case _:
            yield "noted"

"""fireworks' verbs for runtimes without hooks: ``inject`` and ``checkpoint``."""

from __future__ import annotations

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import notes_json, print_result
from twiceshy.interop.checkpoints import write_checkpoint
from twiceshy.interop.skill_notes import brief_skill, normalise_skill_name


@click.command("inject")
@click.option("--skill", required=True, metavar="S", help="The skill to use next.")
@click.option(
    "--top",
    type=click.IntRange(min=1, clamp=True),
    help="Maximum number of notes; default: brief.skill_notes_max, SKILLS_INJECT_TOP.",
)
@json_option
def inject(*, skill: str, top: int | None, as_json: bool) -> None:
    """Print the notes of a skill as plain text, for runtimes without hooks.

    The best notes come first; notes for all skills fill up the rest. Exit code 1 if there is
    nothing to print.

    Example: twiceshy inject --skill release
    """
    with open_app() as app:
        found, told, text = brief_skill(app, normalise_skill_name(skill), most=top)
    files = [{"path": file.path, "notes": len(file.notes)} for file in found.files]
    plain = {"skill": found.skill, "text": text, "notes": notes_json(told), "files": files}
    talk = found.list_remarks()
    if (more := len(found.list_notes) - len(told)) > 0:
        talk.append(f"known beyond these: {more}; see: twiceshy show --skill {found.skill}")
    print_result(plain, [text], talk=talk, as_json=as_json)


@click.command("checkpoint")
@click.option("--skill", required=True, metavar="S", help="The skill of the remark.")
@click.option("--note", "text", required=True, metavar="TEXT", help="Text of the remark.")
@json_option
def checkpoint(*, skill: str, text: str, as_json: bool) -> None:
    """Write a quick remark about a skill; flush later turns it into lessons.

    Agents do not see it before. Prints the id of the checkpoint; `show --skill S --checkpoints`
    lists all checkpoints. Secrets are removed before it is written.

    Example: twiceshy checkpoint --skill release --note "The tag was on an old commit again"
    """
    with open_app() as app:
        made, kept = write_checkpoint(app, normalise_skill_name(skill), text)
    plain = {"id": made.key, "skill": made.skill, "note": made.excerpt, "kept": kept}
    said = "written down" if kept == "stored" else "the store is busy; kept beside it"
    print_result(plain, [made.key], talk=[said], as_json=as_json)

"""``twiceshy export``."""

import os
import sys

import click

from twiceshy.app import App
from twiceshy.cli.options import open_app, resolve_project
from twiceshy.cli.output import print_message, print_worded
from twiceshy.cli.progress import show_progress
from twiceshy.core.errors import BundleError
from twiceshy.interop.exports import FORMS
from twiceshy.notes.find_by_name import find_known_skill
from twiceshy.sync import bundle


@click.command("export")
@click.argument("file", default="-", metavar="[FILE|-|DIR]")
@click.option(
    "--as", "form", type=click.Choice(list(FORMS)), help="Write files of another memory system."
)
@click.option("--notes-only", is_flag=True, help="Only the current notes, without history.")
@click.option("--project", metavar="P", help="Only this project: a path, name or id.")
@click.option("--skill", metavar="S", help="Only this skill.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def command(
    *,
    file: str,
    form: str | None,
    notes_only: bool,
    project: str | None,
    skill: str | None,
    force: bool,
) -> None:
    """Write a bundle of the whole store: JSON lines that git can compare.

    The same store gives the same bytes. All text is redacted again on export. With --as, write the
    visible notes into a new folder DIR in the layout of another memory system; notes without a
    place in that layout are counted, and only a bundle holds everything.

    Example: twiceshy export notes.jsonl
    """
    if form and (file == "-" or notes_only or force):
        raise click.UsageError("--as needs a new folder, and neither --notes-only nor --force")
    if not form and file != "-" and not force and os.path.lexists(file):
        raise BundleError(f"{file} exists already", hint="choose another name, or add --force")
    if file == "-" and sys.stdout is None:
        raise BundleError("cannot write the output: it is closed", hint="give the name of a FILE")
    with open_app() as app:
        where = resolve_project(app, project) if project else None
        about = find_known_skill(app, skill) if skill else None
        if form:
            _export_layout(app, form, file, where, about)
            return
        write = bundle.write_notes if notes_only else bundle.write_history
        lines = write(
            app, projects=app.store.list_project_ids(where) if where else None, skill=about
        )
        standing = app.store.summarise_store()
        total = sum(standing.notes.values()) if notes_only else standing.entries + standing.signals
        shown = show_progress(lines, "exporting", total=total)
        if file == "-":
            for line in shown:  # bytes, because the terminal's encoding is not a bundle's
                click.echo(line, nl=False)
        else:
            count = bundle.save_lines(shown, os.path.realpath(file))
            print_message(f"wrote {count} lines to {file}")


def _export_layout(
    app: App, form: str, folder: str, project: str | None, skill: str | None
) -> None:
    """Write the layout of another memory system, and report omitted kinds."""
    from twiceshy.interop.exports.export import export_layout

    done = export_layout(app, form, folder, project=project, skill=skill)
    print_worded(
        "{notes} notes in {files} files, as {title} has them, in {folder}",
        notes=done.notes,
        files=done.files,
        title=FORMS[form],
        folder=folder,
    )
    if done.held:
        print_worded(
            "marked as held back: {count}; agents here are not told these until you decide: twiceshy review",
            count=done.held,
        )
    if done.kept_back:
        print_worded(
            "left out, for an agent asked: {count} that wait; a person gets them, marked",
            count=done.kept_back,
        )
    for row in done.refused:
        print_worded("not written: {row}; a bundle holds what is known of it", row=row)
    if done.left_out:
        kinds = ", ".join(f"{count} {kind}" for kind, count in done.left_out.items())
        print_worded("no place there for: {kinds}; a bundle holds them all", kinds=kinds)

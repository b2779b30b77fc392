"""``twiceshy export``."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import the_project
from twiceshy.cli.output import say
from twiceshy.core.errors import BundleError
from twiceshy.files.replace import replace_file
from twiceshy.interop.exports import FORMS
from twiceshy.notes.naming import known_skill
from twiceshy.sync import bundle
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

_SHORT_WAIT = 1.0  # seconds that nobody needs to be told about


@click.command("export")
@click.argument("file", default="-", metavar="[FILE|-|DIR]")
@click.option("--as", "form", type=click.Choice(list(FORMS)), help="As files of another memory.")
@click.option("--notes-only", is_flag=True, help="The notes as they are now, without history.")
@click.option("--project", metavar="P", help="Only of this project: a path, name or id.")
@click.option("--skill", metavar="S", help="Only of this skill.")
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
    """Write a bundle: everything this store knows, as lines of JSON that git can compare.

    The same store gives the same bytes. All text is redacted once more on its way out. With --as,
    what is shown is written into a new folder DIR instead, in the layout of another memory; what
    that one has no place for is counted, and only a bundle holds all.

    Example: twiceshy export notes.jsonl
    """
    if form:
        _leave(form, file, notes_only=notes_only, project=project, skill=skill, force=force)
        return
    if file != "-" and not force and os.path.lexists(file):
        raise BundleError(f"{file} exists already", hint="choose another name, or add --force")
    with opened() as app:
        write = bundle.notes if notes_only else bundle.history
        lines = write(
            app.store,
            redact=app.redact,
            projects=app.store.same_project(the_project(app, project)) if project else None,
            skill=known_skill(app, skill) if skill else None,
        )
        standing = app.store.standing()
        total = sum(standing.notes.values()) if notes_only else standing.entries + standing.signals
        shown = watched(lines, "exporting", total=total)
        if file == "-":
            _print(shown)
        else:
            count = _save(shown, os.path.realpath(file))
            say(f"wrote {count} lines to {file}")


def _leave(
    form: str,
    folder: str,
    *,
    notes_only: bool,
    project: str | None,
    skill: str | None,
    force: bool,
) -> None:
    """Write the layout of another memory, and say what it has no place for."""
    if folder == "-" or notes_only or force:
        raise click.UsageError("--as needs a new folder, and neither --notes-only nor --force")
    from twiceshy.interop.exports.exporting import export

    with opened() as app:
        done = export(
            app,
            form,
            folder,
            project=the_project(app, project) if project else None,
            skill=known_skill(app, skill) if skill else None,
        )
    say(
        worded(
            "{notes} notes in {files} files, as {title} has them, in {folder}",
            notes=done.notes,
            files=done.files,
            title=FORMS[form],
            folder=folder,
        )
    )
    if done.left_out:
        kinds = ", ".join(f"{count} {kind}" for kind, count in done.left_out.items())
        say(worded("no place there for: {kinds}; a bundle holds them all", kinds=kinds))


def watched(
    items: Iterable[T], label: str, *, total: int, weigh: Callable[[T], int] = lambda _: 1
) -> Iterator[T]:
    """Pass items on; if it takes longer than a moment, show someone at a terminal how far it is."""
    start, done = time.monotonic(), 0
    rest = iter(items)
    for item in rest:
        yield item
        done += weigh(item)
        if total and time.monotonic() - start > _SHORT_WAIT and sys.stderr.isatty():
            break
    else:
        return
    with click.progressbar(length=max(total, done), label=label, file=sys.stderr) as bar:
        bar.update(done)
        for item in rest:
            yield item
            bar.update(weigh(item))


def _print(lines: Iterable[bytes]) -> None:
    for line in lines:  # bytes, because the terminal's encoding is not a bundle's
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _save(lines: Iterable[bytes], path: str) -> int:
    """Write a file that only its owner can read, whole or not at all."""
    count = 0

    def counted() -> Iterator[bytes]:
        nonlocal count
        for count, line in enumerate(lines, start=1):  # noqa: B007 - the last number is returned
            yield line

    try:
        replace_file(path, counted(), durable=True)
    except OSError as error:
        raise BundleError(
            f"cannot write {path}: {error.strerror}", hint="choose another place"
        ) from error
    return count

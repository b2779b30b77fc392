"""Find the file of instructions that a patch is for, and print the patch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.cli.output import say
from twiceshy.core.errors import NoteError, NotFoundError
from twiceshy.notes.rule_patch import patch

if TYPE_CHECKING:
    from twiceshy.app import App
    from twiceshy.core.note import Note

_SKILL_FILE = "SKILL.md"


def print_patch(app: App, note: Note, into: str) -> None:
    """Print a diff that adds a rule to a file, named as seen from the folder it says on stderr."""
    if note.kind != "rule":
        raise NoteError(
            f"{note.handle} is a {note.kind}, not a rule",
            hint="write it as one first: twiceshy note --kind rule",
        )
    path = os.path.realpath(_path(app, note, into))  # a patch cannot be applied through a link
    root = os.path.realpath(app.here().root or app.cwd)
    if os.path.commonpath((root, path)) != root:
        root = os.path.dirname(path)
    diff = patch(os.path.relpath(path, root), _content(path), note)
    if not diff:
        say(f"{path} has this rule already")
        return
    click.echo(diff, nl=False)
    say(f"nothing was written; in {root}, append: | git apply, or: | patch -p1")


def _path(app: App, note: Note, into: str) -> str:
    """Return the file that a name means: the skill's own, one of the project, or the one at a path."""
    if into == _SKILL_FILE and note.scope.skill:
        from twiceshy.places import skill as skills

        found = skills.find(note.scope.skill, app.around(app.here().root))
        if found is None:
            raise NotFoundError(
                f"the skill {note.scope.skill!r} is nowhere to be seen from here",
                hint=f"give the path of its {_SKILL_FILE}",
            )
        return found.path
    if os.path.basename(into) == into and not os.path.exists(os.path.join(app.cwd, into)):
        return os.path.join(app.here().root or app.cwd, into)
    return os.path.join(app.cwd, into)


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotFoundError(
            f"cannot read {path}: {error.strerror}", hint="give the path of a Markdown file"
        ) from error

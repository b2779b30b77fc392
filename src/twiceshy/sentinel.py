"""Small files that say what a call must hold to be worth a look, one for each project.

Before almost every call there is nothing to say. The hook finds that out by looking for a few words in
the payload's bytes, without opening the store. Each line names words that must all be there; a file for
each directory that a session began in says which project that is.
"""

from __future__ import annotations

import os

from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.trigger import parsed
from twiceshy.core.watchword import FOLDER, name_of, watchwords

_GIT_SECONDS = 0.1

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App


def post(app: App, project: str) -> None:
    """Write down what calls in a project must hold to be worth a look, as things stand."""
    triggers = map(parsed, app.store.triggers((*app.store.same_project(project), EVERYWHERE)))
    lines = {watchwords(trigger) for trigger in triggers if trigger}
    lines.update(_guarded(app, project))
    _put(app.config.home, name_of(project.encode()), b"".join(sorted(lines)))


def point(app: App, cwd: str, project: str) -> None:
    """Say for a directory which project's calls are made in it, and what they must hold by now.

    Notes change while nobody works in a project: people edit them, and other devices send theirs.
    """
    post(app, project)
    _put(app.config.home, name_of(os.fsencode(cwd)), name_of(project.encode()).encode())


def _guarded(app: App, project: str) -> list[bytes]:
    """Return the lines for what the guards look at: names of files, and pushes under any name."""
    if app.config.text("guards.mode") == "off":
        return []
    from twiceshy.core.guard import needles  # noqa: PLC0415 - most hooks post nothing
    from twiceshy.projects.repository import has_aliases  # noqa: PLC0415 - the same

    _, root = app.store.projects().get(project, ("", ""))
    aliases: list[str] = []
    if root and has_aliases(root):
        from twiceshy.projects.outgoing import pushing_aliases  # noqa: PLC0415 - it starts git

        aliases = pushing_aliases(root, patience=_GIT_SECONDS)
    return needles(app.config.items("guards.protected"), aliases)


def _put(home: str, name: str, content: bytes) -> None:
    path = os.path.join(home, FOLDER, name)
    if _holds(path, content):
        return
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    draft = f"{path}.{os.getpid()}"
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    os.replace(draft, path)


def _holds(path: str, content: bytes) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(content) + 1) == content

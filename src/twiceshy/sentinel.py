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

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import App


def post(app: App, project: str) -> None:
    """Write down what calls in a project must hold to be worth a look, as things stand."""
    triggers = map(parsed, app.store.triggers((*app.store.same_project(project), EVERYWHERE)))
    lines = sorted({watchwords(trigger) for trigger in triggers if trigger})
    _put(app.config.home, name_of(project.encode()), b"".join(lines))


def point(app: App, cwd: str, project: str) -> None:
    """Say for a directory which project's calls are made in it, and what they must hold by now.

    Notes change while nobody works in a project: people edit them, and other devices send theirs.
    """
    post(app, project)
    _put(app.config.home, name_of(os.fsencode(cwd)), name_of(project.encode()).encode())


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

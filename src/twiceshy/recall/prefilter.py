"""Prefilter files: words a payload must contain to matter, per project.

Before almost every call there is nothing to tell. The hook finds out by searching a few
words in the payload's bytes, without opening the store. A line names words that must all be
present; a file per session directory names its project.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import FOLDER, OURS, name_of, watchwords
from twiceshy.core.scope import EVERYWHERE
from twiceshy.core.trigger import parsed

_GIT_SECONDS = 0.1
_AS_OF = ".as-of"

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.app import HookApp


def post(app: HookApp, project: str) -> None:
    """Write the prefilter file of a project."""
    as_of = _as_of(app)
    triggers = map(parsed, app.store.triggers((*app.store.same_project(project), EVERYWHERE)))
    lines = {watchwords(trigger) for trigger in triggers if trigger}
    lines.update(_guarded(app, project))
    lines.update(OURS)
    if app.config.flag("keeper.banner"):
        lines.add(b"\n")  # it counts every call
    name = name_of(project.encode())
    _put(app.config.home, name, b"".join(sorted(lines)))
    _put(app.config.home, name + _AS_OF, as_of)


def point(app: HookApp, cwd: str, project: str) -> None:
    """Write the directory file of a session, and renew the project's prefilter.

    Notes change while nobody works in a project: people edit, and other devices sync.
    """
    name = name_of(project.encode())
    path = os.path.join(app.config.home, FOLDER, name)
    if not (os.path.isfile(path) and _holds(path + _AS_OF, _as_of(app))) or _aliased(app, project):
        post(app, project)
    _put(app.config.home, name_of(os.fsencode(cwd)), name.encode())


def _as_of(app: HookApp) -> bytes:
    """Return a key of every input of the prefilter: journal and guard settings."""
    config = app.config
    guarded = "\x1f".join((config.text("guards.mode"), *config.items("guards.protected")))
    parts = (app.store.mark(), config.flag("keeper.banner"), name_of(guarded.encode()))
    return " ".join(map(str, parts)).encode()


def _aliased(app: HookApp, project: str) -> bool:
    """True if git aliases may hide a push here."""
    _, root = app.store.projects().get(project, ("", ""))
    if not root or app.config.text("guards.mode") == "off":
        return False
    from twiceshy.places.repository import has_aliases

    return has_aliases(root)


def _guarded(app: HookApp, project: str) -> list[bytes]:
    """Return prefilter lines of the guards: file names, and pushes by any name."""
    if app.config.text("guards.mode") == "off":
        return []
    from twiceshy.safety.guard import needles

    aliases: list[str] = []
    if _aliased(app, project):
        from twiceshy.places.git_outgoing import pushing_aliases

        _, root = app.store.projects()[project]
        aliases = pushing_aliases(root, patience=_GIT_SECONDS)
    return needles(app.config.items("guards.protected"), aliases)


def _put(home: str, name: str, content: bytes) -> None:
    path = os.path.join(home, FOLDER, name)
    if _holds(path, content):
        return
    from twiceshy.files.replace import replace_file

    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    replace_file(path, content)


def _holds(path: str, content: bytes) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(content) + 1) == content

"""Prefilter files: words a payload must contain to matter, per project.

Before almost every call there is nothing to tell. The hook finds out by searching a few
words in the payload's bytes, without opening the store. A line names words that must all be
present; a file per session directory names its project.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import (
    FOLDER,
    OURS,
    STRICT,
    hash_name,
    name_watch_file,
    required_words,
)
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.trigger import parse_trigger

_GIT_SECONDS = 1.0
_AS_OF = ".as-of"

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.app import HookApp


def write_prefilter(app: HookApp, project: str) -> None:
    """Write the prefilter file of a project."""
    clock = app.store.read_journal_clock()  # before all that is read: what comes later is news
    repeated = _repeated_lines(app, EVERYWHERE)
    _write_file(app.config.home, _name_global(), b"".join(sorted(repeated)))
    as_of = _state_key(app, clock)
    if _may_intervene(app):
        repeated |= _repeated_lines(app, *app.store.list_project_ids(project))
    else:
        repeated = set()
    name = name_watch_file(project.encode(), os.environ)
    files = {
        STRICT: _strict_lines(app, project),
        "": repeated.union(_told_lines(app, project), _guard_lines(app, project), OURS),
    }
    for suffix, lines in files.items():
        _write_file(app.config.home, name + suffix, b"".join(sorted(lines)))
    _write_file(app.config.home, name + _AS_OF, as_of)


def point_directory(app: HookApp, cwd: str, project: str) -> None:
    """Write the directory file of a session, and renew the project's prefilter.

    Notes change while nobody works in a project: people edit, and other devices sync.
    """
    name = name_watch_file(project.encode(), os.environ)
    path = os.path.join(app.config.home, FOLDER, name)
    as_of = _state_key(app, app.store.read_journal_clock())
    if not (os.path.isfile(path) and _has_content(path + _AS_OF, as_of)) or _has_push_aliases(
        app, project
    ):
        write_prefilter(app, project)
    pointer = name_watch_file(os.fsencode(cwd), os.environ)
    _write_file(app.config.home, pointer, name.encode())


def _told_lines(app: HookApp, project: str) -> set[bytes]:
    """Return the lines of notes that are told about a pending call, and of all calls if counted."""
    projects = (*app.store.list_project_ids(project), EVERYWHERE)
    stated = app.store.match_triggers(projects, which="stated")
    lines = {required_words(match.trigger) for match in stated}
    return lines | {b"\n"} if app.config.flag("keeper.banner") else lines


def _repeated_lines(app: HookApp, *projects: str) -> set[bytes]:
    """Return the lines of lessons that may stop or rewrite a call; failures tell all others."""
    from twiceshy.recall.stop_call import may_intervene

    matches = app.store.match_triggers(projects, which="repeated")
    return {required_words(match.trigger) for match in matches if may_intervene(match)}


def _may_intervene(app: HookApp) -> bool:
    """True if the user lets lessons stop or rewrite calls."""
    return app.config.text("stops.mode") != "off" or app.config.flag("rewrites.on")


def _state_key(app: HookApp, clock: int) -> bytes:
    """Return a key of every input of the prefilter: journal, settings, global lessons.

    A session of another project may add to the failures of a global lesson; failures of the
    project's own lessons are counted by its own sessions, which write the prefilter anew.
    """
    config = app.config
    try:
        file = os.stat(os.path.join(config.home, FOLDER, _name_global()))
        counted = f"{file.st_mtime_ns}.{file.st_size}"
    except OSError:
        counted = ""
    modes = (config.text("guards.mode"), config.text("guards.push_secrets"))
    signed = [one.mac for one in app.store.list_signatures().values()] if _has_rules(app) else []
    guarded = "\x1f".join((*modes, *config.items("guards.protected"), *signed))
    parts = (
        clock,
        config.flag("keeper.banner"),
        _may_intervene(app),
        counted,
        hash_name(guarded.encode()),
    )
    return " ".join(map(str, parts)).encode()


def _strict_lines(app: HookApp, project: str) -> set[bytes]:
    """Return the lines of rules and guards that stop calls; they hold even without a store."""
    config = app.config
    lines = _rule_lines(app, project) if _has_rules(app) else set()
    if config.text("guards.mode") in ("ask", "deny"):
        return lines.union(_guard_lines(app, project))
    if config.text("guards.push_secrets") in ("ask", "deny"):
        lines.update(_guard_lines(app, project, protected=()))
    return lines


def _has_rules(app: HookApp) -> bool:
    """True if a rule was approved on this device, ever."""
    return os.path.exists(os.path.join(app.config.home, "rules.key"))


def _rule_lines(app: HookApp, project: str) -> set[bytes]:
    from twiceshy.recall.rules import list_binding_rules

    scope = Scope(project, NO_SKILL)
    rules = list_binding_rules(app.store, scope, app.rule_key, any_skill=True)
    triggers = [parse_trigger(note.trigger) for note, act in rules if act != "tell"]
    return {required_words(trigger) for trigger in triggers if trigger}


def _name_global() -> str:
    """Return the file of global lessons that may stop a call."""
    return name_watch_file(EVERYWHERE.encode(), os.environ)


def _has_push_aliases(app: HookApp, project: str) -> bool:
    """True if git aliases may hide a push here."""
    _, root = app.store.list_projects().get(project, ("", ""))
    if not root or app.config.text("guards.mode") == "off":
        return False
    from twiceshy.places.repository import may_have_aliases

    return may_have_aliases(root)


def _guard_lines(
    app: HookApp, project: str, *, protected: Sequence[str] | None = None
) -> list[bytes]:
    """Return prefilter lines of the guards: file names, and pushes by any name."""
    if app.config.text("guards.mode") == "off":
        return []
    from twiceshy.safety.guard import list_prefilter_lines

    aliases: list[str] = []
    if _has_push_aliases(app, project):
        from twiceshy.places.git_push import list_push_aliases

        _, root = app.store.list_projects()[project]
        aliases = list_push_aliases(root, patience=_GIT_SECONDS)
    names = app.config.items("guards.protected") if protected is None else protected
    return list_prefilter_lines(names, aliases)


def _write_file(home: str, name: str, content: bytes) -> None:
    path = os.path.join(home, FOLDER, name)
    if _has_content(path, content):
        return
    from twiceshy.files.replace import replace_file

    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    replace_file(path, content)


def _has_content(path: str, content: bytes) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(content) + 1) == content

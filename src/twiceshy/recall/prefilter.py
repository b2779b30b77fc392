"""Prefilter files: words a payload must contain to matter, per project.

Before almost every call there is nothing to tell. The hook finds out by searching a few
words in the payload's bytes, without opening the store. A line names words that must all be
present; a file per session directory names its project.
"""

from __future__ import annotations

import os

from twiceshy.core.prefilter_words import FOLDER, OURS, STRICT, hash_name, required_words
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
    as_of = _state_key(app)
    projects = (*app.store.list_project_ids(project), EVERYWHERE)
    lines = {required_words(match.trigger) for match in app.store.match_triggers(projects)}
    lines.update(_guard_lines(app, project))
    lines.update(OURS)
    if app.config.flag("keeper.banner"):
        lines.add(b"\n")  # it counts every call
    name = hash_name(project.encode())
    _write_file(app.config.home, name + STRICT, b"".join(sorted(_strict_lines(app, project))))
    _write_file(app.config.home, name, b"".join(sorted(lines)))
    _write_file(app.config.home, name + _AS_OF, as_of)


def point_directory(app: HookApp, cwd: str, project: str) -> None:
    """Write the directory file of a session, and renew the project's prefilter.

    Notes change while nobody works in a project: people edit, and other devices sync.
    """
    name = hash_name(project.encode())
    path = os.path.join(app.config.home, FOLDER, name)
    if not (
        os.path.isfile(path) and _has_content(path + _AS_OF, _state_key(app))
    ) or _has_push_aliases(app, project):
        write_prefilter(app, project)
    _write_file(app.config.home, hash_name(os.fsencode(cwd)), name.encode())


def _state_key(app: HookApp) -> bytes:
    """Return a key of every input of the prefilter: journal and guard settings."""
    config = app.config
    modes = (config.text("guards.mode"), config.text("guards.push_secrets"))
    signed = [one.mac for one in app.store.list_signatures().values()] if _has_rules(app) else []
    guarded = "\x1f".join((*modes, *config.items("guards.protected"), *signed))
    parts = (
        app.store.read_journal_clock(),
        config.flag("keeper.banner"),
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

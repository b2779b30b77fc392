"""Examine machine, settings, store, rules, and connections."""

from __future__ import annotations

import os
import sys

from twiceshy.core.errors import StoreError
from twiceshy.core.store import Finding
from twiceshy.notes.approve import standing
from twiceshy.notes.naming import list_handles
from twiceshy.store.connect import SQLITE_VERSION
from twiceshy.store.health import open_to_others
from twiceshy.upkeep.hook_health import hook_findings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from twiceshy.app import App
    from twiceshy.config.resolved import Config

    Look = Callable[[App], Finding]

_VERBS = {"tell": "told", "ask": "that ask", "deny": "that deny"}


def examine(
    config: Config,
    open_store: Callable[[Config], AbstractContextManager[App]],
    *,
    looks: Iterable[Look] = (),
    repair: Callable[[App], object] | None = None,
) -> Iterator[Finding]:
    """Yield a finding per examination; ``looks`` add findings about the store."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", f"Python {python}, SQLite {SQLITE_VERSION}")
    yield Finding("home", "ok", config.home)
    for problem in config.problems:
        yield Finding("settings", "warning", problem, "see: twiceshy config --explain")
    try:
        with open_store(config) as app:
            if repair:
                repair(app)
            yield from _examine_store(app, looks)
    except StoreError as error:
        yield Finding("store", "broken", str(error), error.hint)
    yield from hook_findings(config)


def close_to_others(app: App) -> None:
    """Remove permissions of other users from the store's files."""
    for path in list(open_to_others(app.config.store)):
        os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def examine_rules(app: App) -> Finding:
    """Report approved rules, and rules without effect."""
    key = app.rule_key()
    rules = standing(app.store, key=key)
    left_out = [
        f"{list_handles(notes)} {what}"
        for notes, what in (
            (rules.changed, "changed since you approved"),
            (rules.unsigned, "not approved on this device"),
        )
        if notes
    ]
    if left_out:
        without = "" if key else "; there is no key to check them with"
        said = f"left out, not shown: {'; '.join(left_out)}{without}"
        return Finding("rules", "warning", said, "twiceshy review")
    acts = [act for _, act in rules.approved]
    more = ", ".join(f"{acts.count(act)} {verb}" for act, verb in _VERBS.items() if act in acts)
    return Finding("rules", "ok", f"{len(acts)} signed" + (f": {more}" if more else ""))


def _examine_store(app: App, looks: Iterable[Look]) -> Iterator[Finding]:
    found = list(app.store.health())
    yield from found
    unreadable = [one for one in found if one.what in ("integrity", "schema")]
    if not any(one.verdict == "broken" for one in unreadable):
        yield examine_rules(app)
        yield from (look(app) for look in looks)
    if app.store.read_only:
        yield Finding("fence", "warning", app.store.read_only, "upgrade twiceshy")

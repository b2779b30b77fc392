"""Examine machine, settings, store, rules, and connections."""

from __future__ import annotations

import os
import sys

from twiceshy.core.errors import StoreError
from twiceshy.core.store import HealthFinding
from twiceshy.notes.approve import sort_active_rules
from twiceshy.notes.find_by_name import list_handles
from twiceshy.store.connect import SQLITE_VERSION
from twiceshy.store.health import list_exposed_files
from twiceshy.upkeep.hook_health import hook_findings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from twiceshy.app import App
    from twiceshy.config.resolved import Config

    Look = Callable[[App], HealthFinding]

_VERBS = {"tell": "told", "ask": "that ask", "deny": "that deny"}


def examine_memory(
    config: Config,
    open_store: Callable[[Config], AbstractContextManager[App]],
    *,
    looks: Iterable[Look] = (),
    repair: Callable[[App], object] | None = None,
) -> Iterator[HealthFinding]:
    """Yield a finding per examination; ``looks`` add findings about the store."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield HealthFinding("python", "ok", f"Python {python}, SQLite {SQLITE_VERSION}")
    yield HealthFinding("home", "ok", config.home)
    for problem in config.problems:
        yield HealthFinding("settings", "warning", problem, "see: twiceshy config --explain")
    try:
        with open_store(config) as app:
            if repair:
                repair(app)
            yield from _examine_store(app, looks)
    except StoreError as error:
        yield HealthFinding("store", "broken", str(error), error.hint)
    yield from hook_findings(config)


def close_to_others(app: App) -> None:
    """Remove permissions of other users from the store's files."""
    for path in list(list_exposed_files(app.config.store)):
        os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)


def examine_rules(app: App) -> HealthFinding:
    """Report approved rules, and rules without effect."""
    key = app.rule_key()
    rules = sort_active_rules(app.store, key=key)
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
        return HealthFinding("rules", "warning", said, "twiceshy review")
    acts = [act for _, act in rules.approved]
    more = ", ".join(f"{acts.count(act)} {verb}" for act, verb in _VERBS.items() if act in acts)
    return HealthFinding("rules", "ok", f"{len(acts)} signed" + (f": {more}" if more else ""))


def _examine_store(app: App, looks: Iterable[Look]) -> Iterator[HealthFinding]:
    found = list(app.store.check_health())
    yield from found
    unreadable = [one for one in found if one.what in ("integrity", "schema")]
    if not any(one.verdict == "broken" for one in unreadable):
        yield examine_rules(app)
        yield from (look(app) for look in looks)
    if app.store.read_only:
        yield HealthFinding("fence", "warning", app.store.read_only, "upgrade twiceshy")

"""``twiceshy doctor``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli.approval import rules_finding
from twiceshy.cli.hook_health import hook_findings
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, say
from twiceshy.cli.waiting import waiting_finding
from twiceshy.core.errors import StoreError
from twiceshy.core.store import Finding
from twiceshy.store.connect import SQLITE_VERSION
from twiceshy.store.health import open_to_others

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.app import App
    from twiceshy.config.resolved import Config

_MARKS = {"ok": "ok", "warning": "WARNING", "broken": "BROKEN"}


@click.command("doctor")
@click.option("--repair", is_flag=True, help="Mend what can be mended: indexes, modes, damage.")
@json_option
def command(*, repair: bool, as_json: bool) -> int:
    """Check that everything is sound, and say what to do where it is not.

    Changes nothing without --repair. Exit code 1 when something is broken.

    Example: twiceshy doctor
    """
    config = settings()
    findings = [*_machine(config), *_store(config, repair=repair), *hook_findings(config)]
    if as_json:
        print_json([finding.fields() for finding in findings])
    else:
        for finding in findings:
            click.echo(f"{_MARKS[finding.verdict]:<8} {finding.what}: {finding.message}")
            if finding.hint:
                click.echo(f"         hint: {finding.hint}")
    return 1 if any(finding.verdict == "broken" for finding in findings) else 0


def _machine(config: Config) -> Iterator[Finding]:
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", f"Python {python}, SQLite {SQLITE_VERSION}")
    yield Finding("home", "ok", config.home)
    for problem in config.problems:
        yield Finding("settings", "warning", problem, "see: twiceshy config --explain")


def _store(config: Config, *, repair: bool) -> Iterator[Finding]:
    try:
        with opened(config) as app:
            if repair:
                _repair(app)
            found = list(app.store.health())
            yield from found
            unreadable = [one for one in found if one.what in ("integrity", "schema")]
            if not any(one.verdict == "broken" for one in unreadable):
                yield rules_finding(app)
                yield waiting_finding(app)
            if app.store.read_only:
                yield Finding("fence", "warning", app.store.read_only, "upgrade twiceshy")
    except StoreError as error:
        yield Finding("store", "broken", str(error), error.hint)


def _repair(app: App) -> None:
    for path in list(open_to_others(app.config.store)):
        os.chmod(path, 0o700 if os.path.isdir(path) else 0o600)
    total = app.store.standing().entries
    with click.progressbar(
        app.store.rebuild(), length=total, label="rebuilding", file=sys.stderr
    ) as ids:
        count = sum(1 for _ in ids)
    say(f"rebuilt {count} notes and episodes from the journal")

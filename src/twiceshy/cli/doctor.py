"""``twiceshy doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import say, show
from twiceshy.cli.progress import count_through
from twiceshy.interop.imports.in_place import waiting_finding
from twiceshy.upkeep.doctor import close_to_others, examine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.app import App
    from twiceshy.core.store import Finding

_MARKS = {"ok": "ok", "warning": "WARNING", "broken": "BROKEN"}


@click.command("doctor")
@click.option("--repair", is_flag=True, help="Mend what can be mended: indexes, modes, damage.")
@json_option
def command(*, repair: bool, as_json: bool) -> int:
    """Check the installation and the store, and suggest fixes.

    Changes nothing without --repair. Exit code 1 if something is broken.

    Example: twiceshy doctor
    """
    mend = _repair if repair else None
    findings = list(examine(settings(), opened, looks=(waiting_finding,), repair=mend))
    show([finding.fields() for finding in findings], _lines(findings), as_json=as_json)
    return 1 if any(finding.verdict == "broken" for finding in findings) else 0


def _lines(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{_MARKS[finding.verdict]:<8} {finding.what}: {finding.message}"
        if finding.hint:
            yield f"         hint: {finding.hint}"


def _repair(app: App) -> None:
    close_to_others(app)
    total = app.store.standing().entries
    count = count_through(app.store.rebuild(), "rebuilding", total=total)
    say(f"rebuilt {count} notes and episodes from the journal")

"""``twiceshy doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from twiceshy.app import App, load_settings
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import print_message, print_result
from twiceshy.cli.progress import count_with_progress
from twiceshy.core.store import HealthFinding
from twiceshy.interop.imports.in_place import waiting_finding
from twiceshy.upkeep.doctor import close_to_others, examine_memory

_MARKS = {"ok": "ok", "warning": "WARNING", "broken": "BROKEN"}


@click.command("doctor")
@click.option("--repair", is_flag=True, help="Repair indexes, file modes and damage.")
@json_option
def command(*, repair: bool, as_json: bool) -> int:
    """Check the installation and the store, and suggest fixes.

    Changes nothing without --repair. Exit code 1 if something is broken.

    Example: twiceshy doctor
    """
    mend = _repair_store if repair else None
    findings = list(
        examine_memory(load_settings(), open_app, looks=(waiting_finding,), repair=mend)
    )
    print_result(
        [finding.fields() for finding in findings], _format_findings(findings), as_json=as_json
    )
    return 1 if any(finding.verdict == "broken" for finding in findings) else 0


def _format_findings(findings: Sequence[HealthFinding]) -> Iterator[str]:
    for finding in findings:
        yield f"{_MARKS[finding.verdict]:<8} {finding.what}: {finding.message}"
        if finding.hint:
            yield f"         hint: {finding.hint}"


def _repair_store(app: App) -> None:
    close_to_others(app)
    total = app.store.summarise_store().entries
    count = count_with_progress(app.store.rebuild_derived(), "rebuilding", total=total)
    print_message(f"rebuilt {count} notes and episodes from the journal")

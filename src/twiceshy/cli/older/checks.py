"""``twiceshy check``, ``memory-health`` and ``full-check``: one audit at three depths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from twiceshy.app import load_settings
from twiceshy.cli.audit_view import audit_json, finding_json
from twiceshy.cli.older.health_view import format_health, health_json
from twiceshy.cli.options import combine_options, json_option, open_app, project_option
from twiceshy.cli.output import flatten_text, print_json, print_worded
from twiceshy.cli.progress import announced
from twiceshy.project.audit import list_areas
from twiceshy.project.audit.facts import AREAS
from twiceshy.project.audit.wording import describe_action, describe_finding, describe_verdict
from twiceshy.upkeep.doctor import audit_project
from twiceshy.wording import worded

if TYPE_CHECKING:
    from twiceshy.project.audit.facts import Area, AuditFinding, AuditResult, Depth

_FEW = 10  # findings of one sort; all of them are in --json

_audit_options = combine_options(
    project_option,
    click.option("--strict", is_flag=True, help="Exit with 1 for warnings as well."),
    json_option,
)


@click.command("check")
@click.argument("area", required=False, type=click.Choice(list_areas("quick")))
@_audit_options
def check(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Check pages, commands, hooks and instruction files; change nothing.

    OK, WARNING or BROKEN: pages that are empty, too large (above 200 lines) or linked from
    nowhere; a hub (MEMORY.md) of 170 lines or more; dead links; duplicate notes; hooks and
    commands that cannot run. Also checks the memory folder of Claude Code. Exit code 1 if
    something is broken; with --strict also for warnings.

    Example: twiceshy check memory
    """
    return _show_audit("quick", area, project, strict=strict, as_json=as_json)


@click.command("full-check")
@click.argument("area", required=False, type=click.Choice(list_areas("full")))
@_audit_options
def full_check(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Check everything that `check` does and duplicated content; change nothing.

    CLEAN, ORPHAN, FAT, STALE, DUPLICATE, CONFLICT, BROKEN, DIRTY or BEHIND: also near-duplicate or
    contradicting notes, lines shared by CLAUDE.md and pages, skills and their references, missing
    vectors, and the git status of this project, without contacting a remote. Exit code 1 if
    something is broken; with --strict also for warnings.

    Example: twiceshy full-check git
    """
    return _show_audit("full", area, project, strict=strict, as_json=as_json)


@click.command("memory-health")
@_audit_options
def memory_health(*, project: str | None, strict: bool, as_json: bool) -> int:
    """List pages and skills with their problems, and counts; change nothing.

    A page is stale after 30 days without a change and too large above 200 lines. A skill is
    crowded above 100 notes, and one-sided if it has more than 20 notes and over 30 % are gotchas.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy memory-health --json
    """
    return _show_audit("health", None, project, strict=strict, as_json=as_json)


def _show_audit(
    depth: Depth, area: Area | None, project: str | None, *, strict: bool, as_json: bool
) -> int:
    """Audit an area, or every area; print what a depth shows, return the exit code."""
    done = _audit_areas(area, project)
    shown = done.list_shown(depth)
    if as_json:
        about = {"project": done.here.id, "root": done.here.root}
        more = health_json(done.facts) if depth == "health" else {}
        found = [finding_json(finding, depth) for finding in shown]
        print_json({**about, **audit_json(done), **more, "findings": found})
    else:
        listed = format_health(done.facts) if depth == "health" else ()
        for line in (*listed, *_format_findings(shown, depth)):
            click.echo(line)
        click.echo(worded("health: {verdict}", verdict=describe_verdict(done)))
    return int(done.verdict == "BROKEN" or (strict and done.verdict != "OK"))


def _audit_areas(area: Area | None, project: str | None) -> AuditResult:
    """Run the audit, without creating a missing store."""
    config = load_settings()
    areas = (area,) if area else AREAS
    with announced(worded("looking everything over …")):
        if not os.path.exists(config.store):
            return audit_project(config, None, areas, project=project)
        with open_app(config) as app:
            return audit_project(config, app, areas, project=project)


def _format_findings(findings: Sequence[AuditFinding], depth: Depth) -> Iterator[str]:
    """Format findings with actions, at most ten of the same type."""
    met: dict[str, int] = {}
    for finding in findings:
        met[finding.about] = met.get(finding.about, 0) + 1
        if met[finding.about] <= _FEW:
            yield f"{finding.tag_at_depth(depth):<9} {flatten_text(finding.where)}: {describe_finding(finding)}"
            if advised := describe_action(finding):
                yield f"          → {advised}"
    for count in met.values():
        if count > _FEW:
            print_worded("and {count} more of one sort; all are in --json", count=count - _FEW)

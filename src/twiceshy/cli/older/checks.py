"""``twiceshy check``, ``full-check`` and ``memory-health``: an audit at three depths."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from twiceshy.app import settings
from twiceshy.cli.older.health_view import health_json, health_lines
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option, project_option
from twiceshy.cli.output import flat, print_json, say
from twiceshy.cli.progress import announced
from twiceshy.cli.verbs import COMMANDS, chinese_name
from twiceshy.project.audit import areas_of
from twiceshy.project.audit.finding import worst
from twiceshy.project.audit.wording import action, message
from twiceshy.upkeep.auditing import audit_project
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.project.audit.finding import Area, Depth, Finding
    from twiceshy.upkeep.auditing import Audited

_FEW = 10  # findings of one sort; all of them are in --json

strict_option = click.option(
    "--strict", is_flag=True, help="Exit with 1 for warnings as well, not only for what is broken."
)


@click.command("check")
@click.argument("area", required=False, type=click.Choice(areas_of("quick")))
@project_option
@strict_option
@json_option
def check(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Check pages, commands, hooks and instruction files; change nothing.

    OK, WARNING or BROKEN: pages that are empty, too large (above 200 lines) or linked from
    nowhere; a hub (MEMORY.md) of 170 lines or more; dead links; duplicate notes; hooks and
    commands that cannot run. Also checks the memory folder of Claude Code. Exit code 1 if
    something is broken; with --strict also for warnings.

    Example: twiceshy check memory
    """
    return _look_over("quick", area, project, strict=strict, as_json=as_json)


@click.command("full-check")
@click.argument("area", required=False, type=click.Choice(areas_of("full")))
@project_option
@strict_option
@json_option
def full_check(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Check everything that `check` does and duplicated content; change nothing.

    CLEAN, ORPHAN, FAT, STALE, DUPLICATE, CONFLICT, BROKEN, DIRTY or BEHIND: also near-duplicate or
    contradicting notes, lines shared by CLAUDE.md and pages, skills and their references, missing
    vectors, and the git status of this project, without contacting a remote. Exit code 1 if
    something is broken; with --strict also for warnings.

    Example: twiceshy full-check git
    """
    return _look_over("full", area, project, strict=strict, as_json=as_json)


@click.command("memory-health")
@project_option
@strict_option
@json_option
def memory_health(*, project: str | None, strict: bool, as_json: bool) -> int:
    """List pages and skills with their problems, and counts; change nothing.

    A page is stale after 30 days without a change and too large above 200 lines. A skill is
    crowded above 100 notes, and one-sided if it has more than 20 notes and over 30 % are gotchas.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy memory-health --json
    """
    return _look_over("health", None, project, strict=strict, as_json=as_json)


def _look_over(
    depth: Depth, area: Area | None, project: str | None, *, strict: bool, as_json: bool
) -> int:
    """Audit an area, or every area of a depth; print findings, return the exit code."""
    done = _audit(depth, area, project)
    verdict = worst(done.findings)
    if as_json:
        about = {"project": done.here.id, "root": done.here.root, "verdict": verdict}
        found = [_plain(finding, depth) for finding in done.findings]
        more = health_json(done.facts) if depth == "health" else {"counts": done.facts.counts}
        print_json({**about, **more, "findings": found})
    else:
        listed = health_lines(done.facts) if depth == "health" else ()
        for line in (*listed, *_lines(done, depth)):
            click.echo(line)
    return int(verdict == "BROKEN" or (strict and verdict != "OK"))


def _audit(depth: Depth, area: Area | None, project: str | None) -> Audited:
    """Run the audit, without creating a missing store."""
    config = settings()
    areas = (area,) if area else areas_of(depth)
    verbs = frozenset((*COMMANDS, *map(chinese_name, COMMANDS))) - {""}
    with announced(worded("looking everything over …")):
        if not os.path.exists(config.store):
            return audit_project(config, None, depth, areas, project=project, verbs=verbs)
        with opened(config) as app:
            return audit_project(config, app, depth, areas, project=project, verbs=verbs)


def _plain(finding: Finding, depth: Depth) -> dict[str, object]:
    return {
        "tag": finding.tag(depth),
        "area": finding.area,
        "about": finding.about,
        "where": flat(finding.where),
        "message": message(finding),
        "do": action(finding),
    }


def _lines(done: Audited, depth: Depth) -> Iterator[str]:
    """Format findings with actions, at most ten of the same type."""
    met: dict[str, int] = {}
    for finding in done.findings:
        met[finding.about] = met.get(finding.about, 0) + 1
        if met[finding.about] <= _FEW:
            yield f"{finding.tag(depth):<9} {flat(finding.where)}: {message(finding)}"
            if advised := action(finding):
                yield f"          → {advised}"
    for count in met.values():
        if count > _FEW:
            say(worded("and {count} more of one sort; all are in --json", count=count - _FEW))

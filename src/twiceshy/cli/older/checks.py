"""``twiceshy check``, ``full-check`` and ``memory-health``: one audit at three depths."""

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
    """Look pages, commands, hooks and instruction files over, and change nothing.

    OK, WARNING or BROKEN: pages that are empty, too large (above 200 lines) or that nothing leads
    to; a hub (MEMORY.md) from 170 lines on; links that lead nowhere; notes that say the same;
    hooks and commands that cannot run. Claude Code's own memory folder is looked at as well.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy check memory
    """
    return _look_over("quick", area, project, strict=strict, as_json=as_json)


@click.command("full-check")
@click.argument("area", required=False, type=click.Choice(areas_of("full")))
@project_option
@strict_option
@json_option
def full_check(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Look everything over as `check` does, and what stands in two places, and change nothing.

    CLEAN, ORPHAN, FAT, STALE, DUPLICATE, CONFLICT, BROKEN, DIRTY or BEHIND: also notes that are
    nearly the same or contradict each other, lines that CLAUDE.md and pages share, skills and
    their references, missing vectors, and what git says of this project without asking a remote.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy full-check git
    """
    return _look_over("full", area, project, strict=strict, as_json=as_json)


@click.command("memory-health")
@project_option
@strict_option
@json_option
def memory_health(*, project: str | None, strict: bool, as_json: bool) -> int:
    """List every page and skill with what is wrong, count the rest, and change nothing.

    A page is stale after 30 days without a change and too large above 200 lines. A skill is
    crowded above 100 notes, and one-sided if it has more than 20 and over 30 % are gotchas.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy memory-health --json
    """
    return _look_over("health", None, project, strict=strict, as_json=as_json)


def _look_over(
    depth: Depth, area: Area | None, project: str | None, *, strict: bool, as_json: bool
) -> int:
    """Audit one area, or all of a depth; print the findings, and return the exit code."""
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
    """Look everything over; a store that does not exist yet is not begun for that."""
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
    """Write one finding a line, and below it what to do; of many that are alike only some."""
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

"""``twiceshy check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.auditing import look_over, project_option, strict_option
from twiceshy.cli.options import json_option
from twiceshy.project.audit import areas_of

if TYPE_CHECKING:
    from twiceshy.project.audit.finding import Area


@click.command("check")
@click.argument("area", required=False, type=click.Choice(areas_of("quick")))
@project_option
@strict_option
@json_option
def command(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Look pages, commands, hooks and instruction files over, and change nothing.

    OK, WARNING or BROKEN: pages that are empty, too large (above 200 lines) or that nothing leads
    to; a hub (MEMORY.md) from 170 lines on; links that lead nowhere; notes that say the same;
    hooks and commands that cannot run. Claude Code's own memory folder is looked at as well.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy check memory
    """
    return look_over("quick", area, project, strict=strict, as_json=as_json)

"""``twiceshy full-check``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.auditing import look_over, project_option, strict_option
from twiceshy.cli.options import json_option
from twiceshy.project.audit import areas_of

if TYPE_CHECKING:
    from twiceshy.project.audit.finding import Area


@click.command("full-check")
@click.argument("area", required=False, type=click.Choice(areas_of("full")))
@project_option
@strict_option
@json_option
def command(*, area: Area | None, project: str | None, strict: bool, as_json: bool) -> int:
    """Look everything over as `check` does, and what stands in two places, and change nothing.

    CLEAN, ORPHAN, FAT, STALE, DUPLICATE, CONFLICT, BROKEN, DIRTY or BEHIND: also notes that are
    nearly the same or contradict each other, lines that CLAUDE.md and pages share, skills and
    their references, missing vectors, and what git says of this project without asking a remote.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy full-check git
    """
    return look_over("full", area, project, strict=strict, as_json=as_json)

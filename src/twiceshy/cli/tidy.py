"""``twiceshy tidy``: look the memory over, and maintain it."""

from __future__ import annotations

import click

from twiceshy.cli import compress, reflect, tend
from twiceshy.cli.older import checks
from twiceshy.cli.options import json_option, project_option


@click.command("tidy")
@click.option("--do", is_flag=True, help="Merge, promote, retire, expire, compress.")
@click.option("--plan", is_flag=True, help="Show what --do would change.")
@click.option("--deep", is_flag=True, help="Look at everything, duplicated content and git too.")
@click.option("--pages", is_flag=True, help="List pages and skills with their problems.")
@click.option("--week", is_flag=True, help="Review a week: learned, recurring, removable.")
@click.option("--fold", is_flag=True, help="Only fold old sessions and prune old records.")
@project_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, *, project: str | None, as_json: bool, **chosen: bool) -> int:
    """Look the memory over: OK, WARNING or BROKEN, and what to do about it.

    Changes nothing without --do or --fold. Every way of looking shows the same audit: the same
    verdict, numbers and words. `undo` takes each step of --do back.

    Example: twiceshy tidy --deep
    """
    asked = [name for name, wanted in chosen.items() if wanted]
    if len(asked) > 1:
        raise click.UsageError(f"choose one of: {', '.join(f'--{name}' for name in asked)}")
    about = {"project": project, "as_json": as_json}
    match asked:
        case ["do" | "plan"]:
            return int(ctx.invoke(tend.command, plan=chosen["plan"], as_json=as_json) or 0)
        case ["fold"]:
            ctx.invoke(compress.command, as_json=as_json)
            return 0
        case ["week"]:
            ctx.invoke(reflect.command, **about)
            return 0
        case ["deep"]:
            return int(ctx.invoke(checks.full_check, **about))
        case ["pages"]:
            return int(ctx.invoke(checks.memory_health, **about))
        case _:
            return int(ctx.invoke(checks.check, **about))

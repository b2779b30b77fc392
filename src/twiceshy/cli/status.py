"""``twiceshy status``."""

from __future__ import annotations

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.core.moment import day
from twiceshy.core.ports import Filter


@click.command("status")
@json_option
def command(*, as_json: bool) -> None:
    """Count what is kept, and say where.

    Example: twiceshy status --json
    """
    with opened() as app:
        now = app.store.standing()
        here = app.here()
        own = app.store.count(Filter(projects=app.store.same_project(here.id)))
        home, path = app.config.home, app.config.store
    if as_json:
        fields = now.fields() | {"home": home, "store": path, "project": here.id, "here": own}
        print_json(fields)
        return
    kinds = (
        ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in now.kinds.items())
        or "none yet"
    )
    rest = ", ".join(f"{count} {life}" for life, count in now.notes.items() if life != "active")
    for fact, value in {
        "notes": kinds + (f" ({rest})" if rest else ""),
        "here": f"{own} in {here.name}",
        "skills": str(now.skills),
        "projects": str(now.projects),
        "pinned": str(now.pinned),
        "learned": f"last on {day(now.newest)}" if now.newest else "nothing yet",
        "waiting": f"{now.spooled} records" if now.spooled else "",
        "store": f"{path} ({now.size / 1024:,.0f} kB, schema {now.schema})",
    }.items():
        if value:
            click.echo(f"{fact + ':':<10} {value}")

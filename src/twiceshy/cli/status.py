"""``twiceshy status``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.connecting import connected
from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.core.filter import Filter
from twiceshy.core.moment import day

if TYPE_CHECKING:
    from twiceshy.core.session import Usage

_MOST_USED = 5


@click.command("status")
@json_option
def command(*, as_json: bool) -> None:
    """Count what is kept, say where, and which runtimes are connected.

    A runtime is automatic if notes come and go by themselves, explicit if the model has to ask.

    Example: twiceshy status --json
    """
    with opened() as app:
        now = app.store.standing()
        here = app.here()
        own = app.store.count(Filter(projects=app.store.same_project(here.id)))
        home, path = app.config.home, app.config.store
        usage = sorted(app.store.usage(), key=lambda used: (-used.sessions, used.skill))
    runtimes = connected(home)
    if as_json:
        fields = now.fields() | {"home": home, "store": path, "project": here.id, "here": own}
        levels = {name: runtime.LEVEL for name, runtime in runtimes.items()}
        shown = {used.skill: _usage(used) for used in usage}
        print_json(fields | {"usage": shown, "runtimes": levels})
        return
    kinds = (
        ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in now.kinds.items())
        or "none yet"
    )
    rest = ", ".join(f"{count} {life}" for life, count in now.notes.items() if life != "active")
    for fact, value in {
        "notes": kinds + (f" ({rest})" if rest else ""),
        "here": f"{own} in {here.name}",
        "skills": f"{now.skills} with notes",
        "used": ", ".join(
            f"{used.skill} in {_times(used.sessions)}" for used in usage[:_MOST_USED]
        ),
        "runtimes": ", ".join(f"{one.TITLE} ({one.LEVEL})" for one in runtimes.values()),
        "projects": str(now.projects),
        "pinned": str(now.pinned),
        "learned": f"last on {day(now.newest)}" if now.newest else "nothing yet",
        "waiting": f"{now.spooled} records" if now.spooled else "",
        "store": f"{path} ({now.size / 1024:,.0f} kB, schema {now.schema})",
    }.items():
        if value:
            click.echo(f"{fact + ':':<10} {value}")


def _usage(used: Usage) -> dict[str, object]:
    return {"total": used.sessions, "last_seen": day(used.last_at), "daily": used.daily}


def _times(sessions: int) -> str:
    return f"{sessions} session{'s' * (sessions > 1)}"

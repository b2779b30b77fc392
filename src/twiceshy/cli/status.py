"""``twiceshy status``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import open_app
from twiceshy.cli.options import json_option
from twiceshy.cli.output import fact_lines, print_result
from twiceshy.core.moment import format_day
from twiceshy.upkeep.doctor import count_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.upkeep.doctor import MemoryStatus

_MOST_USED = 5


@click.command("status")
@json_option
def command(*, as_json: bool) -> None:
    """Count notes, skills and projects; show the store and the connected runtimes.

    A runtime is automatic if hooks show and record notes, and explicit if the model has to ask.

    Example: twiceshy status --json
    """
    with open_app() as app:
        found = count_memory(app)
        home, path = app.config.home, app.config.store
    usage = {
        used.skill: {
            "total": used.sessions,
            "last_seen": format_day(used.last_at),
            "daily": used.daily,
        }
        for used in found.usage
    }
    places = {"home": home, "store": path, "project": found.here.id, "here": found.own}
    levels = {name: runtime.LEVEL for name, runtime in found.runtimes.items()}
    plain = found.store.fields() | places | {"usage": usage, "runtimes": levels}
    print_result(plain, _format_status(found, path), as_json=as_json)


def _format_status(found: MemoryStatus, path: str) -> Iterator[str]:
    now = found.store
    kinds = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in now.kinds.items()]
    rest = ", ".join(
        f"{count} {status}" for status, count in now.notes.items() if status != "active"
    )
    used = [
        f"{used.skill} in {used.sessions} session{'s' * (used.sessions > 1)}"
        for used in found.usage[:_MOST_USED]
    ]
    facts = {
        "notes": (", ".join(kinds) or "none yet") + (f" ({rest})" if rest else ""),
        "here": f"{found.own} in {found.here.name}",
        "skills": f"{now.skills} with notes",
        "used": ", ".join(used),
        "runtimes": ", ".join(f"{one.TITLE} ({one.LEVEL})" for one in found.runtimes.values()),
        "projects": str(now.projects),
        "pinned": str(now.pinned),
        "learned": f"last on {format_day(now.newest)}" if now.newest else "nothing yet",
        "waiting": f"{now.spooled} records" if now.spooled else "",
        "store": f"{path} ({now.size / 1024:,.0f} kB, schema {now.schema})",
    }
    yield from fact_lines(facts, indent="")

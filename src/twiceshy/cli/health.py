"""Commands that look after the store: ``doctor``, ``reembed`` and ``status``."""

from collections.abc import Iterator, Sequence

import click

from twiceshy.app import App, load_settings
from twiceshy.cli.first_look import describe_recent_work
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import fact_lines, print_message, print_result
from twiceshy.cli.progress import count_with_progress
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import format_day
from twiceshy.core.store import HealthFinding
from twiceshy.effect.week import count_recent_work
from twiceshy.interop.imports.find_sources import waiting_finding
from twiceshy.interop.views.vault import locate_vault
from twiceshy.notes.embed import embed_missing
from twiceshy.project.episodes.held import examine_held
from twiceshy.sync.copies import examine_copies
from twiceshy.sync.devices import describe_waiting, examine_devices
from twiceshy.upkeep.doctor import MemoryStatus, close_to_others, count_memory, examine_memory
from twiceshy.upkeep.hook_reliability import DAYS, describe_endings

_MARKS = {"ok": "ok", "warning": "WARNING", "broken": "BROKEN"}
_MOST_USED = 5


@click.command("doctor")
@click.option("--repair", is_flag=True, help="Repair indexes, file modes and damage.")
@json_option
def doctor(*, repair: bool, as_json: bool) -> int:
    """Check the installation and the store, and suggest fixes.

    Changes nothing without --repair. Exit code 1 if something is broken.

    Example: twiceshy doctor
    """
    mend = _repair_store if repair else None
    findings = list(
        examine_memory(
            load_settings(),
            open_app,
            looks=(examine_held, examine_copies, examine_devices, waiting_finding),
            repair=mend,
        )
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


@click.command("reembed")
@json_option
def reembed(*, as_json: bool) -> None:
    """Compute missing vectors of notes for search by meaning.

    Uses the word table that comes with twiceshy, without calling a model, and the model set in
    embed.backend, if any. Recall works meanwhile.

    Example: twiceshy reembed
    """
    with open_app() as app:
        # at most: those that are known are passed over
        total = app.store.count_notes(NoteFilter(statuses=()))
        known = count_with_progress(
            app.store.rebuild_derived(only="meanings"), "by the table of words", total=total
        )
        embedder, asked = app.build_embedder(), 0
        if embedder:
            missing = embed_missing(app.store, embedder)
            asked = count_with_progress(missing, f"by {embedder.identity}", total=total)
    model = embedder.identity if embedder else None
    more = f", {asked} by the model" if embedder else ""
    plain = {"notes": known, "model": model, "embedded": asked}
    print_result(plain, (), talk=[f"{known} notes by the table of words{more}"], as_json=as_json)


@click.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Show what the memory holds, what it did in the last week, and the connected runtimes.

    A runtime is automatic if hooks show and record notes, and explicit if the model has to ask.

    Example: twiceshy status --json
    """
    with open_app() as app:
        found = count_memory(app)
        vault, home, path = locate_vault(app.config), app.config.home, app.config.store
        waiting = describe_waiting(app)
        recent = count_recent_work(app)
    usage = {
        used.skill: {
            "total": used.sessions,
            "last_seen": format_day(used.last_at),
            "daily": used.daily,
        }
        for used in found.usage
    }
    places = {"home": home, "vault": vault or None, "store": path}
    here = {"project": found.here.id, "here": found.own, "claims": found.here.claimed or None}
    levels = {name: runtime.LEVEL for name, runtime in found.runtimes.items()}
    hooks = {"days": DAYS, **found.hooks.fields()}
    counts = {name: value for name, value in found.store.fields().items() if name != "digest"}
    more = {"usage": usage, "runtimes": levels, "hooks": hooks, "recent": recent.fields()}
    plain = counts | places | here | more
    lines = (describe_recent_work(recent), *_format_status(found, path, vault))
    print_result(plain, (*lines, *fact_lines({"others": waiting}, indent="")), as_json=as_json)


def _format_status(found: MemoryStatus, path: str, vault: str) -> Iterator[str]:
    now = found.store
    kinds = [f"{count} {kind}{'s' * (count > 1)}" for kind, count in now.kinds.items()]
    rest = ", ".join(
        f"{count} {status}" for status, count in now.notes.items() if status != "active"
    )
    used = [
        f"{used.skill} in {used.sessions} session{'s' * (used.sessions > 1)}"
        for used in found.usage[:_MOST_USED]
    ]
    waiting = now.spooled + found.hooks.held
    facts = {
        "notes": (", ".join(kinds) or "none yet") + (f" ({rest})" if rest else ""),
        "here": f"{found.own} in {found.here.name}",
        "not joined": f"{found.claims}; if it is yours: twiceshy project join"
        if found.claims
        else "",
        "skills": f"{now.skills} with notes",
        "used": ", ".join(used),
        "runtimes": ", ".join(f"{one.TITLE} ({one.LEVEL})" for one in found.runtimes.values()),
        "projects": str(now.projects),
        "pinned": str(now.pinned),
        "learned": f"last on {format_day(now.newest)}" if now.newest else "nothing yet",
        "hooks": describe_endings(found.hooks),
        "waiting": f"{waiting} records" if waiting else "",
        "held": f"{now.held} texts are kept from agents: twiceshy review" if now.held else "",
        "vault": f"{vault} (Markdown; read and edit it)" if vault else "",
        "store": f"{path} ({now.size / 1024:,.0f} kB, schema {now.schema})",
    }
    yield from fact_lines(facts, indent="")

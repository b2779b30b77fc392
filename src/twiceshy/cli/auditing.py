"""What check, full-check and memory-health share: looking, and saying what was found."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from twiceshy.app import Gate, clock, settings, user_home, working_directory
from twiceshy.cli.auditing_words import action, message
from twiceshy.cli.connecting import connected
from twiceshy.cli.hook_health import hook_findings
from twiceshy.cli.opening import opened
from twiceshy.cli.output import print_json, say
from twiceshy.cli.verbs import COMMANDS, chinese_name
from twiceshy.core.text import clean, one_line
from twiceshy.core.value import Value
from twiceshy.project.audit import areas_of, audit
from twiceshy.project.audit.finding import worst
from twiceshy.project.audit.gather import Others, Scene, gathered, place
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from twiceshy.app import App
    from twiceshy.config.resolved import Config
    from twiceshy.places.identity import Identity
    from twiceshy.project.audit.facts import Facts
    from twiceshy.project.audit.finding import Area, Depth, Finding

_PATIENT_S = 1.0
_FEW = 10  # findings of one sort; all of them are in --json
_LONGEST = 200


class Audited(Value):
    """What was looked at, and what was found."""

    here: Identity
    facts: Facts
    findings: tuple[Finding, ...]


strict_option = click.option(
    "--strict", is_flag=True, help="Exit with 1 for warnings as well, not only for what is broken."
)
project_option = click.option("--project", metavar="P", help="A path, name or id; default: here.")


def look_over(
    depth: Depth, area: Area | None, project: str | None, *, strict: bool, as_json: bool
) -> int:
    """Look over one area, or all of a depth; print what was found, and return the exit code."""
    done = audited(depth, (area,) if area else areas_of(depth), project)
    print_findings(done, depth, as_json=as_json)
    return exit_code(done.findings, strict=strict)


def audited(depth: Depth, areas: Collection[Area], project: str | None) -> Audited:
    """Look everything over; a store that does not exist yet is not begun for that."""
    config = settings()
    with _patience():
        if not os.path.exists(config.store):
            return _audited(config, None, depth, areas, project)
        with opened(config) as app:
            return _audited(config, app, depth, areas, project)


def shown(finding: Finding, depth: Depth) -> dict[str, object]:
    """Return a finding as it appears in --json."""
    return {
        "tag": finding.tag(depth),
        "area": finding.area,
        "about": finding.about,
        "where": _plain(finding.where),
        "message": message(finding),
        "do": action(finding),
    }


def print_findings(audited: Audited, depth: Depth, *, as_json: bool) -> None:
    """Print what was found, one finding a line and what to do about it below."""
    if as_json:
        found = [shown(finding, depth) for finding in audited.findings]
        verdict = worst(audited.findings)
        about = {"project": audited.here.id, "root": audited.here.root, "verdict": verdict}
        print_json(about | {"counts": audited.facts.counts, "findings": found})
        return
    print_lines(audited.findings, depth)


def print_lines(findings: Sequence[Finding], depth: Depth) -> None:
    """Print findings; of many that are alike only some, and how many there are."""
    met: dict[str, int] = {}
    for finding in findings:
        met[finding.about] = met.get(finding.about, 0) + 1
        if met[finding.about] <= _FEW:
            click.echo(f"{finding.tag(depth):<9} {_plain(finding.where)}: {message(finding)}")
            if advised := action(finding):
                click.echo(f"          → {advised}")
    for count in met.values():
        if count > _FEW:
            say(worded("and {count} more of one sort; all are in --json", count=count - _FEW))


def exit_code(findings: Sequence[Finding], *, strict: bool) -> int:
    """Return 1 if something is broken, or with ``strict`` if anything is wrong at all."""
    weight = worst(findings)
    return int(weight == "BROKEN" or (strict and weight != "OK"))


def _audited(
    config: Config, app: App | None, depth: Depth, areas: Collection[Area], project: str | None
) -> Audited:
    around: dict[str, Any] = {
        "cwd": working_directory(),
        "home": user_home(),
        "environ": os.environ,
    }
    here, folders = place(app, project, **around)
    hooks = tuple(hook_findings(config, trial=False)) if "hooks" in areas else ()
    others = Others(hooks, len(connected(config.home)), _verbs())
    facts = gathered(Scene(here, folders, clock(), app), depth, areas, others)
    gate = Gate(config)
    findings = (_redacted(finding, gate) for finding in audit(facts, depth, areas))
    return Audited(here, facts, tuple(findings))


def _redacted(finding: Finding, gate: Gate) -> Finding:
    """Take secrets out of what is quoted: the files of others were never looked through."""
    values = (
        (name, gate(told) if isinstance(told, str) else told) for name, told in finding.values
    )
    return finding.but(where=gate(finding.where), values=tuple(values))


def _verbs() -> frozenset[str]:
    return frozenset((*COMMANDS, *(chinese_name(verb) for verb in COMMANDS))) - {""}


@contextmanager
def _patience() -> Iterator[None]:
    """Say after a second that it takes longer, and what is being done."""
    told = worded("looking everything over …")
    timer = threading.Timer(_PATIENT_S, lambda: say(told))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _plain(text: str) -> str:
    return one_line(clean(text), limit=_LONGEST)

"""``twiceshy memory-health``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.auditing import (
    audited,
    exit_code,
    print_lines,
    project_option,
    shown,
    strict_option,
)
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.core.text import clean, one_line
from twiceshy.notes.pages.condition import LARGEST, STALE_DAYS, line_count
from twiceshy.project.audit import areas_of
from twiceshy.project.audit.finding import worst
from twiceshy.project.audit.pages import days_unchanged
from twiceshy.project.audit.skills import tallies
from twiceshy.wording import worded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from twiceshy.cli.auditing import Audited
    from twiceshy.project.audit.facts import Page
    from twiceshy.project.audit.skills import SkillTally

_WIDTH = 60


@click.command("memory-health")
@project_option
@strict_option
@json_option
def command(*, project: str | None, strict: bool, as_json: bool) -> int:
    """List every page and skill with what is wrong, count the rest, and change nothing.

    A page is stale after 30 days without a change and too large above 200 lines. A skill is
    crowded above 100 notes, and one-sided if it has more than 20 and over 30 % are gotchas.
    Exit code 1 if something is broken; with --strict also for warnings.

    Example: twiceshy memory-health --json
    """
    done = audited("health", areas_of("health"), project)
    if as_json:
        print_json(_as_json(done))
    else:
        _print(done)
    return exit_code(done.findings, strict=strict)


def _as_json(done: Audited) -> dict[str, object]:
    return {
        "project": done.here.id,
        "root": done.here.root,
        "verdict": worst(done.findings),
        "pages": [_page(page, done.facts.now) for page in done.facts.pages],
        "skills": [_skill(tally) for tally in tallies(done.facts)],
        "counts": done.facts.counts,
        "hooks": [looked.fields() for looked in done.facts.hooks],
        "findings": [shown(finding, "health") for finding in done.findings],
    }


def _page(page: Page, now: int) -> dict[str, object]:
    return {
        "name": page.where,
        "lines": line_count(page.text),
        "days": days_unchanged(page, now),
        "status": _status(page, now),
    }


def _status(page: Page, now: int) -> list[str]:
    wrong = {
        "stale": days_unchanged(page, now) >= STALE_DAYS,
        "too large": line_count(page.text) > LARGEST,
    }
    return [word for word, is_so in wrong.items() if is_so]


def _skill(tally: SkillTally) -> dict[str, object]:
    return tally.fields() | {"crowded": tally.crowded, "one_sided": tally.one_sided}


def _print(done: Audited) -> None:
    for page in done.facts.pages:
        click.echo(_page_line(_page(page, done.facts.now)))
    for tally in tallies(done.facts):
        click.echo(
            worded(
                "skill {skill}: notes {notes}, pinned {pinned}, gotchas {gotchas}, "
                "near-duplicates {near}, without vector {without_vector}",
                **tally.fields(),
            )
        )
    counts: dict[str, int] = dict.fromkeys(("sessions", "diary", "pitfalls", "skills"), 0)
    click.echo(
        worded(
            "sessions: {sessions}, diary: {diary}, pitfalls: {pitfalls}, skills: {skills}",
            **counts | dict(done.facts.counts),
        )
    )
    print_lines(done.findings, "health")


def _page_line(page: Mapping[str, object]) -> str:
    words = {"stale": worded("stale"), "too large": worded("too large")}
    status = page["status"]
    said = [words[str(each)] for each in status] if isinstance(status, list) else []
    name = one_line(clean(str(page["name"])), limit=_WIDTH)
    about = worded(
        "lines: {lines}, days unchanged: {days}", lines=page["lines"], days=page["days"]
    )
    return f"{name}: {about}, {', '.join(said) or worded('fine')}"

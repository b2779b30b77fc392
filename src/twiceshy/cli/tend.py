"""``twiceshy tend``."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

import click

from twiceshy.cli.audit_view import audit_json, finding_json
from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import (
    STOPPED,
    fields_json,
    flatten_text,
    format_minute,
    format_note,
    print_message,
    print_result,
    print_worded,
)
from twiceshy.core.maintenance import KEPT_RUNS, STEPS, TEND, MaintenanceRun
from twiceshy.core.moment import SECOND
from twiceshy.core.text import strip_unsafe
from twiceshy.project.audit.wording import describe_verdict
from twiceshy.upkeep.tend import (
    COPYING,
    LOOKING,
    TendResult,
    describe_run,
    parse_run_steps,
    plan_steps,
    run_steps,
)
from twiceshy.wording import worded

_NAMED = 10  # notes of one step that are named
_SAID: dict[str, Callable[[int], str]] = {
    "merged": lambda count: worded("{count} merged", count=count),
    "believed": lambda count: worded("{count} promoted", count=count),
    "retired": lambda count: worded("{count} retired", count=count),
    "doubted": lambda count: worded("{count} back on probation", count=count),
    "expired": lambda count: worded("{count} expired", count=count),
    "renewed": lambda count: worded("{count} got a new expiry date", count=count),
    "looked up": lambda count: worded("{count} looked up in the table of words", count=count),
    "embedded": lambda count: worded("{count} embedded", count=count),
    "folded": lambda count: worded("{count} sessions into archives", count=count),
    "pruned": lambda count: worded("{count} rows pruned", count=count),
    "swept": lambda count: worded("{count} files removed", count=count),
    "copies": lambda count: worded("{count} copy of the store written", count=count),
    "warnings": lambda count: worded("{count} to look at: twiceshy full-check", count=count),
    "broken": lambda count: worded("{count} broken: twiceshy full-check", count=count),
    "bytes freed": lambda count: worded("{count} bytes given back", count=count),
}


@click.command("tend")
@click.option("--plan", is_flag=True, help="Show the planned changes; change nothing.")
@click.option(
    "--only", type=click.Choice(STEPS), multiple=True, help="Only this step; may be repeated."
)
@click.option("--history", is_flag=True, help="List earlier runs.")
@json_option
def command(*, plan: bool, only: tuple[str, ...], history: bool, as_json: bool) -> int:
    """Maintain the memory of all projects.

    Merges near-duplicate notes, promotes notes that proved useful or that two sessions taught,
    retires useless notes and notes beyond the caps, expires notes older than expiry.days, computes
    missing vectors, compresses, and counts the remaining problems here. Pinned and approved notes
    stay, your own notes are never merged away, no note is erased, and each step is one change for
    `undo`. The settings of a project cannot merge, retire or expire notes.

    Only one process at a time can run tend. tend.after_sessions and tend.every_days start it
    automatically. The exit code is 1 if a step failed.

    Example: twiceshy tend --plan
    """
    if history and (plan or only):
        raise click.UsageError("--history goes with no other option but --json")
    with open_app() as app:
        if history:
            _print_runs(app.store.list_runs(TEND, limit=KEPT_RUNS), as_json=as_json)
            return 0
        steps = tuple(step for step in STEPS if not only or step in only)
        try:
            done = plan_steps(app, steps) if plan else run_steps(app, steps, tell=_print_step)
        except KeyboardInterrupt:
            print_worded("stopped; what was done before stays: twiceshy tend --history")
            return STOPPED
    if plan and not as_json:
        print_worded("nothing was changed; this would be done:")
    plain: dict[str, object] = {"planned": plan}
    plain["steps"] = {each.step: _step_to_json(each) for each in done}
    for audit in (each.audit for each in done if each.audit):
        found = [finding_json(finding, "full") for finding in audit.findings]
        plain["audit"] = audit_json(audit) | {"findings": found}
    print_result(plain, _format_steps(done), as_json=as_json)
    return int(any(each.error for each in done))


def _print_step(step: str) -> None:
    if sys.stderr.isatty():
        print_message(f"{step} …")


def _step_to_json(done: TendResult) -> dict[str, object]:
    notes = [
        {"what": made.what, "id": made.note.id, "text": made.note.text, "reason": made.note.reason}
        for made in done.made
    ]
    return {**describe_run([done])[done.step], "notes": notes}


def _format_steps(done: Sequence[TendResult]) -> Iterator[str]:
    if not any(
        each.error or (each.counts and each.step not in (COPYING, LOOKING)) for each in done
    ):
        yield worded("all is in good order; there is nothing to do")
    for each in done:
        head = f"{each.step + ':':<10}"
        if each.error:
            yield f"{head} {worded('could not be done: {error}', error=strip_unsafe(each.error))}"
        elif each.audit:
            yield f"{head} {describe_verdict(each.audit)}"
        elif each.counts:
            change = each.change[-4:]
            back = worded("to take it back: twiceshy undo b{change}", change=change)
            yield f"{head} {_format_counts(each.counts)}" + (f"; {back}" if change else "")
        for made in each.made[:_NAMED]:
            reason = f" ({flatten_text(made.note.reason, limit=80)})" if made.note.reason else ""
            yield f"  {format_note(made.note.but(status='active'))}{reason}"
        if len(each.made) > _NAMED:
            yield "  " + worded("and {count} more", count=len(each.made) - _NAMED)


def _format_counts(counts: Mapping[str, object]) -> str:
    return ", ".join(
        _SAID[name](count)
        for name, count in counts.items()
        if name in _SAID and isinstance(count, int)
    )


def _print_runs(runs: Sequence[MaintenanceRun], *, as_json: bool) -> None:
    plain = [
        fields_json(run, "id", "began_at", "ended_at")
        | {"steps": parse_run_steps(run), "error": run.error}
        for run in runs
    ]
    lines = (f"{format_minute(run.began_at)}  {_format_outcome(run)}" for run in runs)
    talk = () if runs else (worded("no earlier runs of tend"),)
    print_result(plain, lines, talk=talk, as_json=as_json)


def _format_outcome(run: MaintenanceRun) -> str:
    numbers = ", ".join(filter(None, map(_format_counts, parse_run_steps(run).values())))
    if not run.ended_at:
        return worded("did not finish") + (f": {numbers}" if numbers else "")
    took = max(0, run.ended_at - run.began_at) / SECOND
    wrong = flatten_text(run.error, limit=120)
    return f"{took:6.1f} s  {numbers or worded('nothing to do')}" + (f"; {wrong}" if wrong else "")

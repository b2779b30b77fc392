"""``twiceshy cost``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from twiceshy.cli.opening import opened
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json
from twiceshy.core.model_ledger import midnight, spent
from twiceshy.core.moment import DAY, day, stamp
from twiceshy.core.text import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.model_ledger import Spending, Spent

_LAST_FAILURES = 3


@click.command("cost")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    default=30,
    show_default=True,
    help="How far to look back; today is the first.",
)
@json_option
def command(*, days: int, as_json: bool) -> None:
    """Count what models were asked for, by day and by model, and what is left of today.

    Example: twiceshy cost --days 7
    """
    with opened() as app:
        today = midnight(app.store.now())
        calls = app.store.spendings(since=today - (days - 1) * DAY)
        cap = app.config.integer("distiller.daily_calls")
        backend = app.config.text("distiller.backend")
    used = spent(call for call in calls if call.at >= today).calls
    left = max(0, cap - used) if backend not in ("none", "null") else 0
    failures = [call for call in calls if call.error]
    if as_json:
        print_json(
            {
                "backend": backend,
                "daily_calls": cap,
                "today": used,
                "left": left,
                "days": days,
                "total": spent(calls).fields(),
                "by_day_and_model": [
                    {"day": when, "backend": by, "model": model, **sums.fields()}
                    for (when, by, model), sums in _sums(calls)
                ],
                "failures": [_failure(call) for call in failures],
            }
        )
        return
    click.echo(f"today: {used} of {cap} calls; {_left(backend, left)}")
    for (when, by, model), sums in _sums(calls):
        click.echo(f"{when}  {by} {model}: {_line(sums)}")
    if calls:
        click.echo(f"{'all':<10}  {_line(spent(calls))}")
    for call in failures[-_LAST_FAILURES:]:
        when = stamp(call.at)[:16].replace("T", " ")
        click.echo(f"failed:     {when} {call.model}: {_shown(call.error)}")


def _sums(calls: Iterable[Spending]) -> list[tuple[tuple[str, str, str], Spent]]:
    groups: dict[tuple[str, str, str], list[Spending]] = {}
    for call in calls:
        groups.setdefault((day(call.at), call.backend, call.model), []).append(call)
    return [(key, spent(groups[key])) for key in sorted(groups)]


def _left(backend: str, left: int) -> str:
    if backend in ("none", "null"):
        return f"no model is asked (distiller.backend is {backend})"
    return f"{left} left for {backend}"


def _line(sums: Spent) -> str:
    calls = f"{sums.calls} call{'s' * (sums.calls != 1)}"
    failed = f", {sums.failures} failed" if sums.failures else ""
    seconds = f"{sums.milliseconds / 1_000:,.1f} s"
    return f"{calls}{failed}, {sums.tokens_in:,} tokens in, {sums.tokens_out:,} out, {seconds}"


def _failure(call: Spending) -> dict[str, object]:
    wanted = ("purpose", "project", "session", "backend", "model", "error")
    return {"at": stamp(call.at), **{name: getattr(call, name) for name in wanted}}


def _shown(error: str) -> str:
    return one_line(clean(error), limit=100)

"""``twiceshy cost``: count the calls of models."""

from collections.abc import Iterator

import click

from twiceshy.cli.options import json_option, open_app
from twiceshy.cli.output import fields_json, flatten_text, format_minute, print_result
from twiceshy.core.model_ledger import ModelSpending
from twiceshy.learning.model_calls import ModelCalls, count_model_calls

_LAST_FAILURES = 3
_FAILURE = ("at", "purpose", "project", "session", "backend", "model", "error")


@click.command("cost")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    default=30,
    show_default=True,
    help="Days to count, including today.",
)
@json_option
def command(*, days: int, as_json: bool) -> None:
    """Count model calls by day and model, and the calls left today.

    Example: twiceshy cost --days 7
    """
    with open_app() as app:
        found = count_model_calls(app, days=days)
    plain = {
        "backend": found.backend,
        "daily_calls": found.daily_calls,
        "today": found.today,
        "left": found.calls_left,
        "days": days,
        "total": found.total.fields(),
        "by_day_and_model": [
            {"day": when, "backend": by, "model": model, **sums.fields()}
            for when, by, model, sums in found.sums
        ],
        "failures": [fields_json(call, *_FAILURE) for call in found.failures],
    }
    print_result(plain, _format_calls(found), as_json=as_json)


def _format_calls(found: ModelCalls) -> Iterator[str]:
    left = f"{found.calls_left} left for {found.backend}"
    if not found.asks_model:
        left = f"no model is asked (distiller.backend is {found.backend})"
    yield f"today: {found.today} of {found.daily_calls} calls; {left}"
    for when, by, model, sums in found.sums:
        yield f"{when}  {by} {model}: {_format_sums(sums)}"
    if found.sums:
        yield f"{'all':<10}  {_format_sums(found.total)}"
    for call in found.failures[-_LAST_FAILURES:]:
        yield f"failed:     {format_minute(call.at)} {call.model}: {flatten_text(call.error, limit=100)}"


def _format_sums(sums: ModelSpending) -> str:
    calls = f"{sums.calls} call{'s'[: sums.calls != 1]}"
    failed = f", {sums.failures} failed" if sums.failures else ""
    seconds = f"{sums.milliseconds / 1_000:,.1f} s"
    return f"{calls}{failed}, {sums.tokens_in:,} tokens in, {sums.tokens_out:,} out, {seconds}"

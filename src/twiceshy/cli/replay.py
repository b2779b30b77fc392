"""``twiceshy replay``."""

import os
import tempfile
from collections.abc import Iterator

import click

from twiceshy.app import RedactionGate, load_settings
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, print_message
from twiceshy.cli.progress import progress_bar
from twiceshy.config.resolved import Config
from twiceshy.core.errors import NotFoundError
from twiceshy.core.prices import Prices, read_prices
from twiceshy.replay import curve, histories
from twiceshy.replay.histories import FoundHistories
from twiceshy.replay.play import Replayed, replay_projects
from twiceshy.replay.policies import BASELINES
from twiceshy.replay.story import tell_story
from twiceshy.replay.table import LEGEND, describe_prices, render_table, result_to_json
from twiceshy.runtimes.installers import list_connected_runtimes

_MOST_NAMED = 5
_TERMINAL = "-"


@click.command("replay")
@click.argument("places", metavar="[RUNTIME|TRANSCRIPT|FOLDER]...", nargs=-1)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the last N sessions.")
@click.option("--project", metavar="PATH", help="Only sessions of the project in this folder.")
@click.option("--compare", is_flag=True, help="Compare with simpler methods, in a table.")
@click.option(
    "--curve",
    "picture",
    metavar="FILE",
    help="Net tokens by tokens told: write a .svg or .csv, or print a chart with -.",
)
@json_option
def command(
    *,
    places: tuple[str, ...],
    limit: int | None,
    project: str | None,
    compare: bool,
    picture: str | None,
    as_json: bool,
) -> None:
    """Replay old sessions: which mistakes came back, and what notes would have saved.

    The sessions run through the real hooks with an empty memory in a temporary folder; your own
    notes are neither read nor changed. Without arguments: the transcripts of all runtimes. A note
    counts only from the moment at which the model reads it.

    Example: twiceshy replay --limit 100
    """
    _check_picture_path(picture)
    config = load_settings()
    prices = read_prices(config)
    with tempfile.TemporaryDirectory(prefix="twiceshy-replay-") as folder:
        found = histories.choose(config, places, folder, limit=limit, project=project)
        with progress_bar("replaying", length=found.session_count) as update:
            replayed = replay_projects(
                found,
                os.path.join(folder, "memory"),
                baselines=BASELINES if compare else (),
                progress=lambda: update(1),
            )
        chart = _draw_curve(found, folder, picture, prices) if picture else []
    names = {history.project: history.name for history in found.histories}
    story = list(tell_story(replayed, prices, names=names, redact=RedactionGate(config)))
    if as_json:
        print_json({"story": story, **result_to_json(replayed, prices), "names": names})
        return
    for line in (*story, *_suggest_next(config, replayed), *chart):
        click.echo(line)
    if compare and replayed.own_score.mistakes:
        for line in (
            "",
            *render_table(replayed.scores, prices),
            "",
            *LEGEND,
            describe_prices(prices),
        ):
            click.echo(line)
    _print_skipped_files(replayed, found)


def _suggest_next(config: Config, replayed: Replayed) -> Iterator[str]:
    """Say what to do with the result: connect agents, or learn from these sessions."""
    if not replayed.own_score.sessions:
        yield "Next: work with your agent for a day, or name transcripts: twiceshy replay FOLDER"
    elif list_connected_runtimes(config.home):
        yield "Next: twiceshy distill --all, to know now what these sessions teach."
    else:
        yield "Next: twiceshy install --plan, to see how your agents would be connected."


def _check_picture_path(picture: str | None) -> None:
    if picture is None or picture == _TERMINAL:
        return
    if not picture.endswith((".svg", ".csv")):
        raise click.BadParameter(
            f"{picture!r} is neither .svg nor .csv, nor -", param_hint="--curve"
        )
    above = os.path.dirname(os.path.abspath(picture))
    if not os.path.isdir(above):
        raise NotFoundError(f"there is no folder {above}", hint="make it, or name another file")


def _draw_curve(found: FoundHistories, folder: str, picture: str, prices: Prices) -> list[str]:
    """Measure the curve; write its file, or return its lines for the terminal."""
    with progress_bar("for the curve", length=found.session_count * curve.RUNS) as update:
        points = curve.measure_curve(found, folder, prices, lambda: update(1))
    if picture == _TERMINAL:
        return list(curve.render_chart(points))
    curve.write_curve(points, picture)
    return []


def _print_skipped_files(replayed: Replayed, found: FoundHistories) -> None:
    passed = replayed.passed_over
    if passed:
        print_message(
            f"{len(passed)} of {found.session_count + len(found.passed_over)} files were left out:"
        )
        for each in passed[:_MOST_NAMED]:
            print_message(f"  {each.path} {each.why}")
        if len(passed) > _MOST_NAMED:
            print_message(f"  and {len(passed) - _MOST_NAMED} more; --json names them all")
    if replayed.broken_lines:
        print_message(f"{replayed.broken_lines} broken lines were passed over")
    if replayed.faults:
        print_message(
            f"{len(replayed.faults)} events failed inside a hook, first {replayed.faults[0]}"
        )

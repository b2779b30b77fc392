"""``twiceshy replay``."""

import os
import tempfile

import click

from twiceshy.app import RedactionGate, load_settings
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, print_message
from twiceshy.cli.safe_output import stderr_for_progress
from twiceshy.core.errors import NotFoundError
from twiceshy.core.prices import Prices, read_prices
from twiceshy.replay import curve, histories
from twiceshy.replay.histories import FoundHistories
from twiceshy.replay.play import Replayed, replay_projects
from twiceshy.replay.policies import BASELINES
from twiceshy.replay.story import tell_story
from twiceshy.replay.table import LEGEND, render_table, result_to_json

_MOST_NAMED = 5


@click.command("replay")
@click.argument("places", metavar="[RUNTIME|TRANSCRIPT|FOLDER]...", nargs=-1)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the last N sessions.")
@click.option("--project", metavar="PATH", help="Only sessions of the project in this folder.")
@click.option("--compare", is_flag=True, help="Compare with simpler methods, in a table.")
@click.option(
    "--curve",
    "picture",
    metavar="FILE",
    help="Write a curve, net tokens by tokens told, as .svg or .csv.",
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
        with click.progressbar(
            length=found.session_count, label="replaying", file=stderr_for_progress()
        ) as bar:
            replayed = replay_projects(
                found,
                os.path.join(folder, "memory"),
                baselines=BASELINES if compare else (),
                progress=lambda: bar.update(1),
            )
        if picture:
            _draw_curve(found, folder, picture, prices)
    names = {history.project: history.name for history in found.histories}
    story = list(tell_story(replayed, prices, names=names, redact=RedactionGate(config)))
    if as_json:
        print_json({"story": story, **result_to_json(replayed, prices), "names": names})
        return
    for line in story:
        click.echo(line)
    if compare and replayed.own_score.mistakes:
        for line in ("", *render_table(replayed.scores, prices), "", *LEGEND):
            click.echo(line)
    _print_skipped_files(replayed, found)


def _check_picture_path(picture: str | None) -> None:
    if picture is None:
        return
    if not picture.endswith((".svg", ".csv")):
        raise click.BadParameter(f"{picture!r} is neither .svg nor .csv", param_hint="--curve")
    above = os.path.dirname(os.path.abspath(picture))
    if not os.path.isdir(above):
        raise NotFoundError(f"there is no folder {above}", hint="make it, or name another file")


def _draw_curve(found: FoundHistories, folder: str, picture: str, prices: Prices) -> None:
    length = found.session_count * curve.RUNS
    with click.progressbar(
        length=length, label="for the curve", file=stderr_for_progress()
    ) as bar:
        points = curve.measure_curve(found, folder, prices, lambda: bar.update(1))
    curve.write_curve(points, picture)


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

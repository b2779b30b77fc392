"""``twiceshy replay``."""

import os
import sys
import tempfile

import click

from twiceshy.app import load_settings
from twiceshy.cli.options import json_option
from twiceshy.cli.output import print_json, print_message
from twiceshy.core.errors import NotFoundError
from twiceshy.replay import curve, histories
from twiceshy.replay.histories import FoundHistories
from twiceshy.replay.play import Replayed, replay_projects
from twiceshy.replay.policies import BASELINES
from twiceshy.replay.table import ENOUGH, LEGEND, describe_result, render_table
from twiceshy.replay.table import result_to_json as replay_json

_MOST_NAMED = 5


@click.command("replay")
@click.argument("places", metavar="[RUNTIME|TRANSCRIPT|FOLDER]...", nargs=-1)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the last N sessions.")
@click.option("--project", metavar="PATH", help="Only sessions of the project in this folder.")
@click.option(
    "--baselines/--no-baselines", default=True, help="Compare with simpler methods; default: yes."
)
@click.option(
    "--curve", "picture", metavar="FILE", help="Write a token/coverage curve as .svg or .csv."
)
@json_option
def command(
    *,
    places: tuple[str, ...],
    limit: int | None,
    project: str | None,
    baselines: bool,
    picture: str | None,
    as_json: bool,
) -> None:
    """Replay old sessions, and show which notes would have come in time.

    The sessions run through the real hooks with an empty memory in a temporary folder; your own
    notes are neither read nor changed. Without arguments: the transcripts of all runtimes. An
    agent may ignore a note, so the result is the upper limit of prevented failures.

    Example: twiceshy replay --limit 100
    """
    _check_picture_path(picture)
    with tempfile.TemporaryDirectory(prefix="twiceshy-replay-") as folder:
        found = histories.choose(load_settings(), places, folder, limit=limit, project=project)
        with click.progressbar(
            length=found.session_count, label="replaying", file=sys.stderr
        ) as bar:
            replayed = replay_projects(
                found,
                os.path.join(folder, "memory"),
                baselines=BASELINES if baselines else (),
                progress=lambda: bar.update(1),
            )
        if picture:
            _draw_curve(found, folder, picture)
    if as_json:
        names = {history.project: history.name for history in found.histories}
        print_json(replay_json(replayed) | {"names": names})
    else:
        _print_score(replayed, found)


def _check_picture_path(picture: str | None) -> None:
    if picture is None:
        return
    if not picture.endswith((".svg", ".csv")):
        raise click.BadParameter(f"{picture!r} is neither .svg nor .csv", param_hint="--curve")
    above = os.path.dirname(os.path.abspath(picture))
    if not os.path.isdir(above):
        raise NotFoundError(f"there is no folder {above}", hint="make it, or name another file")


def _draw_curve(found: FoundHistories, folder: str, picture: str) -> None:
    length = found.session_count * curve.RUNS
    with click.progressbar(length=length, label="for the curve", file=sys.stderr) as bar:
        points = curve.measure_curve(found, folder, lambda: bar.update(1))
    curve.write_curve(points, picture)


def _print_score(replayed: Replayed, found: FoundHistories) -> None:
    click.echo(describe_result(replayed.own_score))
    if replayed.own_score.recurrences:
        click.echo()
        for line in (*render_table(replayed.scores), "", *LEGEND):
            click.echo(line)
    if replayed.own_score.recurrences < ENOUGH:
        print_message(
            f"hint: a share needs at least {ENOUGH} repeated failures; replay more sessions"
        )
    _print_skipped_files(replayed, found)


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

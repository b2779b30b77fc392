"""How many candidates a year of heavy use leaves, and how long ``review`` is then.

    python -m bench.year [--days 365] [--sessions 20] [--projects 10] [--keep]

Every session is a transcript that is learned from as after its end, at the time that a clock says
which is set. It makes some of the mistakes that come back in its project, and now and then one that
nobody makes again. Once a day candidates fade as in the background job; with ``--keep`` none does,
and there is no cap. ``review`` is run as a command, and its lines are counted.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use

from twiceshy.app import load_settings, open_app
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, format_stamp, parse_day
from twiceshy.core.session import Session
from twiceshy.learning.learn import learn_from_transcripts
from twiceshy.learning.sources import TranscriptSource
from twiceshy.places.project import identify_project
from twiceshy.upkeep.compress import compress_daily
from twiceshy.upkeep.fade import fade_daily

if TYPE_CHECKING:
    from twiceshy.app import App

BEGIN = parse_day("2025-11-02")
MONTHS = (1, 3, 6, 12)
ONCE = 0.12  # chance of a session to make a mistake that nobody makes again
AGAIN = (0.2, 0.1, 0.05, 0.03, 0.02, 0.01)  # of the mistakes that come back in a project
QUIET_CALLS = 8  # behind the last mistake


class SimulatedYear:
    """Sessions of some projects, one after another, at the time of a clock that is set."""

    def __init__(self, app: App, folder: str, projects: int) -> None:
        self._app, self._folder, self._dice = app, folder, random.Random(7)
        self._roots = [os.path.join(folder, f"project-{number}") for number in range(projects)]
        self._ids = {}
        for root in self._roots:
            os.makedirs(root)
            self._ids[root] = identify_project(root, cache=None).id
            app.store.record_project(self._ids[root], name=os.path.basename(root), root=root)
        self._number = 0

    def live_day(self, at: int, sessions: int) -> None:
        """Go through the sessions of a day."""
        for place in range(sessions):
            self._number += 1
            self._live_session(at + place * (DAY // (2 * sessions)))

    def _live_session(self, at: int) -> None:
        set_clock(at)
        name, root = f"session-{self._number:06}", self._dice.choice(self._roots)
        path = os.path.join(self._folder, f"{name}.jsonl")
        self._write_transcript(path, name, root, at)
        place = ("claude-code", self._ids[root], root, path)
        self._app.store.save_records(Session(name, *place, at, at, prompts=1))
        source = TranscriptSource(path, name, os.path.getsize(path))
        learn_from_transcripts(self._app, [source], close=True)
        os.unlink(path)

    def _write_transcript(self, path: str, name: str, root: str, at: int) -> None:
        calls = [call for mistake in self._choose_mistakes(root) for call in mistake]
        calls += [(f"ls part-{number}", "") for number in range(QUIET_CALLS)]
        records: list[object] = []
        for number, (command, error) in enumerate(calls):
            call, stamp = f"{name}-{number}", format_stamp(at + number * 1_000)
            made = [a_use(call, "Bash", command=command, description="Do it")]
            came = [a_return(call, error or "done", is_error=bool(error))]
            for kind, content in (("assistant", made), ("user", came)):
                records.append(
                    a_record(
                        kind,
                        f"{name}-{kind}-{number}",
                        message={"role": kind, "content": content},
                        sessionId=name,
                        cwd=root,
                        timestamp=stamp,
                    )
                )
        a_file(Path(path), *records)

    def _choose_mistakes(self, root: str) -> list[list[tuple[str, str]]]:
        dice, where = self._dice, os.path.basename(root)
        found = [
            _misuse(f"tool{number}-{where}", f"--slip-{number}", f"--right-{number}")
            for number, chance in enumerate(AGAIN)
            if dice.random() < chance
        ]
        if dice.random() < ONCE:
            number = self._number
            found.append(_misuse(f"prog{number % 97}", f"--odd{number}", f"--even{number}"))
        return found


def _misuse(program: str, wrong: str, right: str) -> list[tuple[str, str]]:
    error = f"Exit code 2\nerror: unknown option '{wrong}'"
    return [(f"{program} run {wrong}", error), (f"{program} run {right}", "")]


def set_clock(at: int) -> None:
    """Let every process of ours take this for the present."""
    os.environ["TWICESHY_NOW"] = format_stamp(at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--sessions", type=int, default=20, help="a day")
    parser.add_argument("--projects", type=int, default=10)
    parser.add_argument("--keep", action="store_true", help="let nothing fade")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "TWICESHY_HOME": os.path.join(folder, "home"), "TZ": "UTC"}
        os.chdir(folder)
        os.makedirs(os.path.join(folder, "home"))
        if given.keep:
            with open(os.path.join(folder, "home", "config.toml"), "w", encoding="utf-8") as file:
                file.write("[notes]\ncandidates_max = 100000\n")
        simulate(folder, given)


def simulate(folder: str, given: argparse.Namespace) -> None:
    """Live through the days, and print counts after some months."""
    set_clock(BEGIN)
    months = {month * 365 // 12: month for month in MONTHS}
    print(f"{'month':>5}{'sessions':>10}{'candidates':>12}{'active':>8}{'retired':>9}", end="")
    print(f"{'faded':>7}{'crowded':>9}{'expired':>9}{'proposals':>11}{'review':>8}{'--all':>8}")
    with open_app(load_settings()) as app:
        year, slowest = SimulatedYear(app, folder, given.projects), 0.0
        for day in range(1, given.days + 1):
            year.live_day(BEGIN + day * DAY, given.sessions)
            began = time.process_time()
            if not given.keep:
                fade_daily(app)
            slowest = max(slowest, time.process_time() - began)
            compress_daily(app)
            if month := months.get(day):
                print_counts(app, month, day * given.sessions)
    print(f"slowest day of fading: {slowest * 1_000:.0f} ms of CPU")


def print_counts(app: App, month: int, sessions: int) -> None:
    """Print a line of counts."""
    statuses = {
        status: app.store.count_notes(NoteFilter(statuses=(status,), kinds=("lesson",)))
        for status in ("candidate", "active", "retired")
    }
    rules = app.store.count_notes(NoteFilter(statuses=("candidate",), kinds=("rule",)))
    counts = (*statuses.values(), *_count_reasons(app), rules)
    lines = [count_lines("review"), count_lines("review", "--all")]
    print(f"{month:>5}{sessions:>10,}{counts[0]:>12}{counts[1]:>8}{counts[2]:>9}", end="")
    print(f"{counts[3]:>7}{counts[4]:>9}{counts[5]:>9}{counts[6]:>11}{lines[0]:>8}{lines[1]:>8}")
    sys.stdout.flush()


def _count_reasons(app: App) -> list[int]:
    """Count the notes that faded, that were too many, and proposals that expired."""
    return [
        app.store.count_notes(NoteFilter(statuses=("retired",), reason=reason))
        for reason in ("faded: not", "faded: one", "expired: ")
    ]


def count_lines(*words: str) -> int:
    """Run a command as a person does, and count the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words], capture_output=True, check=True
    )
    return len((done.stdout + done.stderr).splitlines())


if __name__ == "__main__":
    main()

"""What the end of a session costs the background job, on the first day and after months of use.

    python -m bench.session_end [--days 1 120] [--sessions 20] [--projects 5] [--rounds 11]

A session makes a mistake, puts it right and works on; its transcript has so many ``--calls``. At its
beginning it was shown the notes of its project. Its end is measured as the job that the hook starts, with
everything that the job itself starts, against an interpreter that does nothing, one after the other in
random order. Homes are as ``install`` leaves them: with compiled modules and a settings file. The older
sessions are written through the store as hooks and learning do (``bench.growth``).
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import tempfile
from contextlib import closing
from typing import TYPE_CHECKING

from bench.client_events import TAPES
from bench.growth import TODAY, Clock, SimulatedUse
from bench.hooks import BARE, SOURCE, UNHURRIED, a_project, install_hooks

from twiceshy.core.evidence import Exposure
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, SECOND, format_stamp
from twiceshy.core.session import Session
from twiceshy.places.project import identify_project
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

SHOWN = 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--days", type=int, nargs="+", default=[1, 120])
    parser.add_argument("--sessions", type=int, default=20, help="a day")
    parser.add_argument("--projects", type=int, default=5)
    parser.add_argument("--calls", type=int, default=40, help="of the session that ends")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--source", default=SOURCE, help="where the package lies that is measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "TWICESHY_NOW": format_stamp(TODAY), "TZ": "UTC"}
        os.environ |= UNHURRIED
        shop = a_project(folder)
        homes = {}
        for days in given.days:
            homes[days] = os.path.join(folder, f"day-{days}")
            age(homes[days], shop, days, given.sessions, given.projects)
        measure(folder, shop, homes, given)


def age(home: str, shop: str, days: int, sessions: int, projects: int) -> None:
    """Fill a memory home as so many days of work do."""
    os.makedirs(home, mode=0o700)
    install_hooks(home)
    patience = COMMAND_PATIENCE.but(synchronous="OFF")
    clock = Clock(TODAY - days * DAY)
    store = WholeStore(os.path.join(home, "twiceshy.db"), clock=clock, patience=patience)
    ids = [identify_project(shop, cache=None).id]
    ids += [f"dir:{number:032}" for number in range(1, projects)]
    use = SimulatedUse(store, clock, ids)
    use.live(days * sessions, since=TODAY - days * DAY, until=TODAY - 3_600 * SECOND)
    size = os.path.getsize(store.path)
    store.close()
    print(f"day {days}: {days * sessions:,} sessions, {size:,} bytes", flush=True)


def prepare(folder: str, shop: str, home: str, name: str, calls: int) -> None:
    """Write the transcript of a session, and let it have been shown notes."""
    at = TODAY - 300 * SECOND  # a session that was quiet for longer is learned from by any job
    tape = TAPES["claude-code"](folder, name, shop, at)
    tape.prompt("please fix the build of the shop")
    wrong, right = f"tool-{name} run --slip", f"tool-{name} run --right"
    done = [(wrong, "Exit code 2\nerror: unknown option '--slip'"), (right, "")]
    done += [(f"sed -n 1,{number + 20}p src/part_{number}.py", "") for number in range(calls - 2)]
    for number, (command, error) in enumerate(done):
        tape.at = at + number * 1_000
        call = tape.translate(f"{name}-{number}", "Bash", {"command": command})
        if call is not None:
            tape.pend(call)
            tape.end(call, error or "done\n" * 20, failed=bool(error))
    here = identify_project(shop, cache=None).id
    with closing(WholeStore(os.path.join(home, "twiceshy.db"), clock=Clock(TODAY))) as store:
        which = NoteFilter(projects=(here,), kinds=("lesson",), statuses=())
        notes = [note.id for note in store.notes(which, limit=SHOWN)]
        place = ("claude-code", here, shop, tape.path)
        store.save_records(Session(name, *place, at, at, prompts=1))
        store.capture(
            *(Exposure(f"{name}//0/start/{each}", each, name, "start", at, 30) for each in notes)
        )


def measure(folder: str, shop: str, homes: dict[int, str], given: argparse.Namespace) -> None:
    """End a session in every home in every round, in random order, and print medians."""
    job = [*BARE[:-2], os.path.join(given.source, "twiceshy", "hooks", "run.py"), "learn"]
    taken: dict[int, list[float]] = {days: [] for days in (0, *homes)}
    dice = random.Random(1)
    for number in range(given.rounds + 1):
        name = f"ending-{number:04}"
        for days in dice.sample(list(taken), len(taken)):
            if not days:
                taken[days].append(cpu_of(BARE, shop, folder))
                continue
            prepare(
                os.path.join(folder, f"transcripts-{days}"), shop, homes[days], name, given.calls
            )
            taken[days].append(cpu_of([*job, name, "over"], shop, homes[days]))
    medians = {days: statistics.median(times[1:]) for days, times in taken.items()}
    print(f"{'':<20}{'CPU ms':>8}{'x bare':>8}")
    for days, cpu in medians.items():
        label = f"session end, day {days}" if days else "python -I -S -c pass"
        print(f"{label:<20}{cpu:8.1f}{cpu / medians[0]:8.1f}")


def cpu_of(argv: Sequence[str], cwd: str, home: str) -> float:
    """Return the processor time of a command and of what it started and waited for, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, check=True, cwd=cwd, env={**os.environ, "TWICESHY_HOME": home})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1_000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


if __name__ == "__main__":
    main()

"""What a year of heavy use leaves in a memory home, and what hooks, commands and sessions cost then.

    python -m bench.year [--days 365] [--sessions 20] [--projects 10] [--short] [--keep]
        [--folder DIR] [--log FILE] [--rounds 9]

Days are lived one after another, at the time that a clock says which is set. After days 1, 30, 90, 180
and 365 the home is copied and the copy is measured: the file and its tables, notes, what ``review``
and a session start show, and CPU times against an interpreter that does nothing, in one interleaved
run. ``--short`` lives a tenth of the year with a tenth of the lifetimes. With ``--keep`` no note
fades. The figures are added to ``--log`` as they are known.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from typing import TYPE_CHECKING

from bench.hooks import BARE, RUN, SOURCE, install_hooks, spent, start_hook
from bench.year_sessions import (
    SessionPlace,
    SimulatedYear,
    YearHome,
    misuse,
    play_session,
    set_clock,
)

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, parse_day, parse_stamp
from twiceshy.core.text import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

BEGIN = parse_day("2025-11-02")
MILESTONES = (1, 30, 90, 180, 365)
SHORTER = 10  # times
LIFETIMES = {"showings_days": 90, "evidence_days": 180, "archive_days": 30, "state_days": 3}
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'"
_SIZES = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--sessions", type=int, default=20, help="a day")
    parser.add_argument("--projects", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=9, help="of the CPU times")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--keep", action="store_true", help="let nothing fade")
    parser.add_argument("--folder", help="that is kept; default: one that is removed")
    parser.add_argument("--log", help="file to which the figures are added")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        live(given.folder or folder, given)


def live(folder: str, given: argparse.Namespace) -> None:
    """Live through the days, and print what is measured after some of them."""
    shorter = SHORTER if given.short else 1
    prepare(folder, given, shorter)
    milestones = {max(1, day // shorter): day for day in MILESTONES}
    last = max(1, given.days // shorter)
    began = time.process_time()
    with YearHome(folder) as home:
        year = SimulatedYear(home, folder, given.projects, fading=not given.keep)
        for day in range(1, last + 1):
            year.live_day(BEGIN + day * DAY, given.sessions)
            tell(
                f"day {day}: {time.process_time() - began:.0f} s of CPU",
                "" if day % 10 else given.log,
            )
            if day in milestones or day == last:
                figures = measure(home, folder, year.roots[0], rounds=given.rounds)
                tell(
                    json.dumps({"day": day, "sessions": day * given.sessions} | figures), given.log
                )
                sys.stdout.write(render(day, figures))
        for fault in sorted(set(home.faults)):
            tell(f"fault: {fault}", given.log)


def prepare(folder: str, given: argparse.Namespace, shorter: int) -> None:
    """Make an installed home, in which nothing is the user's."""
    home = os.path.join(folder, "memory")
    os.environ |= {"HOME": folder, "TWICESHY_HOME": home, "TZ": "UTC"}
    os.makedirs(home, exist_ok=True)
    os.chdir(folder)
    set_clock(BEGIN)
    install_hooks(home)
    lines = []
    if shorter > 1:
        lines = [
            "[retention]",
            *(f"{name} = {max(1, days // shorter)}" for name, days in LIFETIMES.items()),
        ]
    if given.keep:
        lines += ["[notes]", "candidates_max = 100000"]
    with open(os.path.join(home, "config.toml"), "a", encoding="utf-8") as file:
        file.write("\n" + "\n".join(lines) + "\n")


def tell(line: str, log: str | None) -> None:
    """Write a line on progress, and to the log if there is one."""
    sys.stderr.write(line + "\n")
    if log:
        with open(log, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def measure(home: YearHome, folder: str, root: str, *, rounds: int) -> dict[str, object]:
    """Measure a copy of the home, so that the year goes on as if nobody had looked."""
    own, copy = home.app.config.home, os.path.join(folder, "measured", "memory")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(own, copy, ignore=_leave_out_store)
    path = os.path.join(copy, "twiceshy.db")
    with (
        closing(sqlite3.connect(home.app.config.store)) as db,
        closing(sqlite3.connect(path)) as to,
    ):
        db.backup(to)
    install_hooks_again(copy)
    os.environ["TWICESHY_HOME"] = copy
    try:
        return {
            "kilobytes": os.path.getsize(path) // 1024,
            "rows": count_rows(path),
            "kilobytes by table": weigh_tables(path),
            "notes": count_notes(home),
            "review lines": len(run("review")[0].splitlines()),
            "effect lines": len(run("effect")[0].splitlines()),
            "start tokens": estimate_tokens(start_text(copy, root)),
            "CPU of commands": {
                " ".join(words): round(run(*words)[1], 2)
                for words in (("doctor",), ("effect",), ("status",), ("compress",), ("tend",))
            },
            "times bare": compare(copy, root, rounds=rounds),
        }
    finally:
        os.environ["TWICESHY_HOME"] = own
        shutil.rmtree(copy, ignore_errors=True)


def _leave_out_store(_: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith("twiceshy.db")]


def install_hooks_again(home: str) -> None:
    """Install the hooks of a copied home, with its own settings."""
    config = os.path.join(home, "config.toml")
    with open(config, encoding="utf-8") as file:
        settings = file.read()
    shutil.rmtree(os.path.join(home, "bin"), ignore_errors=True)
    install_hooks(home)
    with open(config, "w", encoding="utf-8") as file:
        file.write(settings)


def count_rows(path: str) -> dict[str, int]:
    """Count the rows of every table that has any."""
    with closing(sqlite3.connect(path)) as db:
        names = [name for (name,) in db.execute(_TABLES) if not name.startswith("words")]
        counts = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}
    return {name: count for name, count in sorted(counts.items()) if count}


def weigh_tables(path: str) -> dict[str, int]:
    """Return the kilobytes of the ten largest tables and indexes, if SQLite tells."""
    with closing(sqlite3.connect(path)) as db:
        try:
            sizes = dict(db.execute(_SIZES).fetchall())
        except sqlite3.OperationalError:
            return {}
    largest = sorted(sizes, key=lambda name: -sizes[name])[:10]
    return {name: sizes[name] // 1024 for name in largest}


def count_notes(home: YearHome) -> dict[str, int]:
    """Count lessons by status, proposed rules, and what faded."""
    count = home.store.count_notes
    statuses = ("active", "candidate", "retired")
    return {
        **{each: count(NoteFilter(statuses=(each,), kinds=("lesson",))) for each in statuses},
        "proposed rules": count(NoteFilter(statuses=("candidate",), kinds=("rule",))),
        "faded": count(NoteFilter(statuses=("retired",), reason="faded: ")),
    }


def run(*words: str) -> tuple[str, float]:
    """Run a command as a person does; return what it prints, and the seconds of CPU it takes."""
    before = os.times()
    argv = [sys.executable, "-m", "twiceshy", *words]
    done = subprocess.run(argv, capture_output=True, check=False, env=_environ())
    after = os.times()
    if done.returncode not in (0, 1):
        sys.stderr.write(
            f"{words[0]} ended with {done.returncode}: {done.stderr.decode()[:500]}\n"
        )
    used = after.children_user + after.children_system
    return done.stdout.decode(), used - before.children_user - before.children_system


def start_text(home: str, root: str) -> str:
    """Return what the hook of a session start says in a project."""
    done = subprocess.run(
        start_hook(home),
        input=_payload("shown-at-start", root, "SessionStart", source="startup"),
        capture_output=True,
        check=False,
        env=_environ(),
    )
    return done.stdout.decode()


def _environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCE}


def compare(home: str, root: str, *, rounds: int) -> dict[str, float]:
    """Run hooks and a session's end in every round in random order; return medians of CPU."""
    things = list_events(home, root)
    taken: dict[str, list[float]] = {name: [] for name in (*things, "bare")}
    dice = random.Random(1)
    for number in range(rounds + 1):
        for name in dice.sample(list(taken), len(taken)):
            argv, raw = things[name](number) if name in things else (BARE, b"")
            taken[name].append(spent(argv, raw, home)[0])
    medians = {name: statistics.median(times[1:]) for name, times in taken.items()}
    bare = medians.pop("bare")
    return {name: round(cpu / bare, 2) for name, cpu in medians.items()}


def list_events(home: str, root: str) -> dict[str, Callable[[int], tuple[list[str], bytes]]]:
    """Return what is started for each event in each round."""
    hook, where = start_hook(home), os.path.basename(root)
    wrong, _ = misuse(f"tool0-{where}", "slip-0", "right-0")
    call = {"tool_name": "Bash", "tool_input": {"command": wrong}}
    quiet = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    error = "Exit code 1\ntag not found: v1\nrun git push --tags first"

    def event(name: str, **fields: object) -> Callable[[int], tuple[list[str], bytes]]:
        session = name.lower() + str(fields.get("tool_input", ""))[-4:-2].strip()
        return lambda number: (hook, _payload(f"{session}-{number}", root, name, **fields))

    def end(number: int) -> tuple[list[str], bytes]:
        session = f"over-{number:06}"
        transcript = os.path.join(home, f"{session}.jsonl")
        at, mistakes = (
            parse_stamp(os.environ["TWICESHY_NOW"]),
            [misuse("tool0-" + where, "slip-0", "right-0")],
        )
        with YearHome(os.path.dirname(home)) as there:
            play_session(
                there, random.Random(number), SessionPlace(session, root, transcript, at), mistakes
            )
        learn = [*RUN[:-1], "learn", session, "over"]
        return learn, _payload(session, root, "SessionEnd")

    return {
        "nothing": event("PreToolUse", **quiet, tool_use_id="n"),
        "told call": event("PreToolUse", **call, tool_use_id="t"),
        "signal": event("PostToolUseFailure", **quiet, tool_use_id="s", error=error),
        "session start": event("SessionStart", source="startup"),
        "session end": end,
    }


def _payload(session: str, root: str, event: str, **fields: object) -> bytes:
    path = os.path.join(os.environ["TWICESHY_HOME"], f"{session}.jsonl")
    common = {"session_id": session, "cwd": root, "transcript_path": path}
    return json.dumps(
        {**common, "hook_event_name": event, **fields}, separators=(",", ":")
    ).encode()


def render(day: int, figures: dict[str, object]) -> str:
    """Return the figures of a day in lines."""
    return "\n".join(
        (f"after day {day}", *(f"  {name}: {each}" for name, each in figures.items()), "")
    )


if __name__ == "__main__":
    main()

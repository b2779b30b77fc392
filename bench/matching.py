"""What it costs to find the notes about a pending call, and about a failure, in a store that is open.

    python -m bench.matching [--notes 10000] [--times 300]

The notes are mixed: two thirds were learned from calls of fifty programs and quote an error, the
others were written by people; a tenth is of this project, a twentieth is global, the others are of
eight other projects. ``--here`` lets all of them be of this project. Printed are the median and
the 95th percentile of processor time, in microseconds, over many different calls and errors.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from typing import TYPE_CHECKING

from bench.corpus import texts
from bench.scale import fill, open_store

from twiceshy.app import HookApp, RedactionGate
from twiceshy.config.quick import QuickConfig
from twiceshy.core.draft import Draft
from twiceshy.core.event import CallFailed, CallPending
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.session import Session
from twiceshy.recall.before_call import tell_after_failure, tell_before_call
from twiceshy.recall.event_context import EventContext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.store.command_store import WholeStore

SESSION = "measured"
HERE = "dir:000000000001"
OTHERS = tuple(f"dir:{number:012x}" for number in range(2, 10))
PROGRAMS = tuple(f"tool{number}" for number in range(44)) + tuple("git gh npm pip go make".split())
VERBS = tuple(f"verb{number}" for number in range(60))
FLAGS = tuple(f"--flag-{number}" for number in range(200))
# How tools complain; the name in it differs from call to call.
ERRORS = (
    "unknown flag: {0}",
    "error: unrecognized arguments: {0}",
    "error: unknown option '{0}'",
    "Error: Cannot find module '{0}'",
    "fatal: ambiguous argument '{0}': unknown revision or path not in the working tree.",
    "fatal: pathspec '{0}' did not match any files",
    "cat: {0}: No such file or directory",
    "bash: line 1: {0}: command not found",
    "make: *** No rule to make target '{0}'.  Stop.",
    'psql: error: connection to server at "localhost" ({0}), port 5432 failed: Connection refused',
    'npm error Missing script: "{0}"',
    "ModuleNotFoundError: No module named '{0}'",
    "sqlalchemy.exc.DetachedInstanceError: Instance <{0}> is not bound to a Session",
    "error TS2307: Cannot find module '{0}' or its corresponding type declarations.",
    "Error: listen EADDRINUSE: address already in use :::{0}",
    "permission denied while trying to connect to the Docker daemon socket at {0}",
)
NOISE = (
    'Traceback (most recent call last):\n  File "/srv/app/main.py", line {0}, in <module>\n    main()\n'
    '  File "/srv/app/main.py", line 12, in main\n    run(load(path))\n'
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--here", action="store_true", help="all notes are of this project")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(os.path.join(folder, "home", "twiceshy.db"))
        fill(store, mixed_notes(given.notes, here=given.here))
        began = store.now()
        store.save_records(Session(SESSION, "claude-code", HERE, "/srv/app", "", began, began))
        print(f"{given.notes:,} notes{', all of this project' * given.here}")
        measure_matching(store, HERE, times=given.times)
        store.close()


def mixed_notes(count: int, *, here: bool) -> Iterator[Draft]:
    """Yield learned lessons and written notes of this project, of all, and of others."""
    dice = random.Random(3)
    written = texts(count, seed=11)
    for number in range(count):
        share = dice.random()
        if here or share < 0.1:
            project = HERE
        else:
            project = EVERYWHERE if share < 0.15 else dice.choice(OTHERS)
        scope = Scope(project, NO_SKILL)
        if number % 3:
            yield a_lesson(dice, scope, number)
        else:
            yield a_written_note(dice, scope, next(written))


def a_lesson(dice: random.Random, scope: Scope, number: int) -> Draft:
    """Return a lesson with the evidence of the call that failed."""
    command, trigger = a_call(dice)
    error = dice.choice(ERRORS).format(f"name{number}")
    text = f"`{command}`: use `--other-{number}`: {error}"
    why = f'`{command}` failed: "{error}". `{command} --other-{number}` worked.'
    category = dice.choice(("usage", "usage", "outcome"))
    line = f"Bash/{category} {trigger}"
    return Draft("lesson", text, scope, "detector", "fix", why=why, trigger=line)


def a_written_note(dice: random.Random, scope: Scope, words: str) -> Draft:
    """Return a note of a person: every other one names a call or quotes an error."""
    kind = dice.choice(("call", "error", "words", "words"))
    if kind == "call":
        return Draft("decision", f"Never `{a_call(dice)[0]}`: {words}", scope, "user")
    error = dice.choice(ERRORS).format(dice.choice(words.split())) if kind == "error" else ""
    return Draft("lesson", words, scope, "user", why=error and f'It says "{error}".')


def a_call(dice: random.Random) -> tuple[str, str]:
    """Return a command line, and the words of its trigger."""
    program, verb, flag = dice.choice(PROGRAMS), dice.choice(VERBS), dice.choice(FLAGS)
    return f"{program} {verb} {flag}", " ".join(sorted((flag, program, verb)))


def measure_matching(store: WholeStore, project: str, *, times: int) -> None:
    """Print what it costs to answer pending calls and failures of a session of a project."""
    dice = random.Random(5)
    calls = [a_call(dice)[0] for _ in range(times)]
    lines = [f"cd src && {a_call(dice)[0]} x.py | tail -5 && {call}" for call in calls]
    errors = [dice.choice(ERRORS).format(f"other{number}") for number in range(times)]
    traces = [NOISE.format(number) * 5 + error for number, error in enumerate(errors)]
    words = [f"Exit code {number}\n{text}" for number, text in enumerate(texts(times, seed=8))]
    strange = [f"other-{call}" for call in calls]
    for name, commands, said in (
        ("pending call", calls, None),
        ("pending line of three calls", lines, None),
        ("failure, a line", calls, errors),
        ("failure, a stack trace", calls, traces),
        ("failure of an unknown program", strange, errors),
        ("failure, 40 words of notes", calls, words),
    ):
        taken = sorted(
            _measure_answer(store, project, command, error)
            for command, error in zip(commands, said or [""] * times, strict=True)
        )
        p95 = taken[times * 95 // 100]
        print(f"  {name:<30}{statistics.median(taken):8,.0f} µs{p95:8,.0f} µs")


def _measure_answer(store: WholeStore, project: str, command: str, error: str) -> float:
    """Return the microseconds of processor time in which notes about a call are found and told."""
    config = QuickConfig(os.path.dirname(store.path))
    app = HookApp(config, store, RedactionGate(config), "/srv/app")
    about = {"tool": "Bash", "target": command, "arguments": {"command": command}}
    where = {"session": SESSION, "cwd": "/srv/app", "at": store.now(), "place": "/srv/app"}
    event = (CallFailed if error else CallPending).of(where | about)
    context = EventContext(event, app, "claude-code")
    context.session = context.session.but(project=project)
    context.visible_projects()
    begin = time.process_time_ns()
    if isinstance(event, CallFailed):
        tell_after_failure(context, event, error)
    else:
        tell_before_call(context, event)
    return (time.process_time_ns() - begin) / 1_000


if __name__ == "__main__":
    main()

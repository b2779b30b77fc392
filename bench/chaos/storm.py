"""Storm: many hooks and commands at once; every acknowledged write must be in the store."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import (
    HOOK,
    Ended,
    TrialHome,
    find_command_fault,
    find_hook_fault,
    make_home,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

AT_ONCE = 8
SESSIONS = 12
_LOCKED_S, _FREE_S = 0.25, 0.35  # a hook waits 0.1 s for the lock
_KINDS = {"failure": 5, "prompt": 3, "start": 2, "note": 4, "list": 1, "undo": 1}


def run(dice: random.Random, rounds: int, *, hook: Sequence[str] = HOOK) -> Outcome:
    """Start hooks and commands, eight at a time, and look for each of their writes."""
    outcome = Outcome("storm")
    kinds = dice.choices(list(_KINDS), list(_KINDS.values()), k=rounds)
    sessions = [f"s{dice.randrange(SESSIONS)}" for _ in kinds]
    with make_home(hook) as home:
        over = threading.Event()
        with ThreadPoolExecutor(AT_ONCE + 1) as pool:
            locked = pool.submit(_lock_often, home, over)
            acts = [pool.submit(_act, home, kinds[n], n, sessions[n]) for n in range(rounds)]
            ended = [act.result() for act in acts]
            over.set()
        outcome.count("locked", locked.result())
        for number, kind in enumerate(kinds):
            outcome.count(kind)
            check = find_command_fault if kind in ("note", "list", "undo") else find_hook_fault
            if fault := check(ended[number]):
                outcome.bad.append(f"{kind} {number} {fault}")
        expired = [line for line in _read_log(home) if "DeadlineExpired" in line]
        outcome.count("expired", len(expired))
        outcome.count("held", len(list((home.path / "held").glob("*"))))
        if fault := find_hook_fault(home.learn("s1")):
            outcome.bad.append(f"the background job {fault}")
        if home.end_jobs():
            outcome.bad.append("a background job hangs")
        outcome.bad += home.check_integrity() or _find_lost(home, kinds, sessions, ended)
    return outcome


def _lock_often(home: TrialHome, over: threading.Event) -> int:
    """Hold the lock of the store now and then, longer than a hook waits; return how often."""
    times = 0
    while not over.wait(_FREE_S):
        with suppress(sqlite3.OperationalError), closing(_open_existing(home)) as db:
            db.execute("BEGIN IMMEDIATE")
            times += 1
            time.sleep(_LOCKED_S)
    return times


def _open_existing(home: TrialHome) -> sqlite3.Connection:
    """Open the store; OperationalError as long as nobody has made it."""
    uri = f"{home.database.as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1)


def _act(home: TrialHome, kind: str, number: int, session: str) -> Ended:
    common = {"session_id": session, "cwd": str(home.project), "transcript_path": "/t.jsonl"}
    match kind:
        case "failure":
            return home.fire(build_failure(number, common))
        case "prompt":
            words = {"hook_event_name": "UserPromptSubmit", "prompt": f"cut release {number}"}
            return home.fire(common | words)
        case "start":
            return home.fire(common | {"hook_event_name": "SessionStart", "source": "startup"})
        case "note":
            return home.command(
                "note", f"Step {number} needs tool {number * 7}.", "--new", "--json"
            )
        case "undo":
            return home.command("undo", "--json")
        case _:
            return home.command("list", "--json")


def build_failure(number: int, common: dict[str, str]) -> dict[str, object]:
    """Return the payload of a failing call."""
    return {
        **common,
        "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{number:05}",
        "tool_input": {"command": f"make target-{number}"},
        "error": f"Exit code 2\nmake: *** No rule to make target 'target-{number}'.  Stop.",
        "is_interrupt": False,
    }


def _find_lost(
    home: TrialHome, kinds: list[str], sessions: list[str], ended: list[Ended]
) -> list[str]:
    """Return a line for each acknowledged write that the store lacks."""
    done = [n for n, end in enumerate(ended) if end.code == 0]
    calls = {row[0] for row in home.rows("SELECT call FROM signals")}
    prompts = dict(home.rows("SELECT id, prompts FROM sessions"))
    notes = {row[0] for row in home.rows("SELECT id FROM notes")}
    undone = {row[0] for row in home.rows("SELECT object FROM journal WHERE op = 'undo'")}
    lost = []
    given = Counter(sessions[n] for n in done if kinds[n] == "prompt")
    for session, number in given.items():
        if prompts.get(session) != number:
            lost.append(f"session {session}: {prompts.get(session)} of {number} prompts")
    for n in done:
        if kinds[n] == "failure" and f"toolu_{n:05}" not in calls:
            lost.append(f"failure {n} is lost")
        if kinds[n] == "start" and sessions[n] not in prompts:
            lost.append(f"the session of start {n} is lost")
        if kinds[n] == "note" and ended[n].document["note"]["id"] not in notes:
            lost.append(f"note {n} is lost")
        if kinds[n] == "undo" and not undone.issuperset(
            note["id"] for note in ended[n].document["notes"]
        ):
            lost.append(f"undo {n} is lost")
    return lost


def _read_log(home: TrialHome) -> list[str]:
    log = home.path / "hook.log"
    return log.read_text(errors="replace").splitlines() if log.exists() else []

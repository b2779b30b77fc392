"""Busy processes beside the hooks: events kept, texts told and on record, guards that decide."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import HOOK, encode, find_hook_fault, finish, make_home

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.chaos.trial_home import Ended, TrialHome

FACTORS = (1, 4, 10)  # busy processes for each core
AT_ONCE = 4
SLOW_GIT_S = (0.35, 2.0)
NOTE = "Answers in English."
_DENY = {"TWICESHY_GUARDS_MODE": "deny"}


def run(
    _: random.Random,
    rounds: int,
    hook: Sequence[str] = HOOK,
    *,
    factors: Sequence[int] = FACTORS,
    slow_git: Sequence[float] = SLOW_GIT_S,
) -> Outcome:
    """Fire hooks beside more and more busy processes, then guards beside a slow git."""
    outcome = Outcome("load")
    for factor in factors:
        with make_home(hook) as home, busy(factor * (os.cpu_count() or 1)):
            _prepare(home)
            for row in (_fail(home, rounds), _start(home, rounds), _push(home, rounds // 4 or 1)):
                for what, number in row.items():
                    outcome.count(f"{what} at {factor}x", number)
                    if what.startswith(("lost", "unrecorded", "silent", "broken")):
                        outcome.bad += [f"{what} at {factor}x the cores"] * number
    for seconds in slow_git:
        with make_home(hook) as home:
            _prepare(home)
            path = {"PATH": f"{_slow_git(home, seconds)}:{os.environ['PATH']}"}
            for what, number in _push(home, max(1, rounds // 10), path).items():
                outcome.count(f"{what}, git takes {seconds:g} s", number)
                if what.startswith(("silent", "broken")):
                    outcome.bad += [f"{what} with a git that takes {seconds:g} s"] * number
    return outcome


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep the processor busy with so many processes."""
    program = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(program) for _ in range(number)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def _prepare(home: TrialHome) -> None:
    """Make a repository with a commit that adds a .env, a remote without it, and a note."""
    git = ["git", "-C", str(home.project), "-c", "user.name=u", "-c", "user.email=u@example.org"]
    remote = home.folder / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    (home.project / "README.md").write_text("x\n")
    for words in (
        ["init", "-q", "-b", "main"],
        ["remote", "add", "origin", str(remote)],
        ["add", "-A"],
        ["commit", "-q", "-m", "first"],
        ["push", "-q", "-u", "origin", "main"],
    ):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (home.project / ".env").write_text("A=1\n")
    subprocess.run([*git, "add", "-f", ".env"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "second"], check=True)
    home.command("note", NOTE, "--kind", "preference")


def _payload(home: TrialHome, session: str, event: str, **fields: object) -> bytes:
    common = {"session_id": session, "cwd": str(home.project), "transcript_path": "/t.jsonl"}
    return encode({**common, "hook_event_name": event, **fields})


def _fail(home: TrialHome, rounds: int) -> Counter[str]:
    """Fire failing calls one by one, then four at once; every one must be kept."""
    numbers = list(range(rounds * 2))
    ended: list[Ended] = []
    groups = [[one] for one in numbers[:rounds]]
    groups += [numbers[at : at + AT_ONCE] for at in range(rounds, len(numbers), AT_ONCE)]
    for group in groups:
        hooks = [home.start_hook() for _ in group]
        for number, hook in zip(group, hooks, strict=True):
            call = {"tool_name": "Bash", "tool_input": {"command": f"make target{number}"}}
            error = "Exit code 2\nmake: *** No rule to make target.  Stop."
            more = {"error": error, "is_interrupt": False, "tool_use_id": f"toolu_{number}"}
            raw = _payload(home, "failing", "PostToolUseFailure", **call, **more)
            assert hook.stdin is not None
            hook.stdin.write(raw)
            hook.stdin.close()
            hook.stdin = None
        ended += [finish(hook) for hook in hooks]
    home.learn("failing")
    kept = {row[0] for row in home.rows("SELECT call FROM signals")}
    lost = sum(f"toolu_{number}" not in kept for number in numbers)
    faults = sum(bool(find_hook_fault(one)) for one in ended)
    return Counter({"kept": len(numbers) - lost, "lost": lost, "broken": faults})


def _start(home: TrialHome, rounds: int) -> Counter[str]:
    """Start sessions; what a session is told must be on record."""
    told: Counter[str] = Counter()
    for number in range(rounds):
        ended = home.fire(_payload(home, f"start-{number}", "SessionStart", source="startup"))
        told["broken"] += bool(find_hook_fault(ended))
        if NOTE.encode() in ended.out:
            told["told"] += 1
    home.learn("start-0")
    seen = {row[0] for row in home.rows("SELECT session FROM exposures WHERE channel = 'start'")}
    told["unrecorded"] = max(0, told["told"] - len(seen))
    return told


def _push(home: TrialHome, rounds: int, more: dict[str, str] | None = None) -> Counter[str]:
    """Be about to push a .env where that is denied; silence lets it through."""
    said: Counter[str] = Counter()
    home.fire(_payload(home, "pushing", "SessionStart", source="startup"))
    for number in range(rounds):
        call = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}}
        raw = _payload(home, "pushing", "PreToolUse", **call, tool_use_id=f"push_{number}")
        ended = finish(
            home.start([*home.hook, "claude-code"], more={**_DENY, **(more or {})}), raw
        )
        said["broken"] += bool(find_hook_fault(ended))
        asked = [word for word in ("deny", "ask") if f'"{word}"'.encode() in ended.out]
        said[f"pushes {asked[0]}" if asked else "silent pushes"] += 1
    return said


def _slow_git(home: TrialHome, seconds: float) -> Path:
    """Make a git that thinks for a while before it answers, and return its folder."""
    folder = home.folder / "slow"
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\nsleep {seconds}\nexec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    return folder

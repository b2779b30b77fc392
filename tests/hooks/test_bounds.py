"""A process that nobody waits for ends by itself, also if it hangs or runs in circles."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.hooks.attack import HOOK, PATIENCE

from twiceshy.hooks.deadline import MOST_CPU_S

SOURCE = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize(
    ("limits", "act", "ends_by"),
    [
        ("seconds=1, cpu=60", "time.sleep(60)", signal.SIGALRM),
        ("seconds=60, cpu=1", "exec('while True: pass')", signal.SIGXCPU),
    ],
    ids=["hangs", "runs in circles"],
)
def test_a_bounded_process_ends(limits: str, act: str, ends_by: signal.Signals) -> None:
    program = f"import time; from twiceshy.hooks.deadline import set_hard_limit; set_hard_limit({limits}); {act}"

    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )

    assert done.returncode == -ends_by


def test_the_process_that_learns_is_bounded_before_it_does_anything(home: Path) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    os.mkfifo(home / "twiceshy.db")  # whoever opens it waits until somebody writes
    learner = subprocess.Popen([*HOOK, "learn", "s1"])
    limits = Path(f"/proc/{learner.pid}/limits")
    if not limits.exists():
        learner.kill()
        learner.wait()
        pytest.skip("needs /proc to see the limits of another process")

    until, bounded = time.monotonic() + PATIENCE, False
    while not bounded and time.monotonic() < until and learner.poll() is None:
        bounded = f"Max cpu time              {MOST_CPU_S} " in limits.read_text()
    learner.kill()
    learner.wait()

    assert bounded

"""What hooks cost inside the real clients: the time of a tool call, with and without us, in each lane.

    python -m bench.lanes [--rounds 5] [--calls 12] [--only codex claude-code]

A lane is how a client reaches us: not at all, through a process for every event, or through the MCP
server that runs anyway. A round is one session of every client in every lane, in random order; a session
makes some calls of its shell, no two alike (some clients end a loop), and what is measured is the time from one request of the model to the
next. Clients come from npm, as in the journeys; the model is a script on loopback.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.script import Step, calls

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.journeys.lab.client import Client

# Hooks for every call: one before it, one after it.
HOOKS = 2
CLIENTS: dict[str, tuple[Callable[[Lab], Client], Callable[[int], Step], tuple[str, ...]]] = {
    "claude-code": (
        ClaudeCode,
        lambda n: calls("Bash", command=f"true {n}", description="Nothing"),
        ("none", "process", "server"),
    ),
    "codex": (
        Codex,
        lambda n: calls("exec_command", cmd=f"true {n}"),
        ("none", "process", "server"),
    ),
    "opencode": (
        OpenCode,
        lambda n: calls("bash", command=f"true {n}", description="Nothing"),
        ("none", "process"),
    ),
    "pi": (
        lambda lab: Pi(lab, "new"),
        lambda n: calls("bash", command=f"true {n}"),
        ("none", "process"),
    ),
    "gemini": (
        Gemini,
        lambda n: calls("run_shell_command", command=f"true {n}"),
        ("none", "process"),
    ),
}


class Seat:
    """A client in one lane, in a home of its own, and the time that each of its calls took."""

    def __init__(self, runtime: str, lane: str, folder: Path) -> None:
        make, self._step, _ = CLIENTS[runtime]
        self.lab = Lab(folder)
        self.client = make(self.lab)
        self.project = self.lab.project("shop")
        self.turns: list[float] = []
        self._arrived: list[float] = []
        if lane != "none":
            if lane == "server":
                self.lab.twiceshy("config", "set", "hook.lane", "server")
            self.lab.twiceshy("install", runtime, "--yes")
            self.lab.twiceshy("note", "Weigh the box first.", "--skill", "pack", cwd=self.project)
        keep = self.lab.model.received

        def received(path: str, body: dict[str, object], answered_by: str) -> None:
            if answered_by in ("step", "final"):
                self._arrived.append(time.perf_counter())
            keep(path, body, answered_by)

        self.lab.model.received = received  # type: ignore[method-assign]  # it keeps no times itself

    def run(self, count: int) -> None:
        """Run one session with so many calls; the first is not counted, for it warms things up."""
        self._arrived.clear()
        steps = [self._step(number) for number in range(count + 1)]
        ran = self.client.ask("go", *steps, project=self.project)
        assert ran.code == 0, ran.err
        gaps = zip(self._arrived[1:], self._arrived[2:], strict=False)
        self.turns += [(later - earlier) * 1000 for earlier, later in gaps]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--only", nargs="+", choices=list(CLIENTS), default=list(CLIENTS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seats = {
            (runtime, lane): Seat(runtime, lane, Path(folder) / f"{runtime}-{lane}")
            for runtime in given.only
            for lane in CLIENTS[runtime][2]
        }
        for _ in range(given.rounds):
            for seat in random.sample(list(seats.values()), len(seats)):
                seat.run(given.calls)
        table(seats)
        for seat in seats.values():
            seat.lab.close()


def table(seats: dict[tuple[str, str], Seat]) -> None:
    """Print the median time of a call, and what each hook adds to it."""
    print("| runtime | lane | ms per call | extra per hook | against no hook | n |")
    print("|---|---|---|---|---|---|")
    for (runtime, lane), seat in seats.items():
        bare = statistics.median(seats[runtime, "none"].turns)
        took = statistics.median(seat.turns)
        extra = "–" if lane == "none" else f"{(took - bare) / HOOKS:.1f} ms"
        print(
            f"| {runtime} | {lane} | {took:.0f} | {extra} | {took / bare:.2f} | {len(seat.turns)} |"
        )


if __name__ == "__main__":
    main()

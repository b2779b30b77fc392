"""Faults: processes killed at random, and file operations that fail or are the last, one by one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bench.chaos.outcome import Outcome
from bench.chaos.storm import build_failure
from bench.chaos.trial_home import (
    COMMAND,
    HOOK,
    Ended,
    TrialHome,
    encode,
    find_command_fault,
    find_hook_fault,
    finish,
    make_home,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

PROGRAM = str(Path(__file__).with_name("fault_program.py"))
FAULTS = ("once", "full", "end")
_SIZES = (8_192, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288)
_DRAFTS = (".twiceshy-", ".new-", ".taking-", ".sifting")
_MONTHS_S = 200 * 86_400
_LONGER = 1.2  # times what a process takes by itself: until then it is killed
# in a memory that is in use, and where none is yet
_USED, _NEW = ("failure", "prompt", "start", "note", "learn"), ("failure", "note")


def run(dice: random.Random, rounds: int, *, hook: Sequence[str] = HOOK) -> Outcome:
    """Kill processes at random, then let each file operation of a few fail."""
    outcome = Outcome("faults")
    with make_home(hook) as home:
        cases = FaultCases(home, outcome)
        cases.begin_memory()
        for _ in range(rounds):
            cases.kill(dice)
        for what in _USED:
            for fault in FAULTS:
                cases.try_operations(what, fault, most=rounds)
            cases.try_sizes(what, most=rounds)
        cases.check_settled()
    for what in _NEW:
        with make_home(hook) as home:
            for fault in FAULTS:
                FaultCases(home, outcome, fresh=True).try_operations(what, fault, most=rounds)
    return outcome


class FaultCases:
    """Processes that meet faults in one memory home, and their acknowledged writes."""

    def __init__(self, home: TrialHome, outcome: Outcome, *, fresh: bool = False) -> None:
        self._home, self._outcome = home, outcome
        self._fresh = fresh  # each process finds no memory yet
        self._number = 0
        self._calls: dict[str, str] = {}  # acknowledged records, and what happened
        self._notes: dict[str, str] = {}
        self._seconds = {"failure": 0.05, "note": 0.2}

    def begin_memory(self) -> None:
        """Write the first note and record, and take the time of a command and of a hook."""
        for what in ("note", "failure", "note", "failure"):
            began = time.perf_counter()
            self._take(what, self._start(what), "begin", may_end=False)
            self._seconds[what] = time.perf_counter() - began

    def kill(self, dice: random.Random) -> None:
        """Kill a hook or a command at a random moment."""
        what = "note" if dice.random() < 0.25 else "failure"
        words, given = self._build(what)
        process = self._home.start(words)
        if process.stdin:
            with suppress(BrokenPipeError):
                process.stdin.write(given)
            process.stdin.close()
            process.stdin = None
        time.sleep(dice.uniform(0, _LONGER * self._seconds[what]))
        process.kill()
        ended = finish(process)
        self._outcome.count("killed", ended.code != 0)
        self._take(what, ended, f"kill {self._number}", may_end=True)

    def try_operations(self, what: str, fault: str, *, most: int) -> None:
        """Let operation 1, 2, 3, … of a process meet a fault, until none is left."""
        mark = self._home.folder / "mark"
        for number in range(1, most + 1):
            if self._fresh:
                shutil.rmtree(self._home.path, ignore_errors=True)
                self._calls, self._notes = {}, {}
            if what == "learn":
                self._leave_records()
            ended = self._start(what, fault, str(number), str(mark))
            if not mark.exists():  # no operation is left: this one met no fault
                self._take(what, ended, f"{what} without a fault", may_end=False)
                if ended.code != 0:
                    self._outcome.bad.append(f"{what} without a fault exits {ended.code}")
                return
            mark.unlink()
            self._outcome.count(fault)
            why = f"{what}{' in no memory' if self._fresh else ''}, {fault} at {number}"
            # a disk without room for a new memory has none for a record either
            is_lost = self._fresh and what == "failure" and fault == "full"
            self._take("start" if is_lost else what, ended, why, may_end=fault == "end")
            if self._fresh and fault == "end":
                self._take(what, self._start(what), f"{why}, the next one", may_end=False)
                self.check_settled(f"{why}: ")

    def try_sizes(self, what: str, *, most: int) -> None:
        """Let files become no longer than a few sizes; a record has room in the smallest."""
        for size in _SIZES[:most]:
            if what == "learn":
                self._leave_records()
            ended = self._start(what, "size", str(size), "")
            self._outcome.count("size")
            self._take(what, ended, f"{what}, files of {size} bytes", may_end=False)

    def check_settled(self, before: str = "") -> None:
        """Let a job take in what waits, and look for every acknowledged write and for drafts."""
        home, bad = self._home, self._outcome.bad
        job = home.learn()
        if fault := find_hook_fault(job):
            bad.append(f"the background job {fault}")
        if found := home.check_integrity():
            bad += found
            return
        calls = {row[0] for row in home.rows("SELECT call FROM signals")}
        texts = {row[0] for row in home.rows("SELECT text FROM notes")}
        bad += [f"{why}: record lost" for one, why in self._calls.items() if one not in calls]
        bad += [f"{why}: note lost" for one, why in self._notes.items() if one not in texts]
        for path in _list_drafts(home.path):
            os.utime(path, times=(time.time() - _MONTHS_S,) * 2)
        home.command("compress")
        bad += [f"{before}{path.relative_to(home.path)} stays" for path in _list_drafts(home.path)]
        self._outcome.count("acknowledged", len(self._calls) + len(self._notes))

    def _start(self, what: str, *fault: str) -> Ended:
        words, given = self._build(what, *fault)
        return finish(self._home.start(words), given)

    def _build(self, what: str, *fault: str) -> tuple[list[str], bytes]:
        """Return the words of a process, with a fault if one is named, and its input."""
        self._number += 1
        faulty = [PROGRAM, *fault] if fault else []
        if what == "note":
            text = ["note", _note_text(self._number), "--new"]
            return ([COMMAND[0], *faulty, "-m", *text] if fault else [*COMMAND, *text]), b""
        *python, entry = self._home.hook
        if what == "learn":
            self._home.age_held()
            return [*python, *faulty, entry, "learn", "s1"], b""
        common = {"session_id": "s1", "cwd": str(self._home.project), "transcript_path": ""}
        events: dict[str, dict[str, object]] = {
            "failure": build_failure(self._number, common),
            "prompt": {**common, "hook_event_name": "UserPromptSubmit", "prompt": "cut it"},
            "start": {**common, "hook_event_name": "SessionStart", "source": "startup"},
        }
        return [*python, *faulty, entry, "claude-code"], encode(events[what])

    def _leave_records(self) -> None:
        """Let a hook leave its record in the spool, and another one its file among the held."""
        home = self._home
        with closing(sqlite3.connect(home.database, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            self._take("failure", self._start("failure"), "spooled", may_end=False)
        aside = home.folder / "aside"
        aside.mkdir(exist_ok=True)
        for path in home.path.glob("twiceshy.db*"):
            path.rename(aside / path.name)
        home.database.mkdir()  # no store: the record stays where it is held
        ended = self._start("failure")
        home.database.rmdir()
        for path in aside.iterdir():
            path.rename(home.path / path.name)
        self._take("failure", ended, "held", may_end=False)

    def _take(self, what: str, ended: Ended, why: str, *, may_end: bool) -> None:
        """Check how a process ended, and look for what it acknowledged."""
        bad, is_ended = self._outcome.bad, ended.code in (9, -9)
        if not (may_end and is_ended):
            check = find_command_fault if what == "note" else find_hook_fault
            if fault := check(ended):
                bad.append(f"{why} {fault}")
        if self._home.database.exists():
            bad += [f"{why}: {fault}" for fault in self._home.check_integrity()]
        if ended.code != 0 or what not in ("failure", "note"):
            return
        sought = _note_text(self._number) if what == "note" else f"toolu_{self._number:05}"
        (self._notes if what == "note" else self._calls)[sought] = why
        if not any(sought in found for found in self._list_kept(what)):
            bad.append(f"{why}: acknowledged, and not in store, spool or held")

    def _list_kept(self, what: str) -> Iterator[str]:
        """Yield the texts of the store, then of the spool and of held records."""
        query = "SELECT text FROM notes" if what == "note" else "SELECT call FROM signals"
        with suppress(sqlite3.Error):
            yield from (row[0] for row in self._home.rows(query))
        if what != "note":
            for path in (*self._home.path.glob("spool*"), *self._home.path.glob("held/*")):
                yield path.read_text(errors="replace")


def _note_text(number: int) -> str:
    return f"Step {number} needs tool {number * 7}."


def _list_drafts(home: Path) -> list[Path]:
    return [path for path in home.rglob("*") if any(part in path.name for part in _DRAFTS)]

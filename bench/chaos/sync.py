"""Sync: two devices that change notes, with syncs killed at random moments; both must agree."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import (
    COMMAND,
    PATIENCE_S,
    Ended,
    TrialHome,
    find_command_fault,
    finish,
)
from tests.sync.support import introduce

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_KINDS = {"note": 4, "edit": 3, "retire": 1, "sync": 3}
_LIST = ("list", "--all", "--status", "any", "--limit", "9999", "--json")
_LAST_SYNCS = 8  # of both; far more than two devices need
_LONGER = 1.2  # times what a sync takes by itself: until then it is killed


def run(dice: random.Random, rounds: int, *, command: Sequence[str] = COMMAND) -> Outcome:
    """Change notes on two devices, sync now and then, and compare them in the end."""
    outcome = Outcome("sync")
    with tempfile.TemporaryDirectory(prefix="chaos-", ignore_cleanup_errors=True) as folder:
        remote = str(Path(folder).resolve() / "remote.git")
        words = ["git", "init", "--bare", "--quiet", "-b", "main", remote]
        subprocess.run(words, check=True, capture_output=True)
        devices = [SyncDevice(Path(folder).resolve() / name, remote, command) for name in "ab"]
        for device in devices:
            device.home.command("sync")
        introduce(*(device.home.path for device in devices))  # as people do at a terminal
        written: set[str] = set()
        for number in range(rounds):
            kind = dice.choices(list(_KINDS), list(_KINDS.values()))[0]
            device = dice.choice(devices)
            outcome.count(kind)
            if kind == "sync":
                _sync(device, dice, outcome)
            else:
                written |= _change(device, kind, number, dice, outcome)
        _compare(devices, written, outcome)
    return outcome


class SyncDevice:
    """A memory home with a remote."""

    def __init__(self, folder: Path, remote: str, command: Sequence[str]) -> None:
        self.home = TrialHome(folder)
        self.sync = [*command, "sync"]
        self.home.write_settings(f'[sync]\nremote = "{remote}"\n')
        self.seconds = 1.0

    def list_notes(self) -> list[dict[str, Any]]:
        """Return every note, as a user sees it, by its id."""
        notes: list[dict[str, Any]] = self.home.command(*_LIST).document
        return sorted(notes, key=lambda note: str(note["id"]))


def _change(
    device: SyncDevice, kind: str, number: int, dice: random.Random, outcome: Outcome
) -> set[str]:
    """Write, edit or retire a note; return the id of a new note that was acknowledged."""
    home, text = device.home, f"Step {number} needs tool {number * 7}."
    known = [] if kind == "note" else device.list_notes()
    if kind == "note" or not known:
        # for every project: the two devices work in folders of their own
        words = ["note", text, "--new", "--everywhere", "--json"]
    else:
        note = str(dice.choice(known)["id"])
        words = ["edit", note, text, "--json"] if kind == "edit" else ["retire", note, "--json"]
    ended = home.command(*words)
    if fault := find_command_fault(ended):
        outcome.bad.append(f"{' '.join(words[:2])} {fault}")
    return {ended.document["note"]["id"]} if words[0] == "note" and ended.code == 0 else set()


def _sync(device: SyncDevice, dice: random.Random, outcome: Outcome) -> None:
    """Sync a device; half of the syncs are killed at a random moment, with their gits."""
    began = time.perf_counter()
    process = device.home.start(device.sync, group=True)
    if dice.random() < 0.5:
        time.sleep(dice.uniform(0, _LONGER * device.seconds))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        outcome.count("killed", finish(process).code != 0)
        return
    ended = _finish_group(process)
    device.seconds = time.perf_counter() - began
    if fault := find_command_fault(ended) or (ended.code and ended.err.decode("utf-8", "replace")):
        outcome.bad.append(f"sync {fault}")


def _finish_group(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for a sync; one that hangs is killed with the processes that it started."""
    try:
        process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        finish(process)
        return Ended(None, b"", b"")
    return finish(process)


def _compare(devices: list[SyncDevice], written: set[str], outcome: Outcome) -> None:
    """Sync both devices until nothing changes, and compare their notes."""
    before: list[Any] = []
    for _ in range(_LAST_SYNCS):
        for device in devices:
            ended = _finish_group(device.home.start(device.sync, group=True))
            if ended.code != 0:
                outcome.bad.append(f"a last sync exits {ended.code}: {ended.err[-300:]!r}")
        now = [device.list_notes() for device in devices]
        if now == before:
            break
        before = now
    else:
        outcome.bad.append("the devices never come to rest")
    here, there = ({note["id"]: note for note in notes} for notes in before)
    for name in sorted(here.keys() | there.keys()):
        if here.get(name) != there.get(name):
            outcome.bad.append(f"note {name} differs: {here.get(name)} and {there.get(name)}")
    outcome.bad += [
        f"note {one} is missing" for one in sorted(written - (here.keys() & there.keys()))
    ]
    for device in devices:
        outcome.bad += device.home.check_integrity()
    outcome.count("notes", len(here))

"""What a sync costs: time and bytes with many notes of which few changed, against a whole export.

    python -m bench.sync [--notes 10000] [--changed 50] [--operations 2000]

The remote is a bare repository on the disk, so a network's time comes on top; the bytes are those of the
pack that git sends. The last part lets five devices do random things, sync now and then through that
repository, stop between two steps, and tells whether they know the same in the end.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from tests.store.support import app_of

from twiceshy.core.draft import Draft
from twiceshy.core.errors import TwiceshyError
from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import DAY, parse_day
from twiceshy.core.scope import Scope
from twiceshy.notes.edit import edit_fields, pin_note, retire_note
from twiceshy.notes.write import NoteLimits, write_draft
from twiceshy.safety.redact import redact
from twiceshy.store.command_store import WholeStore
from twiceshy.store.connect import COMMAND_PATIENCE
from twiceshy.sync import bundle
from twiceshy.sync.known_devices import KnownDevices
from twiceshy.sync.repository import GitRepository
from twiceshy.sync.ssh_key import make_device_key
from twiceshy.sync.sync_run import SyncRequest, sync_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from twiceshy.core.note import Note
    from twiceshy.sync.sync_run import SyncResult

TODAY = parse_day("2026-11-02")
SHOP = "git:" + "5" * 40
BOUNDS = NoteLimits(skill_max=10**6, global_max=10**6)
ALL = NoteFilter(statuses=())
WORDS = (
    "lock tag build cache deploy test proxy queue layer index token branch merge release".split()
)


class Clock:
    """A clock that is set, and moves by a millisecond when it is looked at."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        """Look at it."""
        self.at += 1
        return self.at


class PowerFailureError(BaseException):
    """Stops a sync between two steps."""


class Device:
    """A store and its clone."""

    def __init__(self, folder: str, remote: str, at: int = TODAY) -> None:
        os.makedirs(folder, exist_ok=True)
        self.clone = os.path.join(folder, "sync", "repository")
        path = os.path.join(folder, "twiceshy.db")
        patience = COMMAND_PATIENCE.but(synchronous="OFF")
        self.store = WholeStore(path, clock=Clock(at), gate=redact, patience=patience)
        self.repository = GitRepository(self.clone, remote)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()

    def meet(self, tell: Callable[[str], object] = lambda _: None) -> SyncResult:
        """Take in, and push."""
        app = app_of(self.store, sync__follow=True)
        return sync_store(app, self.repository, SyncRequest(tell=tell))

    def notes(self) -> list[Note]:
        """Return every note, whatever became of it."""
        return sorted(self.store.notes(ALL, limit=-1), key=lambda note: note.id)

    def learn(self, text: str) -> None:
        """Write a note."""
        draft = Draft(text=text, kind="lesson", scope=Scope(SHOP, "release"), source="agent")
        write_draft(app_of(self.store), draft, bounds=BOUNDS)


def introduce(*devices: Device) -> None:
    """Let devices believe each other, and follow without a question, as their user allows."""
    homes = [os.path.dirname(device.store.path) for device in devices]
    keys = {home: make_device_key(home).fingerprint for home in homes}
    for home in homes:
        known = KnownDevices(home)
        known.introduced |= {key: "" for key in keys.values() if key != keys[home]}
        known.save()


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--changed", type=int, default=50)
    parser.add_argument("--operations", type=int, default=2_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        few(folder, notes=asked.notes, changed=asked.changed)
    with tempfile.TemporaryDirectory() as folder:
        return many(folder, operations=asked.operations)


def few(folder: str, *, notes: int, changed: int) -> None:
    """Let one device push many notes and then a few, and another one take them in."""
    remote = a_remote(folder)
    with ExitStack() as stack:
        here, there = (
            stack.enter_context(closing(Device(os.path.join(folder, name), remote)))
            for name in ("here", "there")
        )
        introduce(here, there)
        rng = random.Random(8)
        with here.store.change():
            for number in range(notes):
                here.learn(f"Step {number}: {' '.join(rng.choices(WORDS, k=12))}.")
        row("first sync, all sent", *measured(here, here.meet))
        row("first sync elsewhere, all taken in", *measured(there, there.meet))
        row("sync, nothing changed", *measured(here, here.meet))
        for note in here.notes()[::-1][:changed]:
            edit_fields(app_of(here.store), note, {"text": note.text + " Always."})
        row(f"sync, {changed} of {notes} changed", *measured(here, here.meet))
        row("the same, taken in elsewhere", *measured(there, there.meet))
        began, spent = time.perf_counter(), cpu()
        size = sum(map(len, bundle.write_history(app_of(here.store))))
        row("export of everything", time.perf_counter() - began, cpu() - spent, size)
        print(f"same notes on both: {here.notes() == there.notes()}")


def many(folder: str, *, operations: int) -> int:
    """Let five devices do random things and meet through git; return 0 if they agree in the end."""
    remote = a_remote(folder)
    rng = random.Random(5)
    skews = (0, -365 * DAY, 365 * DAY, 3_600_000, -60_000)
    began, done = time.perf_counter(), {"changes": 0, "syncs": 0, "crashes": 0}
    with ExitStack() as stack:
        devices = [
            stack.enter_context(
                closing(Device(os.path.join(folder, str(n)), remote, TODAY + skew))
            )
            for n, skew in enumerate(skews)
        ]
        introduce(*devices)
        for _ in range(operations):
            device = rng.choice(devices)
            kind = rng.choices(["changes", "syncs", "crashes"], [90, 7, 3])[0]
            done[kind] += 1
            match kind:
                case "changes":
                    change(device, rng)
                case "syncs":
                    device.meet()
                case _:
                    crash(device, rng.randrange(6))
        for _ in range(3):
            for device in devices:
                device.meet()
        first, *rest = [device.notes() for device in devices]
        same = all(notes == first for notes in rest)
    told = ", ".join(f"{count} {what}" for what, count in done.items())
    print(f"5 devices, clocks up to a year off, {told}: {len(first)} notes, ", end="")
    print(f"{'the same' if same else 'NOT the same'} on all ({time.perf_counter() - began:.0f} s)")
    return 0 if same else 1


def change(device: Device, rng: random.Random) -> None:
    """Do something to a store that it may refuse."""
    known = device.notes()
    note = rng.choice(known) if known else None
    verb = rng.choice(["learn", "learn", "edit", "retire", "pin", "forget"])
    text = f"Mind the {rng.choice(WORDS)} before the {rng.choice(WORDS)} {rng.randrange(9)}."
    try:
        match verb, note:
            case _, None:
                device.learn(text)
            case "edit", found:
                edit_fields(app_of(device.store), found, {"text": text})
            case "retire", found:
                retire_note(app_of(device.store), found)
            case "pin", found:
                pin_note(app_of(device.store), found)
            case "forget", found:
                device.store.forget(found)
            case _:
                device.learn(text)
    except TwiceshyError:
        return  # said already, or forgotten on request: a refusal is an answer


def crash(device: Device, step: int) -> None:
    """Stop a sync before one of its steps."""
    left = iter(range(step))

    def tell(_: str) -> None:
        if next(left, None) is None:
            raise PowerFailureError

    try:
        device.meet(tell)
    except PowerFailureError:
        return


def measured(device: Device, act: Callable[[], SyncResult]) -> tuple[float, float, int]:
    """Return the seconds that a sync took, those of a processor, and the bytes that went over."""
    before = device.repository.read_mark("seen")
    began, spent = time.perf_counter(), cpu()
    act()
    took, spent = time.perf_counter() - began, cpu() - spent
    after = device.repository.read_mark("seen")
    return took, spent, 0 if before == after else packed(device.clone, before, after)


def cpu() -> float:
    """Return the processor time of this process and of the gits that it started."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def packed(clone: str, before: str, after: str) -> int:
    """Return the size of the pack that brings a remote from one commit to another."""
    asked = f"{after}\n" + (f"^{before}\n" if before else "")
    words = ["pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "--quiet"]
    git = ["git", "--git-dir", clone, *words]
    return len(subprocess.run(git, input=asked.encode(), capture_output=True, check=True).stdout)


def a_remote(folder: str) -> str:
    """Make an empty repository that can be pushed to."""
    path = os.path.join(folder, "remote.git")
    subprocess.run(["git", "init", "--bare", "--quiet", "-b", "main", path], check=True)
    return path


def row(what: str, seconds: float, spent: float, size: int) -> None:
    """Print a line of the table."""
    print(f"{what:<40} {seconds:7.2f} s {spent:7.2f} s CPU {size:>12,} bytes", flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""Damage: bytes of each file of a filled memory home changed; hooks and commands must go on."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from contextlib import closing
from typing import TYPE_CHECKING

from bench.chaos.outcome import Outcome
from bench.chaos.trial_home import (
    HOOK,
    TrialHome,
    encode,
    find_command_fault,
    find_hook_fault,
    make_home,
)
from tests.approving import approve
from tests.hooks.attack import EVENTS, payload, surprises
from tests.store.support import learn, opened

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

HARMS = ("flip", "truncate", "zero", "delete")
COMMANDS = ("status", "list", "doctor")
_STORE = ("twiceshy.db", "twiceshy.db-wal")
_NOTES = 12
_SETTLED_S = 2.3  # until settings that were just changed are compiled for hooks


def run(
    dice: random.Random,
    rounds: int,
    *,
    hook: Sequence[str] = HOOK,
    files: Sequence[str] = (),
) -> Outcome:
    """Damage the files of a memory home, by default all of them, in each way."""
    outcome = Outcome("damage")
    with make_home() as home:
        fill_home(home)
        home.hook = tuple(hook)
        whole = home.folder / "whole"
        names = [path.relative_to(whole) for path in sorted(whole.rglob("*")) if path.is_file()]
        texts = _read_texts(home)
        for _ in range(rounds):
            for name in (name for name in names if not files or name.parts[0] in files):
                for harm in HARMS:
                    restore_home(home)
                    damage_file(home.path / name, harm, dice)
                    outcome.count(harm)
                    _check(home, f"{name}, {harm}", texts, name.parts[0], outcome)
    return outcome


def fill_home(home: TrialHome) -> None:
    """Fill a memory home with every kind of file, and keep a copy in the folder ``whole``."""
    _make_repository(home.project)
    skill = home.project / ".claude" / "skills" / "release" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: release\ndescription: d\n---\n\nCut it.\n")
    home.write_settings("[hook]\ndeadline_ms = 5000\n")
    with opened(home.path) as store:
        approve(store, learn(store, "Never push with force.", kind="rule"))
    began = time.monotonic()
    for words in (
        ("note", "Sign the tag, or the mirror refuses it.", "--skill", "release"),
        *(("note", f"Step {n} needs tool {n * 7}.", "--new") for n in range(_NOTES)),
    ):
        home.command(*words)
    time.sleep(max(0, began + _SETTLED_S - time.monotonic()))
    for event in EVENTS:
        home.fire(payload(event, cwd=home.project))
    home.end_jobs()
    with closing(sqlite3.connect(home.database, isolation_level=None)) as db:
        db.execute("SELECT count(*) FROM notes").fetchall()  # so the write-ahead file stays
        home.command("note", "Written last.")
        home.fire(payload("PostToolUseFailure", cwd=home.project, tool_use_id="toolu_wal"))
        db.execute("BEGIN IMMEDIATE")
        home.fire(payload("PostToolUseFailure", cwd=home.project, tool_use_id="toolu_spool"))
        db.execute("ROLLBACK")
        held = home.path / "held"
        shutil.copyfile(home.path / "spool", held / ("0" * 16))
        (home.path / "hook.log").write_text("2026-11-02T09:30:00Z claude-code Stop OSError: no\n")
        shutil.copytree(home.path, home.folder / "whole")


def restore_home(home: TrialHome) -> None:
    """Put the filled memory home back as it was."""
    home.end_jobs()
    shutil.rmtree(home.path)
    shutil.copytree(home.folder / "whole", home.path)


def damage_file(path: Path, harm: str, dice: random.Random) -> None:
    """Flip some bits, cut the end off, zero a range, or delete a file."""
    if harm == "delete":
        path.unlink()
        return
    content = bytearray(path.read_bytes())
    size = len(content)
    if harm == "truncate":
        content = content[: dice.randrange(size) if size else 0]
    elif harm == "zero":
        begin = dice.randrange(size) if size else 0
        end = min(size, begin + max(1, dice.randrange(size or 1)))
        content[begin:end] = bytes(end - begin)
    else:
        for _ in range(dice.choice((1, 8, size // 200 + 1)) if size else 0):
            content[dice.randrange(size)] ^= 1 << dice.randrange(8)
    path.write_bytes(content)


def _check(home: TrialHome, why: str, texts: set[str], name: str, outcome: Outcome) -> None:
    """Fire every event, run the commands and the job, and look for the notes."""
    bad = outcome.bad
    raws = [encode(payload(event, cwd=home.project)) for event in EVENTS]
    for event, ended in zip(EVENTS, home.fire_all(raws), strict=True):
        outcome.count("events")
        if fault := find_hook_fault(ended):
            bad.append(f"{why}: {event} {fault}")
    for command in COMMANDS:
        outcome.count("commands")
        if fault := find_command_fault(home.command(command)):
            bad.append(f"{why}: {command} {fault}")
    if fault := find_hook_fault(home.learn()):
        bad.append(f"{why}: the background job {fault}")
    bad += [f"{why}: {line}" for line in surprises(home.path)]
    if name not in _STORE and (lost := texts - _read_texts(home)):
        bad.append(f"{why}: {len(lost)} notes lost")
    outcome.count("rescued", (home.path / "rescued").exists())


def _read_texts(home: TrialHome) -> set[str]:
    """Return the texts of all notes, read with SQLite alone: settings may be damaged as well."""
    try:
        return {row[0] for row in home.rows("SELECT text FROM notes")}
    except sqlite3.Error:
        return set()


def _make_repository(folder: Path) -> None:
    author = {
        f"GIT_{who}_{what}": "u" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *words], cwd=folder, env=os.environ | author | plain, check=True)

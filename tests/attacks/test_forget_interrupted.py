"""Whoever kills ``forget`` at any moment leaves a note that is whole, or one that the next command finishes."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from tests.attacks.byte_search import find_places, find_tables
from tests.attacks.plants import OTHER, SAID, WORD, Victim, lay_down
from tests.attacks.tally import Tally
from tests.commands import run_command
from tests.person import run_by_person
from tests.requirements import requirement
from tests.sizes import sized
from tests.store.support import raw

from twiceshy.files import replace
from twiceshy.interop.views import files
from twiceshy.notes.person import person_confirmed

PRIMITIVES = frozenset(
    "execute executemany unlink remove rename replace write pwrite fsync open link rmdir mkdir".split()
)
PLANTED = ("failure", "views", "logs", "copy", "backup", "diary", "spool")
MOMENTS = sized(24, 400)


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


def run_and_count(act: Callable[[], object], *, die_at: int) -> int:
    """Run in a child process that kills itself at a primitive; return its exit status, or their number."""
    told, say = os.pipe()
    child = os.fork()
    if not child:
        seen = 0

        def watch(frame: FrameType, event: str, called: object) -> None:
            nonlocal seen
            if event == "c_call" and getattr(called, "__name__", "") in PRIMITIVES:
                seen += 1
                if seen == die_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(watch)
        try:
            act()
        finally:
            sys.setprofile(None)
            os.write(say, str(seen).encode())
            os._exit(0)
    os.close(say)
    os.waitpid(child, 0)
    with open(told, "rb") as file:
        return int(file.read() or b"0")


@requirement("Y49")
def test_the_next_command_finishes_what_was_killed_at_any_primitive(
    home: Path, tmp_path: Path, tally: Tally
) -> None:
    victim = lay_down(home, tmp_path / "shop", *PLANTED)
    words = (WORD, "northern archive")
    kept = tmp_path / "kept"
    shutil.copytree(home, kept)

    def forget() -> None:
        with person_confirmed():  # a terminal would be another process
            run_command("forget", victim.note, cwd=victim.project, env={"TZ": "UTC"})

    def lay_out() -> None:
        shutil.rmtree(home)
        shutil.copytree(kept, home)

    whole = run_and_count(forget, die_at=0)
    assert whole > MOMENTS
    assert find_places(home, words) == set(), "it works if nobody kills it"
    finished = 0
    for number in range(MOMENTS):
        lay_out()
        moment = 1 + number * (whole - 1) // (MOMENTS - 1)
        run_and_count(forget, die_at=moment)
        waiting = (home / "forgetting").exists()
        listed = run_by_person("list", "--all", "--json", cwd=victim.project, env={}).out
        left = find_places(home, words) | find_tables(home / "twiceshy.db", words)
        is_whole = SAID in listed
        tally.count_attack(
            "a forget that was killed", f"at {moment} of {whole}: {sorted(left)}",
            succeeded=bool(left) and not is_whole,
        )  # fmt: skip
        assert not (home / "forgetting").exists() or is_whole
        assert "green apples" in listed
        finished += waiting and not is_whole
    assert tally.succeeded == []
    assert finished, "some were killed in the middle"


@requirement("Y49")
def test_a_full_disk_is_told_and_nothing_is_half_forgotten(
    home: Path, tmp_path: Path, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_HOME", str(small_disk / "home"))
    (tmp_path / "shop").mkdir()
    victim = Victim(small_disk / "home", tmp_path / "shop")
    victim.note = victim.run("note", SAID).strip()
    filler = small_disk / "filler"
    with suppress(OSError), filler.open("wb") as file:
        while True:
            file.write(b"x" * 4096)
            file.flush()

    done = run_by_person("forget", victim.note, "--yes", cwd=victim.project, env={"TZ": "UTC"})
    filler.unlink()

    told = done.out + done.err
    assert done.code == 1, told
    assert "disk is full" in told
    assert SAID in victim.run("list", "--json")
    victim.run("forget", victim.note, "--yes")
    assert find_places(small_disk / "home", [WORD]) == set()
    assert home != small_disk


@requirement("Y49")
def test_a_reader_delays_only_the_last_bytes_and_is_told(home: Path, tmp_path: Path) -> None:
    victim = lay_down(home, tmp_path / "shop", "failure")
    with raw(home / "twiceshy.db") as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM notes").fetchone()

        done = run_by_person(
            "forget", victim.note, "--yes", cwd=victim.project,
            env={"TZ": "UTC", "TWICESHY_STORE_PATIENCE_S": "1"},
        )  # fmt: skip

        assert done.code == 0
        assert "twiceshy.db-wal may still hold it" in done.err

    listed = victim.run("list", "--json")

    assert OTHER in listed
    assert find_places(home, [WORD]) == set()

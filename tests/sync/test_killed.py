"""Whoever is killed leaves nothing behind that others wait for, and whatever is lost comes back from the remote."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, opened, raw
from tests.sync.servers import HOME
from tests.sync.support import all_notes, bare, cloned, meet
from tests.sync.test_bundle import FETCH, LAYER, noted

from twiceshy.core.errors import BusyError
from twiceshy.sync.rules import SYNC

# takes a lease, says so, and holds it until it is killed, or its input ends
HOLDS = """
import os, sys
from twiceshy.store.command_store import WholeStore
store = WholeStore(sys.argv[1], clock=lambda: int(sys.argv[2]))
print(store.take_lease("sync", sys.argv[3].format(os.getpid()), seconds=600), flush=True)
sys.stdin.read()
"""
SYNCS = """
import signal, sys
from twiceshy.cli import run_command_line
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
sys.exit(run_command_line(sys.argv[1:]))
"""
by_process = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only /proc tells which process has ended"
)


@contextmanager
def holding(home: Path, holder: str) -> Iterator[subprocess.Popen[str]]:
    """Let another process take the lease of a store."""
    words = [sys.executable, "-c", HOLDS, str(home / "twiceshy.db"), str(NOW), holder]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        yield process
        process.kill()


class TestLeases:
    @by_process
    def test_of_a_killed_process_it_is_free_at_once_even_before_anyone_asked_after_it(
        self, tmp_path: Path
    ) -> None:
        with opened(tmp_path) as store, holding(tmp_path, "{}-one") as other:
            held = store.take_lease(SYNC, "two", seconds=60)
            other.kill()
            os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)  # a zombie from here on

            free = store.take_lease(SYNC, "two", seconds=60)

        assert (held, free) == (False, True)

    def test_a_holder_that_is_no_process_keeps_it_to_its_end(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            with holding(tmp_path, "n{}") as other:
                other.kill()
                other.wait()

            assert not store.take_lease(SYNC, "two", seconds=60)

    @by_process
    @pytest.mark.parametrize(
        ("machine", "started", "free"),
        [
            ("{}", "{}", False),
            ("{}", "{}1", True),  # another process got its number
            ("another-{}", "{}1", False),  # nobody here can tell
        ],
    )
    def test_it_is_kept_for_a_process_that_runs_here_or_may_run_elsewhere(
        self, tmp_path: Path, machine: str, started: str, free: bool
    ) -> None:
        with opened(tmp_path) as store:
            store.take_lease(SYNC, f"{os.getpid()}-one", seconds=60)
            with raw(tmp_path / "twiceshy.db") as db:
                ((known,),) = db.execute("SELECT holder FROM leases").fetchall()
                name, here, began = known.split(" ")
                changed = f"{name} {machine.format(here)} {started.format(began)}"
                db.execute("UPDATE leases SET holder = ?", [changed])

            assert store.take_lease(SYNC, "two", seconds=60) is free

    def test_it_can_be_kept_for_longer_and_given_back(self, tmp_path: Path) -> None:
        holder = f"{os.getpid()}-one"
        with opened(tmp_path) as store:
            kept = [store.take_lease(SYNC, holder, seconds=60) for _ in range(2)]
            held = store.take_lease(SYNC, "two", seconds=60)
            store.take_lease(SYNC, holder, seconds=0)

            assert (*kept, held) == (True, True, False)
            assert store.take_lease(SYNC, "two", seconds=60)

    def test_of_an_older_version_it_is_waited_for(self, tmp_path: Path) -> None:
        with opened(tmp_path) as store:
            store.take_lease(SYNC, "one", seconds=60)
            with raw(tmp_path / "twiceshy.db") as db:
                db.execute("UPDATE leases SET holder = '999999-abcd'")

            assert not store.take_lease(SYNC, "two", seconds=60)


def set_remote(home: Path, address: str) -> None:
    """Set the remote as a person may, with an editor."""
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "config.toml").write_text(f'[sync]\nremote = "{address}"\n')


@contextmanager
def syncing(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Let a process sync with a remote that never answers; give it when its git waits there."""
    with socket.create_server((HOME, 0)) as deaf:
        address = f"http://{HOME}:{deaf.getsockname()[1]}/notes.git"
        words = [sys.executable, "-c", SYNCS, "sync"]
        set_remote(Path(os.environ["TWICESHY_HOME"]), address)
        with subprocess.Popen(words, stderr=subprocess.DEVNULL, cwd=folder) as process:
            connection, _ = deaf.accept()
            with connection:
                yield process, address


@by_process
def test_the_next_sync_ends_what_a_killed_one_left_running(tmp_path: Path, home: Path) -> None:
    with syncing(tmp_path) as (killed, address):
        killed.kill()
        killed.wait()
        left = running()

        with opened(home) as store:
            noted(store)
            done = meet(store, cloned(home, bare(tmp_path / "remote.git")))
            after = running()

    assert address in left
    assert done.pushed
    assert address not in after


def test_whoever_is_interrupted_leaves_no_git_behind(tmp_path: Path) -> None:
    with syncing(tmp_path) as (interrupted, address):
        interrupted.send_signal(signal.SIGINT)
        code = interrupted.wait()
        after = running()

    assert code == 130
    assert address not in after


def running() -> str:
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, text=True).stdout


def test_whoever_is_refused_leaves_the_clone_of_the_other_alone(tmp_path: Path) -> None:
    remote = bare(tmp_path / "remote.git")
    lock = tmp_path / "here" / "sync" / "repository" / "HEAD.lock"

    with opened(tmp_path / "here") as store:

        def meanwhile(step: str) -> None:
            if step == "push":
                lock.touch()  # as git does while it writes
                with pytest.raises(BusyError):
                    meet(store, cloned(tmp_path / "here", remote))

        meet(store, cloned(tmp_path / "here", remote), tell=meanwhile)

    assert lock.exists()


class TestLostStores:
    def test_a_store_that_was_lost_comes_back_although_the_clone_is_still_there(
        self, tmp_path: Path
    ) -> None:
        remote, home = bare(tmp_path / "remote.git"), tmp_path / "here"
        with opened(home) as store:
            noted(store)
            meet(store, cloned(home, remote))
        for file in home.glob("twiceshy.db*"):
            file.unlink()

        with opened(home, clock=Clock(NOW + 1_000)) as store:
            told = meet(store, cloned(home, remote), give=False)

            assert len(told.brought.new) == 1
            assert {note.text for note in all_notes(store)} == {FETCH}

    def test_an_older_copy_of_a_store_gets_what_it_lacks(self, tmp_path: Path) -> None:
        remote, home = bare(tmp_path / "remote.git"), tmp_path / "here"
        with opened(home) as store:
            noted(store)
            meet(store, cloned(home, remote))
        shutil.copy(home / "twiceshy.db", tmp_path / "copy")
        with opened(home, clock=Clock(NOW + 1_000)) as store:
            noted(store, LAYER)
            meet(store, cloned(home, remote))
        shutil.copy(tmp_path / "copy", home / "twiceshy.db")

        with opened(home, clock=Clock(NOW + 2_000)) as store:
            meet(store, cloned(home, remote))

            assert {note.text for note in all_notes(store)} == {FETCH, LAYER}

    def test_a_sync_that_fails_each_time_reads_nothing_twice(self, tmp_path: Path) -> None:
        remote, home = bare(tmp_path / "remote.git"), tmp_path / "here"
        steps: list[str] = []
        with opened(tmp_path / "there") as other:
            noted(other)
            meet(other, cloned(tmp_path / "there", remote))
        hook = Path(remote) / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")
        hook.chmod(0o755)

        with opened(home) as store:
            noted(store, LAYER)
            for _ in range(2):
                steps.clear()
                with pytest.raises(Exception, match="refuses"):
                    meet(store, cloned(home, remote), tell=steps.append)

        assert steps == ["fetch", "commit", "push"]

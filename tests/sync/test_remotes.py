"""Remotes that are not a path, on loopback: what works over each protocol, and what is said when it does not."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.core.builders import NOW
from tests.store.support import Clock, opened
from tests.sync.servers import Asked, daemon, deaf, through_ssh, web
from tests.sync.support import all_notes, bare, cloned, in_remote, meet
from tests.sync.test_bundle import FETCH, LAYER, noted

from twiceshy.store.command_store import WholeStore
from twiceshy.sync import git
from twiceshy.sync.repository import GitRepository
from twiceshy.sync.rules import SyncError

Device = tuple[WholeStore, GitRepository]
Opened = Callable[[str, str], Device]


@pytest.fixture
def a_device(tmp_path: Path) -> Iterator[Opened]:
    """Open a store on a device of its own, with a clone of some remote."""
    with ExitStack() as stack:

        def call(name: str, remote: str) -> Device:
            store = stack.enter_context(opened(tmp_path / name, clock=Clock(NOW)))
            return store, cloned(tmp_path / name, remote)

        yield call


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """A folder with an empty repository in it."""
    folder = tmp_path / "served"
    folder.mkdir()
    remote = bare(folder / "notes.git")
    in_remote(remote, "config", "http.receivepack", "true")
    return folder


def complaint(device: Device) -> str:
    """Return what is said when a sync fails."""
    with pytest.raises(SyncError) as error:
        meet(*device)
    assert error.value.hint
    return str(error.value)


class TestProtocols:
    @pytest.fixture(params=["daemon", "web", "ssh", "scp"])
    def remote(
        self, request: pytest.FixtureRequest, served: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[str]:
        if request.param in ("ssh", "scp"):
            monkeypatch.setenv("GIT_SSH_COMMAND", through_ssh(served))
            monkeypatch.setenv("GIT_SSH_VARIANT", "simple")
            form = "ssh://u@example.invalid{}" if request.param == "ssh" else "example.invalid:{}"
            yield form.format(served / "notes.git")
            return
        with {"daemon": daemon, "web": web}[str(request.param)](served) as address:
            yield f"{address}/notes.git"

    def test_two_devices_come_to_the_same_notes(self, a_device: Opened, remote: str) -> None:
        here, there = a_device("here", remote), a_device("there", remote)
        noted(here[0])
        noted(there[0], LAYER)

        for device in (here, there, here):
            meet(*device)

        assert {note.text for note in all_notes(here[0])} == {FETCH, LAYER}
        assert all_notes(there[0]) == all_notes(here[0])

    def test_a_purge_reaches_it_as_well(self, a_device: Opened, remote: str, served: Path) -> None:
        store, clone = a_device("here", remote)
        gone = noted(store, "The staging host is called bluebird.")
        meet(store, clone)
        store.forget(gone)

        meet(store, clone, purge=True)

        told = in_remote(str(served / "notes.git"), "log", "-p", "--text", "main")
        assert b"twiceshy-sync 1" in told
        assert b"bluebird" not in told

    def test_what_is_not_there_is_said_so(self, a_device: Opened, remote: str) -> None:
        told = complaint(a_device("here", remote.replace("notes.git", "nowhere.git")))

        # git's daemon tells nobody which of the two it is
        assert told.startswith(("there is no repository at", "you have no access to"))


class TestWebServers:
    @pytest.mark.parametrize(
        ("code", "meant"),
        [
            (401, "you have no access to"),
            (403, "you have no access to"),
            (404, "there is no repository at"),
            (500, "cannot be reached"),
            (503, "cannot be reached"),
        ],
    )
    def test_a_refusal_is_told_in_words(
        self, a_device: Opened, served: Path, code: int, meant: str
    ) -> None:
        def answer(asked: Asked) -> bool:
            return asked.refuse(code, WWW_Authenticate='Basic realm="notes"')

        with web(served, answer) as address:
            told = complaint(a_device("here", f"{address}/notes.git"))

        assert meant in told

    def test_one_that_lets_nobody_push_is_told_so(self, a_device: Opened, served: Path) -> None:
        def answer(asked: Asked) -> bool:
            return "receive-pack" in asked.path and asked.refuse(403)

        with web(served, answer) as address:
            store, clone = a_device("here", f"{address}/notes.git")
            noted(store)
            told = complaint((store, clone))

        assert "you have no access to" in told

    @pytest.mark.parametrize("arrived", [False, True])
    def test_one_that_hangs_up_in_a_push_loses_nothing(
        self, a_device: Opened, served: Path, arrived: bool
    ) -> None:
        calls: list[str] = []

        def answer(asked: Asked) -> bool:
            if calls or asked.command == "GET" or not asked.path.endswith("receive-pack"):
                return False
            calls.append(asked.path)
            told = asked.told_by_git(asked.body()) if arrived else b""
            asked.break_off(told)
            return True

        with web(served, answer) as address:
            here = a_device("here", f"{address}/notes.git")
            noted(here[0])
            told = complaint(here)
            meet(*here)
            there = a_device("there", f"{address}/notes.git")
            meet(*there, give=False)

        assert "cannot be reached" in told
        assert {note.text for note in all_notes(there[0])} == {FETCH}
        made = in_remote(str(served / "notes.git"), "rev-list", "--count", "main")
        assert int(made) == 1


@pytest.mark.parametrize("form", ["http://{}/notes.git", "git://{}/notes.git"])
def test_one_that_never_answers_is_given_up_with_all_that_git_started(
    a_device: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(git, "_REMOTE_S", 0.5)

    with deaf() as address:
        remote = form.format(address)
        told = complaint(a_device("here", remote))
        left = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, text=True)

    assert told == f"{remote} cannot be reached"
    assert address not in left.stdout


class TestRefusals:
    @pytest.mark.parametrize(
        ("setting", "meant"),
        [
            (("receive.denyNonFastForwards", "true"), "refuses what was sent"),
            (("receive.denyDeletes", "true"), ""),
        ],
    )
    def test_a_branch_that_takes_no_new_history_says_so_at_once(
        self, a_device: Opened, served: Path, setting: tuple[str, str], meant: str
    ) -> None:
        remote = str(served / "notes.git")
        device = a_device("here", remote)
        gone = noted(device[0])
        meet(*device)
        device[0].forget(gone)
        in_remote(remote, "config", *setting)

        if meant:
            with pytest.raises(SyncError, match=meant) as refused:
                meet(*device, purge=True)
            assert "non-fast-forward" in str(refused.value)
        else:
            assert meet(*device, purge=True).pushed

    def test_what_a_host_says_is_quoted_without_what_would_move_a_terminal(
        self, a_device: Opened, served: Path
    ) -> None:
        remote = bare(served / "guarded.git")
        hook = Path(remote) / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nprintf '\\033[2JProtected branch: ask first\\n' >&2\nexit 1\n")
        hook.chmod(0o755)
        device = a_device("here", remote)
        noted(device[0])

        told = complaint(device)

        assert told.endswith("refuses what was sent: [2JProtected branch: ask first")
        assert told.isprintable()

    def test_a_branch_that_somebody_works_on_says_so(
        self, a_device: Opened, tmp_path: Path
    ) -> None:
        remote = tmp_path / "work"
        subprocess.run(["git", "init", "--quiet", "-b", "main", str(remote)], check=True)
        device = a_device("here", str(remote))
        noted(device[0])

        assert "checked out" in complaint(device)

    def test_a_remote_without_room_says_so_and_gets_it_later(
        self, a_device: Opened, small_disk: Path
    ) -> None:
        remote = bare(small_disk / "notes.git")
        device = a_device("here", remote)
        ballast = small_disk / "ballast"
        noted(device[0])
        with ballast.open("wb") as file:
            _fill(file.fileno())

        told = complaint(device)
        ballast.unlink()
        done = meet(*device)

        assert "refuses what was sent" in told
        assert done.pushed

    def test_a_clone_without_room_says_so_and_is_not_called_damaged(
        self, tmp_path: Path, small_disk: Path
    ) -> None:
        remote = bare(tmp_path / "notes.git")
        with opened(tmp_path / "here", clock=Clock(NOW)) as store:
            noted(store)
            clone = GitRepository(str(small_disk / "sync" / "repository"), remote)
            meet(store, clone, plan=True)
            with (small_disk / "ballast").open("wb") as file:
                _fill(file.fileno())

            told = complaint((store, clone))
            (small_disk / "ballast").unlink()
            done = meet(store, clone)

        assert told.startswith("there is no room left for the clone")
        assert done.pushed


def _fill(file: int) -> None:
    """Take all the room there is."""
    try:
        while os.write(file, b"\0" * 4096):
            pass
    except OSError:
        return

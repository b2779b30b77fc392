"""``twiceshy backup``, ``recover`` and ``sync``: two machines, a repository, and what goes wrong between them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.commands import run_command
from tests.requirements import requirement
from tests.store.support import Clock, bytes_under, opened, prepare
from tests.sync.support import bare, in_remote, introduce

from twiceshy.core.moment import SECOND, format_stamp, parse_stamp
from twiceshy.runtimes.callers import AGENT_MARKS
from twiceshy.runtimes.command_table import find_command_pair
from twiceshy.sync.rules import LEASE_S, SYNC

FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
LAYER = "Docker keeps the old layer when only the lock file changed."
RULE = "Never push with force to main."
HERE, THERE = f"{FETCH} Here.", f"{FETCH} There, later."

Machine = Callable[[str], Path]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Sit down at another machine: same folder, another memory home; all machines know each other."""
    homes: dict[Path, None] = {Path(os.environ["TWICESHY_HOME"]): None}

    def call(name: str) -> Path:
        monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / name))
        homes[tmp_path / name] = None
        for home in homes:
            prepare(home)
        introduce(*homes)
        return tmp_path / name

    return call


@pytest.fixture
def remote(tmp_path: Path) -> str:
    return bare(tmp_path / "remote.git")


def texts(twiceshy: Command, *options: str) -> set[str]:
    return {note["text"] for note in twiceshy("list", "--all", "--json", *options).json}


@requirement("U191", "U192", "U194", "E51", "E53")
def test_a_new_machine_gets_everything_back_with_two_commands(
    twiceshy: Command, machine: Machine, remote: str
) -> None:
    twiceshy("note", FETCH, "--skill", "release")
    twiceshy("note", LAYER, "--everywhere")
    backed_up = twiceshy("backup", "--remote", remote)
    machine("elsewhere")

    told = twiceshy("recover", "--remote", remote)

    assert backed_up.out.startswith("sent:  ")
    assert told.out == "new:       2\n"
    assert "twiceshy undo" in told.err
    assert texts(twiceshy) == {FETCH, LAYER}
    assert FETCH in twiceshy("recall", "tag a release", "--skill", "release").out


def test_the_remote_is_remembered_and_the_second_time_there_is_nothing_to_do(
    twiceshy: Command, remote: str
) -> None:
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)

    again = twiceshy("sync")

    assert twiceshy("config", "sync.remote").out.strip() == remote
    assert again.out == "everything is the same on both sides\n"


@pytest.fixture
def torn(twiceshy: Command, machine: Machine, remote: str) -> str:
    """Edit a note on two machines and sync both; return its id, at the machine that was first."""
    machine("here")
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)
    machine("there")
    twiceshy("sync", "--remote", remote)
    (note,) = twiceshy("list", "--json").json
    machine("here")
    twiceshy("edit", note["id"], HERE)
    twiceshy("sync")
    machine("there")
    twiceshy("edit", note["id"], THERE)
    told = twiceshy("sync")
    machine("here")
    assert "was edited on two devices" in told.err
    return str(note["id"])


def in_conflict(twiceshy: Command) -> list[str]:
    return [
        other["said"]
        for item in twiceshy("review", "--json").json["conflicts"]
        for other in item["others"]
    ]


@requirement("U193", "E52", "E68")
def test_an_edit_on_both_machines_is_named_and_the_earlier_wording_waits_in_review(
    twiceshy: Command, machine: Machine, torn: str
) -> None:
    told = twiceshy("sync")

    assert texts(twiceshy) == {THERE}
    assert "was edited on two devices" in told.err
    assert HERE in twiceshy("history", torn, "--json").out
    for each in ("here", "there"):
        machine(each)
        assert in_conflict(twiceshy) == [HERE]
        listed = twiceshy("review")
        assert "Changed on two devices (1)" in listed.out
        assert f"other:     {HERE} (text," in listed.out
        assert "twiceshy review --other n" in listed.err


@requirement("U193")
@pytest.mark.parametrize(
    ("words", "stands"),
    [
        (("--accept",), "There"),
        (("--other",), "Here"),
        (("--edit", "Fetch the tags first, always."), "Fetch the tags first, always."),
    ],
)
def test_a_decision_about_a_conflict_holds_on_both_machines_and_can_be_undone(
    twiceshy: Command, machine: Machine, torn: str, words: tuple[str, ...], stands: str
) -> None:
    twiceshy("sync")

    twiceshy("review", words[0], torn, *words[1:])

    stands = {"Here": HERE, "There": THERE}.get(stands, stands)
    twiceshy("sync")
    for each in ("there", "here"):
        machine(each)
        twiceshy("sync")
        assert texts(twiceshy) == {stands}
        assert in_conflict(twiceshy) == []
    twiceshy("undo")
    assert texts(twiceshy) == {THERE}
    assert in_conflict(twiceshy) == [HERE]


def test_there_is_no_other_wording_of_a_note_that_nobody_else_changed(
    twiceshy: Command, machine: Machine
) -> None:
    handle = twiceshy("note", FETCH).out.strip()

    refused = twiceshy("review", "--other", handle, fails=1)

    assert "no other device has a different wording" in refused.err


def test_a_plan_changes_nothing_here_or_there(
    twiceshy: Command, machine: Machine, remote: str
) -> None:
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)
    machine("there")
    twiceshy("note", LAYER)
    before = in_remote(remote, "rev-parse", "main")

    told = twiceshy("sync", "--plan", "--json", "--remote", remote)

    assert told.json["planned"]
    assert len(told.json["new"]) == 1
    assert told.json["sent"] >= 1
    assert texts(twiceshy) == {LAYER}
    assert in_remote(remote, "rev-parse", "main") == before
    assert twiceshy("config", "sync.remote").out.strip() == ""


def test_rules_wait_for_one_approval(twiceshy: Command, machine: Machine, remote: str) -> None:
    twiceshy("note", RULE, "--kind", "rule")
    twiceshy("sync", "--remote", remote)
    machine("there")

    told = twiceshy("sync", "--remote", remote)
    twiceshy("review", "--accept-all", "rules", "--yes")

    assert "waiting:   1" in told.out
    assert "twiceshy review --accept-all rules" in told.err
    assert texts(twiceshy) == {RULE}


def test_a_purge_asks_first_and_then_nothing_forgotten_is_left(
    twiceshy: Command, remote: str
) -> None:
    twiceshy("note", "The staging host is called bluebird.")
    twiceshy("note", LAYER)
    twiceshy("sync", "--remote", remote)
    (note,) = [n for n in twiceshy("list", "--json").json if "bluebird" in n["text"]]
    twiceshy("forget", note["id"], "--yes")

    twiceshy("backup", "--purge", fails=1, person=False)
    before = in_remote(remote, "log", "-p", "--text", "main")
    twiceshy("backup", "--purge", "--yes")
    after = in_remote(remote, "log", "-p", "--text", "main")

    assert b"bluebird" in before
    assert b"bluebird" not in after
    assert LAYER.encode() in after


@pytest.mark.parametrize("mark", AGENT_MARKS)
def test_an_agent_cannot_say_where_notes_go(
    twiceshy: Command, remote: str, monkeypatch: pytest.MonkeyPatch, mark: str
) -> None:
    monkeypatch.setenv(mark, "1")
    twiceshy("note", FETCH)

    told = twiceshy("backup", "--remote", remote, fails=1)

    assert "only a person may choose with whom notes are shared" in told.err
    assert in_remote(remote, "for-each-ref") == b""


def test_a_project_cannot_say_where_notes_go(
    twiceshy: Command, remote: str, project: Path
) -> None:
    (project / ".twiceshy.toml").write_text(f'[sync]\nremote = "{remote}"\n')
    twiceshy("note", FETCH)

    twiceshy("backup", fails=1)

    assert in_remote(remote, "for-each-ref") == b""


def test_without_a_remote_it_says_how_to_name_one(twiceshy: Command) -> None:
    told = twiceshy("sync", fails=1)

    assert told.err == (
        "twiceshy: no remote is set\n"
        "hint: give a git repository of yours: twiceshy sync --remote URL\n"
    )


def test_a_remote_that_is_not_there_is_not_remembered(twiceshy: Command, tmp_path: Path) -> None:
    told = twiceshy("sync", "--remote", str(tmp_path / "nowhere.git"), fails=1)

    assert "there is no repository at" in told.err
    assert twiceshy("config", "sync.remote").out.strip() == ""


def test_another_remote_is_begun_anew(twiceshy: Command, remote: str, tmp_path: Path) -> None:
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)
    other = bare(tmp_path / "other.git")

    told = twiceshy("sync", "--remote", other)

    assert told.out.startswith("sent: ")
    assert b"Fetch the tags" in in_remote(other, "grep", "-h", "tags", "main")


@requirement("U012")
@pytest.mark.parametrize("name", ["backup", "recover", "sync"])
def test_the_verbs_answer_to_their_chinese_names(
    twiceshy: Command, remote: str, name: str
) -> None:
    pair = find_command_pair(name)
    assert pair
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)

    english, chinese = (twiceshy(each, "--json") for each in (pair.name, pair.chinese))

    assert chinese.json == english.json


def test_a_renamed_project_folder_is_the_same_project_on_the_other_machine(
    twiceshy: Command,
    machine: Machine,
    remote: str,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tmp_path = project.parent
    who = ("-c", "user.name=u", "-c", "user.email=u@localhost")
    subprocess.run(["git", "init", "--quiet", "."], check=True, cwd=project)
    commit = ["git", *who, "commit", "--quiet", "--allow-empty", "-m", "x"]
    subprocess.run(commit, check=True, cwd=project)
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)
    clone = tmp_path / "elsewhere" / "store-front"
    subprocess.run(["git", "clone", "--quiet", str(project), str(clone)], check=True)
    machine("there")
    monkeypatch.chdir(clone)
    twiceshy("sync", "--remote", remote)

    there = {note["text"] for note in twiceshy("list", "--json").json}
    monkeypatch.chdir(tmp_path)
    project.rename(tmp_path / "renamed")
    machine("home")
    monkeypatch.chdir(tmp_path / "renamed")
    here = {note["text"] for note in twiceshy("list", "--json").json}

    assert here == there == {FETCH}


HOLDING = """#!/bin/sh
touch "{reached}"
while [ ! -e "{go}" ]; do sleep 0.05; done
"""


@requirement("A18")
@pytest.mark.parametrize("hook", ["pre-receive", "post-receive"])
def test_a_push_that_was_killed_is_made_good_by_the_next_one(
    twiceshy: Command,
    machine: Machine,
    remote: str,
    hook: str,
) -> None:
    tmp_path = Path(remote).parent
    reached, go = tmp_path / "reached", tmp_path / "go"
    hooks = Path(remote) / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / hook).write_text(HOLDING.format(reached=reached, go=go))
    (hooks / hook).chmod(0o755)
    twiceshy("note", FETCH)
    twiceshy("config", "set", "sync.remote", remote)
    pushing = subprocess.Popen(
        [sys.executable, "-m", "twiceshy", "sync"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not reached.exists():
        assert pushing.poll() is None
        time.sleep(0.05)  # for another process, which says when it is there

    os.kill(pushing.pid, signal.SIGKILL)
    pushing.wait()
    go.touch()
    (hooks / hook).unlink()
    twiceshy("sync", "--remote", remote)
    machine("there")
    twiceshy("recover", "--remote", remote)

    assert texts(twiceshy) == {FETCH}


def test_whoever_was_killed_is_waited_for_only_as_long_as_its_lease(
    twiceshy: Command, remote: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    now = parse_stamp("2026-11-02T09:00:00Z")
    with opened(home, clock=Clock(now)) as store:
        store.take_lease(SYNC, "killed", seconds=LEASE_S)

    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:00:01Z")
    held = twiceshy("sync", "--remote", remote, fails=1)
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(now + (LEASE_S + 1) * SECOND))
    free = twiceshy("sync", "--remote", remote)

    assert "another process is syncing" in held.err
    assert free.out.startswith("sent:")


def test_nothing_of_a_note_lies_in_the_clone_as_a_readable_file(
    twiceshy: Command, remote: str, home: Path
) -> None:
    twiceshy("note", FETCH)
    twiceshy("sync", "--remote", remote)

    found = bytes_under(home / "sync")

    assert found
    assert not any(FETCH.encode() in body for body in found.values())


@requirement("Y31")
def test_a_new_machine_recovers_with_the_fingerprint_of_the_old_one(
    twiceshy: Command, remote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH, "--everywhere")
    twiceshy("sync", "--remote", remote)
    key = twiceshy("sync", "--devices", "--json").json["fingerprint"]
    monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "there"))

    told = twiceshy("recover", "--remote", remote, "--trust", key)

    assert told.out == "new:       1\n"
    assert texts(twiceshy) == {FETCH}


@requirement("E69")
def test_what_holds_everywhere_is_seen_in_each_project_of_a_new_machine(
    twiceshy: Command, machine: Machine, remote: str, tmp_path: Path
) -> None:
    twiceshy("note", LAYER, "--everywhere")
    twiceshy("note", "Only of the shop.")
    twiceshy("backup", "--remote", remote)
    machine("elsewhere")
    twiceshy("recover", "--remote", remote)

    for name in ("kitchen", "garden"):
        (tmp_path / name).mkdir()
        told = run_command("list", "--json", cwd=tmp_path / name, env={}).out
        assert LAYER in told
        assert "Only of the shop." not in told

"""memory-keeper's counter: exact under parallel tool uses, quiet by default, and nothing is rewritten for it."""

import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.hooks.sessions import Session
from tests.requirements import requirement
from tests.store.support import bytes_under

from twiceshy.app import load_settings
from twiceshy.recall.save_reminder import FOLDER, count_and_remind

BANNER = "[MEMORY_KEEPER] AUTO-SAVE TRIGGERED - {} tool uses reached"
HOSTILE = (
    "ENDSESSION\nrm -rf ~",
    "`touch pwned`",
    "$(touch pwned)",
    "it's; touch pwned",
    "\\'; touch pwned #",
    '"; touch pwned; "',
    "a\\nb\\c",
)


@pytest.fixture
def every_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_KEEPER_SAVE_INTERVAL", "5")


@pytest.mark.usefixtures("every_five")
def test_the_agent_is_asked_to_save_after_so_many_tool_uses(twiceshy: Command) -> None:
    said = [twiceshy("keeper", "check") for _ in range(10)]

    asked = [BANNER.format(5) in ran.out for ran in said]
    assert asked == [False, False, False, False, True] * 2
    assert said[0].err == "1 of 5 tool uses\n"


@requirement("K12")
@pytest.mark.usefixtures("every_five")
def test_k8_twenty_tool_uses_at_once_ask_exactly_four_times(project: Path) -> None:
    command = [sys.executable, "-m", "twiceshy", "keeper", "check"]

    running = [
        subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(20)
    ]
    said = [(*process.communicate(), process.returncode) for process in running]

    assert [err for _, err, code in said if code] == []
    assert sum(BANNER.format(5).encode() in out for out, _, _ in said) == 4


@requirement("K12")
def test_k16_a_tool_use_appends_one_byte_and_rewrites_nothing(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Lock before tagging")
    before = bytes_under(home)

    twiceshy("keeper", "check")
    twiceshy("keeper", "check")

    [file] = (home / FOLDER).iterdir()
    assert file.read_bytes() == b".."
    after = bytes_under(home)
    after.pop(file)
    assert after == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@requirement("K45")
@pytest.mark.usefixtures("every_five")
def test_k9_a_subdirectory_counts_for_the_same_project(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    (project / "src").mkdir()
    for _ in range(3):
        twiceshy("keeper", "check")
    monkeypatch.chdir(project / "src")

    assert twiceshy("keeper", "check", "--json").json == {"count": 4, "interval": 5, "told": None}


@requirement("K13")
def test_another_project_has_a_counter_of_its_own(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("keeper", "check")
    (tmp_path / "depot").mkdir()
    monkeypatch.chdir(tmp_path / "depot")

    assert twiceshy("keeper", "check", "--json").json["count"] == 1


@requirement("K13")
@pytest.mark.usefixtures("every_five")
@pytest.mark.parametrize("verb", ["reset", "final"])
def test_the_counter_begins_anew_after_a_save_and_on_request(twiceshy: Command, verb: str) -> None:
    for _ in range(4):
        twiceshy("keeper", "check")

    twiceshy("keeper", verb)

    assert twiceshy("keeper", "check", "--json").json["count"] == 1


def test_k12_the_end_of_a_session_asks_for_a_save_and_copies_nothing(
    twiceshy: Command, project: Path, home: Path
) -> None:
    ran = twiceshy("keeper", "final")

    assert "[MEMORY_KEEPER] SESSION ENDING - Final Save Required" in ran.out
    assert "twiceshy compress" in ran.out
    assert bytes_under(project) == {}
    assert bytes_under(home) == {}


def test_a_counter_that_cannot_be_written_is_told(twiceshy: Command, home: Path) -> None:
    home.mkdir()
    (home / FOLDER).write_text("in the way")

    ran = twiceshy("keeper", "check", fails=1)

    assert "the counter cannot be written" in ran.err
    assert str(home) in ran.err


def test_a_hook_is_not_hurt_by_it_and_follows_no_link(home: Path, tmp_path: Path) -> None:
    home.mkdir()
    other = tmp_path / "other"
    other.write_text("mine")
    count_and_remind(str(home), "dir:1", 1)
    [file] = (home / FOLDER).iterdir()
    file.unlink()
    file.symlink_to(other)

    assert count_and_remind(str(home), "dir:1", 1) == ""
    assert other.read_text() == "mine"


@requirement("U084")
def test_it_is_off_and_quieter_than_every_five_unless_the_user_says_otherwise() -> None:
    config = load_settings()

    assert config.flag("keeper.banner") is False
    assert config.integer("keeper.save_interval") > 5


@requirement("U084")
def test_without_any_reminder_capture_does_its_work(
    twiceshy: Command, project: Path, home: Path
) -> None:
    session = Session(project)
    session.start()

    said = [session.prints("make", "done") for _ in range(30)]
    session.fails("make deploy")

    assert said == [""] * 30
    assert not (home / FOLDER).exists()
    assert twiceshy("status", "--json").json["signals"] == 1


def test_k11_at_the_end_of_a_turn_a_client_gets_nothing_that_it_would_refuse(
    project: Path, home: Path
) -> None:
    session = Session(project)
    session.env["TWICESHY_KEEPER_BANNER"] = "true"
    session.start()

    assert session.answer("Stop", stop_hook_active=False) == {}


@pytest.mark.parametrize("text", HOSTILE)
def test_k14_what_a_model_writes_in_quotes_reaches_us_unharmed_and_runs_nothing(
    twiceshy: Command, project: Path, text: str
) -> None:
    # as the steps say: single quotes around it, and '\'' for one inside
    quoted = "'" + text.replace("'", "'\\''") + "'"
    line = f"{shlex.quote(sys.executable)} -m twiceshy add-issue {quoted} open"

    subprocess.run(["sh", "-c", line], env=os.environ, check=True, capture_output=True)

    (note,) = twiceshy("list", "--kind", "issue", "--json").json
    assert note["text"].split() == text.split()
    assert not (project / "pwned").exists()

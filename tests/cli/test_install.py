"""Installing and uninstalling as a person types it, on a terminal, in a pipe and in a script."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.requirements import requirement

SETTINGS = '{\n  "model": "opus",\n  "hooks": {"Stop": []}\n}\n'


@pytest.fixture(autouse=True)
def no_clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No client of the machine that runs the tests is found on the PATH."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("git", "sh", "cat", "date", "wc"):
        if there := shutil.which(name):
            (programs / name).symlink_to(there)
    monkeypatch.setenv("PATH", str(programs))


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """The settings file of a Claude Code that is installed here."""
    folder = tmp_path / "user" / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(SETTINGS)
    return folder / "settings.json"


@requirement("U007", "F58")
def test_a_careful_person_looks_first_then_installs_twice(
    twiceshy: Command, claude: Path, home: Path, tmp_path: Path
) -> None:
    planned = twiceshy("install", "--plan", "--diff")
    untouched = (claude.read_text(), home.exists())
    twiceshy("install", "--yes")
    once = contents(tmp_path)
    twiceshy("install", "--yes")

    shown = [line[1:] for line in planned.out.splitlines() if line[:1] in "+ "]
    said = json.loads(claude.read_text())
    assert untouched == (SETTINGS, False)
    assert set(claude.read_text().splitlines()) <= set(shown)
    assert list(said)[:2] == ["model", "hooks"]
    assert (said["model"], said["hooks"]) == ("opus", {"Stop": []})
    assert said["enabledPlugins"] == {"twiceshy@twiceshy": True}
    assert SETTINGS.encode() in [contents(home)[path] for path in contents(home / "receipts")]
    assert contents(tmp_path) == once


def contents(folder: Path) -> dict[Path, bytes]:
    """Return what every file in a folder holds."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@requirement("N05")
def test_the_plan_is_ten_lines_and_writes_nothing(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    planned = twiceshy("install", "--plan")

    theirs, ours = planned.out.splitlines()
    assert re.fullmatch(rf"change  {claude} \(\+\d+ -1 lines\)", theirs)
    assert re.fullmatch(rf"create  \d+ files of twiceshy's own, below {home}", ours)
    assert "hint: every line of it: twiceshy install --plan --diff" in planned.err
    assert "hint: to take it back, byte for byte: twiceshy uninstall" in planned.err
    assert len((planned.out + planned.err).splitlines()) <= 10
    assert claude.read_text() == SETTINGS
    assert not home.exists()


@requirement("N05")
def test_every_line_of_a_plan_is_shown_on_request(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    planned = twiceshy("install", "--plan", "--diff")

    assert planned.out.startswith(f"--- {claude}\n+++ {claude}\n")
    assert '+    "twiceshy@twiceshy": true\n' in planned.out
    assert f"+++ {home}/bin/hook\n" in planned.out
    assert "nothing was changed" in planned.err
    assert claude.read_text() == SETTINGS
    assert not home.exists()


def test_a_plan_for_programs_lists_every_file(twiceshy: Command, claude: Path, home: Path) -> None:
    planned = twiceshy("install", "--plan", "--json", "--starter").json

    assert planned["planned"] is True
    assert {change["what"] for change in planned["changes"]} == {"create", "change"}
    assert [c["path"] for c in planned["changes"] if c["what"] == "change"] == [str(claude)]
    assert f"{home}/receipts/claude-code.json" in [r["path"] for r in planned["records"]]
    assert set(planned["starter"]) >= {"commit", "pdf"}
    assert not home.exists()


@requirement("U008", "A20", "F58")
def test_what_was_installed_is_uninstalled_byte_for_byte(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    twiceshy("note", "Tag after the merge")
    twiceshy("install", "--yes")
    changed = claude.read_text()

    gone = twiceshy("uninstall", "--yes")

    assert changed != SETTINGS
    assert claude.read_text() == SETTINGS
    assert not (home / "bin").exists()
    assert not (home / "receipts").exists()
    assert f"to erase them too: rm -r {home}" in gone.err
    assert "Tag after the merge" in twiceshy("list").out


def test_uninstalling_can_be_planned_too(twiceshy: Command, claude: Path, home: Path) -> None:
    twiceshy("install", "--yes")

    assert re.search(r"^change .*settings.json \(", twiceshy("uninstall", "--plan").out, re.M)
    planned = twiceshy("uninstall", "--plan", "--diff")

    assert '-    "twiceshy@twiceshy": true\n' in planned.out
    assert "nothing was changed" in planned.err
    assert (home / "bin" / "hook").exists()
    assert twiceshy("uninstall", "--plan", "--json").json["planned"] is True


def test_installing_twice_says_that_all_is_in_place(twiceshy: Command, claude: Path) -> None:
    twiceshy("install", "--yes")

    again = twiceshy("install", "--yes")

    assert (again.out, again.err) == ("", "everything is in place\n")


def test_nobody_is_asked_where_nobody_can_answer(
    twiceshy: Command, claude: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open(os.devnull) as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        refused = twiceshy("install", fails=1)

    assert "there is no terminal to confirm in; nothing was changed" in refused.err
    assert "--yes" in refused.err
    assert claude.read_text() == SETTINGS
    assert not home.exists()


def test_a_person_is_asked_first_and_nothing_is_added_unasked(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    code, shown = answered(["install"], "y\n\n")

    assert code == 0
    assert "Go ahead?" in shown
    assert "Which one (none, claude-cli, openai) [none]" in shown
    assert "twiceshy@twiceshy" in claude.read_text()
    assert twiceshy("list", "--json", "--all").json == []


@requirement("N05")
def test_an_interrupted_install_asks_the_rest_and_nothing_twice(
    twiceshy: Command, claude: Path, tmp_path: Path
) -> None:
    a_mistake_in_a_transcript(claude, tmp_path)
    broken, _ = answered(["install"], "y\n\n\x04")  # ends at the question about transcripts
    code, shown = answered(["install"], "y\n")
    _, third = answered(["install"], "")

    assert broken == 130
    assert code == 0
    assert "everything is in place" in shown
    assert "Which one" not in shown
    assert "1 new notes" in shown
    assert "?" not in third


def test_a_script_is_told_how_to_learn_later(twiceshy: Command, claude: Path) -> None:
    assert "twiceshy distill --all" in twiceshy("install", "--yes").err


@requirement("F14")
def test_a_model_is_used_only_if_a_person_chooses_one(twiceshy: Command, claude: Path) -> None:
    code, shown = answered(["install"], "y\nclaude-cli\n")

    assert code == 0
    assert "every call is in the ledger" in shown
    assert twiceshy("config", "distiller.backend").out.strip() == "claude-cli"


@requirement("F14")
def test_a_script_can_choose_the_model_and_is_not_asked(twiceshy: Command, claude: Path) -> None:
    unasked = twiceshy("install", "--yes")
    without = twiceshy("config", "distiller.backend").out.strip()
    twiceshy("install", "--yes", "--distiller", "openai")

    assert "Which one" not in unasked.err
    assert without == "none"
    assert twiceshy("config", "distiller.backend").out.strip() == "openai"


def a_mistake_in_a_transcript(claude: Path, shop: Path) -> None:
    """Write what a client leaves of a session in which a call failed, and was put right."""
    slug = "".join(char if char.isalnum() else "-" for char in str(shop))
    folder = claude.parent / "projects" / slug
    folder.mkdir(parents=True)
    calls = (("gh pr diff 8 --stat", "unknown flag: --stat", True), ("gh pr diff 8", "+1", False))
    with (folder / "s1.jsonl").open("w") as file:
        for at, (command, printed, failed) in enumerate(calls):
            used = {
                "type": "tool_use",
                "id": f"t{at}",
                "name": "Bash",
                "input": {"command": command},
            }
            came = {"type": "tool_result", "tool_use_id": f"t{at}", "content": printed}
            for role, block in (("assistant", used), ("user", came | {"is_error": failed})):
                record = {"type": role, "uuid": f"{role}{at}", "sessionId": "s1", "cwd": str(shop)}
                record |= {"timestamp": f"2026-11-02T09:30:0{at}Z"}
                file.write(json.dumps(record | {"message": {"role": role, "content": [block]}}))
                file.write("\n")


@requirement("L09")
def test_a_person_is_offered_to_learn_from_the_transcripts_that_are_there(
    twiceshy: Command, claude: Path, tmp_path: Path
) -> None:
    a_mistake_in_a_transcript(claude, tmp_path)

    code, shown = answered(["install"], "y\n\ny\n")

    assert code == 0
    assert "Learn from the 1 transcripts that are there" in shown
    assert "1 new notes" in shown
    notes = twiceshy("list", "--json", "--all").json
    assert [note["trigger"] for note in notes] == ["Bash/usage --stat gh"]


@requirement("L09")
def test_a_script_learns_on_request_and_only_once(
    twiceshy: Command, claude: Path, tmp_path: Path
) -> None:
    a_mistake_in_a_transcript(claude, tmp_path)
    before = twiceshy("install", "--yes", "--json").json["learned"]

    learned = twiceshy("install", "--yes", "--learn", "--json").json["learned"]
    again = twiceshy("install", "--yes", "--learn", "--json").json["learned"]

    assert (before, learned["new"], again) == ({}, 1, {})


def test_a_person_who_says_no_keeps_everything(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    code, shown = answered(["install"], "n\n")

    assert code == 130
    assert "nothing was changed" in shown
    assert claude.read_text() == SETTINGS
    assert not home.exists()


def test_starter_notes_are_not_offered_again(twiceshy: Command, claude: Path) -> None:
    twiceshy("install", "--yes")

    code, shown = answered(["install"], "")

    assert code == 0
    assert "starter" not in shown


@requirement("U010", "F63")
def test_starter_notes_come_on_request_only_and_leave_the_users_alone(
    twiceshy: Command, claude: Path
) -> None:
    mine = twiceshy("note", "Ask Ann before a release", "--skill", "release", "--pin").out
    before = twiceshy("show", mine.strip(), "--json").json
    twiceshy("install", "--yes")
    without = twiceshy("list", "--all", "--json").json

    added = twiceshy("install", "--yes", "--starter")

    assert len(without) == 1
    assert "added 12 starter notes" in added.err
    assert twiceshy("show", mine.strip(), "--json").json == before
    skills = {note["skill"] for note in twiceshy("list", "--all", "--json").json}
    assert skills == {"commit", "docx", "pdf", "release", "xlsx"}
    assert len(twiceshy("list", "--skill", "release", "--json").json) == 1


def test_one_undo_takes_the_starter_notes_back_and_they_stay_away(
    twiceshy: Command, claude: Path
) -> None:
    twiceshy("install", "--yes", "--starter")

    twiceshy("undo")
    again = twiceshy("install", "--yes", "--starter")

    assert "no starter notes were added" in again.err
    assert twiceshy("list", "--all").out == ""


def test_a_starter_note_says_where_it_comes_from(twiceshy: Command, claude: Path) -> None:
    twiceshy("install", "--yes", "--starter")
    first = twiceshy("list", "--skill", "pdf", "--json").json[0]

    why = twiceshy("why", first["handle"]).out

    assert (first["source"], first["tag"], first["status"]) == ("import", "starter", "active")
    assert "starter notes of twiceshy" in why


def test_the_folder_that_the_client_was_given_is_honoured(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "profiles" / "work"
    folder.mkdir(parents=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))

    twiceshy("install", "--yes")

    assert "twiceshy@twiceshy" in (folder / "settings.json").read_text()
    assert not (tmp_path / "user" / ".claude").exists()


def test_a_machine_without_a_runtime_is_told_so(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    refused = twiceshy("install", "--plan", fails=1)

    assert "no runtime that twiceshy knows was found" in refused.err
    assert "twiceshy install claude-code" in refused.err
    assert twiceshy("install", "claude-code", "--plan").out


def test_a_program_on_the_path_is_enough(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "settings.json" in twiceshy("install", "--plan").out


def test_uninstalling_what_is_not_there_is_no_error(twiceshy: Command, home: Path) -> None:
    assert twiceshy("uninstall", "--yes").err == "nothing is installed\n"
    assert twiceshy("uninstall", "claude-code", "--yes").err == "nothing is installed\n"
    assert not home.exists()


def test_settings_that_are_no_json_stop_the_install(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    claude.write_text('{"model": "opus",}')

    refused = twiceshy("install", "--yes", fails=1)

    assert f"twiceshy: claude-code: {claude}: not valid JSON" in refused.err
    assert claude.read_text() == '{"model": "opus",}'
    assert not home.exists()


def test_a_result_for_programs_says_what_was_done(twiceshy: Command, claude: Path) -> None:
    installed = twiceshy("install", "--yes", "--json", "--starter").json
    removed = twiceshy("uninstall", "--yes", "--json").json

    assert (installed["planned"], removed["planned"]) == (False, False)
    assert sum(installed["starter"].values()) == 15
    assert str(claude) in [change["path"] for change in json.loads(json.dumps(removed))["changes"]]

"""Several runtimes at once: one plan, one question, and one that fails does not stop the others."""

import json
import os
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.requirements import requirement

SERVERS = '{"mcpServers": {}}\n'


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """The settings file of a Claude Code that is installed here."""
    folder = tmp_path / "user" / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text("{}")
    return folder / "settings.json"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH, with what our own programs need."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in ("git", "sh", "cat", "date", "wc"):
        if there := shutil.which(name):
            (folder / name).symlink_to(there)
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def pi(programs: Path, tmp_path: Path) -> Path:
    """A Pi that cannot install anything."""
    (tmp_path / "user" / ".pi" / "agent").mkdir(parents=True)
    program = programs / "pi"
    program.write_text("#!/bin/sh\necho 'pi: no room left' >&2\nexit 1\n")
    program.chmod(0o755)
    return program


@pytest.fixture
def opencode(tmp_path: Path) -> Path:
    """The configuration of an OpenCode that is installed here."""
    path = tmp_path / "user" / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    return path


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    """The file in which some other client lists its MCP servers."""
    path = tmp_path / "mcp.json"
    path.write_text(SERVERS)
    return path


def test_two_runtimes_have_one_plan_in_which_each_file_is_named_once(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    planned = twiceshy("install", "claude-code", "generic", "--plan", "--json").json

    paths = [change["path"] for change in planned["changes"]]
    records = [record["path"] for record in planned["records"]]
    assert paths.count(f"{home}/bin/mcp") == 1
    assert {f"{home}/receipts/{name}.json" for name in ("claude-code", "generic")} <= {*records}
    assert not home.exists()


def test_whatever_is_on_the_machine_is_found_and_shown_as_one_plan(
    *, twiceshy: Command, claude: Path, opencode: Path, pi: Path, home: Path
) -> None:
    planned = twiceshy("install", "--plan", "--diff")

    assert f"--- {claude}\n" in planned.out
    assert f"--- {opencode}\n" in planned.out
    assert f"run: pi install {home}/pi\n" in planned.out
    assert planned.out.count(f"+++ {home}/bin/hook\n") == 1
    assert "to switch that off: twiceshy config set stops.mode off" in planned.err
    assert (claude.read_text(), opencode.read_text()) == ("{}", "{}")
    assert not home.exists()


@requirement("T23", "T346")
@pytest.mark.usefixtures("project", "programs")
def test_a_person_is_asked_once_for_all(claude: Path, opencode: Path, home: Path) -> None:
    code, shown = answered(["install"], "y\n\n")

    assert code == 0
    assert [shown.count(asked) for asked in ("Go ahead?", "Which one", "starter")] == [1, 1, 0]
    assert "installed in Claude Code, OpenCode; " in shown
    assert f"your memory is in {home / 'vault'}: Markdown" in shown
    assert "to switch that off: twiceshy config set stops.mode off" in shown
    assert "twiceshy" in claude.read_text()
    assert "twiceshy" in opencode.read_text()


def test_a_client_whose_own_command_fails_is_named_and_the_others_are_connected(
    *, twiceshy: Command, claude: Path, opencode: Path, pi: Path, home: Path
) -> None:
    failed = twiceshy("install", "--yes", "--json", fails=1)
    gone = twiceshy("uninstall", "--yes", "--json")

    assert failed.json["runtimes"] == ["claude-code", "opencode"]
    assert failed.json["commands"] == [f"pi install {home}/pi"]
    assert f"twiceshy: pi: `pi install {home}/pi` failed: pi: no room left" in failed.err
    assert "`twiceshy uninstall` takes it back" in failed.err
    assert gone.json["runtimes"] == ["claude-code", "opencode", "pi"]
    assert (claude.read_text(), opencode.read_text()) == ("{}", "{}")
    assert not home.exists()


def test_a_hook_of_every_connected_runtime_is_run(
    *, twiceshy: Command, programs: Path, claude: Path, opencode: Path
) -> None:
    twiceshy("install", "--yes")

    said = [one["message"] for one in twiceshy("doctor", "--json").json if one["verdict"] == "ok"]

    for title in ("Claude Code", "OpenCode"):
        assert f"a hook of {title} was run, and showed a test note" in said
        assert f"{title}: connected, automatic" in said


def test_what_is_shared_stays_while_one_of_two_needs_it(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    twiceshy("install", "claude-code", "generic", "--yes")

    twiceshy("uninstall", "claude-code", "--yes")
    between = sorted(path.name for path in (home / "bin").iterdir())
    twiceshy("uninstall", "--yes")

    assert between == ["mcp"]
    assert not (home / "bin").exists()
    assert claude.read_text() == "{}"


def test_all_that_are_connected_go_at_once(twiceshy: Command, claude: Path, home: Path) -> None:
    twiceshy("install", "claude-code", "generic", "--yes")

    gone = twiceshy("uninstall", "--yes", "--json").json

    assert gone["runtimes"] == ["claude-code", "generic"]
    assert not home.exists()


def test_one_that_fails_is_named_and_the_others_are_connected(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    claude.write_text("{")

    failed = twiceshy("install", "claude-code", "generic", "--yes", fails=1)

    assert f"twiceshy: claude-code: {claude}: not valid JSON" in failed.err
    assert "hint: correct it first" in failed.err
    assert "installed in other clients" in failed.err
    assert os.listdir(home / "receipts") == ["generic.json"]


def test_one_that_cannot_be_written_is_named_and_the_others_are_connected(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    claude.chmod(0o400)

    failed = twiceshy("install", "claude-code", "generic", "--yes", "--json", fails=1)

    assert failed.json["runtimes"] == ["generic"]
    assert f"{claude} is read-only" in failed.err
    assert (home / "bin" / "mcp").exists()


def test_one_that_cannot_be_taken_out_keeps_what_it_needs(
    twiceshy: Command, claude: Path, home: Path
) -> None:
    twiceshy("install", "claude-code", "generic", "--yes")
    claude.chmod(0o400)

    failed = twiceshy("uninstall", "--yes", fails=1)

    assert f"twiceshy: claude-code: {claude} is read-only" in failed.err
    assert (home / "bin" / "mcp").exists()
    assert not (home / "receipts" / "generic.json").exists()


def test_nothing_is_asked_when_all_have_failed(twiceshy: Command, claude: Path) -> None:
    claude.write_text("{")

    failed = twiceshy("install", "claude-code", fails=1)

    assert "not valid JSON" in failed.err
    assert "there is no terminal to confirm in" not in failed.err
    assert failed.out == ""


def test_a_receipt_of_a_newer_release_is_named(twiceshy: Command, home: Path) -> None:
    (home / "receipts").mkdir(parents=True)
    (home / "receipts" / "teapot.json").write_text("{}")

    failed = twiceshy("uninstall", "--yes", fails=1)

    assert "'teapot', a runtime that this twiceshy does not know" in failed.err
    assert "upgrade twiceshy" in failed.err


def test_status_tells_which_runtimes_are_connected_and_how(
    twiceshy: Command, claude: Path
) -> None:
    twiceshy("install", "claude-code", "generic", "--yes")

    assert "Claude Code (automatic), other clients (explicit)" in twiceshy("status").out
    assert twiceshy("status", "--json").json["runtimes"] == {
        "claude-code": "automatic",
        "generic": "explicit",
    }


def test_any_other_client_is_given_the_lines_to_put_in(twiceshy: Command, home: Path) -> None:
    told = twiceshy("install", "generic", "--yes")
    again = twiceshy("install", "generic", "--yes", "--json").json

    entry = {"mcpServers": {"twiceshy": {"command": f"{home}/bin/mcp"}}}
    assert '"mcpServers"' in told.out
    assert "call the tool `recall`" in told.out
    assert again["entry"] == entry
    assert "skill_recall" in again["snippet"]


def test_any_other_clients_file_is_written_only_if_it_is_named(
    twiceshy: Command, servers: Path
) -> None:
    planned = twiceshy("install", "generic", "--write", str(servers), "--plan", "--diff")
    untouched = servers.read_text()
    twiceshy("install", "generic", "--write", str(servers), "--yes")
    written = json.loads(servers.read_text())
    again = twiceshy("install", "generic", "--write", str(servers), "--yes")
    twiceshy("uninstall", "generic", "--yes")

    assert '+{"mcpServers": {"twiceshy": {"command": ' in planned.out
    assert untouched == SERVERS
    assert list(written["mcpServers"]) == ["twiceshy"]
    assert again.err == "everything is in place\n"
    assert servers.read_text() == SERVERS


def test_only_any_other_client_has_files_to_name(twiceshy: Command, servers: Path) -> None:
    refused = twiceshy("install", "claude-code", "--write", str(servers), fails=2)

    assert "twiceshy install generic" in refused.err
    assert servers.read_text() == SERVERS


@requirement("R11")
def test_what_is_only_printed_needs_nobodys_consent(twiceshy: Command) -> None:
    ran = twiceshy("install", "generic")

    assert '"mcpServers"' in ran.out
    assert "call the tool `recall`" in ran.out

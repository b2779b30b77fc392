"""Any other client: our server and a few lines of rules, put where the user says and taken out again."""

import json
import os
from pathlib import Path

import pytest
from tests.requirements import requirement

import twiceshy
from twiceshy.core.errors import ConfigError
from twiceshy.runtimes.generic.install import build_offer, build_request, find_trouble
from twiceshy.runtimes.install_plan import InstallPlace, build_install_place, plan_install
from twiceshy.runtimes.uninstall_plan import plan_uninstall

SERVERS = '{"mcpServers": {"theirs": {"command": "x"}}}'


@pytest.fixture
def here(home: Path, tmp_path: Path) -> InstallPlace:
    package = str(Path(twiceshy.__file__).parent)
    return build_install_place(str(home), str(tmp_path / "user"), package, os.environ, mcp=True)


@pytest.fixture
def servers(tmp_path: Path) -> Path:
    path = tmp_path / "mcp.json"
    path.write_text(SERVERS)
    return path


def install(here: InstallPlace, *files: Path) -> None:
    plan_install(here, build_request(here, [str(file) for file in files])).execute_plan(here.home)


@requirement("R11")
def test_the_server_and_the_rules_go_where_the_user_says(
    here: InstallPlace, servers: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "AGENTS.md"

    install(here, servers, rules)

    said = json.loads(servers.read_text())["mcpServers"]
    assert said == {"theirs": {"command": "x"}, "twiceshy": {"command": here.server_path}}
    assert "call the tool `recall`" in rules.read_text()
    assert os.access(here.server_path, os.X_OK)
    assert not Path(here.launcher_path).exists()


def test_files_named_before_are_kept_up_to_date_and_cleaned_together(
    here: InstallPlace, servers: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "AGENTS.md"
    rules.write_text("# Rules\n")
    install(here, servers)

    install(here, rules)
    again = plan_install(here, build_request(here))
    plan_uninstall(here, build_request(here)).execute_plan(here.home)

    assert again.is_empty
    assert servers.read_text() == SERVERS
    assert rules.read_text() == "# Rules\n"
    assert not Path(here.home).exists()


def test_a_file_that_lost_our_lines_is_named(here: InstallPlace, servers: Path) -> None:
    install(here, servers)
    sound = find_trouble(here)
    servers.write_text(SERVERS)

    assert sound == ""
    assert find_trouble(here) == f"our lines in {servers} are gone or of another release"


def test_without_the_server_the_rules_name_commands(here: InstallPlace, tmp_path: Path) -> None:
    without = here.but(mcp=False)
    rules = tmp_path / "AGENTS.md"

    install(without, rules)

    assert build_offer(without)["entry"] == {}
    assert "run `twiceshy recall" in rules.read_text()
    assert not Path(here.server_path).exists()


def test_without_the_server_no_client_is_told_about_one(here: InstallPlace, servers: Path) -> None:
    with pytest.raises(ConfigError, match="would name a server that cannot run") as caught:
        plan_install(here.but(mcp=False), build_request(here.but(mcp=False), [str(servers)]))

    assert "install 'mcp<2" in caught.value.hint


def test_a_server_that_can_no_longer_run_is_named_and_still_taken_out(
    here: InstallPlace, servers: Path
) -> None:
    install(here, servers)
    without = here.but(mcp=False)

    why = find_trouble(without)
    plan_uninstall(without, build_request(without)).execute_plan(here.home)

    assert why.startswith(f"{servers} names a server that cannot run; ")
    assert servers.read_text() == SERVERS
    assert not Path(here.home).exists()


def test_with_nothing_to_write_there_is_nothing_to_remember(here: InstallPlace) -> None:
    without = here.but(mcp=False)

    assert plan_install(without, build_request(without)).is_empty

"""What doctor finds out about a server by starting it: real programs, good and bad ones."""

from pathlib import Path

import pytest

from twiceshy.upkeep import trials
from twiceshy.upkeep.trials import try_server

ANSWER = """echo '{"jsonrpc": "2.0", "id": 1, "result": {"serverInfo": {"name": "x"}}}'"""


def a_server(folder: Path, *lines: str) -> str:
    path = folder / "server"
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o700)
    return str(path)


def test_a_server_that_says_hello_and_ends_with_its_client_is_sound(tmp_path: Path) -> None:
    greeted = tmp_path / "greeted"

    trouble = try_server(a_server(tmp_path, f"read -r line; echo $line >{greeted}", ANSWER, "cat"))

    assert trouble == ""
    assert '"method": "initialize"' in greeted.read_text()


def test_a_server_runs_in_a_home_of_its_own(tmp_path: Path, home: Path) -> None:
    used = tmp_path / "used"

    try_server(a_server(tmp_path, f'echo "$TWICESHY_HOME" >{used}', "read -r line", ANSWER))

    assert used.read_text().strip() not in ("", str(home))


@pytest.mark.parametrize(
    ("lines", "trouble"),
    [
        (["echo why >&2", "echo 'no module named mcp' >&2", "exit 1"], "no module named mcp"),
        (["exit 7"], "exit code 7"),
        (["read -r line", """echo '{"id": 1, "error": {}}'"""], "exit code 0"),
    ],
)
def test_a_server_that_gives_up_is_quoted(tmp_path: Path, lines: list[str], trouble: str) -> None:
    assert try_server(a_server(tmp_path, *lines)) == trouble


def test_a_server_that_outlives_its_client_is_ended_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "_SERVER_PATIENCE_S", 1)

    trouble = try_server(a_server(tmp_path, "read -r line", ANSWER, "exec sleep 60"))

    assert trouble == "it did not end when its client went away"


def test_a_server_that_cannot_be_started_is_named(tmp_path: Path) -> None:
    assert "No such file" in try_server(str(tmp_path / "nowhere"))

"""``twiceshy mcp`` says how to get what it needs, and how to tell a client of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from twiceshy.cli import run_command_line
from twiceshy.files.installed_package import command_for_extra


def test_without_the_sdk_the_command_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlib import metadata

    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)

    code = run_command_line(["mcp"])

    said = capsys.readouterr()
    assert (code, said.out) == (1, "")
    assert said.err == (
        f"twiceshy: the MCP SDK is not installed\nhint: {command_for_extra('mcp')}\n"
    )


def test_an_sdk_of_another_kind_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from importlib import metadata

    monkeypatch.setattr(metadata, "version", lambda _: "2.3.0")

    code = run_command_line(["mcp"])

    assert code == 1
    assert "version 2.3.0 of the MCP SDK" in capsys.readouterr().err


def test_help_shows_how_to_register_it(capsys: pytest.CaptureFixture[str]) -> None:
    code = run_command_line(["mcp", "--help"])

    said = capsys.readouterr().out
    assert code == 0
    assert "claude mcp add twiceshy -- twiceshy mcp" in said
    assert '"mcpServers": {"twiceshy": {"command": "twiceshy", "args": ["mcp"]}}' in said


@pytest.mark.parametrize("verb", ["--help", "status", "mcp --help"])
def test_no_other_command_loads_the_sdk(verb: str, tmp_path: Path) -> None:
    program = (
        "import sys\nfrom twiceshy.cli import run_command_line\n"
        f"run_command_line({verb.split()!r})\n"
        "print(sorted({'mcp', 'anyio', 'pydantic'} & set(sys.modules)), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert done.stderr.splitlines()[-1] == "[]"

"""What doctor says about the hooks: it runs one, and names what keeps them from firing."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

from twiceshy.core.moment import parse_day
from twiceshy.runtimes import RUNTIMES
from twiceshy.runtimes.installers import load_installer
from twiceshy.runtimes.launcher import Target, render_launcher, render_server_launcher
from twiceshy.upkeep.doctor import report_failures
from twiceshy.upkeep.trials import try_hook

NOON = parse_day("2026-11-15") + 43_200_000


@pytest.fixture
def with_server(twiceshy: Command, tmp_path: Path, home: Path) -> Path:
    """The launcher of a home that is connected with Claude Code, tools included."""
    (tmp_path / "user" / ".claude").mkdir()
    twiceshy("install", "claude-code", "--yes")
    return home / "bin" / "hook"


@pytest.fixture
def without_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without the extra for MCP: there is no server, whose start takes 0.6 s."""
    monkeypatch.setitem(sys.modules, "mcp", None)


@pytest.fixture
def installed(without_sdk: None, with_server: Path) -> Path:
    """The launcher of a home that is connected with Claude Code, by its hooks alone."""
    return with_server


def found(twiceshy: Command, what: str, *, fails: int = 0) -> list[tuple[str, str, str]]:
    findings = twiceshy("doctor", "--json", fails=fails).json
    return [(f["verdict"], f["message"], f["hint"]) for f in findings if f["what"] == what]


def point(launcher: Path, home: Path, python: str, hook: str) -> None:
    launcher.write_text(render_launcher(str(home), Target(python, hook)))


def test_a_home_that_is_not_connected_is_no_reason_to_worry(twiceshy: Command) -> None:
    assert found(twiceshy, "runtimes") == [
        ("ok", "none is connected yet; `twiceshy install` connects one", "")
    ]


@requirement("E73")
def test_a_sound_install_answers_like_a_runtime_expects(
    twiceshy: Command, with_server: Path, home: Path
) -> None:
    twiceshy("note", "Tag after the merge", "--skill", "release")
    before = twiceshy("status", "--json").json

    said = {finding["what"]: finding for finding in twiceshy("doctor", "--json").json}

    assert {said[what]["verdict"] for what in ("launcher", "mcp", "claude-code")} == {"ok"}
    assert said["launcher"]["message"] == ("a hook of Claude Code was run, and showed a test note")
    assert said["mcp"]["message"] == "the server was started, and answered"
    assert said["claude-code"]["message"] == "Claude Code: connected, automatic"
    assert twiceshy("status", "--json").json["notes"] == before["notes"]
    assert not (home / "hook.log").exists()


@pytest.mark.parametrize("name", RUNTIMES)
def test_what_each_runtime_sends_when_a_skill_is_loaded_is_answered(
    name: str, installed: Path
) -> None:
    assert try_hook(str(installed), name, load_installer(name).sample_payload) == ""


def test_a_server_that_does_not_answer_is_broken(
    twiceshy: Command, with_server: Path, home: Path
) -> None:
    gone = render_server_launcher(str(home), Target("/old/venv/bin/python", ""))
    (home / "bin" / "mcp").write_text(gone)

    assert found(twiceshy, "mcp", fails=1) == [
        (
            "broken",
            "the server did not answer: "
            "twiceshy: /old/venv/bin/python is gone; run: twiceshy install",
            "run: twiceshy install",
        )
    ]


def test_what_another_release_left_is_mentioned(
    twiceshy: Command, installed: Path, home: Path
) -> None:
    path = home / "receipts" / "claude-code.json"
    left = home / "claude-code" / "old.md"
    left.write_text("an old command")
    done = json.loads(path.read_text())
    done["files"].append({"path": str(left)})
    path.write_text(json.dumps(done))

    (said,) = found(twiceshy, "claude-code")

    assert said[0] == "warning"
    assert said[1] == f"file missing or changed: {left}"


def test_a_damaged_receipt_is_named_and_everything_else_is_still_looked_at(
    twiceshy: Command, installed: Path, home: Path
) -> None:
    (home / "receipts" / "claude-code.json").write_text("{")

    (said,) = found(twiceshy, "claude-code", fails=1)

    assert said[0] == "broken"
    assert "is damaged" in said[1]


def test_an_environment_that_is_gone_is_named_and_repaired_by_installing_again(
    twiceshy: Command, installed: Path, home: Path
) -> None:
    point(installed, home, "/old/venv/bin/python", "/old/venv/twiceshy/hooks/run.py")

    assert found(twiceshy, "launcher", fails=1) == [
        ("broken", "it points to /old/venv/bin/python, which is gone", "run: twiceshy install")
    ]
    twiceshy("install", "claude-code", "--yes")

    assert [verdict for verdict, *_ in found(twiceshy, "launcher")] == ["ok"]


def test_another_environment_of_ours_is_mentioned(
    twiceshy: Command, installed: Path, home: Path, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    hook = next(line for line in installed.read_text().splitlines() if line.startswith("hook="))
    point(installed, home, str(python), hook.partition("=")[2])

    verdicts = found(twiceshy, "launcher")

    assert [verdict for verdict, *_ in verdicts] == ["warning", "ok"]
    assert str(python) in verdicts[0][1]


@requirement("E73")
@pytest.mark.parametrize(
    ("hook", "trouble"),
    [
        ("", "it did not show the test note"),
        ("import sys; sys.exit('no such table')", "exit code 1, no such table"),
        ("import os; os._exit(7)", "exit code 7"),
    ],
)
def test_a_hook_that_does_not_answer_is_broken(
    *, twiceshy: Command, installed: Path, home: Path, tmp_path: Path, hook: str, trouble: str
) -> None:
    (tmp_path / "run.py").write_text(hook)
    point(installed, home, sys.executable, str(tmp_path / "run.py"))

    verdicts = found(twiceshy, "launcher", fails=1)

    assert verdicts[-1] == (
        "broken",
        f"a hook of Claude Code did not answer: {trouble}",
        "run: twiceshy install",
    )


def test_a_launcher_that_is_missing_or_not_executable_is_broken(
    twiceshy: Command, installed: Path
) -> None:
    installed.chmod(0o600)
    blocked = found(twiceshy, "launcher", fails=1)
    installed.unlink()
    missing = found(twiceshy, "launcher", fails=1)

    assert "may not be executed" in blocked[0][1]
    assert "is missing" in missing[0][1]


def test_a_plugin_that_was_changed_is_mentioned(
    twiceshy: Command, installed: Path, home: Path
) -> None:
    commands = home / "claude-code" / "plugins" / "twiceshy" / "commands"
    first, *others = sorted(commands.iterdir())
    shutil.rmtree(commands)

    (said,) = found(twiceshy, "claude-code")

    assert said[0] == "warning"
    assert said[1].endswith(f"{first} and {len(others)} more")


@pytest.mark.parametrize(
    ("settings", "verdict", "message"),
    [
        ("{}", "warning", "the plugin is not in its settings"),
        ("{", "broken", "not valid JSON"),
    ],
)
def test_settings_without_us_are_named(
    *,
    twiceshy: Command,
    installed: Path,
    tmp_path: Path,
    settings: str,
    verdict: str,
    message: str,
) -> None:
    (tmp_path / "user" / ".claude" / "settings.json").write_text(settings)

    (said,) = found(twiceshy, "claude-code", fails=int(verdict == "broken"))

    assert said[0] == verdict
    assert message in said[1]


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        (
            'twiceshy": true',
            'twiceshy": false',
            "the plugin is switched off",
            "run: twiceshy install",
        ),
        ("{", '{"disableAllHooks": true,', "disableAllHooks is set", ""),
    ],
)
def test_a_client_that_runs_no_hooks_is_named_with_what_would_help(
    *,
    twiceshy: Command,
    installed: Path,
    tmp_path: Path,
    old: str,
    new: str,
    message: str,
    hint: str,
) -> None:
    path = tmp_path / "user" / ".claude" / "settings.json"
    path.write_text(path.read_text().replace(old, new, 1))

    (said,) = found(twiceshy, "claude-code")

    assert said[0] == "warning"
    assert message in said[1]
    assert said[2] == hint


def test_the_newest_three_of_the_last_failures_are_shown(home: Path) -> None:
    home.mkdir()
    days = ["2026-10-01", "2026-11-11", "2026-11-12", "2026-11-13", "2026-11-14"]
    lines = [f"{day}T12:00:00Z claude-code Stop BusyError: on {day}" for day in days]
    (home / "hook.log").write_text("\n".join([*lines, "half a li"]))

    count, *newest = report_failures(str(home), now=NOON)

    assert count.message == "4 failures in 7 days"
    assert [finding.message[-10:] for finding in newest] == [*reversed(days[2:])]


def test_failures_of_long_ago_are_no_longer_mentioned(home: Path) -> None:
    home.mkdir()
    (home / "hook.log").write_text("2026-10-01T12:00:00Z claude-code Stop BusyError: locked\n")

    assert list(report_failures(str(home), now=NOON)) == []

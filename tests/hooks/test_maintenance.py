"""What happens by itself after sessions happens only if it was switched on, and to nobody's cost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.hooks.sessions import Session, learning
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.maintenance import TEND
from twiceshy.hooks.background import tend_if_due

if TYPE_CHECKING:
    from pathlib import Path

    from twiceshy.core.maintenance import MaintenanceRun

# as the process that learns ends, without the packages that only commands need
PROGRAM = """
import sys
sys.path.append({folder!r})
from twiceshy.hooks.background import tend_if_due
tend_if_due(over=True)
assert "click" not in sys.modules
"""


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:00:00Z")


def runs(home: Path) -> list[MaintenanceRun]:
    with opened(home) as store:
        return store.list_runs(TEND)


@requirement("U119", "M45")
def test_nothing_is_tended_by_itself_until_that_is_switched_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tend_if_due(over=True)
    untouched = home.exists()
    monkeypatch.setenv("TWICESHY_TEND_AFTER_SESSIONS", "true")
    tend_if_due(over=False)
    before = runs(home)

    tend_if_due(over=True)

    assert not untouched
    assert before == []
    assert [bool(run.ended_at) for run in runs(home)] == [True]


def test_a_schedule_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_TEND_EVERY_DAYS", "7")
    counted = []
    for day in ("02", "03", "08", "09", "10"):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-{day}T09:00:00Z")
        tend_if_due(over=False)
        counted.append(len(runs(home)))

    assert counted == [1, 1, 1, 2, 2]


def test_whoever_comes_while_another_process_tends_leaves_it_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_TEND_EVERY_DAYS", "1")
    with opened(home) as store:
        store.take_lease(TEND, "somebody", seconds=60)
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T00:00:30Z")  # the lease began at midnight

    tend_if_due(over=True)

    assert runs(home) == []


def test_a_process_without_any_package_can_do_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import twiceshy

    monkeypatch.setenv("TWICESHY_TEND_AFTER_SESSIONS", "true")
    folder = twiceshy.__file__.rpartition("/twiceshy/")[0]

    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM.format(folder=folder)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    (run,) = runs(home)
    assert run.error == ""
    assert list(json.loads(run.done)) == [
        *("merge", "promote", "retire", "expire", "embed", "compress", "copy", "health"),
    ]


@requirement("U190")
def test_the_check_for_a_release_that_a_file_still_sets_does_nothing_and_is_told(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text("[update]\ncheck = true\nurl = 'https://127.0.0.1:9/'\n")
    monkeypatch.setenv("TWICESHY_UPDATE_CHECK", "true")
    project = tmp_path / "shop"
    project.mkdir()

    tend_if_due(over=True)
    told = Session(project).start()

    said = subprocess.run(
        [sys.executable, "-m", "twiceshy", "doctor"], capture_output=True, text=True, check=False
    ).stdout
    assert not (home / "update.json").exists()
    assert "released" not in told
    assert "update.check is no longer used" in said
    assert "update.url is no longer used" in said


@requirement("U119")
def test_the_end_of_a_session_starts_it(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    session = Session(project)
    session.env = {"TWICESHY_TEND_AFTER_SESSIONS": "true"}
    session.works(("ls", None))
    session.start()
    with learning(session) as learner:
        assert session.told("SessionEnd", reason="other") == ""
        assert learner.ended()

    assert [run.error for run in runs(home)] == [""]

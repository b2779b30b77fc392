"""What happens by itself after sessions happens only if it was switched on, and to nobody's cost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.hooks.sessions import Session, learning
from tests.models.an_index import an_index
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.maintenance import TEND
from twiceshy.hooks.tending import tend_if_due
from twiceshy.store.release_file import asked, pending_notice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.models.an_index import Index

    from twiceshy.core.maintenance import Run

# as the process that learns ends, without the packages that only commands need
PROGRAM = """
import sys
sys.path.append({folder!r})
from twiceshy.hooks.tending import tend_if_due
tend_if_due(over=True)
assert "click" not in sys.modules
"""


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with an_index() as running:
        monkeypatch.setenv("TWICESHY_UPDATE_URL", f"{running.url}/twiceshy/json")
        yield running


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:00:00Z")


def runs(home: Path) -> list[Run]:
    with opened(home) as store:
        return store.runs(TEND)


@requirement("U119")
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
        store.lease(TEND, "somebody", seconds=60)
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
        *("merge", "promote", "retire", "expire", "embed", "compress", "health"),
    ]


@requirement("U190")
def test_no_index_is_ever_asked_until_that_is_switched_on(
    home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_TEND_AFTER_SESSIONS", "true")
    for day in range(2, 9):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-0{day}T09:00:00Z")
        tend_if_due(over=True)

    assert index.asked == []
    assert not (home / "update.json").exists()


@requirement("U190")
def test_an_index_is_asked_once_a_day_and_people_are_told_once(
    home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_UPDATE_CHECK", "true")
    counted = []
    for moment in ("02T09:00", "02T21:00", "03T08:59", "03T09:00", "04T10:00"):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-{moment}:00Z")
        tend_if_due(over=False)
        counted.append(len(index.asked))

    assert counted == [1, 1, 1, 2, 3]
    assert "twiceshy 9.8.7 is released" in pending_notice(str(home))


def test_an_index_that_fails_is_asked_no_oftener(
    home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_UPDATE_CHECK", "true")
    index.answer = (500, b"")

    tend_if_due(over=True)
    tend_if_due(over=True)

    assert len(index.asked) == 1
    assert pending_notice(str(home)) == ""


def test_the_version_that_runs_is_no_news(
    home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    from twiceshy import __version__

    monkeypatch.setenv("TWICESHY_UPDATE_CHECK", "true")
    index.answer = (200, json.dumps({"info": {"version": __version__}}).encode())

    tend_if_due(over=True)

    assert len(index.asked) == 1
    assert asked(str(home)).version == ""


def test_a_project_can_switch_the_question_off_and_cannot_switch_it_on(
    index: Index, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    monkeypatch.chdir(project)
    settings = project / ".twiceshy.toml"
    settings.write_text("[update]\ncheck = true\n")
    tend_if_due(over=True)
    on = len(index.asked)
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text("[update]\ncheck = true\n")
    settings.write_text("[update]\ncheck = false\n")
    tend_if_due(over=True)

    assert (on, len(index.asked)) == (0, 0)


@requirement("U119", "U190")
def test_the_end_of_a_session_starts_it_and_the_next_session_is_told_once(
    home: Path, index: Index, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    first = Session(project)
    first.env = {
        "TWICESHY_TEND_AFTER_SESSIONS": "true",
        "TWICESHY_UPDATE_CHECK": "true",
        "TWICESHY_UPDATE_URL": f"{index.url}/twiceshy/json",
    }
    first.works(("ls", None))
    first.start()
    with learning(first) as learner:
        assert first.told("SessionEnd", reason="other") == ""
        assert learner.ended()
    second, third = Session(project, "session-2"), Session(project, "session-3")
    second.env = third.env = first.env

    told, again = second.start(), third.start()

    assert [run.error for run in runs(home)] == [""]
    assert len(index.asked) == 1
    assert "twiceshy 9.8.7 is released" in told
    assert "9.8.7" not in again

"""A session start tells where the work stands: pages, tasks, changes, pitfalls, the log; all in one budget."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import MORNING, Session, project_of, store_of, teach, twiceshy
from tests.requirements import requirement

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, parse_stamp
from twiceshy.core.text import estimate_tokens
from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.work_segment import WorkSegment

if TYPE_CHECKING:
    from pathlib import Path

NOW = parse_stamp(MORNING)


def started(project: Path, name: str = "s1", cwd: Path | None = None) -> str:
    session = Session(cwd or project, name)
    session.env = dict(UNHURRIED)
    return session.start()


def worked(home: Path, project: Path, title: str, *, days_ago: int, session: str) -> None:
    """Let a session have ended some days ago."""
    at = NOW - days_ago * DAY
    stretch = WorkSegment(title=title, requests=(title,), messages=1, started_at=at, ended_at=at)
    about = EpisodeContext(session, project_of(project), "shop", "fixing", "/t.jsonl")
    with store_of(home) as store:
        store.capture(build_session_episode(stretch, about))


@requirement("U143", "U148")
def test_pages_of_this_project_are_told_and_topics_where_they_belong(
    project: Path, tmp_path: Path
) -> None:
    (project / "api").mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    twiceshy(project, "memory-set", "architecture", "Two services and a queue.")
    twiceshy(project, "memory-set", "api", "Every route has a schema.")
    twiceshy(elsewhere, "memory-set", "architecture", "Not of this shop.")

    at_root, below = started(project), started(project, "s2", project / "api")

    assert "Page architecture (1 line):\n  Two services and a queue." in at_root
    assert "Every route has a schema." not in at_root
    assert "Every route has a schema." in below
    assert "Not of this shop." not in at_root


@requirement("U143")
def test_k17_however_long_the_pages_are_the_start_keeps_its_budget(project: Path) -> None:
    for name in ("project", "architecture", "conventions"):
        twiceshy(project, "memory-set", name, "-", stdin=f"A line of {name} is this.\n" * 150)

    told = started(project)

    assert estimate_tokens(told) <= 600
    assert told.count("; all: twiceshy memory-get ") == 3


@requirement("U144", "U049")
def test_the_end_of_the_log_and_a_count_of_what_is_kept_are_told(
    project: Path, home: Path
) -> None:
    worked(home, project, "Move the parser", days_ago=2, session="old")
    worked(home, project, "Mend the lexer", days_ago=1, session="newer")
    for number in range(6):
        twiceshy(project, "add-decision", f"Ship order {number} on Mondays", "fewer alarms")
    twiceshy(project, "add-issue", "The queue is slow", "open")

    told = started(project)

    assert "Last time here (2026-11-01): 1 message on shop; fixing: Mend the lexer" in told
    assert "Before that: Move the parser (2026-10-31)" in told
    assert "Kept here: 6 decisions, 1 issue (1 open); find them with: twiceshy search" in told


@requirement("U145")
def test_m6_a_session_starts_with_no_other_projects_summary(
    project: Path, home: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    worked(home, elsewhere, "Mend the fence", days_ago=1, session="old")

    assert "fence" not in started(project)


@requirement("U146")
def test_open_tasks_changes_of_a_day_and_the_newest_pitfall_are_told(
    project: Path, home: Path
) -> None:
    twiceshy(project, "todo", "add", "Write the manual")
    twiceshy(project, "memory-set", "conventions", "Tests are sentences.")
    for number in range(6):  # that are preferred to what is told at the start
        twiceshy(project, "add-decision", f"Ship order {number} on Mondays", "fewer alarms")
    usual = {"source": "user", "subtype": "pitfall", "trigger": ""}
    teach(home, project, "The sheets smear at noon.", **usual, learned_at=NOW - DAY)
    teach(home, project, "The ink was blue.", **usual, learned_at=NOW - 4 * DAY)
    teach(home, project, source="user", learned_at=NOW)  # is told right before its call

    told = started(project)

    assert "1 open task" in told
    assert "Write the manual" in told
    assert "Changed in the last 24 hours: page conventions, " in told
    assert "The sheets smear at noon." in told
    assert "The ink was blue." not in told
    assert "`make deploy` failed" not in told


@requirement("U147")
def test_reflecting_is_recalled_after_a_week_and_once_a_day(project: Path, home: Path) -> None:
    worked(home, project, "Begin", days_ago=6, session="old")
    early = started(project, "s1")
    worked(home, project, "Before that", days_ago=8, session="older")
    due, again = started(project, "s2"), started(project, "s3")
    with store_of(home) as store:
        at = NOW - DAY
        store.capture(Episode("e9", "reflect", "x", project_of(project), at, at, title="r"))

    assert "twiceshy reflect" not in early
    assert "Worth telling the user: `twiceshy reflect` is due here (last: never)." in due
    assert "twiceshy reflect" not in again
    assert "twiceshy reflect" not in started(project, "s4")


@requirement("U149")
@pytest.mark.parametrize("how", ["resume"])
def test_all_of_it_is_silent_when_a_session_goes_on(project: Path, how: str) -> None:
    twiceshy(project, "memory-set", "architecture", "Two services and a queue.")
    twiceshy(project, "todo", "add", "Write the manual")
    session = Session(project)
    session.env = dict(UNHURRIED)
    session.start()

    assert session.start(how) == ""


def test_the_same_start_gives_the_same_bytes(project: Path, home: Path) -> None:
    worked(home, project, "Move the parser", days_ago=2, session="old")
    twiceshy(project, "memory-set", "architecture", "Two services and a queue.")
    twiceshy(project, "todo", "add", "Write the manual")

    assert started(project, "s1") == started(project, "s2")


def test_a_start_with_everything_in_it_keeps_its_budget_and_its_order(
    project: Path, home: Path
) -> None:
    for number in range(40):
        twiceshy(project, "note", f"Lesson number {number} is about something else entirely.")
    for name in ("project", "architecture", "conventions"):
        twiceshy(project, "memory-set", name, "-", stdin=f"A line of {name} is this.\n" * 150)
    for number in range(9):
        worked(
            home, project, f"Work {number} " + "w" * 80, days_ago=number + 1, session=f"o{number}"
        )
        twiceshy(project, "todo", "add", f"Task {number} " + "t" * 60)
    twiceshy(project, "handoff", "--status", "half done", "--left", "mend it")

    told = started(project)

    assert estimate_tokens(told) <= 600
    order = [
        "<handoff",
        "<project-memory",
        "- [n",
        "Last time here",
        "9 open tasks",
        "Page project",
    ]
    places = [told.index(part) for part in order]
    assert places == sorted(places)

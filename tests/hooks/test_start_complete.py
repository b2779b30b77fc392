"""A session start tells where the work stands: pages, tasks, changes, pitfalls, the log; all in one budget."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.hooks.attack import UNHURRIED
from tests.hooks.sessions import MORNING, Session, project_of, store_of, teach, twiceshy
from tests.requirements import requirement

from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
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


def worked(
    home: Path, project: Path, title: str, *, days_ago: int, session: str, ending: str = ""
) -> None:
    """Let a session have ended some days ago."""
    at = NOW - days_ago * DAY
    stretch = WorkSegment(
        title=title,
        requests=(title,),
        messages=1,
        started_at=at,
        ended_at=at,
        ending=ending,
    )
    about = EpisodeContext(session, project_of(project), "shop", "fixing", "/t.jsonl")
    with store_of(home) as store:
        store.capture(build_session_episode(stretch, about))


def started_on(project: Path, day: int, name: str = "day") -> str:
    session = Session(project, f"{name}-{day}")
    session.env = dict(UNHURRIED)
    session.wait(day * 24 * 60)
    return session.start()


@requirement("U143", "U148", "E07")
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


@requirement("U143", "K39")
def test_k17_however_long_the_pages_are_the_start_keeps_its_budget(project: Path) -> None:
    for name in ("project", "architecture", "conventions"):
        twiceshy(project, "memory-set", name, "-", stdin=f"A line of {name} is this.\n" * 150)

    told = started(project)

    assert estimate_tokens(told) <= 600
    assert told.count("; all: twiceshy memory-get ") == 3


@requirement("U144", "U049")
def test_how_the_last_session_ended_is_told_and_how_many_decisions_are_not(
    project: Path, home: Path
) -> None:
    worked(home, project, "Move the parser", days_ago=2, session="old")
    ended = 'changed lexer.py; "The tests come next."'
    worked(home, project, "Mend the lexer", days_ago=1, session="newer", ending=ended)
    for number in range(6):
        twiceshy(project, "add-decision", f"Ship order {number} on Mondays", "fewer alarms")

    told = started(project)

    assert f"Last session (2026-11-01): {ended}\n" in told
    assert "Move the parser" not in told
    assert "Mend the lexer" not in told
    assert told.count(" decision] Ship order ") == 1
    assert "5 more notes: twiceshy search WORDS" in told
    assert estimate_tokens(told) <= 60


@requirement("T71")
@pytest.mark.parametrize("ending", ["changed lexer.py", 'committed 3f2a1bc "Mend the lexer"'])
def test_a_session_that_left_nothing_is_not_told_of(
    project: Path, home: Path, ending: str
) -> None:
    worked(home, project, "Mend the lexer", days_ago=1, session="old", ending=ending)

    assert started(project) == ""


@requirement("T71")
def test_nothing_known_is_nothing_told_not_even_a_frame(project: Path, home: Path) -> None:
    worked(home, project, "Ask a question", days_ago=1, session="old")

    assert started(project) == ""


@requirement("T72", "K41")
def test_open_issues_are_named_and_resolved_ones_are_not(project: Path, home: Path) -> None:
    twiceshy(project, "add-issue", "The queue is slow", "open")
    twiceshy(project, "add-issue", "The fence is broken", "open")
    fence = next(line for line in twiceshy(project, "facts").splitlines() if "fence" in line)
    handle = next(word.strip("[]") for word in fence.split() if word.strip("[]").startswith("n"))
    twiceshy(project, "resolve", handle)

    told = started(project)

    assert "Open issues: [n" in told
    assert "The queue is slow" in told
    assert "fence" not in told


@requirement("K42")
def test_notes_that_are_not_told_are_counted_with_concepts_to_search_for(project: Path) -> None:
    for number in range(6):
        text = f"Ship order {number} on Mondays, and never on the day before a holiday"
        twiceshy(project, "add-decision", text, "calm", "approach", "", "queue,alarms")

    told = started(project)

    assert "5 more notes (alarms, queue): twiceshy search WORDS" in told
    assert "Ship order 5" in twiceshy(project, "search", "--concept", "alarms")
    assert estimate_tokens(told) <= 60


@requirement("T73")
def test_proposed_rules_are_named_for_the_user_and_are_no_rules(project: Path, home: Path) -> None:
    teach(
        home,
        project,
        "Write tea house, not customer.",
        kind="rule",
        subtype="correction",
        source="detector",
        trigger="",
    )

    told, again = started_on(project, 0), started_on(project, 0, "again")

    assert "Worth telling the user: a proposed rule waits in `twiceshy review`: [n" in told
    assert '] "Write tea house, not customer."' in told
    assert " rule] Write" not in told
    assert again == ""
    days = [day for day in range(1, 15) if "waits in `twiceshy" in started_on(project, day)]
    assert days == [1, 4, 11]


@requirement("T77")
@pytest.mark.parametrize("ending", ["open: " + "mend it, " * 40, "w" * 300])
def test_an_idle_session_is_told_at_most_sixty_tokens(
    project: Path, home: Path, ending: str
) -> None:
    worked(home, project, "Mend it", days_ago=2, session="old", ending=ending)
    worked(home, project, "Ask", days_ago=2, session="newer")

    told = started(project)

    assert "session (2026-10-31): " in told
    assert len(told) / 4 <= 60


@requirement("U145", "E33")
def test_m6_a_session_starts_with_no_other_projects_summary(
    project: Path, home: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    worked(home, elsewhere, "Mend the fence", days_ago=1, session="old")

    assert "fence" not in started(project)


@requirement("U146", "E34", "E35")
def test_open_tasks_and_the_newest_pitfall_are_told(project: Path, home: Path) -> None:
    twiceshy(project, "todo", "add", "Write the manual")
    for number in range(6):  # that are preferred to what is told at the start
        twiceshy(project, "add-decision", f"Ship order {number} on Mondays", "fewer alarms")
    usual = {"source": "user", "subtype": "pitfall", "trigger": ""}
    teach(home, project, "The sheets smear at noon.", **usual, learned_at=NOW - DAY)
    teach(home, project, "The ink was blue.", **usual, learned_at=NOW - 4 * DAY)
    teach(home, project, source="user", learned_at=NOW)  # is told at its call

    told = started(project)

    assert "Open tasks: [n" in told
    assert "] Write the manual\n" in told
    assert "The sheets smear at noon." in told
    assert "The ink was blue." not in told
    assert "`make deploy` failed" not in told


@requirement("T74")
def test_the_tasks_touched_last_are_named(project: Path, home: Path) -> None:
    for number in range(5):
        now = f"2026-11-01T0{number}:00:00Z"
        twiceshy(project, "todo", "add", f"Task number {number}", now=now)
    with store_of(home) as store:
        first = next(
            note
            for note in store.notes(NoteFilter(kinds=("task",)))
            if note.text == "Task number 0"
        )
    twiceshy(project, "edit", first.handle, "Task number 0, again")

    told = started(project)

    assert "Task number 0, again; [n" in told
    assert "Task number 4; [n" in told
    assert "Task number 1" not in told
    assert "; 2 more: twiceshy todo" in told


@requirement("T75")
def test_of_many_notes_those_about_this_folder_come_first(project: Path, home: Path) -> None:
    (project / "api").mkdir()
    subprocess.run(["git", "init", "-q", "-b", "feat/invoices", str(project)], check=True)
    twiceshy(project, "note", "Every route has a schema.", "--file", "api/routes.py")
    twiceshy(project, "note", "The invoices are rounded once.")
    for number in range(9):
        now = f"2026-11-02T0{number}:00:00Z"
        twiceshy(project, "note", f"Lesson {number} is about something else.", now=now)

    below = started(project, "s1", project / "api")

    lines = [line.partition("] ")[2] for line in below.splitlines() if line.startswith("- [")]
    assert set(lines[:2]) == {"Every route has a schema.", "The invoices are rounded once."}
    assert "9 more notes: twiceshy search WORDS" in below
    assert estimate_tokens(below) <= 60


@requirement("U147", "T76", "E25")
def test_reflecting_is_recalled_after_a_week_and_then_less_and_less(
    project: Path, home: Path
) -> None:
    worked(home, project, "Begin", days_ago=8, session="old")

    days = [day for day in range(60) if "twiceshy reflect" in started_on(project, day)]

    assert days == [0, 1, 4, 11, 41]
    with store_of(home) as store:
        at = NOW + 59 * DAY
        store.capture(Episode("e9", "reflect", "x", project_of(project), at, at, title="r"))
    assert "twiceshy reflect" not in started_on(project, 60)
    assert "is due here (last: 2026-12-31)" in started_on(project, 66)


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
        title, days = f"Work {number} " + "w" * 80, number + 1
        ended = 'changed a.py; "Next is b.py."'
        worked(home, project, title, days_ago=days, session=f"o{number}", ending=ended)
        twiceshy(project, "todo", "add", f"Task {number} " + "t" * 60)
    twiceshy(project, "add-issue", "The queue is slow", "open")
    twiceshy(project, "handoff", "--status", "half done", "--left", "mend it")

    told = started(project)

    assert estimate_tokens(told) <= 600
    order = [
        "<handoff",
        "<project-memory ",
        "Open tasks",
        "Open issues",
        "- [n",
        "Last session",
        "Page project",
    ]
    places = [told.index(part) for part in order]
    assert places == sorted(places)

"""The diary of a day is one episode, by the user's own calendar, and made anew when asked for."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import Clock, a_signal, opened

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, parse_stamp
from twiceshy.places.project import identify_project

LATE = "2026-11-01T17:30:00Z"  # in Taipei it is half past one of the next day


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def settle(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield settle
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def worked(home: Path, project: Path, in_zone: Callable[[str], None]) -> Callable[..., None]:
    """Leave what a session was about."""
    in_zone("CST-8")

    def leave(at: str, title: str, kind: str = "end", session: str = "", **fields: object) -> None:
        moment, here = parse_stamp(at), identify_project(str(project), cache="").id
        told: dict[str, object] = {"summary": f"2 messages on shop; testing:\n{title}"}
        usual = {"id": f"e-{title}", "kind": kind, "session": session or title, "project": here}
        times = {"started_at": moment, "ended_at": moment, "title": title}
        with opened(home, clock=Clock(moment)) as store:
            store.record_project(here, name="shop", root=str(project))
            store.capture(Episode.of(usual | times | told | fields))

    return leave


def kept(home: Path) -> list[Episode]:
    with opened(home) as store:
        return store.list_episodes(tuple(store.list_projects()), kinds=("diary",), limit=9)


@requirement("U060", "E54")
def test_a_day_is_told_in_an_episode_of_under_thirty_lines(
    twiceshy: Command, home: Path, worked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(LATE, "Fix the login")
    worked("2026-11-02T03:00:00Z", "Hand over", kind="handoff", requests=("Test the footer",))
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T04:00:00Z")
    twiceshy("note", "Fetch before tagging.", "--type", "pitfall")

    page = twiceshy("diary", "--add", "Ask Ann").out

    assert page == (
        "# Diary 2026-11-02\n**Project:** shop\n\n"
        "## What I did today\n- 01:30 Fix the login\n- 11:00 Hand over\n\n"
        "## What I learned\n- Fetch before tagging. (pitfall)\n\n"
        "## Patterns I noticed\n- mostly testing\n\n"
        "## Notes for next time\n- Ask Ann\n- Test the footer\n"
    )
    assert [each.summary for each in kept(home)] == [page]


@pytest.mark.parametrize(
    ("zone", "day"), [("CST-8", "2026-11-02"), ("UTC", "2026-11-01"), ("EST5", "2026-11-01")]
)
def test_k15_m19_the_day_and_the_hour_are_those_of_the_same_clock(
    twiceshy: Command,
    worked: Callable[..., None],
    in_zone: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    *,
    zone: str,
    day: str,
) -> None:
    worked(LATE, "Fix the login")
    in_zone(zone)
    monkeypatch.setenv("TWICESHY_NOW", LATE)
    clock = time.strftime("%H:%M", time.localtime(parse_stamp(LATE) // 1000))

    assert twiceshy("diary").out.startswith(f"# Diary {day}\n")
    assert f"- {clock} Fix the login\n" in twiceshy("diary", day).out


def test_a_day_belongs_to_the_one_that_begins_at_midnight(
    twiceshy: Command, worked: Callable[..., None], in_zone: Callable[[str], None]
) -> None:
    in_zone("CST-8")
    worked("2026-11-01T15:59:59Z", "Before midnight")
    worked("2026-11-01T16:00:00Z", "At midnight")

    assert "- 23:59 Before midnight\n\n" in twiceshy("diary", "2026-11-01").out
    assert "## What I did today\n- 00:00 At midnight\n" in twiceshy("diary", "2026-11-02").out


def test_written_again_it_is_brought_up_to_date_and_what_was_added_stays(
    twiceshy: Command, home: Path, worked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T04:00:00Z")
    twiceshy("diary", "--add", "Ask Ann")
    worked("2026-11-02T05:00:00Z", "Fix the login")
    worked("2026-11-02T05:10:00Z", "Fix the login for good", session="Fix the login")
    first = twiceshy("diary").out
    [once] = kept(home)
    again = twiceshy("diary", "--add", "Ask Ann").out

    assert first == again
    assert "## What I did today\n- 13:10 Fix the login for good\n\n" in again
    assert again.endswith("## Notes for next time\n- Ask Ann\n")
    assert kept(home) == [once]


def test_a_full_page_takes_no_more_and_loses_nothing(
    twiceshy: Command, project: Path, in_zone: Callable[[str], None]
) -> None:
    for number in range(5):
        twiceshy("diary", "--add", f"line {number}")

    refused = twiceshy("diary", "--add", "one more", fails=1)

    assert "twiceshy todo add" in refused.err
    assert twiceshy("diary", "--json").json["added"] == [f"line {n}" for n in range(5)]


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "2026-11", "../x"])
def test_what_is_no_day_is_refused(twiceshy: Command, day: str) -> None:
    assert "is no day" in twiceshy("diary", day, fails=1).err


def test_a_secret_in_a_line_is_taken_out(twiceshy: Command) -> None:
    secret = "ghp_" + "a1B2" * 9

    assert secret not in twiceshy("diary", "--add", f"use {secret}").out


def test_a_recurring_mistake_is_a_pattern(
    twiceshy: Command, home: Path, project: Path, worked: Callable[..., None]
) -> None:
    here, at = identify_project(str(project), cache="").id, parse_stamp("2026-11-02T05:00:00Z")
    with opened(home) as store:
        for number in range(3):
            store.capture(
                a_signal(
                    key=f"k{number}",
                    project=here,
                    at=at - number * DAY,
                    mistake="m1",
                    excerpt="no such tag",
                )
            )

    assert "- again, on 3 days: no such tag\n" in twiceshy("diary", "2026-11-02").out

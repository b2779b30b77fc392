"""``twiceshy compress`` folds old sessions into archives that are still found, and says what it did."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.contracts.test_sessions import a_session, a_use
from tests.core.builders import NOW
from tests.requirements import requirement
from tests.store.support import Clock, bytes_under, opened

from twiceshy import app
from twiceshy.core.moment import DAY, format_stamp
from twiceshy.places.project import identify_project
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_session_episode,
)
from twiceshy.project.episodes.work_segment import WorkSegment
from twiceshy.store.command_store import WholeStore
from twiceshy.upkeep.compress import compress_daily

TODAY = NOW + 100 * DAY
HERE = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(TODAY))


@contextmanager
def the_store(home: Path) -> Iterator[WholeStore]:
    with opened(home, clock=Clock(TODAY)) as store:
        yield store


@pytest.fixture
def worked(home: Path, project: Path) -> str:
    """Sixty sessions here, one a day until yesterday, a quarter of an hour apart; returns the project."""
    here = identify_project(str(project), cache=None)
    about = EpisodeContext("s0", here.id, "shop", "fixing (login)")
    with the_store(home) as store:
        store.record_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
        ended = []
        for number in range(60):
            at = TODAY - (60 - number) * DAY + number * 900_000
            title = "Teach the parser about umlauts" if number == 7 else f"Part {number}"
            files = (f"src/part_{number}.py",)
            stretch = WorkSegment(messages=3, title=title, files=files, started_at=at, ended_at=at)
            told = about.but(session=f"s{number}")
            ended += [
                build_session_episode(stretch, told),
                build_checkpoint_episode(stretch, told),
            ]
        store.capture(*ended)
    return here.id


@requirement("U110", "K19")
def test_old_sessions_become_one_file_a_month_and_are_still_found(
    twiceshy: Command, worked: str, home: Path
) -> None:
    done = twiceshy("compress")

    assert done.out.startswith("80 summaries of sessions into 2 archives\n")
    with the_store(home) as store:
        kinds = [
            one.kind
            for one in store.list_episodes(kinds=("end", "checkpoint", "archive"), limit=None)
        ]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "end": 30,
        "checkpoint": 10,
        "archive": 2,
    }
    page = twiceshy("compress", "--as-file", "2026-12").out
    assert page.startswith("# Session 2026-12-")
    assert "Teach the parser about umlauts\nFiles: part_7.py\n" in page
    found = twiceshy("search", "parser", "umlauts")
    assert "episode (end)" in found.out
    assert "Teach the parser about umlauts" in found.out
    assert "umlauts" in twiceshy("search", "umlauts", "--file", "part_7").out
    assert twiceshy("search", "umlauts", "--since", "2027-01-15").out == ""


def test_a_second_run_finds_nothing(twiceshy: Command, worked: str) -> None:
    twiceshy("compress")

    assert twiceshy("compress").out == "there is nothing to compress\n"


@requirement("U111")
def test_in_passing_it_is_done_once_a_day(
    worked: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def done() -> int:
        with app.open_app() as here:
            found = compress_daily(here)
        return -1 if found is None else found.folded

    assert [done(), done()] == [80, -1]
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(TODAY + 23 * 3_600_000))
    assert done() == -1
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(TODAY + 25 * 3_600_000))
    assert done() == 1  # the oldest of those that stayed is a day older


def test_a_plan_writes_nothing_and_says_the_same(
    twiceshy: Command, worked: str, home: Path
) -> None:
    twiceshy("status")
    before = bytes_under(home)

    planned = twiceshy("compress", "--plan")

    assert bytes_under(home) == before
    assert planned.err == "nothing was changed; this would be done:\n"
    assert twiceshy("compress").out.startswith(planned.out)


def test_json_states_what_was_done(twiceshy: Command, worked: str, home: Path) -> None:
    with the_store(home) as store:
        store.save_records(a_session(transcript="", seen_at=1))
    (home / "bug-report-20200101T000000Z-1.md").write_text("x")
    os.utime(home / "bug-report-20200101T000000Z-1.md", (1, 1))

    done = twiceshy("compress", "--json").json

    assert done == {
        "planned": False,
        "folded": 80,
        "archives": 2,
        "outlived": 0,
        "pruned": {"sessions": 1},
        "freed": done["freed"],
        "swept": ["bug-report-20200101T000000Z-1.md"],
    }


def test_the_list_the_index_and_the_log_still_tell_of_archived_sessions(
    twiceshy: Command, worked: str
) -> None:
    def told() -> list[set[str]]:
        pages = (twiceshy("episodes", *words).out for words in (("--limit", "200"), ("--log",)))
        return [
            {word for word in page.replace(".", " ").split() if word.isdecimal()} for page in pages
        ]

    before = told()
    twiceshy("compress")

    assert told() == before
    oldest = twiceshy("episodes", "--limit", "200").out.splitlines()[-1]
    assert oldest.endswith("Part 0")
    page = twiceshy("episodes", oldest.split()[0]).out
    assert ": 2026-12-12\n**Project:** shop\n**Title:** Part 0\n**Time:** 00:00\n" in page


@requirement("U055")
def test_the_index_has_twenty_sessions_of_a_project_that_rested_for_long(
    twiceshy: Command, worked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", format_stamp(TODAY + 90 * DAY))

    twiceshy("compress")

    assert twiceshy("episodes", "--index").out.count("\n- ") == 20


def test_the_log_is_printed_with_its_end_on_request(twiceshy: Command, worked: str) -> None:
    whole, tail = (
        twiceshy("episodes", "--log").out,
        twiceshy("episodes", "--log", "--lines", "5").out,
    )

    assert whole.count("\n## ") == 60
    assert whole.endswith(tail)
    assert len(tail.splitlines()) == 5
    assert "Part 59. It was about fixing (login)." in tail
    assert "--lines needs --log" in twiceshy("episodes", "--lines", "5", fails=2).err


def test_two_at_once_do_what_one_would_do(twiceshy: Command, worked: str, home: Path) -> None:
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "twiceshy", "compress", "--json"],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(HERE / "src")},
        )
        for _ in range(2)
    ]
    done = [process.communicate()[0] for process in both]

    assert [process.returncode for process in both] == [0, 0]
    assert sorted(b'"folded": 80' in out for out in done) == [False, True]
    with the_store(home) as store:
        assert len(store.list_episodes(kinds=("archive",), limit=None)) == 2
        assert len(store.list_episodes(kinds=("end",), limit=None)) == 30
    assert twiceshy("compress").out == "there is nothing to compress\n"


def test_a_clone_shortens_what_it_keeps_itself_and_nothing_else(
    twiceshy: Command, worked: str, home: Path, project: Path
) -> None:
    other = "dir:" + "0" * 32
    with the_store(home) as store:
        for number in range(5):
            at = TODAY - number * DAY
            stretch = WorkSegment(messages=3, title=f"Site {number}", ended_at=at)
            store.capture(
                build_session_episode(stretch, EpisodeContext(f"t{number}", other, "site", ""))
            )
    (project / ".twiceshy.toml").write_text("[retention]\nsessions = 2\nstate_days = 1\n")

    twiceshy("compress")

    with the_store(home) as store:
        ends = [one.project for one in store.list_episodes(kinds=("end",), limit=None)]
    assert (ends.count(worked), ends.count(other)) == (2, 5)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--as-file", "September"], 2, "is no month; write it like 2026-09"),
        (["--as-file", "2020-01"], 1, "nothing of 2020-01 is in an archive here"),
        (["--project", "."], 2, "--project needs --as-file"),
    ],
)
def test_wrong_words_are_answered_with_what_to_do(
    twiceshy: Command, worked: str, words: list[str], code: int, said: str
) -> None:
    assert said in twiceshy("compress", *words, fails=code).err


def test_an_archive_is_printed_as_json_with_its_name(twiceshy: Command, worked: str) -> None:
    twiceshy("compress")

    printed = twiceshy("compress", "--as-file", "2026-12", "--json").json

    assert printed["name"] == "2026-12.md"
    assert printed["text"].startswith("# Session 2026-12-")


def test_people_read_it_in_their_language(
    twiceshy: Command, worked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")

    assert "80 份工作階段摘要已歸入 2 個封存檔" in twiceshy("compress").out


def test_used_skills_are_counted_as_before(twiceshy: Command, worked: str, home: Path) -> None:
    with the_store(home) as store:
        for number in range(9):
            store.save_records(a_use(session=f"s{number}", at=TODAY - 300 * DAY))
    before = twiceshy("status", "--json").json

    assert "uses 9" in twiceshy("compress").out
    after = twiceshy("status", "--json").json
    assert {key for key in before if before[key] != after[key]} <= {"episodes", "entries", "size"}

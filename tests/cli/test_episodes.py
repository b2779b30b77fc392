"""``twiceshy episodes`` lists what sessions were about, and renders them as files that people know."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.moment import DAY, parse_stamp
from twiceshy.places.project import identify_project
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_session_episode,
)
from twiceshy.project.episodes.work_segment import WorkSegment

NOW = parse_stamp("2026-11-02T09:30:00Z")
STRETCH = WorkSegment(
    messages=3,
    title="Fix the login form",
    requests=("Fix the login form", "add a test"),
    tools=("Bash",),
    files=("src/login.py",),
    started_at=NOW,
    ended_at=NOW,
)


@pytest.fixture
def worked(home: Path, project: Path) -> str:
    """Twenty-five sessions and a checkpoint here, one session elsewhere; returns the newest id."""
    here, elsewhere = identify_project(str(project), cache=None), "dir:" + "0" * 32
    about = EpisodeContext("s0", here.id, "shop", "fixing (login)")
    home.mkdir()
    with opened(home) as store:
        store.record_project(here.id, name=here.name, root=here.root, aliases=here.aliases)
        store.record_project(elsewhere, name="site", root="/home/u/site")
        for number in range(25):
            stretch = STRETCH.but(title=f"Part {number}", ended_at=NOW + number * DAY)
            store.capture(build_session_episode(stretch, about.but(session=f"s{number}")))
        newest = build_checkpoint_episode(STRETCH.but(ended_at=NOW + 30 * DAY), about)
        other = about.but(session="t1", project=elsewhere, tag="site")
        store.capture(newest, build_session_episode(STRETCH, other))
    return newest.id


def test_episodes_of_this_project_are_listed_the_last_first(
    twiceshy: Command, worked: str
) -> None:
    lines = twiceshy("episodes", "--limit", "3").out.splitlines()

    assert lines[0] == f"e{worked[-6:]}  2026-12-02 09:30  checkpoint  Fix the login form"
    assert [line.rpartition("  ")[2] for line in lines[1:]] == ["Part 24", "Part 23"]


@requirement("U055", "E16")
def test_the_index_is_made_from_the_store_with_the_newest_twenty_of_each_project(
    twiceshy: Command, worked: str
) -> None:
    first = twiceshy("episodes", "--index", "--all").out
    twiceshy("doctor", "--repair")

    assert twiceshy("episodes", "--index", "--all").out == first
    of_shop, of_site = first.split("\n## ")[1:]
    assert (of_shop.count("\n- "), of_site.count("\n- ")) == (20, 1)
    assert of_shop.startswith("shop\n- 2026-12-02 09:30 | [checkpoint] Fix the login form | ")
    assert "| Part 6 |" in of_shop
    assert "| Part 5 |" not in of_shop
    assert of_site.startswith("site\n- 2026-11-02 09:30 | Fix the login form | ")


def test_an_episode_is_printed_as_either_file(twiceshy: Command, worked: str) -> None:
    name = "e" + worked[-6:]

    engine, keeper = twiceshy("episodes", name), twiceshy("episodes", name, "--as", "keeper")

    assert engine.out.startswith("# Checkpoint: 2026-12-02\n**Project:** shop\n")
    assert twiceshy("episodes", worked, "--as", "session").out == engine.out
    assert keeper.out.startswith("# Session 2026-12-02_0930\n\n## Summary\nFix the login form\n")


def test_json_states_what_an_episode_says_of_itself(twiceshy: Command, worked: str) -> None:
    [episode] = twiceshy("episodes", worked, "--json").json

    assert (episode["messages"], episode["doing"]) == (3, "fixing (login)")
    assert episode["ended_at"] == "2026-12-02T09:30:00.000Z"


@pytest.mark.parametrize("words", [["e"], ["e99"], ["nothing-like-it"]])
def test_a_name_that_means_no_episode_is_an_error_with_a_hint(
    twiceshy: Command, worked: str, words: list[str]
) -> None:
    failed = twiceshy("episodes", *words, fails=1)

    assert "hint: see: twiceshy episodes --all" in failed.err


def test_a_form_needs_an_episode(twiceshy: Command) -> None:
    assert "--as needs the ID" in twiceshy("episodes", "--as", "keeper", fails=2).err


def test_a_project_without_episodes_says_so(twiceshy: Command) -> None:
    assert twiceshy("episodes").err == "no episodes\n"
    assert twiceshy("episodes", "--index").out == "# Project Index\n"

"""Session files and the index are views of episodes, in the forms that people know."""

import pytest
from tests.core.builders import NOW
from tests.requirements import requirement

from twiceshy.core.evidence import Episode
from twiceshy.core.moment import DAY, SECOND
from twiceshy.interop.formats import FileContext as Where
from twiceshy.interop.formats import join_pieces
from twiceshy.interop.formats.keeper_sessions import KEEPER_SESSION
from twiceshy.project.episodes.build import (
    EpisodeContext,
    build_checkpoint_episode,
    build_compact_episode,
    build_session_episode,
)
from twiceshy.project.episodes.pages import engine_file_name, render_engine_page, render_index_page
from twiceshy.project.episodes.work_segment import WorkSegment

ABOUT = EpisodeContext("5f2c9a1e-77", "demo", "shop", "fixing (login)", "/t/s1.jsonl")
STRETCH = WorkSegment(
    messages=3,
    title="Fix the login form",
    requests=("Fix the login form", "add a test"),
    tools=("Bash", "Edit"),
    files=("src/login.py", "tests/login.py"),
    started_at=NOW,
    ended_at=NOW + 61 * SECOND,
)


def keeper_page(episode: Episode) -> str:
    return join_pieces(KEEPER_SESSION.render_items([episode], Where(episode.project)))


def test_a_session_is_rendered_as_memory_engine_wrote_it() -> None:
    page = render_engine_page(build_session_episode(STRETCH, ABOUT))

    assert page == (
        "# Session: 2026-11-02\n"
        "**Project:** shop\n"
        "**Title:** Fix the login form\n"
        "**Time:** 00:01\n"
        "**Messages:** 3\n"
        "\n"
        "## User Requests\n"
        "- Fix the login form\n"
        "- add a test\n"
        "\n"
        "## Tools Used\n"
        "Bash, Edit\n"
        "\n"
        "## Files Modified\n"
        "- login.py\n"
    )


def test_a_checkpoint_says_what_was_being_done() -> None:
    page = render_engine_page(build_checkpoint_episode(STRETCH, ABOUT))

    assert page.startswith("# Checkpoint: 2026-11-02\n")
    assert "## What was being done\nfixing (login)\n" in page


def test_a_compaction_says_its_trigger_and_its_type() -> None:
    compaction = build_compact_episode(
        STRETCH, ABOUT, step="z", automatic=True, summary="# All\nWe fixed <it>."
    )

    page = render_engine_page(compaction, project="shop")

    assert "**Trigger:** auto\n**Type:** compact\n" in page
    assert "**Project:** shop\n**Title:** Fix the login form\n" in page
    assert "## Summary\n\\# All\nWe fixed &lt;it>.\n" in page


@requirement("U050")
def test_one_episode_is_rendered_as_both_session_files() -> None:
    episode = build_session_episode(STRETCH, ABOUT)

    ours, theirs = render_engine_page(episode), keeper_page(episode)

    assert ours.startswith("# Session: 2026-11-02\n")
    assert theirs == (
        "# Session 2026-11-02_0001\n"
        "\n"
        "## Summary\n"
        "Fix the login form\n"
        "Doing: fixing (login)\n"
        "Asked: Fix the login form\n"
        "Asked: add a test\n"
        "Files: src/login.py, tests/login.py\n"
        "\n"
        "## Decisions\n"
        "\n"
        "## Patterns\n"
        "\n"
        "## Issues\n"
    )


def test_a_compaction_is_rendered_for_memory_keeper_with_its_summary() -> None:
    compaction = build_compact_episode(
        STRETCH, ABOUT, step="z", automatic=False, summary="We fixed it."
    )

    assert "\nWe fixed it.\n" in keeper_page(compaction)


def test_k15_two_sessions_of_one_minute_have_two_files() -> None:
    one = build_session_episode(STRETCH, ABOUT)
    other = build_session_episode(STRETCH, ABOUT.but(session="5f2c9a1e-99"))

    assert engine_file_name(one) != engine_file_name(other)


def test_m19_date_and_time_are_of_one_clock() -> None:
    late = build_session_episode(STRETCH.but(ended_at=NOW + DAY - SECOND), ABOUT)

    page, name = render_engine_page(late), engine_file_name(late)

    assert "# Session: 2026-11-02\n" in page
    assert "**Time:** 23:59\n" in page
    assert name.startswith("2026-11-02-")


def test_a_session_whose_name_is_no_name_of_a_file_is_named_all_the_same() -> None:
    episode = build_session_episode(STRETCH, ABOUT.but(session="../.."))

    assert "/" not in engine_file_name(episode)
    assert "unknown" in engine_file_name(episode)


def an_episode(number: int, **fields: object) -> Episode:
    made = build_session_episode(STRETCH, ABOUT.but(session=f"s{number:07}"))
    return made.but(**{"ended_at": NOW + number * DAY, "title": f"Part {number}"} | fields)


def test_the_index_lists_the_newest_twenty_of_each_project() -> None:
    of_shop = [an_episode(number) for number in range(25)]
    elsewhere = [an_episode(0, project="other", summary="", kind="compact", title="A | B")]

    page = render_index_page([*of_shop, *elsewhere], name_of=lambda project: project)

    sections = page.split("\n## ")
    assert [section.splitlines()[0] for section in sections] == [
        "# Project Index",
        "other",
        "shop",
    ]
    lines = [line for line in sections[2].splitlines() if line.startswith("- ")]
    assert len(lines) == 20
    assert lines[0] == f"- 2026-11-26 00:00 | Part 24 | {engine_file_name(of_shop[24])}"
    assert "| [compact] A / B |" in sections[1]


@pytest.mark.parametrize("shuffled", [False, True])
def test_the_index_does_not_depend_on_the_order_of_episodes(shuffled: bool) -> None:
    episodes = [an_episode(number) for number in range(30)]

    page = render_index_page(episodes[::-1] if shuffled else episodes, name_of=str)

    assert page == render_index_page(sorted(episodes, key=lambda one: one.id), name_of=str)

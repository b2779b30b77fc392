"""What was being done and for which project is told by words, English and Chinese."""

import pytest
from tests.requirements import requirement

from twiceshy.project.episodes.build import EpisodeContext, build_session_episode
from twiceshy.project.episodes.facts import parse_episode_facts
from twiceshy.project.episodes.work_segment import WorkSegment, describe_work, find_project_tag

ACTIONS = {
    "fixing": ("fix", "bug", "修复", "修復"),
    "testing": ("test", "测试"),
    "releasing": ("release", "发布"),
    "reviewing": ("review",),
}
PATTERNS = {"shop": ("*/shop", "checkout"), "site": ("site-*",)}


def test_the_work_that_most_messages_betray_comes_first() -> None:
    stretch = WorkSegment(
        user_messages=("test it", "fix the bug", "fix that too", "more tests", "fix again")
    )

    assert describe_work(stretch, ACTIONS, {}, tag="shop") == "fixing, testing"


def test_chinese_words_betray_work_as_well() -> None:
    stretch = WorkSegment(user_messages=("修复登录", "跑测试", "再测试一次"))

    assert describe_work(stretch, ACTIONS, {}, tag="shop") == "testing, fixing"


def test_a_word_inside_another_betrays_nothing() -> None:
    stretch = WorkSegment(user_messages=("the latest prefix", "a preview of the contest"))

    assert describe_work(stretch, ACTIONS, {}, tag="shop") == ""


def test_three_actions_and_two_keywords_are_the_most() -> None:
    stretch = WorkSegment(
        user_messages=("fix, test, release and review the checkout",),
        edits=("a/login.py", "a/token.py", "a/token.py", "b/cart.py"),
    )

    line = describe_work(stretch, ACTIONS, PATTERNS, tag="shop")

    assert line == "fixing, testing, releasing (checkout, token)"


def test_files_alone_tell_something_too() -> None:
    stretch = WorkSegment(
        user_messages=("go further",), edits=("src/.env.example", "Makefile", "Makefile")
    )

    assert describe_work(stretch, ACTIONS, {}, tag="shop") == "Makefile, .env"


@requirement("U026")
@pytest.mark.parametrize(
    ("stretch", "tag"),
    [
        (WorkSegment(cwd="/home/u/shop/api", files=("site-a/x.py",)), "shop"),
        (
            WorkSegment(
                cwd="/home/u", files=("site-a/x.py",), user_messages=("the checkout is slow",)
            ),
            "site",
        ),
        (
            WorkSegment(cwd="/home/u", files=("x.py",), user_messages=("the checkout is slow",)),
            "shop",
        ),
        (WorkSegment(cwd="/home/u", user_messages=("hello there",)), "box"),
        (WorkSegment(cwd="C:\\code\\Shop", user_messages=("hello there",)), "shop"),
    ],
)
def test_the_project_is_found_by_directory_then_files_then_messages(
    stretch: WorkSegment, tag: str
) -> None:
    found = find_project_tag(stretch, PATTERNS, name="box")

    assert found == tag
    episode = build_session_episode(
        stretch.but(messages=1), EpisodeContext("s1", "demo", found, "")
    )
    assert parse_episode_facts(episode).tag == tag


def test_only_the_first_messages_tell_the_project() -> None:
    stretch = WorkSegment(user_messages=(*("go further with it",) * 10, "look at the checkout"))

    assert find_project_tag(stretch, PATTERNS, name="") == "general"


def test_a_name_cannot_break_the_line_it_stands_in() -> None:
    assert find_project_tag(WorkSegment(), {}, name="a: b; c\nd") == "a b c d"


def test_a_pattern_of_stars_alone_fits_nothing() -> None:
    assert find_project_tag(WorkSegment(cwd="/x"), {"all": ("*", "")}, name="box") == "box"

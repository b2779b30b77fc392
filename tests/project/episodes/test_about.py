"""What was being done and for which project is told by words, English and Chinese."""

import pytest
from tests.requirements import requirement

from twiceshy.project.episodes.about import doing, tag_of
from twiceshy.project.episodes.stretch import Stretch
from twiceshy.project.episodes.told import About, facts_of, session_episode

ACTIONS = {
    "fixing": ("fix", "bug", "修复", "修復"),
    "testing": ("test", "测试"),
    "releasing": ("release", "发布"),
    "reviewing": ("review",),
}
PATTERNS = {"shop": ("*/shop", "checkout"), "site": ("site-*",)}


def test_the_work_that_most_messages_betray_comes_first() -> None:
    stretch = Stretch(heard=("test it", "fix the bug", "fix that too", "more tests", "fix again"))

    assert doing(stretch, ACTIONS, {}, tag="shop") == "fixing, testing"


def test_chinese_words_betray_work_as_well() -> None:
    stretch = Stretch(heard=("修复登录", "跑测试", "再测试一次"))

    assert doing(stretch, ACTIONS, {}, tag="shop") == "testing, fixing"


def test_a_word_inside_another_betrays_nothing() -> None:
    stretch = Stretch(heard=("the latest prefix", "a preview of the contest"))

    assert doing(stretch, ACTIONS, {}, tag="shop") == ""


def test_three_actions_and_two_keywords_are_the_most() -> None:
    stretch = Stretch(
        heard=("fix, test, release and review the checkout",),
        edits=("a/login.py", "a/token.py", "a/token.py", "b/cart.py"),
    )

    line = doing(stretch, ACTIONS, PATTERNS, tag="shop")

    assert line == "fixing, testing, releasing (checkout, token)"


def test_files_alone_tell_something_too() -> None:
    stretch = Stretch(heard=("go further",), edits=("src/.env.example", "Makefile", "Makefile"))

    assert doing(stretch, ACTIONS, {}, tag="shop") == "Makefile, .env"


@requirement("U026")
@pytest.mark.parametrize(
    ("stretch", "tag"),
    [
        (Stretch(cwd="/home/u/shop/api", files=("site-a/x.py",)), "shop"),
        (Stretch(cwd="/home/u", files=("site-a/x.py",), heard=("the checkout is slow",)), "site"),
        (Stretch(cwd="/home/u", files=("x.py",), heard=("the checkout is slow",)), "shop"),
        (Stretch(cwd="/home/u", heard=("hello there",)), "box"),
        (Stretch(cwd="C:\\code\\Shop", heard=("hello there",)), "shop"),
    ],
)
def test_the_project_is_found_by_directory_then_files_then_messages(
    stretch: Stretch, tag: str
) -> None:
    found = tag_of(stretch, PATTERNS, name="box")

    assert found == tag
    episode = session_episode(stretch.but(messages=1), About("s1", "demo", found, ""))
    assert facts_of(episode).tag == tag


def test_only_the_first_messages_tell_the_project() -> None:
    stretch = Stretch(heard=(*("go further with it",) * 10, "look at the checkout"))

    assert tag_of(stretch, PATTERNS, name="") == "general"


def test_a_name_cannot_break_the_line_it_stands_in() -> None:
    assert tag_of(Stretch(), {}, name="a: b; c\nd") == "a b c d"


def test_a_pattern_of_stars_alone_fits_nothing() -> None:
    assert tag_of(Stretch(cwd="/x"), {"all": ("*", "")}, name="box") == "box"

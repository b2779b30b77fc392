"""What counts as the right note: what works, or what fails and how, in any wording."""

import pytest
from tests.replay.failing import OTHER, RIGHT, again, failure

from twiceshy.replay.failures import Recurrence
from twiceshy.replay.score import build_forms, concerns_failure, states_lesson
from twiceshy.replay.words import WordRarity, recognisable_words


@pytest.fixture
def rarity() -> WordRarity:
    """Thirty sessions in which everybody runs git and bun, and hardly anybody anything else."""
    counted = WordRarity()
    for _ in range(30):
        counted.count_session({"git", "bun", "run", "test"})
    return counted


STAT = Recurrence(
    failure(4, "gh pr diff 9 --stat", "unknown flag: --stat"),
    (failure(0, "gh pr diff 7 --stat", "unknown flag: --stat", "gh pr diff 7 --name-only"),),
)


@pytest.mark.parametrize(
    ("item", "right"),
    [
        ("use gh pr diff --name-only instead of --stat", True),
        ("gh pr diff --stat: unknown flag --stat", True),
        ("用 `gh pr diff --name-only`，不要用 --stat", True),
        ("gh pr diff is the way to see what changed", False),
        ("--name-only is an option of git log", False),
        ("git run test bun", False),
        ("", False),
    ],
)
def test_an_item_must_name_what_works_or_what_fails_and_how(
    item: str, right: bool, rarity: WordRarity
) -> None:
    assert states_lesson(recognisable_words(item), build_forms(STAT), rarity) is right


def test_a_fix_that_only_leaves_something_out_must_show_both_forms(rarity: WordRarity) -> None:
    forms = build_forms(again(4))

    assert states_lesson(RIGHT, forms, rarity)
    assert states_lesson(
        recognisable_words("not rtk bun run test but bun run test"), forms, rarity
    )
    assert not states_lesson(recognisable_words("bun run test is green"), forms, rarity)
    assert not states_lesson(recognisable_words("rtk is a proxy that saves tokens"), forms, rarity)


def test_the_lesson_of_another_mistake_is_not_the_right_one(rarity: WordRarity) -> None:
    assert not states_lesson(OTHER, build_forms(again(4)), rarity)
    assert not states_lesson(RIGHT, build_forms(STAT), rarity)


def test_common_words_count_when_they_are_all_there(rarity: WordRarity) -> None:
    failed = failure(0, "bun run test", "12 tests fail bun")

    forms = build_forms(Recurrence(failed, (failed,)))

    assert states_lesson(
        recognisable_words('`bun run test` failed: "1 tests fail bun"'), forms, rarity
    )
    assert not states_lesson(recognisable_words("bun run"), forms, rarity)


def test_an_item_can_be_about_a_failure_without_being_its_lesson(rarity: WordRarity) -> None:
    item = recognisable_words("rtk says unrecognized subcommand for cargo")

    assert concerns_failure(item, again(4).failure, rarity)
    assert not states_lesson(OTHER, build_forms(again(4)), rarity)
    assert not concerns_failure(OTHER, again(4).failure, rarity)

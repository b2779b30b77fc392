"""A skill's own settings raise what is said about it up to the ceiling, and never beyond."""

import pytest

from twiceshy.places.skill_frontmatter import SkillSettings
from twiceshy.recall.brief import BriefBudget
from twiceshy.recall.skill_brief import may_have_notes, tune_budget

USUAL = BriefBudget(tokens=500, notes=6, pinned_tokens=250)


def tuned(**said: int) -> BriefBudget:
    return tune_budget(USUAL, SkillSettings.of(said), most_tokens=1_500, most_notes=20)


@pytest.mark.parametrize(
    ("policy", "enabled", "expected"),
    [
        ("auto", None, True),
        ("auto", True, True),
        ("auto", False, False),
        ("opt-in", None, False),
        ("opt-in", True, True),
        ("off", True, False),
    ],
)
def test_a_skill_has_notes_if_the_user_and_its_file_want_it(
    policy: str, enabled: bool | None, expected: bool
) -> None:
    assert may_have_notes(policy, SkillSettings(enabled=enabled)) is expected


def test_a_skill_that_says_nothing_gets_the_usual() -> None:
    assert tuned() == USUAL


def test_a_skill_that_asks_for_more_gets_more_notes_too_up_to_the_ceiling() -> None:
    assert tuned(max_tokens=9_000) == USUAL.but(tokens=1_500, notes=20)


def test_a_skill_that_asks_for_less_gets_less_and_its_pinned_notes_fit_in() -> None:
    assert tuned(max_tokens=100) == USUAL.but(tokens=100, pinned_tokens=100)


def test_a_skill_says_how_much_of_it_pinned_notes_may_take() -> None:
    assert tuned(max_pinned_tokens=400).pinned_tokens == 400
    assert tuned(max_pinned_tokens=4_000).pinned_tokens == 500

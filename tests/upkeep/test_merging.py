"""Which notes say the same, and which of two may stand for both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id, notes

from twiceshy.core.draft import MAX_ITEMS
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.language.similar import THRESHOLD
from twiceshy.upkeep.tend_steps import Merger, build_merge_key, covers_text, plan_merge

TEXT = "Run git fetch --tags before tagging a release, or the tag lands on an old commit."
AGAIN = "First run git fetch --tags before tagging a release; the tag lands on an old commit."
WORDS = st.lists(
    st.sampled_from(
        "fetch tags before tagging never push --force twice alpha beta 拉取标签".split()
    ),
    min_size=1,
    max_size=9,
).map(" ".join)


def an_agents(text: str, number: int, **fields: object) -> Note:
    return a_note(text, **{"id": an_id(number), "source": "agent", "trust": 0.5} | fields)


@given(notes(text=WORDS), notes(text=WORDS))
def test_it_makes_no_difference_which_of_two_is_asked_about_first(one: Note, other: Note) -> None:
    other = other.but(id=an_id(10_001))

    assert plan_merge(one, other, threshold=THRESHOLD) == plan_merge(
        other, one, threshold=THRESHOLD
    )


def test_the_one_that_was_learned_oftener_stays_and_takes_over_what_it_lacks() -> None:
    often = an_agents(TEXT, 2, sightings=5, files=("a.py",), expires_at=50)
    once = an_agents(AGAIN, 1, files=("b.py", "a.py"), concepts=("git",), tag="tags", why="x y z")

    found = plan_merge(once, often, threshold=THRESHOLD)

    assert found == Merger(
        often,
        once,
        (
            ("why", "x y z"),
            ("tag", "tags"),
            ("files", ("a.py", "b.py")),
            ("concepts", ("git",)),
            ("expires_at", 0),
        ),
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"tag": "git"}, {"tag": "ci"}),
        ({"why": "old tags"}, {"why": "the server refuses it"}),
        ({"files": tuple(f"a{n}" for n in range(MAX_ITEMS))}, {"files": ("b",)}),
    ],
)
def test_two_that_cannot_be_brought_together_stay_two(
    one: dict[str, object], other: dict[str, object]
) -> None:
    first, second = an_agents(TEXT, 1, **one), an_agents(AGAIN, 2, **other)

    assert plan_merge(first, second, threshold=THRESHOLD) is None


def test_the_same_reason_in_other_words_is_no_obstacle() -> None:
    first = an_agents(TEXT, 1, tag="Git", why="tags are not fetched by default by that command")
    second = an_agents(
        AGAIN, 2, tag="git", why="the tags are not fetched by default, by that command"
    )

    assert plan_merge(first, second, threshold=THRESHOLD) == Merger(first, second)


@pytest.mark.parametrize(
    "other",
    [
        {"scope": Scope("shop")},
        {"kind": "decision"},
        {"subtype": "fix"},
        {"state": "stale"},
        {"trigger": "Bash git tag"},
    ],
)
def test_notes_about_other_things_are_never_one(other: dict[str, object]) -> None:
    one, second = an_agents(TEXT, 1), an_agents(AGAIN, 2)

    assert covers_text(one, second, THRESHOLD)
    assert not covers_text(one, second.but(**other), THRESHOLD)
    assert build_merge_key(one) != build_merge_key(second.but(**other))


def test_the_same_words_the_other_way_round_are_never_one() -> None:
    one = a_note("Use pnpm instead of npm")
    other = a_note("Use npm instead of pnpm", id=an_id(2))

    assert not covers_text(one, other, THRESHOLD)
    assert covers_text(one, a_note("Use pnpm instead of npm.", id=an_id(3)), THRESHOLD)

"""Two wordings of one lesson are near each other; two lessons that look alike are not."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.core.builders import phrases, texts

from twiceshy.language.similar import (
    THRESHOLD,
    count_rarest_needed,
    find_nearest,
    firm_terms,
    keep_telling_terms,
    telling_terms_of,
    word_overlap,
)
from twiceshy.language.terms import index_terms


def likeness(one: str, other: str) -> float:
    return word_overlap(telling_terms_of(one), telling_terms_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Run git fetch --tags before tagging, or the tag lands on an old commit.",
            "Run git fetch --tags before you tag; otherwise the tag lands on an old commit",
        ),
        (
            "The golangci config is .golangci.yml here, so linting with another name fails",
            "Linting fails with another name: the golangci config here is .golangci.yml",
        ),
        (
            "Integration tests need the database container running",
            "- [2026-11] [go] The integration tests need a running database container  [HIT:2]",
        ),
        ("打标签之前先拉取远端的所有标签", "打标签之前先拉取远端所有标签"),
    ],
)
def test_two_wordings_of_one_lesson_are_near(one: str, other: str) -> None:
    assert likeness(one, other) >= THRESHOLD


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # a negation
        ("Push the release branch with its tags", "Never push the release branch with its tags"),
        ("The tag can be moved later", "The tag can't be moved later"),
        ("The tag can be moved later", "The tag cannot be moved later"),
        ("Do commit the generated lock file", "Don’t commit the generated lock file"),
        ("Run the linter before the tests", "Run the linter after the tests"),
        ("Turn strict mode on in the build", "Turn strict mode off in the build"),
        ("Caching is enabled in the build job", "Caching is disabled in the build job"),
        ("推送发布分支和所有标签", "不推送发布分支和所有标签"),
        ("合并之后删除远端分支", "合并之后别删除远端分支"),
        ("Jenkins für die Builds nutzen", "Jenkins nicht für die Builds nutzen"),
        ("Tests für den Adapter laufen nachts", "Keine Tests für den Adapter laufen nachts"),
        (
            "Utiliser Jenkins pour les builds du site et du blog",
            "Ne jamais utiliser Jenkins pour les builds du site et du blog",
        ),
        (
            "Usare Jenkins per costruire il sito web e il blog",
            "Non usare Jenkins per costruire il sito web e il blog",
        ),
        (
            "Desplegar con Jenkins para construir el sitio y el blog",
            "Desplegar sin Jenkins para construir el sitio y el blog",
        ),
        (
            "Usar o Jenkins para construir o site e o blog",
            "Não usar o Jenkins para construir o site e o blog",
        ),
        (
            "Запускать тесты перед каждым релизом проекта",
            "Никогда не запускать тесты перед каждым релизом проекта",
        ),
        # a number
        ("Wait 30 seconds for the server to start", "Wait 60 seconds for the server to start"),
        ("The build needs Python 3.11 to run", "The build needs Python 3.12 to run"),
        # a flag
        ("List the files with git diff --stat", "List the files with git diff --name-only"),
        ("Install the package with pip -e", "Install the package with pip"),
        # a path
        ("The settings live in src/app.py here", "The settings live in src/main.py here"),
        ("The linter reads .golangci.yml here", "The linter reads golangci.toml here"),
    ],
)
def test_a_negation_number_flag_or_path_that_differs_keeps_two_lessons_apart(
    one: str, other: str
) -> None:
    assert likeness(one, other) == 0.0


FIRM = ["not", "never", "don't", "7", "3.11", "--force", "-x", "src/app.py", "foo_bar", "不要"]


@given(phrases, st.sampled_from(FIRM), st.integers(0, 8))
def test_something_firm_that_only_one_text_has_always_keeps_them_apart(
    text: str, firm: str, where: int
) -> None:
    parts = text.split()
    other = " ".join([*parts[:where], firm, *parts[where:]])
    assume(firm_terms(telling_terms_of(firm)) - firm_terms(telling_terms_of(text)))

    assert likeness(text, other) == 0.0


@given(texts | phrases, texts | phrases)
def test_likeness_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert 0.0 <= likeness(one, other) <= 1.0
    assert likeness(one, other) == likeness(other, one)


@given(texts | phrases)
def test_a_text_is_entirely_like_itself(text: str) -> None:
    own = telling_terms_of(text)

    assert word_overlap(own, own) == (1.0 if own else 0.0)


@given(phrases)
def test_a_draft_is_entirely_like_the_indexed_note_with_the_same_text(text: str) -> None:
    text = f"Use useState in MyComponent: {text}"  # letters in mid-word that the index takes apart

    assert word_overlap(telling_terms_of(text), keep_telling_terms(index_terms(text))) == 1.0


@given(phrases, phrases)
def test_a_short_text_never_swallows_a_long_one(text: str, more: str) -> None:
    short, long = telling_terms_of(text), telling_terms_of(f"{text} {more}")
    assume(len(short) < THRESHOLD * len(long))

    assert word_overlap(short, long) < THRESHOLD


def test_words_that_say_nothing_do_not_make_two_lessons_alike() -> None:
    assert likeness("this is what you should use", "this is what they would have") == 0.0
    assert telling_terms_of("because this was once done") == frozenset()


def test_the_closest_note_is_found_and_between_equals_the_older() -> None:
    own = telling_terms_of("fetch the tags before pushing a release branch")
    others = [
        ("n3", telling_terms_of("fetch the tags before pushing a release branch today")),
        ("n2", telling_terms_of("fetch the tags before pushing a release branch today")),
        ("n1", telling_terms_of("fetch tags before")),
        ("n0", telling_terms_of("nothing in common")),
    ]

    assert find_nearest(own, others, threshold=THRESHOLD) == "n2"
    assert find_nearest(own, others[2:], threshold=THRESHOLD) is None
    assert find_nearest(own, [], threshold=THRESHOLD) is None


@given(phrases, st.lists(phrases, max_size=6), st.sampled_from((0.3, 0.5, THRESHOLD, 1.0)))
def test_the_closest_note_is_always_the_one_that_comparing_with_each_would_find(
    text: str, others: list[str], threshold: float
) -> None:
    own = telling_terms_of(text)
    indexed = [
        (f"n{number}", index_terms(f"this is {other}")) for number, other in enumerate(others)
    ]
    compared = sorted(
        (-word_overlap(own, keep_telling_terms(found)), note_id) for note_id, found in indexed
    )
    close = [note_id for negative, note_id in compared if negative and -negative >= threshold]

    assert find_nearest(own, indexed, threshold=threshold) == (close[0] if close else None)
    assert find_nearest(own, indexed[::-1], threshold=threshold) == (close[0] if close else None)


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 12), st.floats(0.1, 1.0))
def test_any_choice_of_that_many_words_finds_every_match(
    shared: int, alone: int, others: int, part: float
) -> None:
    one = frozenset(range(shared + alone))
    other = frozenset(range(shared)) | frozenset(range(100, 100 + others))
    threshold = part * len(one & other) / len(one | other)  # so that the two are a match

    needed = count_rarest_needed(len(one), threshold=threshold)
    unlucky = sorted(one, key=lambda word: word in other)[:needed]  # the unshared words first

    assert any(word in other for word in unlucky)
    assert needed >= 1


def test_rounding_never_loses_a_match() -> None:
    for percent in range(1, 101):
        for count in range(1, 201):
            shared = -(-count * percent // 100)  # the least that so many percent of them can be

            assert count_rarest_needed(count, threshold=percent / 100) == count - shared + 1


def test_a_match_that_is_exactly_at_the_threshold_is_found() -> None:
    own = frozenset(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxy")
    found = sorted(own)[:14]  # 14 of 25 are .56, but 25 * .56 is a little more than 14

    assert len(own) * 0.56 > len(found)
    assert find_nearest(own, [("n1", found)], threshold=0.56) == "n1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use npm ci", "Use npm run ci"),
        (
            "Install packages of the web client with npm before running the tests",
            "Install packages of the web client with pnpm before running the tests",
        ),
        ("部署之前先备份数据库再迁移", "部署之前先备份配置库再迁移"),
    ],
)
def test_another_word_in_the_same_place_makes_another_lesson(one: str, other: str) -> None:
    assert likeness(one, other) == 0.0


PLAIN = "apple brick cloud drift eagle flame grape house inlet jolly knife lemon".split()


def test_two_notes_are_near_from_a_share_of_63_in_a_hundred_on() -> None:
    few, many = frozenset(PLAIN[:7]), frozenset(PLAIN[:11])
    fewer, others = frozenset(PLAIN[:5]), frozenset(PLAIN[:8])

    assert word_overlap(few, many) == 7 / 11
    assert word_overlap(fewer, others) == 5 / 8
    assert find_nearest(few, [("n1", many)], threshold=THRESHOLD) == "n1"
    assert find_nearest(fewer, [("n1", others)], threshold=THRESHOLD) is None
    assert THRESHOLD == 0.63


def test_of_fewer_than_five_words_none_may_be_left_out() -> None:
    assert word_overlap(frozenset(PLAIN[:4]), frozenset(PLAIN[:5])) == 0
    assert word_overlap(frozenset(PLAIN[:5]), frozenset(PLAIN[:6])) == 5 / 6
    assert word_overlap(frozenset(PLAIN[:4]), frozenset(PLAIN[:4])) == 1


@pytest.mark.parametrize(
    ("word", "other", "bent"),
    [
        ("tags", "tagsx", True),
        ("tags", "tagsy", True),
        ("tag", "tagx", False),
        ("tagx", "tagy", False),
    ],
)
def test_a_word_that_begins_with_the_same_four_letters_is_the_same_bent(
    word: str, other: str, bent: bool
) -> None:
    one, two = (frozenset([*PLAIN[:6], each]) for each in (word, other))

    assert (word_overlap(one, two) > 0) is bent
    assert (word_overlap(two, one) > 0) is bent

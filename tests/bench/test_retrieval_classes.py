"""The classes of prompts beside our own set keep their rules."""

from collections import Counter
from difflib import get_close_matches
from re import findall

import pytest
from bench.retrieval_classes import languages, long
from bench.retrieval_sets import Haystack
from bench.retrieval_swapped import SwappedPair, SwappedRow, count_swapped, pairs

AT_LEAST = {
    "chinese and english": 60,
    "french": 30,
    "german": 60,
    "russian": 60,
    "spanish": 30,
    "typo": 40,
}


@pytest.fixture(scope="module")
def stack() -> Haystack:
    (only,) = languages().haystacks
    return only


class TestLanguages:
    def test_there_are_enough_prompts_of_every_language(self, stack: Haystack) -> None:
        groups = Counter(query.group for query in stack.queries if query.rel)

        assert groups.keys() == AT_LEAST.keys()
        assert all(groups[group] >= least for group, least in AT_LEAST.items())

    def test_every_language_has_prompts_that_nothing_is_noted_about(self, stack: Haystack) -> None:
        groups = Counter(query.group for query in stack.queries if not query.rel)

        assert groups.keys() == AT_LEAST.keys()
        assert min(groups.values()) >= 5

    def test_every_prompt_means_a_note_that_exists(self, stack: Haystack) -> None:
        names = {doc.id for doc in stack.docs}

        assert {name for query in stack.queries for name in query.rel} <= names

    def test_nothing_is_there_twice(self, stack: Haystack) -> None:
        names = [doc.id for doc in stack.docs] + [query.id for query in stack.queries]
        texts = [doc.text for doc in stack.docs] + [query.text for query in stack.queries]

        assert len(set(names)) == len(names)
        assert len(set(texts)) == len(texts)

    def test_every_language_is_spread_over_even_and_odd_lines(self, stack: Haystack) -> None:
        for group in AT_LEAST:
            halves = Counter(query.line % 2 for query in stack.queries if query.group == group)

            assert abs(halves[0] - halves[1]) <= 2, group

    def test_an_error_is_in_a_word_of_the_lesson_that_no_lesson_has_as_it_is_typed(
        self, stack: Haystack
    ) -> None:
        lessons = {doc.id: set(findall(r"\w+", doc.whole.casefold())) for doc in stack.docs}
        known = set().union(*lessons.values())
        unlike = [
            query.text
            for query in stack.queries
            if query.group == "typo" and query.rel
            for strange in [set(findall(r"\w+", query.text.casefold())) - known]
            if not any(get_close_matches(word, lessons[query.rel[0]]) for word in strange)
        ]

        assert unlike == []


class TestLongPrompts:
    def test_there_are_enough_with_one_lesson_and_with_none(self) -> None:
        (stack,) = long().haystacks
        lessons = {doc.id for doc in stack.docs}

        assert sum(len(query.rel) == 1 for query in stack.queries) >= 40
        assert sum(not query.rel for query in stack.queries) >= 20
        assert {name for query in stack.queries for name in query.rel} <= lessons

    def test_they_are_long_and_none_is_there_twice(self) -> None:
        (stack,) = long().haystacks
        words = [len(query.text.split()) for query in stack.queries]

        assert min(words) >= 60
        assert max(words) <= 400
        assert len({query.text for query in stack.queries}) == len(words)
        assert len({query.id for query in stack.queries}) == len(words)

    @pytest.mark.parametrize("with_lesson", [True, False])
    def test_both_halves_have_as_many(self, with_lesson: bool) -> None:
        (stack,) = long().haystacks
        lines = [query.line % 2 for query in stack.queries if bool(query.rel) is with_lesson]

        assert lines.count(0) == lines.count(1)


class TestSwappedPairs:
    def test_there_are_enough_in_both_languages(self) -> None:
        languages = Counter(one.lang for one in pairs("all"))

        assert languages["english"] >= 30
        assert languages["chinese"] >= 10

    def test_a_pair_is_two_notes_of_nearly_the_same_words(self) -> None:
        for one in pairs("all"):
            right, wrong = (
                Counter(findall(r"[a-z]+|[^\W\d_a-z]", text.casefold()))
                for text in (one.right, one.wrong)
            )

            assert one.right != one.wrong
            assert (right - wrong).total() + (wrong - right).total() <= 2, one

    def test_what_knows_no_order_is_right_by_luck_only(self) -> None:
        pair = SwappedPair("1", "english", "a before b", "b before a", "a before b?")
        first = {"1": (0.0, 1.0)}
        second = {"1": (1.0, 0.0)}
        lost = {"1": (float("inf"), float("inf"))}

        assert count_swapped("x", "r", [pair], first, second) == SwappedRow("x", 1, "r", 0.5, 0, 0)
        assert count_swapped("x", "r", [pair], first, first) == SwappedRow("x", 1, "r", 1, 1, 0)
        assert count_swapped("x", "r", [pair], lost, first) == SwappedRow("x", 1, "r", 0.5, 0, 0.5)

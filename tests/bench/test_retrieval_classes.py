"""The classes of prompts beside our own set keep their rules."""

from collections import Counter
from difflib import get_close_matches
from re import findall

import pytest
from bench.retrieval_classes import languages
from bench.retrieval_sets import Haystack

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

"""From what was found, people find more: by counts, by words, and by better spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, broken_texts, phrases, texts

from twiceshy.core.scope import Scope
from twiceshy.language.related import (
    count_facets,
    find_related_words,
    list_telling_words,
    suggest_corrections,
)
from twiceshy.language.terms import query_terms

LOCK = "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten."


def test_notes_are_counted_by_kind_skill_project_and_concept() -> None:
    notes = [
        a_note(concepts=("git", "tags"), scope=Scope("shop", "release")),
        a_note(concepts=("git",), scope=Scope("shop", "")),
        a_note(kind="decision", scope=Scope("demo", "review")),
    ]

    counted = count_facets(notes)

    assert counted == {
        "kind": {"lesson": 2, "decision": 1},
        "skill": {"release": 1, "review": 1},
        "project": {"shop": 2, "demo": 1},
        "concept": {"git": 2, "tags": 1},
    }
    assert list(counted["project"]) == ["shop", "demo"]


def test_related_words_are_the_ones_that_tell_most_as_they_are_written() -> None:
    common = [list_telling_words("Run the tests before the release.")] * 8
    found = [
        list_telling_words("Lock the release with --frozen."),
        list_telling_words("Frozen locks: run --frozen."),
    ]

    proposed = find_related_words(["lock"], found, among=[*common, *found], most=2)

    assert proposed == ["--frozen", "Frozen"]


def test_what_was_looked_for_is_not_related_to_itself() -> None:
    proposed = find_related_words(query_terms("locks tagged"), [list_telling_words(LOCK)])

    assert proposed == ["--frozen", "file", "rewritten"]


def test_a_chinese_pair_is_related_only_when_it_comes_again() -> None:
    found = [list_telling_words("先拉取代码"), list_telling_words("再拉取分支")]

    assert find_related_words(["推送"], found) == ["拉取"]


def test_a_word_that_nobody_wrote_is_corrected_to_the_nearest_that_someone_did() -> None:
    known = [list_telling_words(LOCK), list_telling_words("useState is stale")]

    assert suggest_corrections("lokc the File, tagged rewriten state", known) == {
        "lokc": "Lock",
        "rewriten": "rewritten",
    }


@pytest.mark.parametrize("query", ["zebra", "拉取", "--frozne", "12345", "the", ""])
def test_nothing_is_corrected_that_may_be_meant(query: str) -> None:
    assert suggest_corrections(query, [list_telling_words(LOCK)]) == {}


@given(st.lists(phrases | texts | broken_texts, max_size=6), phrases)
def test_related_words_always_stand_in_the_texts_found(found: list[str], query: str) -> None:
    proposed = find_related_words(
        query_terms(query),
        [list_telling_words(text) for text in found],
        among=[list_telling_words(query)],
    )

    assert len(proposed) == len(set(proposed)) <= 6
    assert all(any(word in text for text in found) for word in proposed)


@given(phrases)
def test_what_is_written_somewhere_is_never_corrected(text: str) -> None:
    assert suggest_corrections(text, [list_telling_words(text)]) == {}

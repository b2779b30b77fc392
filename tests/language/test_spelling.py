"""What an unknown word may mean is near to it, and never a different word of the same length."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from twiceshy.language.spelling import (
    Meant,
    choose_meant,
    count_edits,
    find_parts,
    is_near,
    list_edits,
    may_be_misspelled,
    replace_terms,
)
from twiceshy.language.stem import stem_word

KNOWN = "kubernetes postgres terraform elasticsearch credentials prometheus dockerfile restart"


def meant(term: str, known: dict[str, int]) -> tuple[str, ...]:
    """Return what an unknown term means among known ones."""
    return choose_meant(
        term, {each: notes for each, notes in known.items() if is_near(term, each)}
    )


words = st.text("abcdeikrst", min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("kuberntes", "kubernetes"),
        ("kubernets", "kubernetes"),
        ("posgres", "postgres"),
        ("postgress", "postgres"),
        ("teraform", "terraform"),
        ("terrafrom", "terraform"),
        ("elasticserch", "elasticsearch"),
        ("promethues", "prometheus"),
        ("dokerfile", "dockerfile"),
        ("restrat", "restart"),
    ],
)
def test_a_misspelled_word_means_the_known_one(wrong: str, right: str) -> None:
    known = {stem_word(word): 1 for word in KNOWN.split()}

    assert meant(stem_word(wrong), known) == (stem_word(right),)


@pytest.mark.parametrize(
    ("word", "other"), [("flask", "flash"), ("redux", "redis"), ("vitest", "latest")]
)
def test_another_word_is_no_misspelling(word: str, other: str) -> None:
    assert meant(word, {other: 9}) == ()


def test_of_words_equally_near_the_most_frequent_is_meant() -> None:
    assert meant("deploymnt", {"deploymant": 1, "deployment": 7}) == ("deployment",)


def test_one_chinese_character_means_the_pairs_that_begin_with_it() -> None:
    assert meant("锁", {"锁文": 2, "锁定": 5, "锁": 1}) == ("锁定", "锁文", "锁")


@pytest.mark.parametrize(
    ("term", "parts"),
    [
        ("datenbankmigr", ("datenbank", "migrat")),
        ("zertifikatsfehl", ("zertifikat", "fehler")),
        ("configuration", ()),
        ("datei", ()),
    ],
)
def test_a_compound_is_recognised_by_its_english_stem(term: str, parts: tuple[str, ...]) -> None:
    assert find_parts(term) == parts


@pytest.mark.parametrize("term", ["pod", "node20", "a.b.c", "拉取"])
def test_what_is_short_or_no_word_is_never_misspelled(term: str) -> None:
    assert not may_be_misspelled(term)


@given(words, words)
def test_edits_are_the_same_in_both_directions_and_none_only_for_equals(
    one: str, other: str
) -> None:
    edits = count_edits(one, other, most=3)

    assert edits == count_edits(other, one, most=3)
    assert (edits == 0) is (one == other)
    assert 0 <= edits <= 4


@given(words, st.data())
def test_two_neighbours_swapped_are_always_one_edit(word: str, data: st.DataObject) -> None:
    assume(len(word) >= 2)
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    assert count_edits(word, swapped, most=1) == (swapped != word)


@given(st.text("abcdeikrst", min_size=2, max_size=8))
def test_every_listed_edit_is_near_and_never_the_word_itself(word: str) -> None:
    edits = list_edits(word)

    assert word not in edits
    bare = word.rstrip("eis")
    assert all(
        min(count_edits(each, word, most=1), count_edits(each, bare, most=1)) <= 1
        for each in edits
    )


@given(words, st.dictionaries(words, st.integers(1, 9), max_size=8))
def test_what_is_meant_is_always_a_known_term_that_is_near(
    term: str, known: dict[str, int]
) -> None:
    for found in meant(term, known):
        assert found in known
        assert count_edits(term.rstrip("eis"), found.rstrip("eis"), most=2) <= 2


@given(st.lists(st.lists(words, max_size=5), max_size=4))
def test_without_a_meaning_every_passage_stays_as_it_is(passages: list[list[str]]) -> None:
    assert replace_terms(passages, {}) == [tuple(dict.fromkeys(each)) for each in passages]


def test_a_guess_stands_beside_its_word_and_parts_instead_of_it() -> None:
    meant = {
        "kubernt": Meant(("kubernet",), guessed=True),
        "logdatei": Meant(("log", "datei"), guessed=False),
    }

    assert replace_terms([("kubernt", "pod"), ("logdatei",)], meant) == [
        ("kubernt", "kubernet", "pod"),
        ("log", "datei"),
    ]

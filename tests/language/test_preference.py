"""A sentence of the user is a standing order, a wish for later, or neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.language.preference_sentences import (
    CHINESE_GENERAL,
    CHINESE_NEITHER,
    CHINESE_STANDING,
    CHINESE_WAITING,
    GENERAL,
    NEITHER,
    STANDING,
    WAITING,
)
from tests.requirements import requirement

from twiceshy.language.own_words import extract_own_words, list_whole_sentences
from twiceshy.language.preference import LONGEST, judge_sentence
from twiceshy.learning.detect.correction import list_preferences

HEARD = [*STANDING, *GENERAL, *WAITING, *CHINESE_STANDING, *CHINESE_GENERAL, *CHINESE_WAITING]
ORDERS = st.sampled_from(HEARD)
ENGLISH_ORDERS = st.sampled_from([*STANDING, *GENERAL, *WAITING])
CHATTER = st.sampled_from(
    ["Looks good.", "What about the header?", "I ran the tests.", "再看看。", "The page is done."]
)


def judge(text: str) -> list[str]:
    return [judge_sentence(each) for each in list_whole_sentences(extract_own_words(text))]


@pytest.mark.parametrize("text", STANDING)
def test_a_standing_order_is_recognised(text: str) -> None:
    assert judge(text) == ["standing"]


@pytest.mark.parametrize("text", WAITING)
def test_a_wish_for_later_waits(text: str) -> None:
    assert judge(text) == ["waiting"]


@pytest.mark.parametrize("text", GENERAL)
def test_a_wish_for_every_case_waits_whatever_was_said_around_it(text: str) -> None:
    assert judge(text) == ["general"]


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_of_the_moment_is_neither(text: str) -> None:
    assert not any(judge(text))


@requirement("T69")
def test_chinese_sentences_are_judged_like_english_ones() -> None:
    wrong = {
        text: judge(text)
        for kind, texts in (
            ("standing", CHINESE_STANDING),
            ("general", CHINESE_GENERAL),
            ("waiting", CHINESE_WAITING),
            ("", CHINESE_NEITHER),
        )
        for text in texts
        if set(judge(text)) != {kind}
    }

    assert wrong == {}


@given(ENGLISH_ORDERS, st.sampled_from(["?", " here.", " in this file.", " like the one above."]))
def test_a_question_or_a_pointing_word_never_leaves_a_preference(text: str, end: str) -> None:
    assert not any(judge(text.rstrip(".") + end))


@given(ENGLISH_ORDERS, st.sampled_from([",", " and", " because", " (", " the", ":", " …"]))
def test_a_piece_of_a_sentence_is_never_one(text: str, end: str) -> None:
    assert not any(judge(text.rstrip(".") + end))


@given(ORDERS, st.integers(LONGEST, 3 * LONGEST))
def test_a_sentence_that_would_be_cut_is_never_one(text: str, length: int) -> None:
    assert not any(judge(text + " word" * length))


@requirement("T64")
@given(st.lists(CHATTER, max_size=4), ORDERS, st.lists(CHATTER, max_size=4))
def test_the_note_is_the_whole_sentence_whatever_stands_around_it(
    before: list[str], order: str, after: list[str]
) -> None:
    message = " ".join([*before, f"{order}.", *after])

    assert [each.text for each in list_preferences(message)] == [f"{order}."]


@given(st.lists(st.one_of(ORDERS, CHATTER, st.text(max_size=40)), max_size=6))
def test_every_preference_stands_word_for_word_in_the_message(parts: list[str]) -> None:
    own = extract_own_words("\n".join(parts))

    for each in list_preferences(own):
        assert each.text in " ".join(own.split())


def test_a_sentence_that_a_terminal_wrapped_is_whole_again() -> None:
    wrapped = (
        "Going forward we never mock the database in the integration tests\n"
        "of the payment service.\nThanks!"
    )

    [preference] = list_preferences(wrapped)

    assert preference.text.endswith("tests of the payment service.")

"""Users correct in their own words, in two languages; what only sounds like it is no correction."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.detect.correction_sentences import (
    CHINESE,
    CHINESE_OTHER,
    DURABLE,
    ENGLISH,
    ENGLISH_OTHER,
    NO_REASONS,
    OF_THE_MOMENT,
    PAIRS,
    REASONS,
)
from tests.requirements import requirement
from tests.sizes import sized

from twiceshy.core.text import find_unsafe_character, strip_unsafe
from twiceshy.language.contrast import is_reversal
from twiceshy.learning.detect.correction import (
    Correction,
    parse_prompt,
    parse_rejection,
)

OUTCOMES = ("not-working", "revert")
SENTENCES = [text for text, _ in (*ENGLISH, *CHINESE)]
OTHERS = [*ENGLISH_OTHER, *CHINESE_OTHER]
PIECES = st.sampled_from(
    [*SENTENCES, *OTHERS, "\n", " ", "> ", "```", "<a>", "</a>", '"', "\u202e", "\x07", "。"]
)
TEXTS = st.one_of(
    st.text(), st.lists(PIECES, max_size=12).map(" ".join), st.lists(PIECES).map("".join)
)
# a word in letters that are written with blanks between words, or one character of the others
WORDS = re.compile("[^\\W\u2e80-\U0003ffff]+|[\u2e80-\U0003ffff]")


def said(text: str) -> Correction | None:
    """What a prompt corrects that follows on something the agent did."""
    return parse_prompt(text, first=False, acted=True, interrupted=False)


def corrected(text: str) -> Correction:
    correction = said(text)
    assert correction is not None
    return correction


def words(text: str) -> list[str]:
    return WORDS.findall(strip_unsafe(text))


@pytest.mark.parametrize(("text", "sort"), [*ENGLISH, *CHINESE])
def test_a_correction_is_recognised_and_its_sort_told(text: str, sort: str) -> None:
    correction = said(text)

    assert correction is not None
    assert (correction.tier, correction.category) == ("wording", sort)


@pytest.mark.parametrize("text", OTHERS)
def test_what_only_sounds_like_a_correction_is_none(text: str) -> None:
    assert said(text) is None


@requirement("U092")
def test_corrections_are_found_by_whole_words_in_any_case_and_both_languages() -> None:
    spoken = ["Wrong! that is not what I meant", "WRONG", "Revert that", "UNDO THE LAST CHANGE"]
    written = ["不對，改回來", "不对", "搞錯了", "我說的是另一個", "錯了"]
    parts = ["wrongful", "Undoable, said Norbert", "the notwork package", "reverted index names"]
    harmless = ["There is nothing wrong here", "the undo feature is done", "没有错", "撤銷功能"]

    assert all(map(said, [*spoken, *written]))
    assert not any(map(said, [*parts, *harmless]))


@pytest.mark.parametrize("text", [text for text, _ in ENGLISH])
def test_case_does_not_matter(text: str) -> None:
    assert (
        corrected(text.upper()).category
        == corrected(text).category
        == corrected(text.lower()).category
    )


@pytest.mark.parametrize("text", REASONS)
def test_a_reason_for_a_refusal_is_a_correction_though_it_has_no_cue(text: str) -> None:
    correction = parse_rejection(text)

    assert correction is not None
    assert correction.tier == "rejection"


@pytest.mark.parametrize("text", NO_REASONS)
def test_whoever_asks_or_wants_to_wait_corrects_nothing(text: str) -> None:
    assert parse_rejection(text) is None


def test_after_an_interruption_less_is_needed() -> None:
    text = "but the diff covers only one commit"

    correction = parse_prompt(text, first=False, acted=True, interrupted=True)

    assert said(text) is None
    assert correction is not None
    assert correction.tier == "interrupt"


@pytest.mark.parametrize("text", ["continue", "ok now it works", "what are you doing?", "继续"])
def test_an_interruption_alone_is_no_correction(text: str) -> None:
    assert parse_prompt(text, first=False, acted=True, interrupted=True) is None


def test_the_first_prompt_of_a_session_may_state_a_rule_and_correct_nothing() -> None:
    rule = "From now on never use npm, use pnpm"

    stated = parse_prompt(rule, first=True, acted=False, interrupted=False)

    assert stated is not None
    assert stated.category == "preference"
    wrong = "No, that is wrong. You forgot the tests. I said the blue one."
    assert said(wrong)
    assert parse_prompt(wrong, first=True, acted=False, interrupted=False) is None


def test_an_answer_to_an_answer_needs_more_than_one_to_an_act() -> None:
    text = "Don't mock the database"

    assert said(text)
    assert parse_prompt(text, first=False, acted=False, interrupted=False) is None


@pytest.mark.parametrize(("text", "avoid", "prefer"), PAIRS)
def test_what_to_avoid_and_what_to_prefer_is_named(text: str, avoid: str, prefer: str) -> None:
    correction = corrected(text)

    assert (correction.avoid, correction.prefer) == (avoid, prefer)


@pytest.mark.parametrize("text", DURABLE)
def test_what_a_stranger_understands_may_become_a_note(text: str) -> None:
    assert [each.text for each in corrected(text).preferences] == [text]


@pytest.mark.parametrize("text", OF_THE_MOMENT)
def test_what_needs_its_conversation_does_not(text: str) -> None:
    correction = parse_rejection(text)

    assert correction is not None
    assert correction.preferences == ()


@pytest.mark.parametrize("text", [text for text, sort in (*ENGLISH, *CHINESE) if sort in OUTCOMES])
def test_an_outcome_and_an_undo_never_become_a_note(text: str) -> None:
    assert corrected(text).preferences == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use pnpm, not npm", "use npm, not pnpm"),
        ("use pnpm, not npm", "don't use pnpm, use yarn"),
        ("always use ruff", "Don't use ruff"),
        ("Always squash the commits", "Never squash the commits"),
        ("用 pnpm 别用 npm", "用 npm 别用 pnpm"),
        ("必须写注释", "不要写注释"),
        ("use pnpm, not npm", "用 npm 别用 pnpm"),
    ],
)
def test_a_correction_that_asks_for_the_opposite_reverses_the_other(one: str, other: str) -> None:
    assert is_reversal(corrected(one), corrected(other))
    assert is_reversal(corrected(other), corrected(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use pnpm, not npm", "use pnpm, not yarn"),
        ("use pnpm, not npm", "use ruff, not black"),
        ("Always squash the commits", "Never rewrite the history"),
        ("Never squash the commits", "Don't squash the commits"),
        ("必须写注释", "不要删文件"),
    ],
)
def test_corrections_about_other_things_do_not_reverse_each_other(one: str, other: str) -> None:
    assert not is_reversal(corrected(one), corrected(other))


@given(st.sampled_from(SENTENCES))
def test_nothing_reverses_itself(text: str) -> None:
    assert not is_reversal(corrected(text), corrected(text))


def test_the_sentence_that_carries_it_is_kept_and_the_rest_is_not() -> None:
    text = "The page looks nice. Don't commit the build folder. What is next?"

    assert corrected(text).text == "Don't commit the build folder."


def test_a_bare_no_is_kept_with_what_follows_it() -> None:
    assert corrected("No. The index belongs to the store.").text == (
        "No. The index belongs to the store."
    )


def test_a_correction_behind_a_long_paste_is_found() -> None:
    log = "\n".join(
        f"2026-11-02 10:00:{second:02} INFO packed box {second}" for second in range(60)
    )

    assert corrected(f"{log}\n\nno, use pnpm, not npm").prefer == "pnpm"


def test_whoever_explains_at_length_needs_a_stronger_word() -> None:
    length = " We pack ten boxes on a pallet." * 13

    assert said("Don't mock the database." + length[:300])
    assert said("Don't mock the database." + length) is None
    assert said("That is wrong." + length)


def test_the_end_of_a_long_message_is_read_too() -> None:
    message = "We pack ten boxes on a pallet. " * 40 + "But that is wrong, the pallet holds nine."

    assert corrected(message).text == "But that is wrong, the pallet holds nine."


@pytest.mark.parametrize("shift", range(10))
def test_a_long_text_is_cut_between_words_at_both_ends(shift: int) -> None:
    boxes = "x" * shift + " container" * 100

    begun = corrected(f"that is wrong, we want {boxes}")
    ended = corrected(f"{boxes} that is wrong, we think")

    assert 250 < len(begun.text) <= 300
    assert set(begun.text.split()) <= {*"that is wrong, we want container".split(), "x" * shift}
    assert set(ended.text.split()) == {"container", "that", "is", "wrong,", "we", "think"}


def test_a_review_that_was_pasted_is_none() -> None:
    review = (
        "The function never closes the file. It should use a context manager instead of close(). "
    )

    assert said(review * 3) is None


@given(st.sampled_from(SENTENCES))
def test_a_block_that_somebody_quotes_never_carries_a_correction(text: str) -> None:
    blocks = [
        f"```\n{text}\n```",
        f"~~~\n{text}",
        f"> {text}",
        f"<log>\n{text}\n</log>",
        f"error: {text}",
        f"Look:\n\n    {text}",
    ]

    assert not any(map(said, blocks))
    assert not any(map(parse_rejection, blocks[:-1]))


@given(st.sampled_from(SENTENCES), st.sampled_from(['"{}"', "“{}”", "「{}」", "`{}`"]))
def test_a_sentence_between_quotation_marks_never_carries_a_correction(
    text: str, marks: str
) -> None:
    quoted = marks.format(re.sub('["`“”]', "", text))

    assert said(quoted) is None
    assert said(f"the page says {quoted}") is None


@given(TEXTS, st.booleans(), st.booleans(), st.booleans())
def test_the_text_is_short_safe_and_made_of_whole_words_of_the_user(
    text: str, first: bool, acted: bool, interrupted: bool
) -> None:
    found = [
        parse_prompt(text, first=first, acted=acted, interrupted=interrupted),
        parse_rejection(text),
    ]

    for correction in filter(None, found):
        assert 0 < len(correction.text) <= 300
        assert find_unsafe_character(correction.text) is None
        assert "\n" not in correction.text
        assert set(words(correction.text)) <= set(words(text))
        assert correction.score >= 3


@given(TEXTS)
def test_the_pair_is_in_the_users_words(text: str) -> None:
    correction = parse_rejection(text)

    if correction is not None:
        own = " ".join(strip_unsafe(text).split())
        assert correction.avoid in own
        assert correction.prefer in own


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "no ",
        "don't ",
        "use a not b ",
        "> q\n",
        "```\n",
        "<a>",
        "</a>",
        "<",
        '"',
        "不",
        "用不用",
    ],
)
def test_a_very_long_text_of_anything_is_coped_with(unit: str) -> None:
    text = unit * (sized(100_000, 1_000_000) // len(unit))

    found = [said(text), parse_rejection(text)]

    assert all(correction is None or len(correction.text) <= 300 for correction in found)


def test_tags_that_are_nested_sixty_thousand_deep_are_coped_with() -> None:
    names = range(60_000)
    text = "".join(f"<t{name}>" for name in names) + "".join(
        f"</t{name}>" for name in reversed(names)
    )

    assert said(f"{text} no, that is wrong")
    assert said(text.replace("><", ">no, that is wrong<", 1)) is None

"""Words of secrets that a session met are known again by their hashes, wherever they stand."""

import re

from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.builders import texts

from twiceshy.safety.redact.marks import find_marks
from twiceshy.safety.redact.session_values import _list_words, hash_values, redact_hashed

# What a word is, in one pattern: hooks read words by plain searches, because a pattern costs more.
WORD = re.compile(r"[^\s\"'`,;()<>\[\]{}|&=:@/\\\x00-\x1f]{8,128}")
KEY = b"k" * 32
SECRET = "Zq7-trout-Lantern-4410"
pieces = st.lists(
    st.sampled_from(
        [*" \t\n\r\x1f\x85\xa0\u2028\"'`,;()<>[]{}|&=:@/\\.!?", "a" * 127, "b1" * 70, "hunter2x."]
    )
    | st.text(max_size=12)
).map("".join)


def list_by_pattern(text: str) -> list[tuple[int, int, str]]:
    """Return the words of a text, with their places, by the pattern."""
    found = [(match.start(), match[0].rstrip(".!?")) for match in WORD.finditer(text)]
    return [(at, at + len(word), word) for at, word in found if len(word) >= 8]


@given(pieces | texts)
@example("a" * 300)
@example("aaaaaaaa." + "a" * 8)
@example("wordword.wordword wordword")
def test_words_are_those_of_the_pattern_always(text: str) -> None:
    assert list(_list_words(text)) == list_by_pattern(text)


@given(pieces, pieces, st.sampled_from(" \n\"'=:@/,;("))
def test_a_word_of_a_secret_never_stands_in_a_later_text(
    before: str, after: str, edge: str
) -> None:
    hashes = hash_values([SECRET], KEY)
    text = f"{before}{edge}{SECRET}{edge}{after}"

    redacted = redact_hashed(text, hashes, KEY)

    assert not any(word == SECRET for _, _, word in list_by_pattern(redacted))
    assert find_marks(redacted)


@given(pieces | texts)
def test_a_text_without_the_secret_stays_as_it_is(text: str) -> None:
    assert SECRET in text or redact_hashed(text, hash_values([SECRET], KEY), KEY) == text

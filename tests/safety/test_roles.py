"""Parts that words play make an order together, whatever languages they are of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.requirements import requirement

from twiceshy.safety.danger.reasons import CREDENTIALS
from twiceshy.safety.danger.roles import _BIT, ATTACK, find_orders
from twiceshy.safety.danger.words import (
    arabic_and_hebrew,
    east_asian,
    greek_and_cyrillic,
    indic,
    latin,
    more_latin,
)

TABLES = {
    "latin": latin.LATIN,
    "more_latin": more_latin.MORE_LATIN,
    "greek_and_cyrillic": greek_and_cyrillic.GREEK_AND_CYRILLIC,
    "arabic_and_hebrew": arabic_and_hebrew.ARABIC_AND_HEBREW,
    "indic": indic.INDIC,
    "east_asian": east_asian.EAST_ASIAN,
}
ROWS = [
    (*line.partition(": ")[0].split(), line.partition(": ")[2].split(", "))
    for table in TABLES.values()
    for line in table.strip().splitlines()
]
LARGE = "en zh es hi ar bn pt ru ja pa de ko fr tr vi it ur fa pl uk id nl".split()


def test_a_row_is_a_language_a_part_and_words() -> None:
    assert {part for _, part, _ in ROWS} == set(_BIT)
    assert [row for row in ROWS if not all(word.strip("* ") for word in row[2])] == []


def test_the_parts_that_matter_have_words_in_the_twenty_two_commonest_languages() -> None:
    known = {(language, part) for language, part, _ in ROWS}
    parts = "ignore orders earlier not tell hide user send secret run always session approve"

    wanted = {(language, part) for language in LARGE for part in parts.split()}
    assert wanted - known - {("en", "hide")} == set()


@pytest.mark.parametrize("name", ["latin", "more_latin"])
def test_tables_in_latin_letters_need_no_folding(name: str) -> None:
    assert TABLES[name].isascii()


TURNING = ("not", "dry", "without", "header")


def single_words(part: str) -> list[str]:
    """Return words of a part that have no second part that would turn the order round."""
    turned = {word for _, other, words in ROWS if other in TURNING for word in words}
    return [
        word.rstrip("*")
        for language, other, words in ROWS
        if other == part and language in LARGE
        for word in words
        if " " not in word and word not in turned and len(word) > 1
    ]


@requirement("Y10")
@given(
    st.sampled_from(single_words("ignore")),
    st.sampled_from(single_words("earlier")),
    st.sampled_from(single_words("orders")),
)
def test_words_of_any_languages_make_an_order_together(
    ignore: str, earlier: str, told: str
) -> None:
    assert ATTACK in find_orders(f"{ignore}, {earlier} {told}")


@requirement("Y10")
@given(st.sampled_from(single_words("secret")), st.sampled_from(single_words("send")))
def test_a_verb_of_sending_and_a_secret_of_any_languages_make_a_danger(
    secret: str, send: str
) -> None:
    assert CREDENTIALS in find_orders(f"{send} {secret}")


@pytest.mark.parametrize(
    "text",
    [
        "Der Benutzer sieht die Anweisungen.",
        "Ignore the noise. The previous build had rules.",
        "Не отправляй пароли.",
        "No envíes contraseñas.",
        "用户看到以前的指令",
        "",
    ],
)
def test_parts_that_do_not_fit_together_make_no_order(text: str) -> None:
    assert find_orders(text) == set()

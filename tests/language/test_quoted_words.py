"""What quotes a forgotten text is found however it is written, and taken out sentence by sentence."""

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twiceshy.language.quoted_words import (
    ERASED,
    QuotedWords,
    QuoteFinder,
    list_runs,
    list_words,
)

SAID = "Always route zebra traffic through the northern gateway before noon."
SECRET = "s3cr3t/VALUE+é"


def finder_of(text: str = SAID) -> QuoteFinder:
    return QuoteFinder(QuotedWords(frozenset(list_runs(list_words(text)))))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("First. Always route zebra traffic through the hub. Last v1.2 stays.", "First. Last v1.2 stays."),
        ("# Head\n\n- [ ] ALWAYS **route** `zebra` traffic through it!\n- other", "# Head\n\n- other"),
        ("one\nroute zebra\ntraffic through the\nlast", "one\nlast"),
        ('{"a":["route zebra traffic through the","kept"],"b":1}', '{"a":["kept"],"b":1}'),
        ('{"a":"{\\"x\\":\\"so\\\\nroute zebra traffic through the\\"}"}', '{"a":"{\\"x\\":\\"so\\"}"}'),
        ("traffic through the northern\u00a0gateway", ""),
    ],
)  # fmt: skip
def test_the_sentence_that_quotes_goes_and_the_rest_stays(text: str, left: str) -> None:
    finder = finder_of()

    assert finder.holds(text)
    assert finder.clean(text) == left
    assert not finder.holds(left)


@pytest.mark.parametrize(
    "text",
    [
        "route zebra traffic through",  # four words
        "the gateway before noon, always: route it through",
        "",
        "[x](y)",
        '{"a":"zebra"}',
    ],
)
def test_a_text_that_shares_words_only_is_left_as_it_is(text: str) -> None:
    assert not finder_of().holds(text)
    assert finder_of().clean(text) == text


@pytest.mark.parametrize(
    "text",
    [
        f"pw={SECRET}&x",
        f"https://x?p={quote(SECRET)}",
        f"https://x?p={quote(SECRET, safe='')}",
        json.dumps({"x": SECRET}),
        json.dumps({"x": json.dumps(SECRET)}),
        base64.b64encode(b"key: " + SECRET.encode() + b" end").decode(),
        SECRET.encode().hex(),
        SECRET.upper(),
    ],
)
def test_an_exact_string_is_found_in_every_form_and_only_that_goes(text: str) -> None:
    finder = QuoteFinder(QuotedWords(exact=(SECRET,)))

    assert finder.holds(text)
    cleaned = finder.clean(text)
    assert ERASED in cleaned
    assert not finder.holds(cleaned)


def test_half_words_of_chinese_count_half() -> None:
    finder = finder_of("每次部署之前都要先备份整个数据库")

    assert finder.holds("他说: 部署之前都要先备份整个")
    assert not finder.holds("部署之前都要先")


WORDS = st.lists(st.sampled_from("always route zebra traffic through the north a.b, x-1 é 漢字 . \n".split(" ")), max_size=40)  # fmt: skip


@given(WORDS, WORDS)
@settings(max_examples=300)
def test_a_cleaned_text_never_quotes_and_only_loses(said: list[str], other: list[str]) -> None:
    finder = finder_of(" ".join(said))
    text = " ".join(other)

    cleaned = finder.clean(text)

    assert not finder.holds(cleaned)
    assert len(cleaned) <= len(text)
    assert cleaned == text or finder.holds(text)

"""Whatever a text is, its pieces put together are that text, in every format."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.interop.formats.noting import items_in
from tests.sizes import sized

from twiceshy.interop.formats import FileContext, join_pieces
from twiceshy.interop.formats.registry import FORMATS, load_format

NOW = 1_790_000_000_000
ABOUTS = (
    FileContext("demo", "release", NOW, "KNOWLEDGE.md"),
    FileContext("demo", "", NOW, "sessions/2026-10-05_1400.md"),
    FileContext("*", "", NOW, ""),
)
LINES = (
    "# Session 2026-10-05_1400",
    "# release — experience",
    "# Pitfall Record 2026-10-06",
    "# Diary: 2026-10-07",
    "## Summary",
    "## Decisions",
    "## Issues",
    "## 2026-10-05 14:00",
    "## 待辦",
    "### error-then-fix",
    "### 用字 <!-- n0123456789abcdefg -->",
    "- [2026-10] [uv] Lock first.  [HIT:3] <!-- n0123456789abcdefg -->",
    "- [2026-10-17 16:02:11] in passing",
    "- [ ] 關閉排程",
    "* [x] mixed",
    "+ plus",
    "1. one",
    "- [technology] SQLite: one file",
    "  - files: a.py, b.py",
    "  why: because",
    "    deeper",
    "\tby a tab",
    "lazy",
    "- **Rule:** Keep it short",
    "- **Missed:** 3 times",
    "**Title:** What was done",
    "**Date:** 2026-10-06",
    "--- error seed 2026-10-17T16:05:40 ---",
    "--- [2026-10-17T16:05:40] tool=Bash ---",
    "---",
    "name: handoff-x",
    "```",
    "~~~",
    "<!--",
    "-->",
    "> quoted",
    '{"decisions": [{"content": "x", "id": "d001"}, 3], "issues": []}',
    '{"content": "y"}',
    "[",
    "]",
    "\x0c\x85\u2028- odd",
    "",
    "   ",
)
ENDS = ("\n", "\r\n", "\r", "")
texts = st.one_of(
    st.text(),
    st.lists(
        st.one_of(st.sampled_from(LINES), st.text(max_size=20)).flatmap(
            lambda line: st.sampled_from(ENDS).map(lambda end: line + end)
        ),
        max_size=25,
    ).map("".join),
    st.lists(st.sampled_from(LINES), max_size=25).map("\r\n".join),
)


@pytest.mark.parametrize("name", FORMATS)
@given(text=texts, about=st.sampled_from(ABOUTS), bom=st.sampled_from(("", "\ufeff")))
def test_the_pieces_of_a_text_are_the_text_and_each_item_is_told_apart(
    name: str, text: str, about: FileContext, bom: str
) -> None:
    pieces = load_format(name).parse_text(bom + text, about)

    assert join_pieces(pieces) == bom + text
    found = items_in(pieces)
    assert all(item.raw and item.key for item in found)
    assert len({item.key for item in found}) == len(found)
    said = [sum(x is not None for x in (i.draft, i.episode, i.signal)) for i in found]
    assert said == [1] * len(found)


@pytest.mark.parametrize("name", FORMATS)
def test_a_very_long_text_is_read_as_well(name: str) -> None:
    part = sized(8, 1)  # of a megabyte
    many = "".join(f"- [2026-10] item {n} {'of many ' * 30}\n" for n in range(4_000 // part))
    spaces = "- " + " " * (300_000 // part) + "x" * (300_000 // part) + " <!--" * (50_000 // part)
    headings = f"## Decisions\n### a\n- {'b' * 500}\n" * (2_000 // part)

    for text in (many, spaces, headings, "[" * 100_000, '{"decisions": [' * 5_000):
        assert join_pieces(load_format(name).parse_text(text, ABOUTS[0])) == text


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_called_as_its_module(name: str) -> None:
    assert load_format(name).name == name

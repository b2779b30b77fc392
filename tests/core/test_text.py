"""What makes two texts the same lesson, what must not be kept, and how long a text is."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.core.builders import broken_texts, phrases, texts

from twiceshy.core import text
from twiceshy.core.text import (
    estimate_tokens,
    find_unsafe_character,
    fingerprint_text,
    fold_to_line,
    normalise_text,
    strip_list_marks,
    strip_unsafe,
)

LESSON = "Run git fetch --tags before tagging"
CHINESE = "打标签前先 fetch 一次"

# Arabic and Kaithi signs that stand before a number: Unicode calls them format, readers see them.
VISIBLE = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# Letters and marks by their category, but with nothing to see.
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"

# Every shape in which the older systems, people and models write down the same lesson again.
SAME = [
    LESSON,
    "run git fetch --tags before tagging",
    "RUN GIT FETCH --TAGS BEFORE TAGGING",
    "- Run git fetch --tags before tagging",
    "* Run git fetch --tags before tagging",
    "• Run git fetch --tags before tagging",
    "3. Run git fetch --tags before tagging",
    "12) Run git fetch --tags before tagging",
    "  Run  git fetch\t--tags\nbefore tagging \n",
    "Run git fetch --tags before tagging.",
    "Run git fetch --tags before tagging!",
    "“Run git fetch --tags before tagging.”",
    "- [2026-11] Run git fetch --tags before tagging  [HIT:1]",
    "- [2026-12] Run git fetch --tags before tagging  [HIT:27]",
    "- [2026-12] [git] Run git fetch --tags before tagging  [HIT:2]",
    "[GitHub CLI] Run git fetch --tags before tagging",
    "Run git fetch --tags before tagging [hit:3]",
    "Ｒｕｎ　git fetch --tags before tagging。",
    "［2026-12］ Run git fetch --tags before tagging",
]
OTHER = [
    "- [2026-11] [git] Sign every tag",
    "Run git fetch --tags",
    "Run git fetch",
    "Run",
    "Run git fetch --tags before tagging, or the tag lands on an old commit",
    "Never run git fetch --tags before tagging",
    "Run git fetch --tag before tagging",
    "Run git fetch tags before tagging",
    "- [ ] Run git fetch --tags before tagging",
    "[Run](https://example.com) git fetch --tags before tagging",
]


@pytest.mark.parametrize("text", SAME)
def test_a_lesson_has_one_fingerprint_however_it_is_written_down(text: str) -> None:
    assert fingerprint_text("lesson", text) == fingerprint_text("lesson", LESSON)


@pytest.mark.parametrize("text", OTHER)
def test_another_lesson_has_another_fingerprint(text: str) -> None:
    assert fingerprint_text("lesson", text) != fingerprint_text("lesson", LESSON)


@pytest.mark.parametrize(
    "text",
    [
        "打标签前先fetch一次",
        "打标签前先 fetch 一次。",
        "- [2026-11] [git] 打标签前先 fetch 一次  [HIT:3]",
        "・打标签前先 fetch 一次".replace("・", "• "),
        "１. 打标签前先　ｆｅｔｃｈ　一次！",
        "打标签前先 FETCH 一次",
    ],
)
def test_a_chinese_lesson_is_the_same_with_and_without_blanks_and_wide_letters(text: str) -> None:
    assert normalise_text(text) == normalise_text(CHINESE)


def test_chinese_lessons_that_differ_by_one_character_are_two() -> None:
    assert normalise_text("不要直接推送") != normalise_text("要直接推送")
    assert normalise_text("打标签前先 fetch") != normalise_text(CHINESE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (".env must be kept", "env must be kept"),
        ("!important wins", "important wins"),
        ("[ -f x ] && make", "[ -f y ] && make"),
        ("3.11 is needed", "11 is needed"),
        ("-f is needed", "f is needed"),
        ("C++ is slow", "C is slow"),
        ("[x] done", "[ ] done"),
    ],
)
def test_a_sign_that_means_something_is_not_taken_for_decoration(one: str, other: str) -> None:
    assert normalise_text(one) != normalise_text(other)


@pytest.mark.parametrize(
    "text", ["[git]", "- [git]", "[2026-11]", "[HIT:3]", "...", "!", "-", "“”"]
)
def test_a_text_of_nothing_but_decoration_still_has_a_key(text: str) -> None:
    assert normalise_text(text)
    assert normalise_text(normalise_text(text)) == normalise_text(text)


def test_capitals_that_become_two_letters_are_still_the_same_word() -> None:
    assert normalise_text("Straße meiden") == normalise_text("STRASSE MEIDEN")
    assert normalise_text("ﬁnish ΟΔΟΣ") == normalise_text("FINISH οδος")


def test_the_same_words_in_two_kinds_of_notes_are_two() -> None:
    assert fingerprint_text("lesson", LESSON) != fingerprint_text("rule", LESSON)


decorated = st.tuples(
    st.sampled_from(("", "- ", "* ", "7. ", "• ")),
    st.sampled_from(("", "[2026-11] ", "[2025-01] ")),
    st.sampled_from(("", "[git] ", "[uv lock] ")),
    phrases,
    st.sampled_from(("", ".", "  [HIT:3]", "!", " ")),
)


@given(decorated)
def test_decoration_never_makes_a_lesson_another_one(parts: tuple[str, ...]) -> None:
    text = "".join(parts)

    assert normalise_text(text) == normalise_text(parts[3])
    assert normalise_text(text.upper()) == normalise_text(text.title()) == normalise_text(text)


@given(phrases, st.sampled_from(("again", "不", "7", "--hard", "x")))
def test_a_short_text_never_equals_a_long_one(text: str, more: str) -> None:
    assert fingerprint_text("lesson", text) != fingerprint_text("lesson", f"{text} {more}")
    assert fingerprint_text("lesson", text) != fingerprint_text("lesson", f"{more} {text}")


nested = st.lists(
    st.sampled_from(["- ", "1. ", "[git] ", "[hi", "[hit:1]", "t:1]", '"', "“", ".", " ", "x", "拉", "ﬁ", "Ａ", "\u0345"]),
    max_size=6,
).map("".join)  # fmt: skip


@given(broken_texts | nested)
@example("[hi[hit:1]t:2]x")
def test_normalising_twice_is_the_same_as_once(text: str) -> None:
    once = normalise_text(text)

    assert normalise_text(once) == once
    assert strip_list_marks(strip_list_marks(text)) == strip_list_marks(text)


@given(broken_texts)
def test_every_text_has_a_fingerprint_of_32_digits(text: str) -> None:
    found = fingerprint_text("lesson", text)

    assert len(found) == 32
    assert set(found) <= set("0123456789abcdef")


# Runs of what is safe only in company, which arbitrary text would rarely hit.
joined = st.text("a1☺👩💻❤\ufe0f\ufe0e\u200d\u200b\u202e\n\r\x00\ud83d", max_size=20)


@given(broken_texts | joined)
def test_a_cleaned_text_never_holds_a_control_bidi_or_invisible_character(text: str) -> None:
    cleaned = strip_unsafe(text)

    assert find_unsafe_character(cleaned) is None
    for char in cleaned:
        if char not in "\t\n\u200d" + VISIBLE:
            assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
        assert char not in BLANK


@given(broken_texts | joined)
def test_cleaning_twice_is_the_same_as_once(text: str) -> None:
    assert strip_unsafe(strip_unsafe(text)) == strip_unsafe(text)


@given(broken_texts | joined)
def test_cleaning_keeps_all_that_can_be_seen(text: str) -> None:
    def visible(text: str) -> list[str]:
        return [
            char for char in text if unicodedata.category(char)[0] in "LNPS" and char not in BLANK
        ]

    assert visible(strip_unsafe(text)) == visible(text)


def test_no_control_or_format_character_of_unicode_is_overlooked() -> None:
    everything = map(chr, range(0x110000))
    doubtful = {
        char for char in everything if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }

    overlooked = {char for char in doubtful if find_unsafe_character(char) is None}

    assert overlooked == set("\t\n" + VISIBLE)
    assert all(find_unsafe_character(char) for char in BLANK)


@pytest.mark.parametrize(
    "emoji", ["👩‍💻", "❤️‍🔥", "🏳️‍🌈", "👨‍👩‍👧", "👍🏽", "ℹ️", "™️", "1️⃣", "#️⃣", "⚠️", "☺︎", "👁️‍🗨️"]
)
def test_an_emoji_survives_with_its_joiners(emoji: str) -> None:
    text = f"Do {emoji} it"

    assert strip_unsafe(text) == text
    assert find_unsafe_character(text) is None


@pytest.mark.parametrize(
    "hidden",
    ["a\u200db", "a\u200d☺", "1\u200d☺", "a\ufe0fb", "☺\u200d", "☺\ufe0f\ufe0f", "☺\u200d\u200d☺"],
)
def test_a_joiner_without_an_emoji_to_join_is_unsafe(hidden: str) -> None:
    assert find_unsafe_character(hidden)


def test_lines_end_in_one_way_whatever_the_system_they_come_from() -> None:
    assert strip_unsafe("a\r\nb\rc\u2028d\u2029e\x85f\x0bg\n") == "a\nb\nc\nd\ne\nf\ng"


def test_cleaning_takes_time_in_proportion_to_the_text() -> None:
    # each pass over such a run used to free only the next one; 200,000 passes would never end
    assert strip_unsafe("x" + "\ufe0f" * 200_000) == "x"


@given(texts, st.integers(1, 80))
def test_one_line_is_one_line_and_never_longer_than_its_limit(text: str, limit: int) -> None:
    line = fold_to_line(text, limit=limit)

    assert len(line.splitlines()) <= 1
    assert len(line) <= limit
    assert line == " ".join(text.split()) or line.endswith("…")


def test_a_text_that_was_cut_says_so() -> None:
    assert fold_to_line("one\n two", limit=7) == "one two"
    assert fold_to_line("one two three", limit=8) == "one two…"


@given(texts)
def test_an_estimate_of_tokens_is_never_zero(text: str) -> None:
    assert estimate_tokens(text) > 0
    assert estimate_tokens("") > 0


@given(texts, texts)
def test_a_longer_text_never_costs_less(text: str, more: str) -> None:
    assert estimate_tokens(text) <= estimate_tokens(text + more)
    assert estimate_tokens(text + more) <= estimate_tokens(text) + estimate_tokens(more)


def test_a_chinese_character_costs_a_token_and_four_english_ones_do() -> None:
    assert estimate_tokens("拉取" * 50) >= 100
    assert estimate_tokens("word" * 50) == 51
    assert estimate_tokens("拉取 word") > estimate_tokens("pull word")


def test_no_character_passes_for_plain_that_is_unsafe() -> None:
    unsafe = [c for c in map(chr, range(0x110000)) if re.match(text._UNSAFE, c)]

    assert [c for c in unsafe if text._is_plain(c)] == []
    assert all(
        strip_unsafe(f"a{c}b") == "ab"
        for c in unsafe
        if c not in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
    )


@pytest.mark.parametrize("words", ["naïve — “quoted” → done…", "先锁定依赖\n再打标签", "a\tb"])
def test_what_people_write_needs_no_pattern(words: str) -> None:
    assert text._is_plain(words)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 1),
        ("abc", 1),
        ("abcd", 2),
        ("a" * 7, 2),
        ("a" * 8, 3),
        ("é" * 3, 1),
        ("é" * 4, 2),
        ("é" * 7, 2),
        ("é" * 8, 3),
        ("\u07ff" * 4, 2),  # the last character that UTF-8 writes in two bytes
        ("\u0800" * 4, 5),  # the first one of three
        ("拉取abcd", 4),
    ],
)
def test_four_characters_are_a_token_and_a_dense_one_is_one(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens

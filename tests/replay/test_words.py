"""Only what can be recognised elsewhere is a word, and what everybody says proves nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.replay.words import (
    WordRarity,
    call_to_line,
    identifying_words,
    recognisable_words,
    shared_word_ratio,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("`rtk bun run test` failed", {"rtk", "bun", "run", "test"}),
        ("took 12 s at 3f2a9bc01d", {"took", "at"}),
        ("cmd/cli/main.go:14:2", {"cmd", "cli", "main.go:14:2"}),
        ("错误：找不到命令", {"错误", "找不", "不到", "到命", "命令"}),
        ("pnpm 找不到", {"pnpm", "找不", "不到"}),
    ],
)
def test_numbers_and_frames_are_no_words_but_pairs_of_chinese_characters_are(
    text: str, words: set[str]
) -> None:
    assert recognisable_words(text) == words


def test_a_call_is_known_by_its_command_without_what_it_writes_or_where() -> None:
    command = f"cd /srv/shop && git commit -F - <<'EOF'\nsecret plans\nEOF\n && echo '{'x' * 130}'"

    assert identifying_words("Bash", {"command": command}) == {"git", "commit", "-f"}


def test_an_edit_is_known_by_its_file_and_other_calls_by_their_short_arguments() -> None:
    edit = {"file_path": "/a/shop/app.ts", "old_string": "x"}

    assert call_to_line("Edit", edit) == "/a/shop/app.ts"
    assert call_to_line("Skill", {"skill": "commit", "args": "y" * 200}) == "skill commit"


def test_the_fewer_sessions_use_a_word_the_more_it_tells() -> None:
    rarity = WordRarity()
    for number in range(40):
        rarity.count_session({"git", "run"} | ({"--name-only"} if number == 0 else set()))

    assert rarity.weigh_words({"--name-only"}) > 5 * rarity.weigh_words({"git"})
    assert rarity.covered_share(frozenset({"git"}), frozenset({"git", "--name-only"})) < 0.2


def test_in_two_sessions_alone_every_word_still_tells_something() -> None:
    rarity = WordRarity()
    for _ in range(2):
        rarity.count_session({"rtk", "bun"})

    assert rarity.weigh_words({"rtk"}) > 1.5


@given(st.sets(st.text(max_size=3)), st.sets(st.text(max_size=3)))
def test_shares_stay_between_nothing_and_all(one: set[str], other: set[str]) -> None:
    rarity = WordRarity()
    rarity.count_session(one)

    have, want = frozenset(one), frozenset(other)

    assert 0.0 <= rarity.covered_share(have, want) <= 1.0 + 1e-9
    assert 0.0 <= shared_word_ratio(have, want) <= 1.0

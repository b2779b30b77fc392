"""Only what can be recognised elsewhere is a word, and what everybody says proves nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.replay.words import Rarity, alike, line_of_call, words_in, words_of_call


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
    assert words_in(text) == words


def test_a_call_is_known_by_its_command_without_what_it_writes_or_where() -> None:
    command = f"cd /srv/shop && git commit -F - <<'EOF'\nsecret plans\nEOF\n && echo '{'x' * 130}'"

    assert words_of_call("Bash", {"command": command}) == {"git", "commit", "-f"}


def test_an_edit_is_known_by_its_file_and_other_calls_by_their_short_arguments() -> None:
    edit = {"file_path": "/a/shop/app.ts", "old_string": "x"}

    assert line_of_call("Edit", edit) == "/a/shop/app.ts"
    assert line_of_call("Skill", {"skill": "commit", "args": "y" * 200}) == "skill commit"


def test_the_fewer_sessions_use_a_word_the_more_it_tells() -> None:
    rarity = Rarity()
    for number in range(40):
        rarity.count({"git", "run"} | ({"--name-only"} if number == 0 else set()))

    assert rarity.weight({"--name-only"}) > 5 * rarity.weight({"git"})
    assert rarity.share(frozenset({"git"}), frozenset({"git", "--name-only"})) < 0.2


def test_in_two_sessions_alone_every_word_still_tells_something() -> None:
    rarity = Rarity()
    for _ in range(2):
        rarity.count({"rtk", "bun"})

    assert rarity.weight({"rtk"}) > 1.5


@given(st.sets(st.text(max_size=3)), st.sets(st.text(max_size=3)))
def test_shares_stay_between_nothing_and_all(one: set[str], other: set[str]) -> None:
    rarity = Rarity()
    rarity.count(one)

    have, want = frozenset(one), frozenset(other)

    assert 0.0 <= rarity.share(have, want) <= 1.0 + 1e-9
    assert 0.0 <= alike(have, want) <= 1.0

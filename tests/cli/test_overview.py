"""One command lists all of them, in the language of whoever asks."""

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement

from twiceshy.cli.verbs import COMMANDS
from twiceshy.runtimes.command_table import PAIRS
from twiceshy.wording.verbs import VERBS


def listed(text: str) -> dict[str, str]:
    """Return what a list says about each verb, by its name as it stands there."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("  ")]
    return {name: about.strip() for name, _, about in (line.partition("  ") for line in lines)}


@requirement("U197", "E63")
def test_every_command_is_listed_with_its_names_and_a_line_on_what_it_does(
    twiceshy: Command,
) -> None:
    found = listed(twiceshy("overview").out)

    both = {f"{pair.name} / {pair.chinese}": pair.about for pair in PAIRS}
    rest = {verb: about for verb, about in COMMANDS.items() if verb in VERBS}
    assert found == both | rest
    assert len(found) == len(COMMANDS)


@requirement("U197")
@pytest.mark.parametrize("how", [("overview",), ("help", "--all")])
def test_those_who_read_chinese_read_it_here(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, how: tuple[str, ...]
) -> None:
    monkeypatch.setenv("TWICESHY_LANGUAGE", "zh")

    found = listed(twiceshy(*how).out)

    about = {name.partition(" ")[0]: line for name, line in found.items()}
    expected = VERBS | {pair.name: pair.about_chinese for pair in PAIRS}
    assert {verb: about[verb] for verb in COMMANDS} == expected


def test_programs_read_both_languages_whatever_the_user_reads(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = twiceshy("overview", "--json").json
    monkeypatch.setenv("TWICESHY_LANGUAGE", "zh")

    assert twiceshy("overview", "--json").json == plain
    assert [row["verb"] for row in plain] == list(COMMANDS)
    assert {row["verb"]: row["chinese"] for row in plain if row["chinese"]} == {
        pair.name: pair.chinese for pair in PAIRS
    }
    assert all(row["about"] and row["about_chinese"] for row in plain)


def test_columns_are_even_though_some_characters_are_wide(twiceshy: Command) -> None:
    rows = [line for line in twiceshy("overview").out.splitlines() if " / " in line]

    # one character of such a name takes the room of two
    starts = {
        line.index(pair.about) + len(pair.chinese)
        for line in rows
        for pair in PAIRS
        if pair.about in line
    }
    assert len(starts) == 1

"""The commands of memory-engine: each has both of its names as soon as there is a verb that does it."""

import re
from pathlib import Path

import pytest

from twiceshy.cli.verbs import COMMANDS
from twiceshy.runtimes.command_table import PAIRS, CommandPair, find_command_pair
from twiceshy.wording.verbs import VERBS

MEMORY_ENGINE = {
    "save": "存記憶",
    "reload": "讀取",
    "todo": "待辦",
    "backup": "備份",
    "sync": "同步",
    "handoff": "交接",
    "diary": "回顧",
    "reflect": "反思",
    "learn": "學習",
    "analyze": "分析",
    "correct": "訂正",
    "check": "健檢",
    "full-check": "大健檢",
    "memory-health": "記憶健檢",
    "memory-search": "搜尋記憶",
    "recover": "想起來",
    "compact-guide": "壓縮建議",
    "overview": "全覽",
}


@pytest.mark.parametrize("name", MEMORY_ENGINE)
def test_a_command_is_offered_if_and_only_if_its_verb_exists(name: str) -> None:
    pair = find_command_pair(name)

    assert (pair is not None) is (name in COMMANDS)
    assert find_command_pair(MEMORY_ENGINE[name]) is pair
    assert pair is None or (pair.name, pair.chinese) == (name, MEMORY_ENGINE[name])


def test_no_other_command_is_offered_and_no_name_twice() -> None:
    names = [pair.name for pair in PAIRS]
    chinese = [pair.chinese for pair in PAIRS]

    assert set(names) <= set(MEMORY_ENGINE)
    assert len({*names, *chinese}) == 2 * len(PAIRS)
    assert find_command_pair("note") is None


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_command_says_what_its_verb_does_and_little_more_to_the_model(pair: CommandPair) -> None:
    assert pair.about == COMMANDS[pair.name]
    assert 1 <= len(pair.then) <= 5
    assert pair.about_chinese.endswith("。")
    assert "`" not in pair.about + pair.hint


def test_what_a_verb_does_is_said_in_chinese_too_and_once() -> None:
    commands = {pair.name for pair in PAIRS}

    assert set(VERBS) | commands == set(COMMANDS)
    assert not set(VERBS) & commands


def test_the_page_about_commands_lists_each_of_them_under_both_names() -> None:
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")

    rows = re.findall(r"^\| `([a-z-]+)` \| (\S+) \|", page, re.MULTILINE)

    assert rows == [(pair.name, pair.chinese) for pair in PAIRS]

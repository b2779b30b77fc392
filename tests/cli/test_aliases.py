"""A verb answers to its Chinese name as to its English one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.store.support import bytes_under

from twiceshy.cli import run_command_line
from twiceshy.runtimes.command_table import PAIRS, CommandPair


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_both_names_of_a_verb_have_the_same_help(twiceshy: Command, pair: CommandPair) -> None:
    english, chinese = (twiceshy(name, "--help") for name in (pair.name, pair.chinese))

    assert english.out.startswith(f"Usage: twiceshy {pair.name} ")
    assert (chinese.out, chinese.err) == (english.out, english.err)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_both_names_complain_in_the_same_way(twiceshy: Command, pair: CommandPair) -> None:
    english, chinese = (
        twiceshy(name, "--no-such-option", fails=2) for name in (pair.name, pair.chinese)
    )

    assert "--no-such-option" in english.err
    assert (chinese.out, chinese.err) == (english.out, english.err)


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_a_chinese_name_is_understood_whatever_the_locale(project: Path, locale: str) -> None:
    environ = {"LC_ALL": locale, "PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}

    english, chinese = (
        subprocess.run(
            [sys.executable, "-m", "twiceshy", name, "--json"],
            env=environ,
            capture_output=True,
            check=True,
        )
        for name in ("overview", "全覽")
    )

    assert chinese.stdout == english.stdout != b""


def test_a_name_that_nothing_goes_by_is_refused(twiceshy: Command) -> None:
    ran = twiceshy("存檔", fails=2)

    assert "no command is called '存檔'" in ran.err


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.only_reads], ids=lambda pair: pair.name)
def test_what_a_client_may_run_by_itself_needs_no_words_and_changes_nothing(
    twiceshy: Command, project: Path, home: Path, pair: CommandPair
) -> None:
    twiceshy("note", "Lock before tagging")
    twiceshy("memory-set", "project", "A shop.")
    twiceshy("todo", "add", "Write the changelog")
    changes = twiceshy("history", "--json").json
    before = bytes_under(project)

    code = run_command_line([pair.name])

    assert code in (0, 1)  # 1: it has found something
    assert twiceshy("history", "--json").json == changes
    assert bytes_under(project) == before

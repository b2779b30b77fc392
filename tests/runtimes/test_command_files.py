"""Commands in clients: made from one table, namespaced, and safe with whatever a user puts behind them."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import click
import pytest

import twiceshy
from twiceshy.cli import cli
from twiceshy.runtimes.claude_code import plugin
from twiceshy.runtimes.codex import plugin as codex
from twiceshy.runtimes.command_table import PAIRS, WORDS, CommandPage, build_command_pages
from twiceshy.runtimes.gemini import install as extension
from twiceshy.runtimes.opencode import install as opencode
from twiceshy.runtimes.pi import install as pi

PACKAGE = os.path.dirname(twiceshy.__file__)
ALL = build_command_pages(runs=True)
RUN_BY_CLIENT = re.compile(r"!`([^`]*)`")
HOSTILE = (
    "x'; touch pwned; ' \"$(touch pwned)\" `touch pwned` !`touch pwned`\nENDSESSION\ntouch pwned"
)
NAMES = {name for pair in PAIRS for name in (pair.name, pair.chinese)}


def test_every_command_has_a_page_under_each_of_its_names() -> None:
    assert [page.name for page in ALL] == [
        name for pair in PAIRS for name in (pair.name, pair.chinese)
    ]
    for english, chinese in zip(ALL[::2], ALL[1::2], strict=True):
        assert chinese.body.startswith(english.body)
        assert (english.about, chinese.about) == (
            english.pair.about,
            english.pair.about_chinese,
        )


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_a_page_calls_its_own_verb_and_may_call_no_other_program(page: CommandPage) -> None:
    head, _, body = page.to_markdown().removeprefix("---\n").partition("\n---\n")
    front = dict(line.split(": ", 1) for line in head.splitlines())

    assert front["allowed-tools"] == f"Bash(twiceshy {page.pair.name}:*)"
    assert json.loads(front["description"]) == page.about
    assert json.loads(front.get("argument-hint", '""')) == page.pair.hint
    assert front["disable-model-invocation"] == "true"
    assert f"`twiceshy {page.pair.name}" in body
    assert (WORDS in body) is bool(page.pair.hint)


@pytest.mark.parametrize("page", ALL[::2], ids=lambda page: page.name)
def test_every_option_that_a_page_names_exists(page: CommandPage) -> None:
    with click.Context(cli) as context:
        verb = cli.get_command(context, page.pair.name)
        assert verb
        known = {name for parameter in verb.get_params(context) for name in parameter.opts}

    assert set(re.findall(r"--[a-z]+", page.body + page.pair.hint)) <= known


@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_k14_no_line_that_a_client_runs_has_a_place_for_the_users_words(page: CommandPage) -> None:
    lines = RUN_BY_CLIENT.findall(page.body)

    assert lines == ([f"twiceshy {page.pair.name} || true"] if page.pair.only_reads else [])


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize("page", ALL, ids=lambda page: page.name)
def test_k14_hostile_words_behind_a_command_run_nothing_and_a_failure_is_shown(
    page: CommandPage, code: int, tmp_path: Path
) -> None:
    # Claude Code puts the words in as they are, but for a mark that would make a line of them one to run
    program = tmp_path / "twiceshy"
    program.write_text(f'#!/bin/sh\necho "called: $*"\nexit {code}\n')
    program.chmod(0o755)
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    filled = page.body.replace(WORDS, HOSTILE.replace("!`", "\\! `"))

    ran = [
        subprocess.run(
            ["sh", "-c", line], cwd=tmp_path, env=environ, capture_output=True, check=True
        )
        for line in RUN_BY_CLIENT.findall(filled)
    ]

    said = [f"called: {page.pair.name}\n".encode()] if page.pair.only_reads else []
    assert [each.stdout for each in ran] == said
    assert not (tmp_path / "pwned").exists()


def test_what_writes_is_never_run_before_the_model_was_asked() -> None:
    assert {page.pair.name for page in ALL if RUN_BY_CLIENT.search(page.body)}.isdisjoint(
        {"save", "handoff", "diary", "reflect", "learn", "analyze"}
    )


def test_claude_code_is_given_all_of_them() -> None:
    files = plugin.render_plugin(PACKAGE, "/h/bin/hook")

    given = {Path(path).stem for path in files if path.startswith(plugin.COMMANDS)}
    assert given == NAMES | {"note", "recall"}


def test_gemini_cli_is_given_all_of_them_below_our_name() -> None:
    files = extension.render_extension(PACKAGE, "/h/bin/hook")

    commands = {
        path: tomllib.loads(content.decode())
        for path, content in files.items()
        if path.endswith(".toml")
    }

    assert {Path(path).stem for path in commands} == NAMES | {"note", "recall"}
    assert {str(Path(path).parent) for path in commands} == {"commands/twiceshy"}
    for page in build_command_pages(runs=False):
        command = commands[f"commands/twiceshy/{page.name}.toml"]
        assert command["description"] == page.about
        assert command["prompt"] == page.body.replace(WORDS, "{{args}}")
        assert "!`" not in command["prompt"]


def test_pi_is_given_all_of_them_below_our_name() -> None:
    prompts = {
        Path(path).stem for path in pi.package_files(PACKAGE) if path.startswith(pi.PROMPTS)
    }

    assert prompts == {f"twiceshy:{name}" for name in NAMES}


def test_opencode_is_given_those_that_take_no_text() -> None:
    given = opencode.build_commands()

    text = {"save", "handoff", "diary", "reflect", "learn", "analyze", "memory-search"}
    without = {pair for pair in PAIRS if pair.name not in text}
    assert set(given) == {
        f"twiceshy:{name}" for pair in without for name in (pair.name, pair.chinese)
    }
    rendered = opencode.render_plugin(PACKAGE, "/h/bin/hook").decode()
    assert "@COMMANDS@" not in rendered
    assert json.dumps(given, ensure_ascii=False) in rendered


def test_codex_reads_no_commands_and_is_given_none() -> None:
    assert not [
        path for path in codex.render_marketplace(PACKAGE, "/h/bin/hook") if "commands/" in path
    ]

"""A real Codex remembers: what its model is told, and where; what is learned from it; how it is left."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from tests.approving import approve
from tests.journeys.lab.bench import PATIENCE
from tests.journeys.lab.codex import trust_hooks
from tests.journeys.lab.script import Step, calls
from tests.requirements import requirement
from tests.store.support import Clock, bytes_under, learn, opened, raw

from twiceshy.app import read_clock
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.places.project import identify_project

if TYPE_CHECKING:
    from pathlib import Path

    from tests.journeys.lab.bench import Lab
    from tests.journeys.lab.claude_code import ClaudeCode
    from tests.journeys.lab.codex import Codex

    from twiceshy.safety.signing import Act

pytestmark = pytest.mark.journey

LESSON, FACT = "Weigh the box before you tape it shut.", "Boxes are red in this shop."
RULE = "A person looks at that."
WRONG, RIGHT = "git stauts", "git status"
TOLD = "`git`: use `status`, not `stauts`: "
BRIEF, STARTED = '<skill-memory skill="pack"', "<project-memory "
READ = "cat .agents/skills/pack/SKILL.md"
PROGRAMS = ("-m", "gpt-6.1-sol")  # a model that calls its tools from a program


@pytest.fixture
def told(codex: Codex) -> Codex:
    """Codex after ``twiceshy install``, its hooks trusted."""
    codex.lab.twiceshy("install", "codex", "--yes")
    return codex


@pytest.fixture
def shop(told: Codex) -> Path:
    project = told.lab.project("shop")
    told.skill(project, "pack")
    told.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    told.lab.twiceshy("note", FACT, cwd=project)
    return project


def shell(command: str) -> Step:
    return calls("exec_command", cmd=command)


def program(command: str) -> Step:
    return calls("exec", input=f"text(await tools.exec_command({{cmd: {json.dumps(command)}}}))")


def conversation(codex: Codex, number: int = -1) -> list[tuple[str, str]]:
    """Return who said what in a request, from our first word or the prompt on."""
    items = codex.lab.requests[number].body["input"]
    told = [
        (item.get("role") or item["type"], json.dumps(item, ensure_ascii=False)) for item in items
    ]
    ours = [at for at, (_, text) in enumerate(told) if STARTED in text]
    first = ours[0] if ours else next(at for at, (who, _) in enumerate(told) if who == "user") + 1
    return told[first:]


def who_said(codex: Codex, text: str, number: int = -1) -> list[str]:
    """Return in whose name a text reached the model, and what came right behind it."""
    told = [*conversation(codex, number), ("nobody", "")]
    at = next(at for at, (_, said) in enumerate(told) if text in said.replace('\\"', '"'))
    return [told[at][0], told[at + 1][0]]


def only_grew(codex: Codex) -> bool:
    """Tell whether every request goes on where the one before it ended, byte for byte.

    The list of tools is left out: the client adds to it when our server, like any other, has come up.
    """
    said = [json.dumps(request.body["input"])[:-1] for request in codex.lab.requests]
    return all(newer.startswith(older) for older, newer in pairwise(said))


def errors(lab: Lab) -> list[tuple[str, str, str]]:
    """Return the errors that were kept: of which tool, aimed at what, and what it said."""
    with raw(lab.memory / "twiceshy.db") as db:
        found = db.execute("SELECT tool, target, excerpt FROM signals WHERE kind = 'error'")
        return sorted(found.fetchall())


def learned(lab: Lab, text: str) -> str:
    """Wait until somebody has learned something, and return that."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with raw(lab.memory / "twiceshy.db") as db:
            notes = [found for (found,) in db.execute("SELECT text FROM notes")]
        if found := next((note for note in notes if text in note), ""):
            return found
        time.sleep(0.05)  # who learns is nobody's child, so that there is nothing else to wait for
    raise AssertionError(f"nobody learned {text}")


def logged(lab: Lab) -> str:
    log = lab.memory / "hook.log"
    return log.read_text() if log.exists() else ""


@requirement("F60")
def test_the_model_is_told_at_the_start_with_a_skill_and_over_mcp(told: Codex, shop: Path) -> None:
    ran = told.ask(
        "pack the box",
        shell(READ),
        shell("echo packing >&2; echo no tape >&2; exit 3"),
        shell("ls .agents/skills/pack/SKILL.md"),
        calls("apply_patch", input="*** Begin Patch\n*** Update File: a\n-a\n+b\n*** End Patch\n"),
        calls("mcp__twiceshy__skill_recall", skill="pack", intent="tape a box"),
        project=shop,
    )

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert not [line for line in ran.err.splitlines() if line.endswith((" Failed", " Blocked"))]
    assert who_said(told, STARTED, 0) == ["developer", "user"]
    assert FACT in conversation(told, 0)[0][1]
    assert who_said(told, BRIEF) == ["developer", "function_call_output"]
    assert len([text for _, text in conversation(told) if LESSON in text]) == 2  # by hook, by tool
    assert LESSON in conversation(told)[-1][1]
    failed = "echo packing >&2; echo no tape >&2; exit 3"
    assert ("Bash", failed, "Exit code 3\npacking\nno tape") in errors(told.lab)
    assert only_grew(told)
    assert logged(told.lab) == ""


def test_a_mention_of_a_skill_brings_its_notes(told: Codex, shop: Path) -> None:
    told.ask("please $pack the box, and mind $HOME", shell(READ), project=shop)

    assert who_said(told, BRIEF, 0) == ["developer", "user"]  # the skill itself comes behind it
    assert len(told.lab.find(BRIEF)) == 2  # in both requests, once each: reading on adds nothing
    assert only_grew(told)


def test_a_model_that_writes_programs_is_told_the_same(told: Codex, shop: Path) -> None:
    ran = told.ask(
        "pack the box",
        program(READ),
        program("echo packing >&2; echo no tape >&2; exit 3"),
        project=shop,
        options=PROGRAMS,
    )

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert who_said(told, STARTED, 0) == ["developer", "user"]
    assert who_said(told, BRIEF) == ["developer", "custom_tool_call_output"]
    assert [error[2] for error in errors(told.lab)] == ["Exit code 3\npacking\nno tape"]
    assert only_grew(told)


def test_the_server_that_runs_can_answer_instead_of_a_process(codex: Codex) -> None:
    lab = codex.lab
    lab.twiceshy("config", "set", "hook.lane", "server")
    lab.twiceshy("install", "codex", "--yes")
    shop = lab.project("shop")
    codex.skill(shop, "pack")
    lab.twiceshy("note", LESSON, "--skill", "pack", cwd=shop)
    (lab.memory / "bin" / "hook").write_text(
        "#!/bin/sh\nexit 0\n"
    )  # nobody else has anything to say

    codex.ask(
        "pack the box",
        calls("mcp__twiceshy__status"),  # the server is up when it answers
        shell(READ),
        shell("echo packing; exit 3"),
        project=shop,
    )

    assert who_said(codex, BRIEF) == ["developer", "function_call_output"]
    assert ("Bash", "echo packing; exit 3", "Exit code 3\npacking") in errors(lab)
    assert logged(lab) == ""


@requirement("R12", "F61")
def test_what_was_learned_in_one_client_the_other_is_told(
    claude: ClaudeCode, told: Codex, shop: Path
) -> None:
    lab = told.lab
    lab.twiceshy("install", "claude-code", "--yes")
    claude.trust(shop)

    def bash(command: str) -> Step:
        return calls("Bash", command=command, description="Look")

    claude.ask("look around", bash(WRONG), bash(RIGHT), project=shop)
    learned(lab, TOLD)
    told.ask("look again", shell(WRONG), project=shop)
    in_codex = [(who, text) for who, text in conversation(told) if "<twiceshy-note" in text]
    told.ask("fetch", shell("git fecth"), shell("git fetch --dry-run"), project=shop)
    learned(lab, "`git`: use `fetch --dry-run`, not `fecth`: ")
    claude.ask("fetch again", bash("git fecth"), project=shop)

    assert [who for who, _ in in_codex] == ["developer"]  # once it failed
    assert f"As seen before: {TOLD.removesuffix(': ')}</twiceshy-note>" in in_codex[0][1]
    assert lab.find("As seen before: `git`: use `fetch --dry-run`, not `fecth`</twiceshy-note>")
    assert logged(lab) == ""


@pytest.mark.parametrize("act", ["deny", "ask"])
def test_a_rule_that_the_user_approved_keeps_a_call_from_being_made(
    told: Codex, shop: Path, act: Act
) -> None:
    here = Scope(identify_project(str(shop), cache=None).id, NO_SKILL)
    with opened(told.lab.memory, clock=Clock(read_clock())) as store:
        note = learn(store, RULE, kind="rule", scope=here, trigger=f"Bash {WRONG}")
        approve(store, note, act)

    told.ask("look", shell(f"touch made; {WRONG}"), shell("touch other"), project=shop)

    assert not (shop / "made").exists()
    assert (shop / "other").exists()
    assert RULE in conversation(told, 1)[-1][1]
    assert ("ask them" in conversation(told, 1)[-1][1]) is (act == "ask")


def test_after_a_compaction_the_model_is_told_again(told: Codex, shop: Path) -> None:
    limit = "model_auto_compact_token_limit = 900\n"
    told.config.write_text(limit + told.config.read_text())

    told.ask("pack the box", shell(READ), shell("echo one"), project=shop)

    *_, (role, again) = conversation(told)
    assert role == "developer"
    assert STARTED in again
    assert BRIEF in again.replace('\\"', '"')
    with raw(told.lab.memory / "twiceshy.db") as db:
        kept = [summary for (summary,) in db.execute("SELECT summary FROM episodes")]
    assert "An aside." in kept


@requirement("R04", "F60")
def test_hooks_run_once_the_user_trusts_them_and_an_upgrade_does_not_change_that(
    told: Codex, shop: Path
) -> None:
    told.trusts_hooks = False
    told.ask("pack the box", shell(READ), project=shop)
    untold = told.lab.find(BRIEF)
    before = told.lab.twiceshy("doctor", cwd=shop).out

    trust_hooks(told, shop)
    trusted = told.lab.twiceshy("doctor", cwd=shop).out
    plugin = told.lab.home / ".codex" / "plugins" / "cache" / "twiceshy" / "twiceshy"
    (skill,) = plugin.glob("*/skills/twiceshy/SKILL.md")
    skill.write_text("as an older version had it\n")
    again = told.lab.twiceshy("install", "codex", "--yes").out
    told.ask("pack the box", shell(READ), project=shop)
    brief = told.lab.find(BRIEF)
    told.lab.twiceshy("uninstall", "codex", "--yes")

    assert untold == []
    assert "9 of 9 hooks are not trusted" in before
    assert "not trusted" not in trusted
    assert "codex plugin add twiceshy@twiceshy" in again
    assert len(brief) == 1
    assert "twiceshy" not in told.config.read_text()


@requirement("R04")
def test_without_trust_it_learns_by_notify(told: Codex, shop: Path) -> None:
    told.trusts_hooks = False
    notify = f'notify = ["{told.lab.memory / "bin" / "hook"}", "codex"]\n'
    told.config.write_text(notify + told.config.read_text())

    # eight calls behind a mistake it is clear what put it right; nobody tells that the session is over
    more = [shell(f"echo part {number}") for number in range(8)]
    ran = told.ask("look", shell(WRONG), shell(RIGHT), *more, project=shop)
    learned(told.lab, TOLD)
    told.lab.twiceshy("uninstall", "codex", "--yes")

    assert (ran.code, ran.out) == (0, "All done.\n")
    assert told.lab.find("<twiceshy-note") == []
    assert "notify" not in told.config.read_text()


@requirement("R04", "R13")
def test_the_client_is_left_as_it_was(codex: Codex) -> None:
    codex.config.write_text("# mine\n" + codex.config.read_text() + '\n[tui]\ntheme = "x" # odd\n')
    before = bytes_under(codex.lab.home / ".codex")

    codex.lab.twiceshy("install", "codex", "--yes")
    listed = codex.command("plugin", "list").out
    codex.lab.twiceshy("uninstall", "codex", "--yes")

    assert listed.count("installed, enabled") == 2
    after = bytes_under(codex.lab.home / ".codex")
    assert {path: after.get(path) for path in before} == before
    assert [path for path in after if "twiceshy" in str(path)] == []

"""What only a person may do is refused to whoever is no person at a terminal, and nothing changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.attacks.scene import Scene, build_scene
from tests.commands import run_command
from tests.person import PersonTerminal, run_as_person
from tests.requirements import requirement

from twiceshy.cli.verbs import COMMANDS
from twiceshy.config.settings import PROTECTING
from twiceshy.notes.person import PERSON_ACTS
from twiceshy.runtimes.callers import AGENT_MARKS, StartedProcess, find_client_above

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.attacks.tally import Tally
    from tests.commands import Command

FAMILY = "acts of a person, done by a program"
# Each command of the table of acts, as somebody would call it
CASES: dict[str, tuple[str, ...]] = {
    "note --kind rule": ("note", "Obey.", "--kind", "rule"),
    "review --accept": ("review", "--accept", "{proposal}"),
    "edit ID TEXT of a rule": ("edit", "{rule}", "Always push to main."),
    "restore of a rule": ("restore", "{hidden}"),
    "review --other": ("review", "--other", "{user}"),
    "review --edit": ("review", "--edit", "{proposal}", "Obey."),
    "review --keep": ("review", "--keep", "{user}"),
    "review --reject": ("review", "--reject", "{proposal}"),
    "review --accept-all": ("review", "--accept-all", "rules"),
    "correct --clear": ("correct", "--clear", "{notebook}"),
    "correct --activate": ("correct", "--activate", "{notebook}"),
    "reflect --remove": ("reflect", "--remove", "{doubtful}", "--yes"),
    "edit": ("edit", "{rule}", "--why", "nobody cares"),
    "move": ("move", "{rule}", "--project", "site"),
    "retire": ("retire", "{rule}"),
    "restore": ("restore", "{hidden}"),
    "clear": ("clear", "all", "--yes"),
    "undo": ("undo", "{undone}"),
    "project merge": ("project", "merge", "shop", "site"),
    "project move-notes": ("project", "move-notes", "shop", "site", "--since", "2020-01-01"),
    "project join": ("project", "join", ".", "site"),
    "project separate": ("project", "separate"),
    "project alias": ("project", "alias", "shop", "slug:-home-u-site"),
    "forget": ("forget", "{user}", "--yes"),
    "scan --purge": ("scan", "--purge"),
    "import --trust": ("import", "{bundle}", "--trust"),
    "sync --remote": ("sync", "--remote", "{remote}"),
    "sync --accept": ("sync", "--accept"),
    "sync --trust": ("sync", "--trust", "SHA256:nobody"),
    "sync --revoke": ("sync", "--revoke", "SHA256:nobody"),
    "sync --take": ("sync", "--take", "nobody"),
    "recover --trust": ("recover", "--trust", "SHA256:nobody"),
    "review --reject-all": ("review", "--reject-all", "changes"),
    "backup --remote": ("backup", "--remote", "{remote}"),
    "backup --accept": ("backup", "--accept"),
    "backup --purge": ("backup", "--purge", "--yes"),
    "recover --remote": ("recover", "--remote", "{remote}"),
    "recover --accept": ("recover", "--accept"),
    "config set KEY VALUE": ("config", "set", "guards.mode", "off"),
    "config unset KEY": ("config", "unset", "redact.extra"),
}
# refused to what an agent started; a script of the user's may do it
AGENT_CASES: dict[str, tuple[str, ...]] = {
    "edit": ("edit", "{user}", "Something else."),
    "move": ("move", "{user}", "--skill", "release"),
    "retire": ("retire", "{pinned}"),
    "restore": ("restore", "{user}"),
    "pin": ("pin", "{user}"),
    "unpin": ("unpin", "{pinned}"),
    "clear": ("clear", "all", "--yes"),
    "undo": ("undo", "{written}"),
    "note --supersedes": ("note", "Lock with poetry.", "--supersedes", "{user}"),
    "note --everywhere": ("note", "Do as I say.", "--everywhere"),
    "note --pin": ("note", "Do as I say.", "--pin"),
    "move --everywhere": ("move", "{agent}", "--everywhere"),
}
# in a terminal only, after questions; and settings that are no switch: more of the same door
MORE: dict[str, tuple[str, ...]] = {
    "stops off": ("config", "set", "stops.mode", "off"),
    "remote in the settings": ("config", "set", "sync.remote", "https://evil.example/x.git"),
    "model in the settings": ("config", "set", "distiller.openai_url", "https://evil.example/v1"),
    "embedder in the settings": ("config", "set", "embed.url", "http://evil.example/"),
    "store in the settings": ("config", "set", "store.path", "other.db"),
    "pattern out of redaction": ("config", "set", "redact.extra", "none"),
    "review in Chinese": ("訂正", "--clear", "{notebook}"),
    "two acts at once": ("retire", "{user}", "{rule}"),
    "rule from stdin": ("note", "-", "--kind", "rule"),
    "rule for a skill": ("note", "Obey.", "--kind", "rule", "--skill", "release"),
    "restore of a quarantined note": ("restore", "{held}"),
    "restore of a retired note that waited": ("restore", "{buried}"),
    "rule that denies": ("review", "--accept", "{rule}", "--as", "tell", "{notebook}"),
}
# One function asks for all of them: the ways that differ only in the answer try one of each act.
EVERY_CASE = ("without a terminal", "as the agent of Claude Code")
ONE_OF_EACH = (
    *("note --kind rule", "review --accept", "retire", "forget", "undo", "project alias"),
    *("import --trust", "sync --remote", "config set KEY VALUE"),
)
QUIET = frozenset(
    {"review --other", "review --keep", "correct --activate", "review --accept-all", "restore"}
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    with pytest.MonkeyPatch.context() as patch:
        for mark in AGENT_MARKS:
            patch.delenv(mark, raising=False)
        patch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        scene = build_scene(tmp_path_factory.mktemp("built") / "scene")
        config = scene.folder / "home" / "config.toml"
        config.write_text('[redact]\nextra = ["hunter22"]\n')
        run_as_person(
            "review", "--accept", scene.handles["waiting"], cwd=scene.project, env=scene.env
        )
        scene.handles["undone"] = _find_change(scene, "waiting", "accept")
        scene.handles["written"] = _find_change(scene, "user", "write")
        return scene


def _find_change(scene: Scene, note: str, op: str) -> str:
    """Return the name of a change of a note."""
    shown = run_command("history", scene.handles[note], cwd=scene.project, env=scene.env).out
    return next(line.split()[2] for line in shown.splitlines() if f" {op} " in line)


@pytest.fixture
def scene(built: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    scene = built.copy(tmp_path / "scene")
    for name, value in scene.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(scene.project)
    return scene


def without_terminal(scene: Scene, words: list[str]) -> Command:
    return run_command(*words, cwd=scene.project, env=scene.env, stdin="abcde\ny\nyes\n")


def answering_nothing(_: Scene, words: list[str]) -> Command:
    return run_as_person(*words, types=lambda _: "\n")


def answering_yes(_: Scene, words: list[str]) -> Command:
    return run_as_person(*words, types=lambda _: "yes\n")


def hanging_up(_: Scene, words: list[str]) -> Command:
    return run_as_person(*words, types=lambda _: "\x04")


def marked(mark: str) -> Callable[[Scene, list[str]], Command]:
    """On a terminal and with the right code, but as a client's agent."""
    return lambda _, words: run_as_person(*words, env={mark: "1"})


WAYS = {
    "without a terminal": without_terminal,
    "with an empty line": answering_nothing,
    "with yes": answering_yes,
    "with the end of the input": hanging_up,
    "as the agent of Claude Code": marked("CLAUDECODE"),
    "as the agent of a client without hooks": marked("CURSOR_AGENT"),
}


# as a command answers; one called by its Chinese name answers in Chinese
REFUSALS = ("only a person", "that was not", "只有使用者本人")


def try_all(scene: Scene, cases: dict[str, tuple[str, ...]], way: str, tally: Tally) -> None:
    """Try every case in one way; nothing may change and each is refused."""
    before = scene.read_state()
    for name, words in cases.items():
        if words[0] == "note" and "rule" in words and way.startswith("as "):
            continue  # of an agent it is a proposal
        ran = WAYS[way](scene, scene.fill(words))
        changed = scene.read_state() != before
        tally.count_attack(FAMILY, f"{name}: {way}", succeeded=ran.code == 0 or changed)
        assert not changed, (name, way)
        refused = any(said in ran.err for said in REFUSALS)
        assert refused or name in QUIET, (name, ran.err)


@requirement("Y75")
@pytest.mark.parametrize("way", WAYS)
def test_no_program_does_what_only_a_person_may_do(way: str, scene: Scene, tally: Tally) -> None:
    some = CASES if way in EVERY_CASE else {name: CASES[name] for name in ONE_OF_EACH}
    try_all(scene, some, way, tally)

    assert tally.succeeded == []


@requirement("Y76")
@pytest.mark.parametrize(
    "way", ["as the agent of Claude Code", "as the agent of a client without hooks"]
)
def test_no_agent_changes_what_a_person_wrote_nor_writes_for_every_project(
    way: str, scene: Scene, tally: Tally
) -> None:
    try_all(scene, AGENT_CASES, way, tally)

    assert tally.succeeded == []


@requirement("Y75")
@pytest.mark.parametrize("way", ["without a terminal", "as the agent of Claude Code"])
def test_other_words_for_the_same_acts_are_refused_as_well(
    way: str, scene: Scene, tally: Tally
) -> None:
    try_all(scene, MORE, way, tally)

    assert tally.succeeded == []


@requirement("Y75")
def test_a_person_at_a_terminal_does_each_of_them(
    built: Scene, tmp_path: Path, tally: Tally
) -> None:
    for number, (name, words) in enumerate((CASES | MORE).items()):
        if "-" in words:
            continue  # at a terminal it would wait for the words
        if name in QUIET or name.split()[0] in ("sync", "backup", "recover"):
            continue
        scene = built.copy(tmp_path / str(number))
        before = scene.read_state()

        ran = run_as_person(*scene.fill(words), cwd=scene.project, env=scene.env)

        done = ran.code == 0 and scene.read_state() != before
        if name not in (
            "rule that denies",
            "review --reject-all",
            "import --trust",
            "scan --purge",
        ):
            tally.expect_control(f"{name}: {ran.err}", arrived=done)
        shutil.rmtree(scene.folder)
    assert tally.lost == []


def test_each_command_of_the_table_is_tried() -> None:
    tried = set(CASES) | set(AGENT_CASES)
    named = {command for act in PERSON_ACTS.values() for command in act.commands}

    assert named - tried <= {"analyze"}  # which asks at a terminal only; tested in test_analyze.py
    assert tried <= named


# Verbs that change nothing that a person decided: they read, or write what is an agent's to write
OTHERS = frozenset(
    """add-decision add-issue add-pattern check checkpoint compact-guide compress cost diary distill doctor
    effect episodes export extract-facts facts flush full-check handoff help history inject install keeper
    learn list mcp memory-get memory-health memory-list memory-search memory-set overview page recall reembed
    reload reopen replay resolve save search session show status tend tidy todo uninstall views why""".split()
)


def test_a_new_verb_is_sorted_into_those_of_a_person_and_the_others() -> None:
    named = {command.split()[0] for act in PERSON_ACTS.values() for command in act.commands}

    assert named | OTHERS == set(COMMANDS)
    assert not named & OTHERS


# What stands above the command: how it is called and what it was started with
ABOVE = {
    "claude": ("claude", {}),
    "a package of claude": ("node_modules/@anthropic-ai/claude-code/cli.js", {}),
    "codex": ("codex", {}),
    "gemini": ("gemini.js", {}),
    "pi": ("pi", {}),
    "a marked shell that cleared its variables": ("run.sh", {"CLAUDECODE": "1"}),
    "a marked shell of another client": ("run.sh", {"AI_AGENT": "somebody"}),
}


@requirement("Y77")
@pytest.mark.parametrize("above", ABOVE)
def test_below_a_client_no_terminal_helps(above: str, scene: Scene, tally: Tally) -> None:
    name, env = ABOVE[above]
    program = scene.folder / "bin" / name
    program.parent.mkdir(parents=True)
    words = f"review --accept {scene.handles['proposal']}"
    clean = " ".join(f"-u {mark}" for mark in AGENT_MARKS)
    inner = f'{sys.executable}" -m twiceshy {words}\nexit $?\n'
    program.write_text(f'#!/bin/sh\nenv {clean} "{inner}')
    program.chmod(0o755)
    before = scene.read_state()

    terminal = PersonTerminal(lambda: subprocess.call([str(program)], env=os.environ | env))
    code = terminal.end()

    tally.count_attack(FAMILY, f"below {above}", succeeded=code == 0)
    assert scene.read_state() == before
    assert "runs this command" in terminal.shown


def test_below_a_shell_of_a_person_the_same_command_is_asked_about(scene: Scene) -> None:
    program = scene.folder / "approve"
    program.write_text(
        f'#!/bin/sh\n"{sys.executable}" -m twiceshy review --accept {scene.handles["proposal"]}\n'
    )
    program.chmod(0o755)

    terminal = PersonTerminal(lambda: subprocess.call([str(program)]))

    assert terminal.end() == 0, terminal.shown
    assert "To decide about what waits, type " in terminal.shown


def test_what_was_typed_before_the_question_is_no_answer(scene: Scene) -> None:
    terminal = PersonTerminal(
        lambda: subprocess.call(
            [sys.executable, "-m", "twiceshy", "forget", scene.handles["user"]]
        ),
        types=lambda _: "\n",
    )
    terminal.type("y\nyes\nabcde\n" * 20)

    assert terminal.end() == 1
    assert "that was not" in terminal.shown


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("/usr/local/bin/claude", "--resume"), "claude"),
        (
            ("node", "--no-warnings", "/opt/lib/node_modules/@google/gemini-cli/dist/index.js"),
            "gemini-cli",
        ),
        (("/usr/bin/node", "/home/u/.npm/bin/codex"), "codex"),
        (("C:\\Users\\u\\claude.exe",), "claude"),
        (("-zsh",), ""),
        (("/bin/bash", "-c", "make test"), ""),
        (("vim", "notes/claude"), ""),
        (("tmux", "new", "-s", "codex"), ""),
        (("gnome-terminal-server",), ""),
        (("python3", "-m", "pytest"), ""),
        ((), ""),
    ],
)
def test_clients_are_known_by_name_and_other_programs_are_not(
    words: tuple[str, ...], found: str
) -> None:
    assert find_client_above([StartedProcess(("sh",)), StartedProcess(words)]) == found


def test_the_page_lists_every_act_with_its_commands() -> None:
    page = (Path(__file__).parents[2] / "docs" / "person.md").read_text("utf-8")
    rows = {row.split("|")[1].strip(): row for row in page.splitlines() if row.startswith("| ")}

    for act in PERSON_ACTS.values():
        row = rows[act.says]
        for command in act.commands:
            assert f"`{command.removesuffix(' of a rule')}`" in row, (act.says, command)
    assert all(f"`{key}`" in rows[PERSON_ACTS["setting"].says] for key in PROTECTING)


@requirement("Y77")
def test_what_is_written_below_a_client_is_its_agents(scene: Scene) -> None:
    program = scene.folder / "bin" / "claude"
    program.parent.mkdir(parents=True)
    said = f'"{sys.executable}" -m twiceshy note "The door of the shed sticks."'
    program.write_text(f"#!/bin/sh\n{said}\nexit $?\n")
    program.chmod(0o755)

    assert PersonTerminal(lambda: subprocess.call([str(program)])).end() == 0

    listed = run_command("list", "--json", cwd=scene.project, env=scene.env).out
    [note] = [one for one in json.loads(listed) if "shed sticks" in one["text"]]
    assert (
        "written by: agent" in run_command("why", note["id"], cwd=scene.project, env=scene.env).out
    )


@requirement("Y75")
@pytest.mark.parametrize(
    ("key", "value"),
    [("embed.backend", "openai"), ("distiller.backend", "openai"), ("notes.proposal_days", "1")],
)
def test_an_agent_changes_no_setting(scene: Scene, key: str, value: str) -> None:
    before = scene.read_state()

    ran = marked("CLAUDECODE")(scene, ["config", "set", key, value])

    assert "only a person" in ran.err
    assert scene.read_state() == before

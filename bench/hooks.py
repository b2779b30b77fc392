"""What one hook costs, cold, against an interpreter that starts and does nothing.

    python -m bench.hooks [--rounds 21] [--sizes 1000 10000 100000]

A home is as ``install`` and the first background job leave it: hooks are started by the launcher, with
a settings file and with the compiled modules. Every round runs every command once, in random order, so that a busy machine slows all of them alike. A
session that is told about a skill is told once, so every recall is one of a session of its own. Every
store has a thousand notes of this project that are about a call. What it costs to find those about one
call, in a process that runs already, is measured by ``bench.matching``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from bench.corpus import drafts
from bench.retrieval_sets import own
from bench.scale import fill, open_store

from twiceshy.core.draft import Draft
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.hooks.bundle_writer import refresh_bundle
from twiceshy.places.project import identify_project
from twiceshy.recall.capture import CALLS
from twiceshy.runtimes import launcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Command = tuple[list[str], Callable[[int], bytes], str]

SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src")
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
RUN = [sys.executable, "-I", "-S", f"{SOURCE}/twiceshy/hooks/run.py", "claude-code"]
OWN_NOTES = 60
CALL_NOTES = 1_000
UNINSTALLED = ("direct", "as a module")
BEHIND = "behind-a-failure"  # a session whose calls are recorded
SETTINGS = "[brief]\nskill_notes = 5\n\n[hook]\ndeadline_ms = 10_000\n"
UNHURRIED = {"TWICESHY_HOOK_DEADLINE_MS": "10000"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        project = a_project(folder)
        homes = {size: a_home(folder, project, size) for size in sorted(given.sizes)}
        time.sleep(2.1)  # until then the skill's folder counts as being written
        measure(dict(commands(project, homes)), rounds=given.rounds)


def a_project(folder: str) -> str:
    """Make a repository with a skill in it."""
    project = os.path.join(folder, "shop")
    os.makedirs(f"{project}/.claude/skills/release")
    with open(f"{project}/.claude/skills/release/SKILL.md", "w", encoding="utf-8") as file:
        file.write("---\nname: release\ndescription: Cuts a release.\n---\n\nCut it.\n")
    git = ["git", "-C", project, "-c", "user.name=u", "-c", "user.email=u@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    return project


def a_home(folder: str, project: str, size: int) -> str:
    """Fill a memory home with notes, some of them for the skill of this project."""
    home = os.path.join(folder, f"home-{size}")
    store = open_store(os.path.join(home, "twiceshy.db"))
    here = identify_project(project, cache=f"{home}/projects.json").id
    fill(store, lessons(Scope(here, "release")))
    fill(store, mistakes(Scope(here, NO_SKILL)))
    fill(store, drafts(max(0, size - OWN_NOTES - CALL_NOTES), seed=size))
    store.close()
    os.makedirs(os.path.join(home, CALLS))
    with open(os.path.join(home, CALLS, BEHIND), "wb") as window:
        window.write(b"." * 10_000)  # a failure lets eight calls be recorded
    install_hooks(home)
    print(f"{size:>7,} notes in {home}", file=sys.stderr)
    return home


def install_hooks(home: str) -> None:
    """Write what a hook is started by and reads in an installed home."""
    path = launcher.launcher_path(home)
    os.makedirs(os.path.dirname(path))
    target = launcher.find_own_target(f"{SOURCE}/twiceshy")
    with open(path, "w", encoding="utf-8") as file:
        file.write(launcher.render_launcher(home, target))
    with open(os.path.join(home, "config.toml"), "w", encoding="utf-8") as file:
        file.write(SETTINGS)
    refresh_bundle(home)


def start_hook(home: str) -> list[str]:
    """Return the words by which a client starts the hook of a home."""
    return ["sh", launcher.launcher_path(home), "claude-code"]


def lessons(scope: Scope) -> Iterator[Draft]:
    """Yield real lessons: only real words have a meaning that can be looked up."""
    for number, doc in enumerate(own().haystacks[0].docs):
        if number < OWN_NOTES:
            yield Draft("lesson", doc.text, scope, "user", why=doc.why)


def mistakes(scope: Scope) -> Iterator[Draft]:
    """Yield notes about calls: what a person said about ``git stash``, and learned lessons.

    One lesson is about ``git stauts``, the others are about subcommands of fifty programs.
    """
    yield Draft("decision", "Commit instead of a stash.", scope, "user", trigger="Bash git stash")
    told = '`git stauts` failed: "not a git command". `git status` worked.'
    yield Draft("lesson", told, scope, "detector", "fix", trigger="Bash/usage git stauts")
    for number in range(2, CALL_NOTES):
        program, verb, flag = f"tool-{number % 50}", f"verb-{number}", f"--flag-{number % 9}"
        text = f'`{program} {verb} {flag}` failed: "no such option". `{program} {verb}` worked.'
        trigger = f"Bash/usage {flag} {program} {verb}"
        yield Draft("lesson", text, scope, "detector", "fix", trigger=trigger)


def commands(project: str, homes: dict[int, str]) -> Iterator[tuple[str, Command]]:
    """Yield every command with what it is given in each round, and its memory home."""
    largest = homes[max(homes)]
    plain, hook = payloads(project), start_hook(largest)
    yield "python -I -S -c pass", (BARE, lambda _: b"", largest)
    bare = shlex.join(BARE)
    yield "sh -c 'python -I -S -c pass'", (["sh", "-c", f"{bare}; exit"], lambda _: b"", largest)
    for name in plain:
        if name not in UNINSTALLED and name != "recall":
            yield name, (hook, plain[name], largest)
    for size, home in homes.items():
        yield f"recall, {size:,} notes", (start_hook(home), plain["recall"], home)
    yield "recall, without the launcher", (RUN, plain["direct"], largest)
    module = [sys.executable, "-m", "twiceshy", "hook", "claude-code"]
    yield "recall, as python -m twiceshy", (module, plain["as a module"], largest)


def payloads(project: str) -> dict[str, Callable[[int], bytes]]:
    """Return what the client sends, by the name of the command and the round."""

    def payload(session: str, event: str, **fields: object) -> Callable[[int], bytes]:
        def given(number: int) -> bytes:
            common = {"session_id": session.format(number), "cwd": project}
            whole = {**common, "transcript_path": "/t.jsonl", "hook_event_name": event, **fields}
            if "tool_name" in whole:
                whole["tool_use_id"] = f"toolu-{session}-{number}"
            return json.dumps(whole, separators=(",", ":")).encode()

        return given

    def skill(session: str) -> Callable[[int], bytes]:
        words = {
            "skill": "release",
            "args": "upload the rebased branch without wiping out the work of others",
        }
        told = {"success": True, "commandName": "release"}
        return payload(
            session, "PostToolUse", tool_name="Skill", tool_input=words, tool_response=told
        )

    def failed(
        error: str, *, session: str = "failing", command: str = "gh release create v1"
    ) -> Callable[[int], bytes]:
        words = {"command": command}
        return payload(
            session, "PostToolUseFailure", tool_name="Bash", tool_input=words, error=error
        )

    secret = "ghp_" + "a1B2c3D4e5" * 4
    no_access = f"Exit code 1\nno access with {secret}"
    no_tag = "Exit code 1\ntag not found: v1\nrun git push --tags first"
    printed = {"stdout": "README.md\nsrc\ntests", "stderr": ""}
    typo, unknown = "git stauts", "Exit code 1\ngit: 'stauts' is not a git command."
    misspelled = {"tool_name": "Bash", "tool_input": {"command": typo}}
    noted = {"tool_name": "Bash", "tool_input": {"command": "git stash"}}
    bash = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    return {
        "nothing: pending call": payload("quiet", "PreToolUse", **bash),
        "nothing: plain success": payload("quiet", "PostToolUse", **bash, tool_response=printed),
        "turn ends": payload("quiet", "Stop", stop_hook_active=False),
        "success behind a failure": payload(BEHIND, "PostToolUse", **bash, tool_response=printed),
        "call, lesson not due": payload("quiet", "PreToolUse", **misspelled),
        "call, note told": payload("told-{0}", "PreToolUse", **noted),
        "failure, note told": failed(unknown, session="failed-{0}", command=typo),
        "signal": failed(no_tag),
        "signal with a secret": failed(no_access, session="leaking"),
        "signal behind a secret": failed(no_tag, session="leaking"),
        "prompt": payload("asking", "UserPromptSubmit", prompt="please cut a release of the shop"),
        "session start": payload("start-{0}", "SessionStart", source="startup"),
        "recall": skill("recall-{0}"),
        "recall again (nothing new)": skill("again"),
        "direct": skill("direct-{0}"),
        "as a module": skill("module-{0}"),
    }


def measure(everything: dict[str, Command], *, rounds: int) -> None:
    """Run every command in every round, the sessions having begun before, and print medians."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in everything}
    dice = random.Random(1)
    for number in range(rounds + 1):
        for name in dice.sample(list(everything), len(everything)):
            argv, given, home = everything[name]
            begin_session(given(number), home)
            taken[name].append(spent(argv, given(number), home))
    bare = [
        statistics.median(column)
        for column in zip(*taken["python -I -S -c pass"][1:], strict=True)
    ]
    print(f"{'':<32}{'CPU ms':>8}{'x bare':>8}{'wall ms':>10}{'x bare':>8}")
    for name, times in taken.items():
        cpu, wall = (statistics.median(column) for column in zip(*times[1:], strict=True))
        print(f"{name:<32}{cpu:8.1f}{cpu / bare[0]:8.2f}{wall:10.1f}{wall / bare[1]:8.2f}")


def begin_session(raw: bytes, home: str) -> None:
    """Let the session begin, unless that is what is measured: a skill is loaded in one that runs."""
    said = json.loads(raw) if raw else {}
    if said.get("hook_event_name") not in (None, "SessionStart"):
        start = {**said, "hook_event_name": "SessionStart", "source": "resume"}
        spent(RUN, json.dumps(start, separators=(",", ":")).encode(), home)


def spent(argv: list[str], raw: bytes, home: str) -> tuple[float, float]:
    """Run a command with something on stdin; return its CPU and wall time in milliseconds."""
    with tempfile.TemporaryFile() as given:
        given.write(raw)
        given.seek(0)
        begin = time.perf_counter()
        child = os.posix_spawn(
            argv[0] if "/" in argv[0] else f"/bin/{argv[0]}",
            argv,
            {**os.environ, "TWICESHY_HOME": home, "PYTHONPATH": SOURCE, **_shell_variables(raw)},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, given.fileno(), 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_RDWR, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_RDWR, 0),
            ],
        )
        _, status, used = os.wait4(child, 0)
        wall = (time.perf_counter() - begin) * 1000
    if status:
        raise SystemExit(f"failed: {' '.join(argv)[:200]}")
    return (used.ru_utime + used.ru_stime) * 1000, wall


def _shell_variables(raw: bytes) -> dict[str, str]:
    """Return the variable by which a shell names the folder in which a client starts a hook."""
    return {"PWD": json.loads(raw)["cwd"]} if raw else {}


if __name__ == "__main__":
    main()

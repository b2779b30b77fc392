"""What goes wrong in a session is on record before the hook returns: redacted, once, with its skill."""

import json
from pathlib import Path

import pytest
from tests.hooks.conftest import Client, Memory, a_skill
from tests.requirements import requirement

from twiceshy.core.evidence import Signal

SECRET = "ghp_" + "a1B2c3D4e5" * 4


def signals(memory: Memory) -> list[Signal]:
    return [one for one in memory.store.export_records(only=(Signal,)) if isinstance(one, Signal)]


@requirement("U070", "F07")
def test_a_failure_is_kept_with_what_was_tried_and_what_it_said(
    client: Client, memory: Memory
) -> None:
    client.fail("gh release create v1", "Exit code 1\ntag not found: v1")

    (signal,) = signals(memory)
    assert (signal.kind, signal.tool, signal.target) == ("error", "Bash", "gh release create v1")
    assert signal.excerpt == "Exit code 1\ntag not found: v1"
    assert (signal.session, signal.project) == (client.session, memory.project)
    assert signal.key == f"call:{signal.call}"


@requirement("U070", "F07")
@pytest.mark.parametrize(
    ("tool", "given", "target"),
    [
        ("Edit", {"file_path": "src/shop.py"}, "src/shop.py"),
        ("Read", {"file_path": "missing.md"}, "missing.md"),
        ("WebFetch", {"url": "https://example.com/tea"}, "https://example.com/tea"),
        ("mcp__tracker__find", {"query": "open orders"}, "open orders"),
    ],
)
def test_an_error_of_any_other_tool_is_kept_as_well(
    client: Client, memory: Memory, tool: str, given: dict[str, str], target: str
) -> None:
    client.fail("", "That is not there.", tool=tool, tool_input=given)

    (signal,) = signals(memory)
    assert (signal.kind, signal.tool, signal.excerpt) == ("error", tool, "That is not there.")
    assert target in signal.target


@requirement("U071", "F08")
def test_a_failure_belongs_to_the_skill_that_was_invoked_last(
    client: Client, memory: Memory
) -> None:
    client.fail("first", "no")
    client.load("release")
    client.fail("second", "no")
    client.fail("third", "no", agent_id="a1")

    assert {one.target: one.skill for one in signals(memory)} == {
        "first": "",
        "second": "release",
        "third": "",
    }


def test_a_skill_that_is_invoked_again_is_the_last_one_again(
    client: Client, memory: Memory
) -> None:
    a_skill(client.project / ".claude/skills/review")
    for skill in ("release", "review", "release"):
        client.load(skill)

    client.fail("make", "no rule")

    assert [one.skill for one in signals(memory)] == ["release"]


def test_the_same_call_is_kept_once_whoever_tells_of_it(
    client: Client, memory: Memory, project: Path
) -> None:
    client.fail("make", "no rule", tool_use_id="toolu_1")
    client.fail("make", "no rule", tool_use_id="toolu_1")
    Client(project, session="fork").fail("make", "no rule", tool_use_id="toolu_1")

    assert len(signals(memory)) == 1


@requirement("U070")
def test_no_secret_of_a_failure_reaches_the_disk(
    client: Client, memory: Memory, home: Path
) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEA7bq9xw0\n" * 60
    client.fail(
        f"push --with {SECRET}", f"denied for {SECRET}\n{key}-----END RSA PRIVATE KEY-----"
    )

    kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert SECRET.encode() not in kept
    assert b"MIIEowIBAAKCAQEA7bq9xw0" not in kept
    assert "denied for [REDACTED" in signals(memory)[0].excerpt


@requirement("U072", "F09")
@pytest.mark.parametrize("tool", ["TodoWrite", "TaskUpdate", "TaskList"])
def test_bookkeeping_that_fails_teaches_nothing(client: Client, memory: Memory, tool: str) -> None:
    client.fail("x", "failed", tool=tool)

    assert signals(memory) == []


def test_what_the_user_interrupts_is_no_error(client: Client, memory: Memory) -> None:
    client.fail("sleep 60", "interrupted", is_interrupt=True)

    assert signals(memory) == []


@requirement("U070")
def test_a_failure_behind_a_pipe_is_kept_too(client: Client, memory: Memory) -> None:
    client.bash("go test ./... | tail -5", "--- FAIL: TestParse (0.00s)\nFAIL\tshop/parse\t0.01s")
    client.bash("cat notes.txt", "FAIL: this is only what the file says")
    client.bash("go test ./...", "ok  \tshop/parse\t0.01s")

    (signal,) = signals(memory)
    assert "--- FAIL: TestParse" in signal.excerpt
    assert signal.target == "go test ./... | tail -5"


@requirement("U070")
@pytest.mark.parametrize(
    "wrapper",
    [
        "sudo -u bob",
        "env -u X",
        "timeout -s KILL 5",
        "setsid",
        "stdbuf -o L",
        "sudo -u bob env -C web",
    ],
)
def test_who_only_reads_a_log_did_not_fail_whatever_starts_the_program(
    client: Client, memory: Memory, wrapper: str
) -> None:
    traceback = "Traceback (most recent call last):\n  File 'app.py'\nKeyError: 'lid'"
    client.bash(f"{wrapper} cat app.log | tail", traceback)
    client.bash(f"{wrapper} python app.py | tail", traceback)

    assert [one.target for one in signals(memory)] == [f"{wrapper} python app.py | tail"]


def test_a_failure_waits_in_the_spool_while_the_store_is_busy(
    client: Client, memory: Memory, home: Path
) -> None:
    client.start()
    with memory.store.change():
        client.fail("make", f"no rule, {SECRET}")
        waiting = (home / "spool").read_text()
    client.start("resume")

    assert json.loads(waiting.strip())["target"] == "make"
    assert SECRET not in waiting
    assert [one.target for one in signals(memory)] == ["make"]


@requirement("U186", "F53")
def test_uses_of_a_skill_are_counted_by_session_not_by_turn(
    client: Client, memory: Memory, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:30:00Z")
    for _ in range(3):
        client.load("release")
    client.slash("release")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-03T09:30:00Z")
    Client(project, session="s2").load("release")
    Client(project, session="s3").load("release")
    Client(project, session="s4").read(project / ".claude/skills/release/SKILL.md")

    (usage,) = memory.store.count_skill_usage()
    assert (usage.skill, usage.sessions) == ("release", 3)
    assert usage.daily == {"2026-11-02": 1, "2026-11-03": 2}

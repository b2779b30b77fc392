"""A server process speaks nothing but the protocol, statuses through trouble, and leaves when it should."""

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from tests.mcp.conftest import PATIENCE, Client, Connect, Wire, a_process, twiceshy
from tests.requirements import requirement

from twiceshy.store import connect as opening

LESSON = {"skill": "release", "intent": "tagging", "kind": "gotcha", "delta": "Tag last."}


def call(tool: str, **given: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": given}


def counted(home: Path) -> int:
    """Count the notes with nothing of ours."""
    with sqlite3.connect(home / "twiceshy.db") as db:
        (count,) = db.execute("SELECT count(*) FROM notes").fetchone()
    db.close()
    return int(count)


@requirement("R01")
def test_a_client_of_the_sdk_calls_every_tool_over_stdio(far: Client) -> None:
    tools = [tool.name for tool in far.tools()]

    said = {
        "skill_note": far.do("skill_note", **LESSON),
        "skill_recall": far.do("skill_recall", skill="release", intent="tag"),
        "note": far.do("note", text="Orders are numbered.", kind="decision"),
        "recall": far.do("recall", intent="orders numbered"),
        "search": far.do("search", query="orders"),
        "handoff": far.do("handoff", action="write", status="half done"),
        "feedback": far.do("feedback", id=far.call("note", text="Other.").facts["id"], verdict="helped"),  # type: ignore[index]  # it must have facts
        "status": far.do("status"),
    }  # fmt: skip

    assert set(said) == set(tools)
    assert "Tag last." in said["skill_recall"]
    assert "numbered" in said["recall"]
    assert "Tag last." in far.do("ctx_skill_recall", skill="release")
    assert "half done" in far.do("handoff", action="read")
    assert "# release" in far.read("twiceshy://knowledge/release")
    assert "Tag last." in far.prompt("reflect")
    assert "there is no tool" in far.refused("unknown")


def test_nothing_but_the_protocol_is_on_stdout_and_nothing_at_all_on_stderr(wire: Wire) -> None:
    wire.hello()
    for tool in ("status", "skill_recall", "unknown"):
        assert wire.ask("tools/call", **call(tool))["content"]
    wire.send("server/discover")
    assert wire.hear()["error"]
    wire.write("this is no JSON\n{}\n\n")
    wire.send("ping")
    heard = [wire.hear()]
    while "result" not in heard[-1]:
        heard.append(wire.hear())

    wire.hang_up()
    code, out, err = wire.end()

    assert (code, err) == (0, "")
    assert [json.loads(line)["jsonrpc"] for line in out.splitlines()] == ["2.0"] * len(
        out.splitlines()
    )


CHATTY = """
import subprocess, sys
from twiceshy.mcp import note_tools, server
real = note_tools.search_notes
def chatty(*given, **named):
    print("noise from a library")
    subprocess.run(["cat"], timeout=5, check=True)
    subprocess.run(["echo", "noise from a child"], check=True)
    return real(*given, **named)
note_tools.search_notes = chatty
sys.exit(server.serve_stdio())
"""


def test_what_libraries_and_children_print_goes_to_stderr_and_they_read_nothing(
    project: Path,
) -> None:
    wire = Wire(project, "-c", CHATTY)
    wire.hello()

    answer = wire.ask("tools/call", **call("search", query="orders"))

    code, out, err = wire.end()
    assert answer["content"][0]["text"].startswith("Nothing was found")
    assert (code, out) == (0, "")
    assert "noise from a library" in err
    assert "noise from a child" in err


@requirement("R02")
@pytest.mark.parametrize("how", ["eof", "SIGTERM", "SIGINT"])
def test_a_server_leaves_with_its_client_at_once_and_alone(wire: Wire, how: str) -> None:
    wire.hello()
    wire.ask("tools/call", **call("note", text="Orders are numbered."))

    if how == "eof":
        wire.hang_up()
    else:
        wire.process.send_signal(getattr(signal, how))
    wire.process.wait(PATIENCE)
    code, out, err = wire.end()

    assert (code, out, err) == (0, "", "")
    with pytest.raises(ProcessLookupError):  # its own process group is empty
        os.killpg(wire.process.pid, 0)


def test_a_server_that_nobody_greets_leaves_too(wire: Wire) -> None:
    wire.hang_up()

    assert wire.end() == (0, "", "")


def test_what_was_asked_last_is_done_and_answered_before_a_server_leaves(
    wire: Wire, home: Path
) -> None:
    wire.hello()
    wire.send("tools/call", **call("note", text="Orders are numbered."))

    wire.hang_up()
    code, out, _ = wire.end()

    assert code == 0
    assert "Noted as" in out
    assert counted(home) == 1


def test_a_killed_server_loses_nothing_it_has_answered(
    wire: Wire, connect: Connect, home: Path
) -> None:
    wire.hello()
    for number in range(5):
        wire.ask("tools/call", **call("note", text=f"Order {number} is late.", kind="issue"))
    wire.send("tools/call", **call("note", text="Order 5 is late.", kind="issue"))

    wire.process.kill()
    wire.process.communicate()

    assert counted(home) in (5, 6)
    assert "health: sound" in connect().do("status")


@pytest.fixture
def two(project: Path, portal: BlockingPortal) -> Iterator[tuple[Client, Client]]:
    """Two clients, each with a server process of its own, on one home."""
    wrap: Callable[..., Any] = portal.wrap_async_context_manager
    with wrap(a_process(project)) as one, wrap(a_process(project)) as other:
        yield Client(portal, one), Client(portal, other)


def test_two_servers_on_one_home_lose_nothing_and_see_each_other(
    two: tuple[Client, Client], home: Path
) -> None:
    async def write(client: Client, mine: str) -> None:
        for number in range(20):
            given = {
                "text": f"{mine} {number} {'abcdefghijklmnopqrst'[number] * 9}",
                "kind": "task",
            }
            result = await client._session.call_tool("note", given)
            assert not result.isError, result.content

    async def both() -> None:
        from anyio import create_task_group

        async with create_task_group() as tasks:
            for client, mine in zip(two, ("left", "right"), strict=True):
                tasks.start_soon(write, client, mine)

    two[0].wait(both)

    assert counted(home) == 40
    assert "right 7" in two[0].do("search", query="right hhhhhhhhh")


def test_many_calls_at_once_are_all_answered(client: Client) -> None:
    async def many() -> list[bool]:
        from anyio import create_task_group

        failed: list[bool] = []

        async def one(number: int) -> None:
            result = await client._session.call_tool("search", {"query": f"order {number}"})
            failed.append(result.isError)

        async with create_task_group() as tasks:
            for number in range(30):
                tasks.start_soon(one, number)
        return failed

    assert client.wait(many) == [False] * 30


def test_a_locked_store_is_told_and_the_server_goes_on(
    client: Client, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.do("note", text="Orders are numbered.")
    monkeypatch.setenv("TWICESHY_STORE_PATIENCE_S", "1")
    monkeypatch.setattr(opening, "COMMAND_PATIENCE", opening.COMMAND_PATIENCE.but(wait_ms=100))
    blocker = sqlite3.connect(home / "twiceshy.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")

    said = client.refused("note", text="Orders are late.")

    blocker.execute("ROLLBACK")
    blocker.close()
    assert "hint:" in said
    assert "Noted" in client.do("note", text="Orders are late.")


def test_a_server_holds_no_lock_between_calls(client: Client, home: Path) -> None:
    client.do("note", text="Orders are numbered.")

    other = sqlite3.connect(home / "twiceshy.db", isolation_level=None, timeout=0)
    other.execute("BEGIN EXCLUSIVE")
    other.execute("ROLLBACK")
    other.close()

    assert "numbered" in client.do("search", query="orders")


@requirement("R02")
def test_a_store_that_cannot_be_opened_is_told_and_the_server_goes_on(
    client: Client, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir()
    monkeypatch.setenv("TWICESHY_STORE", str(home))  # a folder is no database

    said = client.refused("status")

    assert "Traceback" not in said
    monkeypatch.delenv("TWICESHY_STORE")
    assert client.do("status")


def test_a_bug_is_told_logged_and_survived(
    client: Client, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from twiceshy.mcp import note_tools

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret words of a session")

    client.do("note", text="Orders are numbered.")
    monkeypatch.setattr(note_tools, "search_notes", broken)

    said = client.refused("search", query="orders")

    log = (home / "hook.log").read_text()
    assert "unexpected RuntimeError; this is a bug" in said
    assert "mcp ? RuntimeError" in log
    assert "secret words" not in said + log
    assert "numbered" in client.do("recall", intent="orders numbered")


def test_a_server_works_where_the_client_says_it_does(
    connect: Connect, tmp_path: Path, project: Path
) -> None:
    (tmp_path / "bakery of bread").mkdir()
    roots = [tmp_path / "gone", tmp_path / "bakery of bread", project]

    client = connect(project, roots=roots)

    assert "project: bakery of bread" in client.do("status")


def test_a_client_that_moves_is_followed(connect: Connect, tmp_path: Path, project: Path) -> None:
    (tmp_path / "bakery").mkdir()
    roots = [project]
    client = connect(tmp_path, roots=roots)
    assert "project: shop" in client.do("status")

    roots[:] = [tmp_path / "bakery"]
    client.moved()

    assert "project: bakery" in client.do("status")


@pytest.mark.parametrize("roots", [None, []])
def test_a_client_without_roots_is_where_it_started_us(
    connect: Connect, project: Path, roots: list[Path] | None
) -> None:
    assert "project: shop" in connect(project, roots=roots).do("status")


@pytest.mark.parametrize(
    ("name", "folder"),
    [("claude-code", ".claude/skills"), ("codex-mcp-client", ".codex/skills"), ("other", ".agents/skills")],
)  # fmt: skip
def test_each_client_has_read_its_own_copy_of_a_skill(
    connect: Connect, project: Path, name: str, folder: str
) -> None:
    from tests.mcp.conftest import a_skill

    from twiceshy.places.skill_version import hash_skill_version

    for place in (".agents/skills", ".claude/skills", ".codex/skills"):
        a_skill(project / place, "release", settings=f"# {place}\n")
    client = connect(project, name=name)

    client.do("skill_note", **LESSON)

    (note,) = json.loads(twiceshy(project, "show", "--skill", "release", "--json"))
    assert note["skill_hash"] == hash_skill_version(str(project / folder / "release"))

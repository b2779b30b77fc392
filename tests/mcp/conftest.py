"""The SDK's own client, a server near or in a process of its own, and a project to work in."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from anyio import create_task_group
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.shared.context import RequestContext
from mcp.shared.memory import create_client_server_memory_streams
from pydantic import AnyUrl, FileUrl
from tests.person import run_by_person

from twiceshy.mcp.server import McpConversation
from twiceshy.mcp.session import McpSession

PATIENCE = 30  # seconds; machines are noisy
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool answered."""

    text: str
    failed: bool
    facts: dict[str, Any] | None


class Client:
    """The SDK's own client, for tests that know nothing of coroutines."""

    def __init__(self, portal: BlockingPortal, session: ClientSession) -> None:
        self._portal = portal
        self._session = session
        self.hello: types.InitializeResult = self.wait(session.initialize)

    def wait(self, act: Callable[..., Any], *given: Any) -> Any:
        return self._portal.call(act, *given)

    def call(self, tool: str, **given: Any) -> Answer:
        result: types.CallToolResult = self.wait(self._session.call_tool, tool, given)
        texts = [each.text for each in result.content if isinstance(each, types.TextContent)]
        return Answer("\n".join(texts), result.isError, result.structuredContent)

    def do(self, tool: str, **given: Any) -> str:
        """Call a tool that must succeed, and return its text."""
        answer = self.call(tool, **given)
        assert not answer.failed, answer.text
        return answer.text

    def refused(self, tool: str, **given: Any) -> str:
        """Call a tool that must fail, and return what it says."""
        answer = self.call(tool, **given)
        assert answer.failed, answer.text
        return answer.text

    def tools(self) -> list[types.Tool]:
        listed: list[types.Tool] = self.wait(self._session.list_tools).tools
        return listed

    def resources(self) -> dict[str, types.Resource]:
        listed = self.wait(self._session.list_resources).resources
        return {str(each.uri): each for each in listed}

    def templates(self) -> list[str]:
        listed = self.wait(self._session.list_resource_templates).resourceTemplates
        return [each.uriTemplate for each in listed]

    def read(self, uri: str) -> str:
        (page,) = self.wait(self._session.read_resource, AnyUrl(uri)).contents
        assert page.mimeType == "text/markdown"
        return str(page.text)

    def prompts(self) -> list[types.Prompt]:
        listed: list[types.Prompt] = self.wait(self._session.list_prompts).prompts
        return listed

    def prompt(self, name: str, **given: str) -> str:
        (message,) = self.wait(self._session.get_prompt, name, given).messages
        return str(message.content.text)

    def moved(self) -> None:
        """Tell the server that the client works elsewhere now."""
        self.wait(self._session.send_roots_list_changed)


Connect = Callable[..., Client]


@asynccontextmanager
async def a_process(place: Path) -> AsyncIterator[ClientSession]:
    """Connect to a server process over its stdin and stdout."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "twiceshy", "mcp"], env=dict(os.environ), cwd=place
    )
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        yield session


@asynccontextmanager
async def a_neighbour(
    place: Path, roots: list[Path] | None, name: str
) -> AsyncIterator[ClientSession]:
    """Connect to a server in this process; a process takes half a second to start."""

    async def told(context: RequestContext[ClientSession, Any]) -> types.ListRootsResult:
        found = [types.Root(uri=FileUrl(root.as_uri())) for root in roots or []]
        return types.ListRootsResult(roots=found)

    server = McpConversation(McpSession(str(place), session_id=f"mcp-{uuid4().hex}")).server
    async with (
        create_client_server_memory_streams() as (near, far),
        create_task_group() as tasks,
    ):
        tasks.start_soon(server.run, *far, server.create_initialization_options())
        async with ClientSession(
            *near,
            list_roots_callback=None if roots is None else told,
            client_info=types.Implementation(name=name, version="1"),
        ) as session:
            yield session
        tasks.cancel_scope.cancel()


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    """Where coroutines run."""
    with start_blocking_portal() as opened:
        yield opened


@pytest.fixture
def connect(project: Path, portal: BlockingPortal) -> Iterator[Connect]:
    """Connect clients, each to a server of its own; all are gone when the test is over."""
    with ExitStack() as stack:

        def start(
            place: Path = project, *, roots: list[Path] | None = None, name: str = "tests"
        ) -> Client:
            context = portal.wrap_async_context_manager(a_neighbour(place, roots, name))
            return Client(portal, stack.enter_context(context))

        yield start


@pytest.fixture
def client(connect: Connect) -> Client:
    return connect()


@pytest.fixture
def far(project: Path, portal: BlockingPortal) -> Iterator[Client]:
    """A client of a real server process."""
    with portal.wrap_async_context_manager(a_process(project)) as session:
        yield Client(portal, session)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a skill in it."""
    folder = tmp_path / "shop"
    a_skill(folder / ".claude/skills", "release")
    return folder


@pytest.fixture
def session(project: Path) -> McpSession:
    """What the tools share, without a server around it."""
    return McpSession(str(project), session_id="mcp-test")


def a_skill(folder: Path, name: str, *, settings: str = "") -> Path:
    """Write a SKILL.md below a folder and return its path."""
    path = folder / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {name}\ndescription: d\n{settings}---\n\nCut it.\n")
    return path


def twiceshy(place: Path, *words: str) -> str:
    """Run a command as a person would, and return what it prints."""
    ran = run_by_person(*words, cwd=place, env={})
    assert ran.code == 0, (words, ran.err)
    return ran.out


class Wire:
    """A server process, spoken to line by line."""

    def __init__(self, place: Path, *program: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(program or ("-m", "twiceshy", "mcp"))],
            cwd=place,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._number = 0

    def hello(self) -> None:
        """Introduce ourselves."""
        assert self.ask("initialize", **HELLO)["serverInfo"]["name"] == "twiceshy"
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        """Ask for something and wait for the result."""
        number = self.send(method, **given)
        message = self.hear()
        assert message["id"] == number, message
        result: dict[str, Any] = message["result"]
        return result

    def send(self, method: str, **given: Any) -> int:
        """Ask for something without waiting."""
        self._number += 1
        self.say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": given})
        return self._number

    def say(self, message: object) -> None:
        self.write(json.dumps(message) + "\n")

    def write(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def hang_up(self) -> None:
        """Close stdin, as a client that ends does."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.stdin = None

    def hear(self) -> dict[str, Any]:
        """Return the next message; whatever else is on stdout fails here."""
        assert self.process.stdout
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return the exit code and what is left on both streams."""
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@pytest.fixture
def wire(project: Path) -> Iterator[Wire]:
    """A server that was not greeted yet."""
    spoken = Wire(project)
    with spoken.process:  # closes the pipes, whatever happened to it
        yield spoken
        spoken.process.kill()

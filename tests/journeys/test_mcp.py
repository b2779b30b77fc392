"""The MCP server in the hands of others: the public inspector, the conformance tool, and real clients."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.clients import NoClientError, installed, node
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.script import calls
from tests.requirements import requirement

pytestmark = pytest.mark.journey

T = TypeVar("T")
INSPECTOR = "2.12.0"
CONFORMANCE = "0.1.16"
ROOT = Path(__file__).resolve().parents[2]
LESSON = "Tape the lid before the bottom."
NOTE = {"skill": "pack", "intent": "packing a box", "kind": "gotcha", "delta": LESSON}
# Those of the suite that ask for no tool, page or prompt made for the suite.
SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list")
FILLED_IN = (
    *("session_id", "transcript_path", "cwd", "hook_event_name"),
    *("tool_name", "tool_input", "tool_response", "tool_use_id"),
)


class Inspector:
    """The inspector's command line, which starts the server for every question."""

    def __init__(self, lab: Lab) -> None:
        package = "@modelcontextprotocol/inspector"
        script = f"node_modules/{package}/clients/launcher/build/index.js"
        file = installed(f"inspector-{INSPECTOR}", f"{package}@{INSPECTOR}", wanted=script)
        self.lab = lab
        self.project = lab.project("shop")
        server = str(lab.root / "bin" / "twiceshy")
        self.command = [str(node()), str(file), "--cli", server, "mcp", "--method"]

    def ask(self, method: str, *words: str) -> Any:
        """Ask something and return the answer."""
        ran = self.lab.run([*self.command, method, *words], cwd=self.project, env=self.lab.env())
        assert ran.code == 0, ran.out + ran.err
        return json.loads(ran.out)

    def call(self, tool: str, **given: str) -> str:
        """Call a tool and return its text."""
        pairs = [f"{name}={value}" for name, value in given.items()]
        words = ["--tool-arg", *pairs] if pairs else []
        answer = self.ask("tools/call", "--tool-name", tool, *words)
        return "\n".join(each["text"] for each in answer["content"])


@pytest.fixture
def inspector(lab: Lab) -> Inspector:
    return had(lambda: Inspector(lab))


def had(start: Callable[[], T]) -> T:
    """Return something that needs a package from npm; without it the journey is skipped, or fails in CI."""
    try:
        return start()
    except NoClientError as why:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(why))


def a_skill(project: Path, folder: str) -> None:
    path = project / folder / "pack" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        "---\nname: pack\ndescription: Use it when asked to pack.\n---\n\nWith care.\n"
    )


@requirement("R01")
def test_the_inspector_finds_no_fault_with_our_tools(inspector: Inspector) -> None:
    listed = inspector.ask("tools/list", "--strict")["tools"]

    assert len(listed) == 8
    assert {tool["inputSchema"]["type"] for tool in listed} == {"object"}


@requirement("R01")
def test_the_inspector_calls_tools_and_opens_what_they_have_kept(inspector: Inspector) -> None:
    a_skill(inspector.project, ".claude/skills")

    noted = inspector.call("skill_note", **NOTE)
    inspector.call("note", text="Two doors.", kind="page", tags='["layout"]')

    assert noted.startswith("Noted as n")
    assert LESSON in inspector.call("skill_recall", skill="pack", intent="pack a box")
    assert "known here: 2 notes" in inspector.call("status")
    uris = {each["uri"] for each in inspector.ask("resources/list")["resources"]}
    assert uris == {
        "twiceshy://knowledge",
        "twiceshy://knowledge/pack",
        "twiceshy://pages/layout",
    }
    (page,) = inspector.ask("resources/read", "--uri", "twiceshy://knowledge/pack")["contents"]
    assert LESSON in page["text"]
    assert len(inspector.ask("resources/templates/list")["resourceTemplates"]) == 2


def test_the_inspector_gets_prompts_filled_in(inspector: Inspector) -> None:
    inspector.call("note", text="Boxes are square.", kind="discovery")

    names = [each["name"] for each in inspector.ask("prompts/list")["prompts"]]
    (message,) = inspector.ask("prompts/get", "--prompt-name", "reflect")["messages"]

    assert names == ["reflect", "handoff"]
    assert "Boxes are square." in message["content"]["text"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_tool_is_satisfied(lab: Lab, scenario: str) -> None:
    package = "@modelcontextprotocol/conformance"
    folder, script = f"conformance-{CONFORMANCE}", f"node_modules/{package}/dist/index.js"
    file = had(lambda: installed(folder, f"{package}@{CONFORMANCE}", wanted=script))
    tool = [str(node()), str(file), "server", "--url", "URL", "--scenario", scenario]

    ran = lab.run(
        [sys.executable, "-m", "tests.mcp.over_http", *tool],
        cwd=ROOT,
        env=lab.env(PYTHONPATH=str(ROOT)),
    )

    assert ran.code == 0, ran.out + ran.err


def hooks_over_mcp(runtime: str) -> dict[str, Any]:
    """Return hooks that send what follows a tool call to the running server."""
    given = {"runtime": runtime} | {name: f"${{{name}}}" for name in FILLED_IN}
    hook = {"type": "mcp_tool", "server": "twiceshy", "tool": "hook", "input": given}
    return {"PostToolUse": [{"matcher": "*", "hooks": [hook]}]}


def results(requests: list[Any]) -> str:
    """Return all that the model was sent in the last request, as JSON."""
    return json.dumps(requests[-1].body, ensure_ascii=False)


def test_claude_code_calls_our_tools_and_its_hooks_reach_the_server_that_runs(
    claude: ClaudeCode,
) -> None:
    lab = claude.lab
    project = lab.project("shop")
    claude.skill(project, "pack")
    servers = lab.home / "servers.json"
    entry = {"command": "twiceshy", "args": ["mcp"]}
    claude.write(servers, {"mcpServers": {"twiceshy": entry}})
    settings = json.loads(claude.settings.read_text())
    claude.write(claude.settings, settings | {"hooks": hooks_over_mcp("claude-code")})

    ran = claude.ask(
        "pack it",
        calls("mcp__twiceshy__skill_note", **NOTE),
        calls("mcp__twiceshy__skill_recall", skill="pack", intent="pack a box"),
        calls("Skill", skill="pack"),
        project=project,
        options=("--mcp-config", str(servers), "--allowedTools", "mcp__twiceshy"),
        MCP_CONNECTION_NONBLOCKING="0",  # a scripted model does not wait until the tools are there
    )

    sent = results(lab.requests)
    assert ran.code == 0, ran.err
    assert "Noted as n" in sent
    assert (
        sent.count(f"] {LESSON}") == 2
    )  # recalled by the tool, and told when the skill is loaded
    assert "PostToolUse:Skill hook additional context: <skill-memory" in sent
    assert claude.hook_troubles() == []


def test_codex_calls_our_tools_and_its_hooks_reach_the_server_that_runs(codex: Codex) -> None:
    lab = codex.lab
    project = lab.project("shop")
    skill = codex.skill(project, "pack")
    table = '\n[mcp_servers.twiceshy]\ncommand = "twiceshy"\nargs = ["mcp"]\n'
    # a scripted model does not wait until the tools are there, as a real one would
    approved = 'default_tools_approval_mode = "approve"\nrequired = true\n'
    codex.config.write_text(codex.config.read_text() + table + approved)
    codex.write(codex.hooks, {"hooks": hooks_over_mcp("codex")})

    ran = codex.ask(
        "pack it",
        calls("mcp__twiceshy__skill_note", **NOTE),
        calls("mcp__twiceshy__skill_recall", skill="pack", intent="pack a box"),
        calls("exec_command", cmd=f"cat {skill}"),
        project=project,
    )

    sent = results(lab.requests)
    assert ran.code == 0, ran.err
    assert "Noted as n" in sent
    assert sent.count(f"] {LESSON}") == 2  # recalled by the tool, and told when the skill is read

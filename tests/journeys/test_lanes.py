"""Two lanes lead from a client to us, a process for each event or the MCP server: what arrives is the same."""

import re
from pathlib import Path

import pytest
from tests.journeys.lab.bench import Lab
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.client import Client
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.presence import here
from tests.journeys.lab.script import Step, calls
from tests.requirements import requirement

pytestmark = pytest.mark.journey

LESSON = "Weigh the box before you tape it shut."
MISTAKE = "no-such-scales --weigh"
BRIEF = re.compile(r"<skill-memory .*?</skill-memory>", re.DOTALL)
DEAD = "exec /bin/false"


def steps(client: Client) -> tuple[Step, ...]:
    """Load a skill, then fail."""
    if isinstance(client, ClaudeCode):
        return (
            calls("Skill", skill="pack"),
            calls("Bash", command=MISTAKE, description="Weigh"),
        )
    read = calls("exec_command", cmd=f"cat {client.skills}/pack/SKILL.md")
    return (read, calls("exec_command", cmd=MISTAKE))


def told(client: Client) -> set[str]:
    """Return the briefs that reached the model."""
    found = "".join(str(request.body) for request in client.lab.requests).replace("\\n", "\n")
    return set(BRIEF.findall(found))


def places_of(client: Client) -> list[tuple[int, str]]:
    """Return where the lesson stands; a start that tells more moves all later messages."""
    found = client.lab.find(LESSON)
    return [(place.request, re.sub(r"^(\w+)\[\d+\]", r"\1", place.path)) for place in found]


def settled(client: Client, runtime: str) -> Path:
    """Make a project with a skill and a lesson about it, and connect the client."""
    project = client.lab.project("shop")
    if isinstance(client, ClaudeCode):
        client.trust(project)
    client.skill(project, "pack")
    client.lab.twiceshy("note", LESSON, "--skill", "pack", cwd=project)
    client.lab.twiceshy("install", runtime, "--yes")
    return project


def errors(client: Client, project: Path) -> int:
    """Count the times that the mistake was noticed."""
    listed = client.lab.twiceshy("status", "--json", cwd=project).out
    return int(re.findall(r'"signals": (\d+)', listed)[0])


def change_lanes(client: Client, runtime: str) -> None:
    client.lab.twiceshy("config", "set", "hook.lane", "server")
    client.lab.twiceshy("install", runtime, "--yes")


@requirement("R03")
@pytest.mark.parametrize("runtime", ["claude-code", "codex"])
def test_the_server_tells_a_client_what_a_process_tells_it(runtime: str, lab: Lab) -> None:
    client = here(lambda: ClaudeCode(lab) if runtime == "claude-code" else Codex(lab))
    project = settled(client, runtime)
    client.ask("pack it", project=project)  # later sessions begin with how this one ended
    first = client.ask("pack it", *steps(client), project=project)
    by_process, places = told(client), places_of(client)
    change_lanes(client, runtime)

    second = client.ask("pack it", *steps(client), project=project)

    assert (first.code, second.code) == (0, 0), second.err
    assert len(by_process) == 1
    assert told(client) == by_process
    assert places_of(client) == places
    assert client.lab.broken_prefix() == ""
    assert errors(client, project) == 2


@requirement("R03", "R13")
def test_a_server_that_never_starts_leaves_a_session_as_it_is(claude: ClaudeCode) -> None:
    project = settled(claude, "claude-code")
    change_lanes(claude, "claude-code")
    (claude.lab.memory / "bin" / "mcp").write_text(f"#!/bin/sh\n{DEAD}\n", encoding="utf-8")

    ran = claude.ask("pack it", *steps(claude), project=project)

    assert (ran.code, ran.out, ran.err) == (0, "All done.\n", "")
    assert told(claude) == set()

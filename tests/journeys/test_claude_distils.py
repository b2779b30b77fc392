"""The real command line answers a prompt and can do nothing else: no tool, no hook, no session left behind."""

import json
import sys

import pytest
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.script import Script, says
from tests.requirements import requirement

pytestmark = pytest.mark.journey

ASK = """
import json, os, sys
from twiceshy.models.claude_cli import ClaudeCli
found = ClaudeCli("claude-haiku-4-5", os.environ, seconds=50).complete(sys.argv[1], most=1)
print(json.dumps(found.but(failed=()).fields()))
"""
EVENTS = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]


@requirement("U078", "F15")
def test_claude_answers_without_tools_hooks_servers_or_a_transcript(claude: ClaudeCode) -> None:
    (claude.lab.root / "bin" / "claude").symlink_to(claude.program)
    heard = claude.record(EVENTS)
    started = claude.lab.root / "started"
    server = {"command": "/bin/sh", "args": ["-c", f"touch {started}"]}
    settings = claude.lab.home / ".claude.json"
    claude.write(settings, json.loads(settings.read_text()) | {"mcpServers": {"other": server}})
    claude.lab.model.play(Script(steps=[says("[]")], routes=[]))

    ran = claude.lab.run(
        [sys.executable, "-c", ASK, "What does MATERIAL teach?"],
        cwd=claude.lab.home,
        env=claude.env(),
    )

    found = json.loads(ran.out)
    assert (found["text"], found["error"]) == ("[]", ""), ran.err
    [asked] = claude.lab.requests
    assert asked.body.get("tools", []) == []
    assert claude.lab.find("What does MATERIAL teach?")
    assert heard.read_text() == ""
    assert not started.exists()
    assert claude.transcripts() == []

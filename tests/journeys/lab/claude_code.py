"""Claude Code in a lab: its settings, its environment, a question asked or a terminal opened."""

import json
import re
from pathlib import Path

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import claude
from tests.journeys.lab.terminal import Terminal

KEY = "sk-ant-a-key-that-opens-nothing"
FINE = {"hook_success", "hook_additional_context"}
DOWN = "\x1b[B"
# A user who lets the agent work, and wants to be asked before something is removed.
SETTINGS = {
    "permissions": {
        "allow": ["Agent", "Bash", "Edit", "Read", "Skill", "Write"],
        "ask": ["Bash(rm *)"],
    }
}


class ClaudeCode(Client):
    """The client of one user, and that user's settings."""

    skills = ".claude/skills"

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, claude())
        self.settings = lab.home / ".claude" / "settings.json"
        self.write(self.settings, SETTINGS)
        self.trust()

    def trust(self, *projects: Path) -> None:
        """Answer beforehand what the client asks on its first start."""
        trusted = {str(folder): {"hasTrustDialogAccepted": True} for folder in projects}
        self.write(
            self.lab.home / ".claude.json",
            {
                "hasCompletedOnboarding": True,
                "theme": "dark",
                "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
                "projects": trusted,
            },
        )

    def record(self, events: list[str], answers: dict[str, str] | None = None) -> Path:
        """Let a hook of the lab's own write down these events, and answer some; return where."""
        log, command = self.recorder(answers)
        hooks = [{"hooks": [{"type": "command", "command": command}]}]
        known = json.loads(self.settings.read_text())
        self.write(self.settings, known | {"hooks": dict.fromkeys(events, hooks)})
        return log

    def env(self) -> dict[str, str]:
        return super().env() | {
            "ANTHROPIC_BASE_URL": self.lab.model.url,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_MODEL": "claude-sonnet-4-5",
            "ANTHROPIC_SMALL_FAST_MODEL": "claude-haiku-4-5",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "0",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_TELEMETRY": "1",
            "IS_SANDBOX": "1",  # it refuses some flags to root otherwise
            # On a busy machine it would ask the model before its MCP servers are there.
            "MCP_CONNECTION_NONBLOCKING": "0",
            "MCP_CONNECT_TIMEOUT_MS": "30000",
        }

    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        return ("-p", prompt, *options)

    def transcripts(self) -> list[Path]:
        return sorted((self.lab.home / ".claude" / "projects").glob("*/*.jsonl"))

    def hook_troubles(self) -> list[str]:
        """Return what the client says of hooks that failed, in all transcripts so far."""
        lines = "".join(file.read_text(encoding="utf-8") for file in self.transcripts())
        told = [json.loads(line).get("attachment", {}) for line in lines.splitlines()]
        kinds = [(one.get("type", ""), one) for one in told]
        return [str(one) for kind, one in kinds if kind.startswith("hook_") and kind not in FINE]


def a_market(claude: ClaudeCode) -> Path:
    """Make a marketplace of somebody else: ``stall``, with the plugin ``kit`` and its skill ``wrap``."""
    market = claude.lab.home / "market"
    plugin = {"name": "kit", "source": "./kit"}
    listed = {"name": "stall", "owner": {"name": "u"}, "plugins": [plugin]}
    claude.write(market / ".claude-plugin/marketplace.json", listed)
    claude.write(market / "kit/.claude-plugin/plugin.json", {"name": "kit", "version": "1.0.0"})
    claude.skill(market / "kit", "wrap", inside="skills")
    return market


def reject(terminal: Terminal, reason: str) -> None:
    """Answer the dialog that asks for permission: no, and say what to do instead."""
    terminal.wait_for("Do you want")
    terminal.look(1)  # it ignores what is pressed in its first moments
    number = re.search(r"([23])\. No", terminal.text)
    assert number, terminal.text
    terminal.press(DOWN * (int(number[1]) - 1))
    terminal.wait_for(f"❯ {number[0]}")
    terminal.press("\t")
    terminal.wait_for("and tell Claude")
    terminal.press(reason)
    terminal.wait_for(reason)
    terminal.press("\r")

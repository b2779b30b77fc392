"""Gemini CLI in a lab: a key that opens nothing, and a user who lets it work."""

import json
import sys
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import gemini, node

SETTINGS = {
    "security": {
        "auth": {"selectedType": "gemini-api-key"},
        "folderTrust": {"enabled": False},
    },
    "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
}


class Gemini(Client):
    """The client of one user, and that user's ``~/.gemini``."""

    skills = ".gemini/skills"

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, lab.offer("gemini", node(), gemini()))
        lab.offer("node", node())
        self.settings = lab.home / ".gemini" / "settings.json"
        self.write(self.settings, SETTINGS)

    def set(self, **settings: Any) -> None:
        """Add to the user's settings."""
        self.write(self.settings, json.loads(self.settings.read_text()) | settings)

    def env(self) -> dict[str, str]:
        return super().env() | {
            "GEMINI_API_KEY": "opens-nothing",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GOOGLE_GEMINI_BASE_URL": self.lab.model.url,
            "NO_BROWSER": "1",
        }

    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        return ("-p", prompt, "--yolo", "-m", "gemini-2.5-pro", *options)

    def serve(self, name: str, script: Path) -> None:
        """Register an MCP server that is a Python program."""
        server = {"command": sys.executable, "args": ["-I", "-S", str(script)], "trust": True}
        self.set(mcpServers={name: server})

    def record(self, events: list[str], answers: dict[str, str] | None = None) -> Path:
        """Let a hook of the lab's own write down these events, and answer some; return where."""
        log, command = self.recorder(answers)
        hook = {"type": "command", "name": "recorder", "command": command, "timeout": 20_000}
        group = {"matcher": "*", "hooks": [hook]}
        self.set(hooks={event: [group] for event in events})
        return log

    def transcripts(self) -> list[Path]:
        return sorted((self.lab.home / ".gemini" / "tmp").glob("*/chats/session-*.jsonl"))

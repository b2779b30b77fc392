"""Pi in a lab, under its old name or its new one: a provider of its own, and no home to call."""

import json
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import node, pi

EXTENSION = Path(__file__).with_name("pi_recorder.ts")


class Pi(Client):
    """The client of one user, and that user's ``~/.pi/agent``."""

    skills = ".pi/skills"

    def __init__(self, lab: Lab, flavour: str = "new") -> None:
        super().__init__(lab, lab.offer("pi", node(), pi(flavour)))
        lab.offer("node", node())
        self.flavour = flavour
        self.folder = lab.home / ".pi" / "agent"
        self.settings = self.folder / "settings.json"
        self.set(defaultProvider="lab", defaultModel="lab-model")
        provider = {
            "baseUrl": f"{lab.model.url}/v1",
            "api": "openai-completions",
            "apiKey": "opens-nothing",
            "compat": {"supportsDeveloperRole": False, "supportsReasoningEffort": False},
            "models": [{"id": "lab-model", "contextWindow": 100_000, "maxTokens": 4096}],
        }
        self.write(self.folder / "models.json", {"providers": {"lab": provider}})

    def set(self, **settings: Any) -> None:
        """Add to the user's settings."""
        known = json.loads(self.settings.read_text()) if self.settings.exists() else {}
        self.write(self.settings, known | settings)

    def env(self) -> dict[str, str]:
        return super().env() | {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        # The new one asks whether the project is to be trusted before it loads anything from it.
        trust = ("--approve",) if self.flavour == "new" else ()
        return ("-p", *trust, *options, prompt)

    def record(self) -> Path:
        """Let an extension of the lab's own write down every event; return where."""
        log = self.lab.root / "events.jsonl"
        log.touch()
        folder = self.folder / "extensions"
        folder.mkdir(exist_ok=True)
        text = EXTENSION.read_text(encoding="utf-8").replace("__LOG__", str(log))
        (folder / "recorder.ts").write_text(text, encoding="utf-8")
        return log

    def transcripts(self) -> list[Path]:
        return sorted((self.folder / "sessions").glob("*/*.jsonl"))

"""OpenCode in a lab: a provider of its own, and nothing fetched from anywhere."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import opencode, ripgrep
from tests.journeys.lab.wire import Json

PLUGIN = Path(__file__).with_name("opencode_recorder.js")
# It fetches a package for its plugins at every start and, where that fails, tries for a minute.
NPMRC = "offline=true\n"


class OpenCode(Client):
    """The client of one user, and that user's ``~/.config/opencode``."""

    skills = ".opencode/skills"

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, lab.offer("opencode", opencode()))
        lab.offer("rg", ripgrep())
        (lab.home / ".npmrc").write_text(NPMRC)
        self.config = lab.home / ".config" / "opencode" / "opencode.json"
        self.database = lab.home / ".local" / "share" / "opencode" / "opencode.db"
        limits = {"context": 100_000, "output": 4096}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Lab",
            "options": {"baseURL": f"{lab.model.url}/v1", "apiKey": "opens-nothing"},
            "models": {"lab-model": {"name": "Lab", "tool_call": True, "limit": limits}},
        }
        self.set(
            model="lab/lab-model",
            small_model="lab/lab-model",
            autoupdate=False,
            share="disabled",
            permission="allow",
            provider={"lab": provider},
        )

    def set(self, **settings: Any) -> None:
        """Add to the user's settings."""
        known = json.loads(self.config.read_text()) if self.config.exists() else {}
        self.write(self.config, known | settings)

    def env(self) -> dict[str, str]:
        return super().env() | {
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_SHARE": "1",
        }

    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        # Word by word, as a person types it: it puts quotes around a word that has spaces in it.
        return ("run", *options, "--", *prompt.split(" "))

    def serve(self, name: str, script: Path) -> None:
        """Register an MCP server that is a Python program."""
        command = [sys.executable, "-I", "-S", str(script)]
        self.set(mcp={name: {"type": "local", "enabled": True, "command": command}})

    def record(self) -> Path:
        """Let a plugin of the lab's own write down every hook it is called for; return where."""
        log = self.lab.root / "events.jsonl"
        log.touch()
        folder = self.config.with_name("plugins")
        folder.mkdir(exist_ok=True)
        text = PLUGIN.read_text(encoding="utf-8").replace("__LOG__", str(log))
        (folder / "recorder.js").write_text(text, encoding="utf-8")
        return log

    def transcripts(self) -> list[Path]:
        return [self.database] if self.database.exists() else []

    def table(self, name: str) -> Json:
        """Return a table of its database: its columns and their types, its rows, oldest first."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            columns = database.execute("select name, type from pragma_table_info(?)", (name,))
            kinds = {column["name"]: column["type"] for column in columns}
            rows = database.execute(f"select * from {name} order by time_created, id")
            return {"columns": kinds, "rows": [dict(row) for row in rows]}

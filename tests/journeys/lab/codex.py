"""Codex in a lab: a provider of its own, a user who lets it work, hooks that are trusted or not."""

import re
import sys
from pathlib import Path

from tests.journeys.lab.bench import Lab
from tests.journeys.lab.client import Client
from tests.journeys.lab.clients import codex

CONFIG = """\
model = "gpt-5.5"
model_provider = "lab"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.lab]
name = "lab"
base_url = "{url}/v1"
env_key = "LAB_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
"""
NOWHERE = "http://127.0.0.1:9"
SERVER = """
[mcp_servers.{name}]
command = "{python}"
args = ["-I", "-S", "{script}"]
"""


DOWN = "\x1b[B"
FIRST = re.compile("Trust this folder|Hooks need review")


class Codex(Client):
    """The client of one user, and that user's ``~/.codex``."""

    skills = ".agents/skills"

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, lab.offer("codex", codex()))
        self.trusts_hooks = True  # as after a visit to /hooks; False: it skips them without a word
        self.config = lab.home / ".codex" / "config.toml"
        self.hooks = self.config.with_name("hooks.json")
        self.config.parent.mkdir()
        self.config.write_text(CONFIG.format(url=lab.model.url), encoding="utf-8")

    def env(self) -> dict[str, str]:
        return super().env() | {
            "LAB_API_KEY": "sk-a-key-that-opens-nothing",
            "RUST_LOG": "error",
            # It looks for plugins at every start; its resolver waits 5 s where there is no network.
            "HTTPS_PROXY": NOWHERE,
        }

    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        trust = ("--dangerously-bypass-hook-trust",) if self.trusts_hooks else ()
        return ("exec", "--skip-git-repo-check", *trust, *options, prompt)

    def serve(self, name: str, script: Path) -> None:
        """Register an MCP server that is a Python program."""
        table = SERVER.format(name=name, python=sys.executable, script=script)
        self.config.write_text(self.config.read_text() + table, encoding="utf-8")

    def record(self, events: list[str], answers: dict[str, str] | None = None) -> Path:
        """Let a hook of the lab's own write down these events, and answer some; return where."""
        log, command = self.recorder(answers)
        hooks = [{"hooks": [{"type": "command", "command": command}]}]
        self.write(self.hooks, {"hooks": dict.fromkeys(events, hooks)})
        return log

    def transcripts(self) -> list[Path]:
        return sorted((self.lab.home / ".codex" / "sessions").glob("*/*/*/rollout-*.jsonl"))


def trust_hooks(codex: Codex, project: Path) -> None:
    """Sit at the terminal and answer what the client asks there: yes to this folder, yes to all hooks."""
    with codex.terminal(project=project) as terminal:
        terminal.wait_for("Ask Codex")
        terminal.press("\r")
        terminal.wait_until(lambda: bool(FIRST.search(terminal.text)), "a question")
        if "Trust this folder" in terminal.text:
            terminal.press("\r")
        terminal.wait_for("2. Trust all and continue")
        terminal.look(1)  # it ignores what is pressed in its first moments
        terminal.press(DOWN)
        terminal.wait_for("› 2. Trust all")
        terminal.press("\r")
        terminal.wait_until(lambda: "trusted_hash" in codex.config.read_text(), "trust")
        terminal.kill()  # it takes its time to say goodbye

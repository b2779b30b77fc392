"""Claude Code in a lab: its settings, its environment, a question asked or a terminal opened."""

import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab, Ran
from tests.journeys.lab.clients import claude
from tests.journeys.lab.script import Script, Step
from tests.journeys.lab.terminal import Terminal

RECORDER = Path(__file__).with_name("recorder.py")
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


class ClaudeCode:
    """The client of one user, and that user's settings."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.program = str(claude())
        self.settings = lab.home / ".claude" / "settings.json"
        self.settings.parent.mkdir()
        self.write(self.settings, SETTINGS)
        self.trust()

    def write(self, path: Path, content: dict[str, Any]) -> None:
        """Write a file of JSON as a person would."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

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

    def skill(
        self,
        base: Path,
        name: str,
        *,
        body: str = "Do it with care.",
        inside: str = ".claude/skills",
    ) -> Path:
        """Write a skill below a project, the home or a plugin, and return its SKILL.md."""
        file = base / inside / name / "SKILL.md"
        file.parent.mkdir(parents=True)
        head = f"---\nname: {name}\ndescription: Use it when asked to {name}.\n---\n"
        file.write_text(f"{head}\n# {name}\n\n{body}\n", encoding="utf-8")
        return file

    def record(self, events: list[str], answers: dict[str, str] | None = None) -> Path:
        """Let a hook of the lab's own write down these events, and answer some; return where."""
        log, given = self.lab.root / "events.jsonl", self.lab.root / "answers.json"
        log.touch()
        self.write(given, answers or {})
        command = f"{sys.executable} -I -S {RECORDER} {log} {given}"
        hooks = [{"hooks": [{"type": "command", "command": command}]}]
        known = json.loads(self.settings.read_text())
        self.write(self.settings, known | {"hooks": dict.fromkeys(events, hooks)})
        return log

    def env(self) -> dict[str, str]:
        """Return what keeps the client to itself and to our model."""
        return self.lab.env(
            ANTHROPIC_BASE_URL=self.lab.model.url,
            ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_MODEL="claude-sonnet-4-5",
            ANTHROPIC_SMALL_FAST_MODEL="claude-haiku-4-5",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            CLAUDE_CODE_MAX_RETRIES="0",
            DISABLE_AUTOUPDATER="1",
            DISABLE_ERROR_REPORTING="1",
            DISABLE_TELEMETRY="1",
            IS_SANDBOX="1",  # it refuses some flags to root otherwise
            TWICESHY_HOOK_DEADLINE_MS="4000",  # machines are noisy; a slow hook is not a wrong one
        )

    def ask(
        self,
        prompt: str,
        *steps: Step,
        project: Path,
        options: tuple[str, ...] = (),
        **env: str,
    ) -> Ran:
        """Run one session in print mode, the model taking these steps."""
        self.lab.model.play(Script(steps=list(steps)))
        command = [self.program, "-p", prompt, *options]
        return self.lab.run(command, cwd=project, env=self.env() | env)

    def command(self, *words: str) -> Ran:
        """Run a command of the client itself, such as ``plugin list``."""
        return self.lab.run([self.program, *words], cwd=self.lab.home, env=self.env())

    def terminal(self, *steps: Step, project: Path) -> Terminal:
        """Open the client as a person does."""
        self.lab.model.play(Script(steps=list(steps)))
        env = self.env() | {"TERM": "xterm-256color"}
        return Terminal(
            lambda tty: self.lab.loopback.start([self.program], cwd=project, env=env, terminal=tty)
        )

    def transcripts(self) -> list[Path]:
        """Return the transcripts of all sessions so far, without those of subagents."""
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

"""What every client has: a program, skills in folders, sessions that follow a script."""

import json
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab, Ran
from tests.journeys.lab.script import Script, Step
from tests.journeys.lab.terminal import Terminal

RECORDER = Path(__file__).with_name("recorder.py")


class Client(ABC):
    """The client of one user in that user's home."""

    skills: str  # where it looks for skills, below a project

    def __init__(self, lab: Lab, program: Path) -> None:
        self.lab = lab
        self.program = str(program)

    @abstractmethod
    def session(self, prompt: str, options: tuple[str, ...]) -> tuple[str, ...]:
        """Return the words behind the program that run one session without a terminal."""

    @abstractmethod
    def transcripts(self) -> list[Path]:
        """Return the transcripts of all sessions so far, without those of subagents."""

    def env(self) -> dict[str, str]:
        """Return what keeps the client to itself and to our model."""
        # Machines are noisy; a slow hook is not a wrong one.
        return self.lab.env(TWICESHY_HOOK_DEADLINE_MS="4000", TWICESHY_HOOK_WALL_MS="4500")

    def ask(
        self,
        prompt: str,
        *steps: Step,
        project: Path,
        options: tuple[str, ...] = (),
        **env: str,
    ) -> Ran:
        """Run one session, the model taking these steps."""
        return self.hold(prompt, Script(list(steps)), project=project, options=options, **env)

    def hold(
        self,
        prompt: str,
        script: Script,
        *,
        project: Path,
        options: tuple[str, ...] = (),
        **env: str,
    ) -> Ran:
        """Run one session that follows a script; subagents may have parts of their own in it."""
        self.lab.model.play(script)
        command = [self.program, *self.session(prompt, options)]
        return self.lab.run(command, cwd=project, env=self.env() | env)

    def command(self, *words: str) -> Ran:
        """Run a command of the client itself, such as ``plugin list``."""
        return self.lab.run([self.program, *words], cwd=self.lab.home, env=self.env())

    def terminal(self, *steps: Step, project: Path, options: tuple[str, ...] = ()) -> Terminal:
        """Open the client as a person does."""
        self.lab.model.play(Script(list(steps)))
        env = self.env() | {"TERM": "xterm-256color"}
        command = [self.program, *options]
        return Terminal(
            lambda tty: self.lab.loopback.start(command, cwd=project, env=env, terminal=tty)
        )

    def write(self, path: Path, content: dict[str, Any]) -> None:
        """Write a file of JSON as a person would."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    def skill(
        self, base: Path, name: str, *, body: str = "Do it with care.", inside: str = ""
    ) -> Path:
        """Write a skill below a project, the home or a plugin, and return its SKILL.md."""
        file = base / (inside or self.skills) / name / "SKILL.md"
        file.parent.mkdir(parents=True)
        head = f"---\nname: {name}\ndescription: Use it when asked to {name}.\n---\n"
        file.write_text(f"{head}\n# {name}\n\n{body}\n", encoding="utf-8")
        return file

    def recorder(self, answers: dict[str, str] | None) -> tuple[Path, str]:
        """Make the record of a hook of the lab's own; return it, and the hook's command line."""
        log, given = self.lab.root / "events.jsonl", self.lab.root / "answers.json"
        log.touch()
        self.write(given, answers or {})
        return log, f"{sys.executable} -I -S {RECORDER} {log} {given}"

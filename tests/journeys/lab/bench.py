"""One experiment: a throw-away home, projects in it, a scripted model, and what reached it."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.journeys.lab.anthropic import Anthropic
from tests.journeys.lab.gemini_api import GeminiApi
from tests.journeys.lab.loopback import open_loopback
from tests.journeys.lab.openai_chat import OpenAIChat
from tests.journeys.lab.openai_responses import OpenAIResponses
from tests.journeys.lab.server import ModelServer, Request
from tests.person import AT_TERMINAL, PersonTerminal

WIRES = (Anthropic(), OpenAIResponses(), OpenAIChat(), GeminiApi())
PATIENCE = 60  # seconds; a client that needs longer hangs
AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@example.org"]


@dataclass(frozen=True)
class Ran:
    """How a client ended and what it printed."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Place:
    """Where a text stood in what the model was sent."""

    request: int
    path: str


class Lab:
    """Everything a client sees: nothing in it comes from the machine's own home or environment.

    Several clients may live in one lab, as they do in a user's home; one of them talks at a time.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        for folder in (self.home, root / "bin", root / "tmp"):
            folder.mkdir(parents=True)
        (root / "bin" / "twiceshy").symlink_to(Path(sys.executable).with_name("twiceshy"))
        self.loopback = open_loopback()
        self.model = ModelServer(WIRES, self.loopback.listener)

    def close(self) -> None:
        """End the model and what hooks have left running, and leave the namespace to the kernel."""
        self.model.close()
        self.loopback.close()
        for process in self._left_running():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _left_running(self) -> Iterator[int]:
        """Yield the processes that live in this lab's home; those of a broken hook would run on."""
        home = os.fsencode(f"HOME={self.home}")
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                theirs = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue  # ended a moment ago, or somebody else's
            if home in theirs:
                yield int(folder.name)

    def offer(self, name: str, *command: Path) -> Path:
        """Put a program where the user's shell finds it by name, and return it."""
        program = self.root / "bin" / name
        program.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@"\n')
        program.chmod(0o755)
        return program

    def project(self, name: str) -> Path:
        """Make a git repository with one commit of its own; that commit is its identity."""
        folder = self.home / name
        folder.mkdir(parents=True)
        git = ["git", *AUTHOR]
        for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", f"Begin {name}"]):
            subprocess.run([*git, *words], cwd=folder, env=self.env(), check=True)
        return folder

    def env(self, **more: str) -> dict[str, str]:
        """Return the environment of a new user on a new machine."""
        return {
            "PATH": f"{self.root / 'bin'}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TMPDIR": str(self.root / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
        } | more

    def run(self, command: list[str], *, cwd: Path, env: dict[str, str]) -> Ran:
        """Run a client to its end; one that never ends is killed, with all it started."""
        with self.loopback.start(command, cwd=cwd, env=env) as client:
            try:
                out, err = client.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(client.pid, signal.SIGKILL)
                out, err = client.communicate()
        return Ran(client.returncode, out.decode(), err.decode())

    def twiceshy(
        self, *words: str, cwd: Path | None = None, succeeds: bool = True, **env: str
    ) -> Ran:
        """Run one of our own commands as the user of this home."""
        command = [str(self.root / "bin" / "twiceshy"), *words]
        where, given = cwd or self.home, self.env(**env)
        ran = self.run(command, cwd=where, env=given)
        if AT_TERMINAL in ran.err:
            terminal = PersonTerminal(lambda: subprocess.call(command, cwd=where, env=given))
            ran = Ran(terminal.end(), terminal.shown, "")
        assert (ran.code == 0) is succeeds, ran.out + ran.err
        return ran

    @property
    def memory(self) -> Path:
        """Return the memory home, where a user who sets nothing has it."""
        return self.home / ".twiceshy"

    @property
    def requests(self) -> list[Request]:
        """Return what the model was asked in the newest session, asides left out, oldest first."""
        told = ("step", "final")
        return [request for request in self.model.requests if request.answered_by in told]

    def find(self, text: str) -> list[Place]:
        """Tell where in the requests a text reached the model."""
        return [
            Place(number, path)
            for number, request in enumerate(self.requests)
            for path, value in strings(request.body)
            if text in value
        ]

    def broken_prefix(self) -> str:
        """Tell where a request does not continue the one before it byte for byte; "" if all do.

        Compared is what the vendor caches, in the order the client wrote it: all that comes before
        the conversation, then each message. Only the marks that say where to cache are ignored.
        """
        prompts = [
            wire.prompt(request.body)
            for request in self.requests
            if (wire := self.model.wire(request.path))
        ]
        for number, (older, newer) in enumerate(pairwise(prompts), start=1):
            if written(older[0]) != written(newer[0]):
                return f"request {number} changes what comes before the conversation"
            for place, message in enumerate(older[1]):
                if [written(message)] != [written(part) for part in newer[1][place : place + 1]]:
                    return f"request {number} changes message {place}"
        return ""


def written(node: object) -> str:
    """Write JSON in the order it was read, so that a key that moved is a difference."""
    return json.dumps(node, ensure_ascii=False)


def strings(node: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in a JSON value with its path, such as ``messages[0].content``."""
    if isinstance(node, str):
        yield path, node
    elif isinstance(node, list):
        for place, part in enumerate(node):
            yield from strings(part, f"{path}[{place}]")
    elif isinstance(node, dict):
        for key, part in node.items():
            yield from strings(part, f"{path}.{key}".lstrip("."))

"""A host for the extension: a real Node.js loads it, beside a hook of the test's own that keeps what it is told."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import twiceshy

Json = dict[str, Any]
PACKAGE = Path(twiceshy.__file__).parent
SHIPPED = PACKAGE / "plugins" / "pi"
RECORDED = Path(__file__).resolve().parents[2] / "payloads" / "pi"
STAGE = Path(__file__).with_name("extension_host.mjs")
SESSION = "00000000-0000-4000-8000-000000000001"

HOOK = """\
#!{python}
import json, sys
payload = json.load(sys.stdin)
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], payload]) + "\\n")
answers = json.load(open({answers!r}))
answer = answers.get(payload.get("hook_event_name") or sys.argv[2])
if answer is not None:
    sys.stdout.write(answer if isinstance(answer, str) else json.dumps(answer))
"""


@dataclass(frozen=True)
class Played:
    """What the extension returned for every act, whom it asked, and which tools it brought."""

    results: list[Json]
    questions: list[list[str]]
    tools: list[Json]
    events: list[str]

    @property
    def returned(self) -> list[Any]:
        """Return what came back; an act that threw fails the test."""
        return [result["returned"] for result in self.results]


class Stage:
    """A memory home with the extension in it, and programs in ``bin/`` that belong to the test."""

    def __init__(self, folder: Path) -> None:
        self.node = shutil.which("node")
        if self.node is None:
            pytest.skip("the extension runs in Node.js, and there is none on the PATH")
        self.home, self.cwd = folder / "home", folder / "shop"
        self.log, self.answers = folder / "told.jsonl", folder / "answers.json"
        for place in (self.home / "pi", self.home / "bin", self.cwd):
            place.mkdir(parents=True)
        shutil.copy(SHIPPED / "tools.json", self.home / "pi")
        # older releases of Node.js take no .ts; the file has no types, so that it needs no other form
        self.extension = self.home / "pi" / "twiceshy.mjs"
        shutil.copy(SHIPPED / "twiceshy.ts", self.extension)
        text = HOOK.format(python=sys.executable, log=str(self.log), answers=str(self.answers))
        for program in ("hook", "mcp"):
            self.program(program, text)
        self.log.touch()
        self.answer()

    def program(self, name: str, text: str) -> None:
        """Put a program where the extension looks for it."""
        path = self.home / "bin" / name
        path.write_text(text)
        path.chmod(0o700)

    def answer(self, **answers: object) -> None:
        """Let the hook answer events, or tools, with these."""
        self.answers.write_text(json.dumps(answers))

    def play(
        self,
        *acts: Json,
        interface: bool = False,
        agrees: bool = False,
        entries: tuple[Json, ...] = (),
        session: str = SESSION,
    ) -> Played:
        """Let events happen, one after the other."""
        context = {
            "cwd": str(self.cwd),
            "hasUI": interface,
            "session": session,
            "transcript": f"/sessions/{session}.jsonl",
        }
        told = {
            "extension": self.extension.as_uri(),
            "context": context,
            "agrees": agrees,
            "entries": entries,
            "acts": acts,
        }
        ran = subprocess.run(
            [str(self.node), str(STAGE)],
            input=json.dumps(told).encode(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, b"")
        return Played(**json.loads(ran.stdout))

    @property
    def sent(self) -> list[Json]:
        """Return the payloads that the hook was given."""
        return [payload for _, payload in self.calls]

    @property
    def calls(self) -> list[tuple[list[str], Json]]:
        """Return what the programs were started with, and given."""
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()]


def recorded(name: str, release: str = "") -> Json:
    """Return an act: an event as Pi sent it in a recorded session, of its new release or the old."""
    event: Json = json.loads((RECORDED / release / f"{name}.json").read_text())["event"]
    return {"event": event["type"], "told": event}


def says(text: str, **more: str) -> Json:
    """Return what a hook prints to put a text before the model."""
    return {"hookSpecificOutput": {"additionalContext": text, **more}}


def rules(ruling: str, reason: str) -> Json:
    """Return what a hook prints to rule on a call."""
    told = {"permissionDecision": ruling, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": told}

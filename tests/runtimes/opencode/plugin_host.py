"""Run the plugin under Node.js with a hook that writes down what it is sent and answers what it is told."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import twiceshy
from twiceshy.runtimes.opencode.install import render_plugin

HOST = Path(__file__).with_name("host.mjs")
PAYLOADS = Path(__file__).parents[2] / "payloads" / "opencode"
PACKAGE = os.path.dirname(twiceshy.__file__)
SESSION, AGENT = "ses_00000000000000000000000003", "ses_00000000000000000000000004"
# Writes a line first and as a whole: several may run at once.
HOOK = f"""#!{sys.executable} -IS
import json, os, sys
said = json.load(sys.stdin)
with open({{log!r}}, "a") as log:
    log.write(json.dumps([sys.argv[1:], said]) + "\\n")
text = {{answers!r}}.get(said["hook_event_name"])
if isinstance(text, str):
    text = json.dumps({{{{"hookSpecificOutput": {{{{"additionalContext": text}}}}}}}})
elif text:
    text = json.dumps({{{{"hookSpecificOutput": dict(text)}}}})
print(text or "", end="")
"""


class Ran(NamedTuple):
    """What became of the hook calls, and what our own hook was sent."""

    exports: list[str]
    hooks: list[str]
    results: list[Any]
    sent: list[dict[str, Any]]

    @property
    def events(self) -> list[str]:
        return [payload["hook_event_name"] for payload in self.sent]


class Host:
    """OpenCode, as far as the plugin sees it."""

    def __init__(self, folder: Path) -> None:
        node = shutil.which("node")
        if node is None:
            pytest.skip("needs Node.js, which runs the plugin here in OpenCode's place")
        self._node = node
        self.folder = folder
        self.log = folder / "log.jsonl"
        self.hook = folder / "a hook's \u00fc.py"
        self.answers: dict[str, object] = {}
        self.sessions: dict[str, dict[str, str]] = {}

    def run(
        self, *steps: object, hook: str = "", deadline: str = "9000", grace: str = "700"
    ) -> Ran:
        """Call hooks of the plugin one after the other; those in a list begin together."""
        self.log.write_text("")
        text = hook or HOOK.format(log=str(self.log), answers=self.answers)
        self.hook.write_text(text, encoding="utf-8")
        self.hook.chmod(0o700)
        plugin = self.folder / "plugin.mjs"
        code = render_plugin(PACKAGE, str(self.hook)).decode()
        assert "const PATIENCE = ALLOWED + 1_400\n" in code
        plugin.write_text(code.replace("ALLOWED + 1_400", f"ALLOWED + {grace}"), encoding="utf-8")
        done = subprocess.run(
            [self._node, str(HOST), str(plugin)],
            input=json.dumps({"sessions": self.sessions, "steps": steps}).encode(),
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, "TWICESHY_HOOK_WALL_MS": deadline},
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        assert all(words == ["opencode"] for words, _ in lines)
        return Ran(**json.loads(done.stdout), sent=[payload for _, payload in lines])


def step(hook: str, input: object, output: object = None) -> dict[str, object]:  # noqa: A002 - its name there
    return {"hook": hook, "input": input, "output": output}


def event(kind: str, **properties: object) -> dict[str, object]:
    return step("event", {"event": {"type": kind, "properties": properties}})


def recorded(name: str) -> dict[str, object]:
    """Return a call of a hook as a real client made it."""
    found = json.loads((PAYLOADS / f"{name}.json").read_text(encoding="utf-8"))
    hook, _, kind = found["hook"].partition(" ")
    if kind:
        return step("event", {"event": found["input"]})
    return step(hook, found.get("input"), found.get("output"))


def created(session: str = SESSION, parent: str = "", title: str = "A box") -> dict[str, object]:
    info = {"id": session, "title": title} | ({"parentID": parent} if parent else {})
    return event("session.created", sessionID=session, info=info)


def message(text: str, session: str = SESSION, **more: Any) -> dict[str, object]:
    part = {
        "id": "prt_1",
        "sessionID": session,
        "messageID": "msg_1",
        "type": "text",
        "text": text,
    }
    return step("chat.message", {"sessionID": session}, {"message": {}, "parts": [part | more]})


def before(tool: str, call: str = "call_1", session: str = SESSION, **args: object) -> Any:
    asked = {"tool": tool, "sessionID": session, "callID": call}
    return step("tool.execute.before", asked, {"args": args})


def after(
    tool: str, output: object, call: str = "call_1", session: str = SESSION, **args: object
) -> Any:
    asked = {"tool": tool, "sessionID": session, "callID": call, "args": args}
    return step("tool.execute.after", asked, output)


def printed(text: str, exit_code: int | None = 0) -> dict[str, object]:
    return {"title": "", "output": text, "metadata": {"exit": exit_code}}


def threw(tool: str, error: str, call: str = "call_1", **more: Any) -> dict[str, object]:
    state = {"status": "error", "input": {"filePath": "/a.txt"}, "error": error, **more}
    part = {"type": "tool", "tool": tool, "callID": call, "sessionID": SESSION, "state": state}
    return event("message.part.updated", sessionID=SESSION, part=part)

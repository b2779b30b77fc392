"""What our own files in OpenCode and Pi make of what these clients tell: payloads like any other runtime's.

    python -m tests.contracts.sent     writes tests/payloads/<runtime>/moments anew; Node.js runs the files

What the clients tell is recorded; this plays it to the file that we put into them, and keeps what that
sends at each moment.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.contracts.runtimes import PAYLOADS
from tests.runtimes.opencode import plugin_host as opencode
from tests.runtimes.pi import extension_host as pi

Json = dict[str, Any]
PROJECT = "/home/u/shop"
KEPT = "moments"
PATIENCE = 10  # seconds for what nobody waits for

OPENCODE = (
    *("session_created", "chat_message", "tool_execute_after_skill", "tool_execute_before_bash"),
    *("tool_execute_after_bash", "tool_execute_after_bash_failed", "session_idle"),
)
PI = (
    *(
        "session_start",
        "input",
        "before_agent_start",
        "tool_result_read_a_skill",
        "tool_call_bash",
    ),
    *("tool_result_bash", "tool_result_bash_failed", "session_compact"),
    *("agent_end", "session_shutdown"),
)


def by_opencode(folder: Path) -> list[Json]:
    """Return what the plugin sends, from the first message to the end of a session."""
    compacted = opencode.event("session.compacted", sessionID=opencode.SESSION)
    host = opencode.Host(folder)
    ran = host.run(
        *map(opencode.recorded, OPENCODE),
        compacted,
        opencode.recorded("tool_execute_after_bash"),
        opencode.recorded("dispose"),
    )
    return ran.sent if "SessionEnd" in ran.events else [*ran.sent, _last(host.log)]


def _last(log: Path) -> Json:
    """Wait for the word that a client does not wait for when it ends."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for line in log.read_text(encoding="utf-8").splitlines():
            payload: Json = json.loads(line)[1]
            if payload["hook_event_name"] == "SessionEnd":
                return payload
        time.sleep(0.05)
    raise AssertionError("nobody said that the session is over")


def by_pi(folder: Path) -> list[Json]:
    """Return what the extension sends, from the first prompt to the end of a session."""
    stage = pi.Stage(folder)
    stage.play(*map(pi.recorded, PI))
    return stage.sent


MADE: dict[str, Callable[[Path], list[Json]]] = {"opencode": by_opencode, "pi": by_pi}


def sent(runtime: str) -> dict[str, Json]:
    """Return what a runtime's file sends at each moment, from a project that is nobody's."""
    with TemporaryDirectory() as folder:
        payloads = MADE[runtime](Path(folder))
        found: dict[str, Json] = {}
        for payload in payloads:
            if moment := _moment(payload):
                text = json.dumps(payload).replace(str(payload["cwd"]), PROJECT)
                found.setdefault(moment, json.loads(text))
        return found


def kept(runtime: str) -> dict[str, Json]:
    """Return what is kept of it."""
    folder = PAYLOADS / runtime / KEPT
    return {file.stem: json.loads(file.read_text("utf-8")) for file in folder.glob("*.json")}


def _moment(payload: Json) -> str:
    match payload["hook_event_name"], payload.get("tool_name", ""):
        case "SessionStart", _:
            return "compacted" if payload["source"] == "compact" else "start"
        case "PostToolUse", "bash":
            return "succeeded"
        case "PostToolUse", _:
            return "skill"
        case event, _:
            return MOMENTS.get(event, "")


MOMENTS = {
    "UserPromptSubmit": "prompt",
    "PreToolUse": "pending",
    "PostToolUseFailure": "failed",
    "Stop": "turn",
    "SessionEnd": "end",
}


def main() -> None:
    """Keep what the files send now."""
    for runtime in MADE:
        folder = PAYLOADS / runtime
        (folder / KEPT).mkdir(exist_ok=True)
        payloads = sent(runtime)
        for moment, payload in payloads.items():
            path = folder / KEPT / f"{moment}.json"
            path.write_text(json.dumps(payload, indent=2) + "\n", encoding="utf-8")
        index = {moment: f"{KEPT}/{moment}.json" for moment in payloads}
        (folder / "moments.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

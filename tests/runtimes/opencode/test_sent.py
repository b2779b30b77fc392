"""The payloads that the contract of all runtimes goes by are what the plugin makes of recorded calls."""

import json
from pathlib import Path
from typing import Any

from tests.runtimes.opencode.plugin_host import PAYLOADS, SESSION, Host, event, recorded, step

# Which calls of a real client make the plugin send them, in this order.
CALLS = [
    recorded("session_created"),
    recorded("chat_message"),
    recorded("tool_execute_after_skill"),
    recorded("tool_execute_before_bash"),
    recorded("tool_execute_after_bash_failed"),
    recorded("tool_execute_after_bash"),
    event("session.compacted", sessionID=SESSION),
    recorded("chat_message"),
    event("session.idle", sessionID=SESSION),
    step("dispose", None),
]
NAMES = {
    ("SessionStart", "startup"): "start",
    ("SessionStart", "compact"): "compacted",
    ("UserPromptSubmit", ""): "prompt",
    ("PreToolUse", "bash"): "pending",
    ("PostToolUse", "skill"): "skill",
    ("PostToolUse", "bash"): "succeeded",
    ("PostToolUseFailure", "bash"): "failed",
    ("Stop", ""): "turn",
    ("SessionEnd", ""): "end",
}


def sent_by(host: Host) -> dict[str, dict[str, Any]]:
    """Return what the plugin sends, by the moments of a session."""
    found = {}
    for payload in host.run(*CALLS).sent:
        told = payload.get("source") or payload.get("tool_name", "")
        moment = NAMES.get((payload["hook_event_name"], told), "")
        found[moment] = payload | {"cwd": "/home/u/shop"}
    return found


def test_the_plugin_still_sends_what_the_contract_goes_by(tmp_path: Path) -> None:
    named = json.loads((PAYLOADS / "moments.json").read_text())
    expected = {
        moment: json.loads((PAYLOADS / file).read_text()) for moment, file in named.items()
    }

    sent = sent_by(Host(tmp_path))

    assert {moment: sent.get(moment) for moment in named} == expected
    assert named.keys() == set(NAMES.values())

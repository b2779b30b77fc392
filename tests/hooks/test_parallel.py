"""Many hooks at once, each a process of its own: nothing is lost, and every counter is exact."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.hooks.attack import PATIENCE, compact, fire, payload, start, surprises
from tests.requirements import requirement
from tests.store.support import opened

if TYPE_CHECKING:
    from pathlib import Path


def at_once(*payloads: bytes) -> list[tuple[bytes, bytes]]:
    """Start a hook for each, then let them all go on together."""
    hooks = [start() for _ in payloads]
    for hook, said in zip(hooks, payloads, strict=True):
        assert hook.stdin is not None
        hook.stdin.write(said)
    return [hook.communicate(timeout=PATIENCE) for hook in hooks]


@requirement("A02")
def test_m12_of_25_prompts_of_two_sessions_at_once_every_one_is_counted(home: Path) -> None:
    said = [
        {**payload("UserPromptSubmit"), "session_id": f"s{number % 2}", "prompt": f"step {number}"}
        for number in range(25)
    ]

    answers = at_once(*(compact(one) for one in said))

    assert answers == [(b"", b"")] * 25
    with opened(home) as store:
        with store.change():
            pass  # what waits in the spool is taken in by whoever writes next
        counted = [store.session(name) for name in ("s0", "s1")]
    assert [one.prompts for one in counted if one] == [13, 12]
    assert surprises(home) == []


@requirement("U084", "A02")
def test_k8_of_20_tool_uses_at_once_every_fifth_and_no_other_is_reminded(
    home: Path, tmp_path: Path
) -> None:
    env = {"TWICESHY_KEEPER_BANNER": "true", "TWICESHY_KEEPER_SAVE_INTERVAL": "5"}
    call = payload("PreToolUse", cwd=tmp_path, tool_input={"command": "ls"})
    assert fire(payload("SessionStart", cwd=tmp_path), env=env).code == 0
    hooks = [start(env=env) for _ in range(20)]

    for hook in hooks:
        assert hook.stdin is not None
        hook.stdin.write(compact(call))
    answers = [hook.communicate(timeout=PATIENCE)[0] for hook in hooks]

    reminded = [json.loads(answer) for answer in answers if answer]
    assert len(reminded) == 4
    for answer in reminded:
        said = answer["hookSpecificOutput"]["additionalContext"]
        assert "[MEMORY_KEEPER] AUTO-SAVE TRIGGERED - 5 tool uses reached" in said
    assert surprises(home) == []


@requirement("U084")
def test_nobody_is_reminded_unless_that_is_switched_on(home: Path, tmp_path: Path) -> None:
    call = payload("PreToolUse", cwd=tmp_path, tool_input={"command": "ls"})
    fire(payload("SessionStart", cwd=tmp_path))

    answers = [fire(call).out for _ in range(16)]

    assert answers == [b""] * 16
    assert not (home / "keeper").exists()

"""Steps of a session in few words, for tests of what is made of them."""

import json
from itertools import count
from typing import Any

from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    ResultStep,
    SkillStep,
    Step,
    UserMessage,
)

_NUMBERS = count(1)
WHERE: dict[str, Any] = {"session": "s1", "cwd": "/home/u/shop", "at": 1_000}


def said(text: str) -> UserMessage:
    """The user said something."""
    return UserMessage.of({"id": f"u{next(_NUMBERS)}", **WHERE, "text": text})


def thought(text: str) -> AgentMessage:
    """The agent said something."""
    return AgentMessage.of({"id": f"a{next(_NUMBERS)}", **WHERE, "text": text})


def called(tool: str, *, result: str | None = "", **fields: Any) -> list[Step]:
    """A call and its result; fields of the result are named, all others are the call's arguments."""
    names = ["failed", "refusal", "reason"]
    of_result = {name: fields.pop(name) for name in names if name in fields}
    call_id = f"c{next(_NUMBERS)}"
    given = json.dumps(fields, ensure_ascii=False)
    call = CallStep.of({"id": call_id, **WHERE, "tool": tool, "arguments": given})
    if result is None:
        return [call]
    return [call, ResultStep.of({"id": call_id, **WHERE, "text": result, **of_result})]


def bash(command: str, result: str = "", **fields: Any) -> list[Step]:
    """A command and what it printed."""
    return called("Bash", command=command, result=result, **fields)


def used(name: str, how: str = "slash") -> SkillStep:
    """A skill was invoked by the user, or its SKILL.md read."""
    return SkillStep.of({"id": f"k{next(_NUMBERS)}", **WHERE, "name": name, "how": how})

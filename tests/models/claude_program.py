"""A program called ``claude``, written by the test: it keeps what it was given and answers as it was told."""

import json
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What it does for a model: ANSWERS[model] is a text, or a line of Python that does something else.
PROGRAM = """#!{python} -I
import json, os, subprocess, sys, time
told = sys.stdin.buffer.read() if {listens} else b""
model = sys.argv[sys.argv.index("--model") + 1]
with open({log!r}, "a") as log:
    log.write(json.dumps({{
        "argv": sys.argv[1:], "stdin": told.decode(), "env": dict(os.environ),
        "cwd": os.getcwd(), "files": os.listdir(), "pid": os.getpid(),
    }}) + "\\n")
answers = json.loads({answers!r})
answer = answers.get(model, answers.get("*", ""))
if answer.startswith("!"):
    exec(answer[1:])
else:
    print(answer)
"""


@dataclass(frozen=True)
class FakeClaude:
    """Where it lies, and what it was asked."""

    folder: Path

    def environ(self) -> dict[str, str]:
        return {"PATH": str(self.folder), "HOME": str(self.folder)}

    @property
    def asked(self) -> list[dict[str, Any]]:
        log = self.folder / "asked.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []

    def answers(self, *, listens: bool = True, **by_model: str) -> None:
        """Say what each model answers; ``any`` stands for every other one."""
        said = {name.replace("_", "-"): text for name, text in by_model.items()}
        said["*"] = said.pop("any", "")
        program = self.folder / "claude"
        program.write_text(
            PROGRAM.format(
                python=sys.executable,
                log=str(self.folder / "asked.jsonl"),
                answers=json.dumps(said),
                listens=listens,
            )
        )
        program.chmod(stat.S_IRWXU)


def gone(pid: int) -> bool:
    """Tell whether a process has ended; one that nobody waited for yet has."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"

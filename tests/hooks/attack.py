"""The hook as the client starts it, payloads as the client sends them, and what must hold whatever they say."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.store.support import Writer, learn, opened

import twiceshy
from twiceshy.core.scope import GLOBAL, Scope

RUN = Path(twiceshy.__file__).resolve().parent / "hooks" / "run.py"
HOOK = [sys.executable, "-I", "-S", str(RUN)]
# Far more than a hook has in a session, so that a slow machine is not a failed test.
UNHURRIED = {"TWICESHY_HOOK_DEADLINE_MS": "10000", "TWICESHY_HOOK_WALL_MS": "60000"}
ASKED = b"If this session taught "  # to a summariser, in plain text
PATIENCE = 60  # seconds after which a hook that never ends is one that hangs

# Errors that betray a case nobody thought of; what a hook may meet on purpose is none of them.
SURPRISES = (
    "AttributeError",
    "TypeError",
    "KeyError",
    "IndexError",
    "NameError",
    "UnboundLocalError",
    "AssertionError",
    "UnicodeEncodeError",
    "UnicodeDecodeError",
    "SystemError",
    "ProgrammingError",
    "InterfaceError",
)

SESSION = "b5d4a1c2-0000-4000-8000-000000000001"
NOTE = "Sign the tag, or the mirror refuses it."
BASH = {"tool_name": "Bash", "tool_use_id": "toolu_01"}
EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "cut the release"},
    "UserPromptExpansion": {
        "expansion_type": "slash_command",
        "command_name": "release",
        "command_args": "v2",
        "prompt": "/release v2",
    },
    "PreToolUse": {**BASH, "tool_input": {"command": "make release"}},
    "PostToolUse": {
        "tool_name": "Skill",
        "tool_use_id": "toolu_02",
        "tool_input": {"skill": "release", "args": "v2"},
        "tool_response": {"success": True, "commandName": "release"},
        "duration_ms": 7,
    },
    "PostToolUseFailure": {
        **BASH,
        "tool_input": {"command": "make release", "description": "release"},
        "error": "Exit code 2\nmake: *** No rule to make target 'release'.  Stop.",
        "is_interrupt": False,
        "duration_ms": 61,
    },
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "PostCompact": {"trigger": "auto", "compact_summary": "<summary>We cut v2.</summary>"},
    "SubagentStart": {"agent_id": "a1", "agent_type": "general-purpose"},
    "SubagentStop": {"agent_id": "a1", "agent_type": "general-purpose", "stop_hook_active": False},
    "Stop": {"stop_hook_active": False, "last_assistant_message": "done"},
    "SessionEnd": {"reason": "other"},
}


@dataclass(frozen=True)
class Answer:
    """How a hook ended, and what it said."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Return what the model is given; fails unless the hook behaved as every hook must."""
        assert (self.code, self.err) == (0, b""), self
        if not self.out:
            return ""
        if self.out.startswith(ASKED):
            return self.out.decode()
        said = json.loads(self.out)
        assert list(said) == ["hookSpecificOutput"], said
        inner = said["hookSpecificOutput"]
        assert sorted(inner) == ["additionalContext", "hookEventName"], said
        assert isinstance(inner["additionalContext"], str)
        return str(inner["additionalContext"])


def well_behaved(answers: list[Answer]) -> bool:
    """Tell whether every hook ended well and said nothing, or one object of the client's form."""
    return all(isinstance(answer.text, str) for answer in answers)


def remember(home: Path) -> Path:
    """Let something be known about the release skill and about everything; return the home."""
    with opened(home) as store:
        learn(store, NOTE, scope=Scope("*", "release"))
        learn(store, "Answer in one paragraph.", scope=GLOBAL, kind="preference")
    return home


def payload(event: str, *, cwd: Path | str = "/home/u/proj", **fields: Any) -> dict[str, Any]:
    """Return what the client sends for an event, with other fields if some are given."""
    usual = {
        "session_id": SESSION,
        "transcript_path": "/home/u/.claude/projects/-home-u-proj/b5d4a1c2.jsonl",
        "cwd": str(cwd),
        "prompt_id": "ec09",
        "permission_mode": "acceptEdits",
        "hook_event_name": event,
    }
    return usual | EVENTS.get(event, {}) | fields


def compact(document: object) -> bytes:
    """Write JSON as the client does."""
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a hook inherits; the homes are those of the test."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "TWICESHY_HOME")}
    own = {"TMPDIR": os.path.dirname(kept["HOME"])}  # what cannot be logged at home goes there
    return kept | own | UNHURRIED | dict(more or {})


def start(*, env: Mapping[str, str] | None = None, **how: Any) -> subprocess.Popen[bytes]:
    """Start a hook whose ends the test holds in its hands."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    words = [*HOOK, *how.pop("arguments", ["claude-code"])]
    hook: subprocess.Popen[bytes] = subprocess.Popen(words, env=environment(env), **(pipes | how))
    return hook


def fire(said: object, *, env: Mapping[str, str] | None = None, **how: Any) -> Answer:
    """Let the hook answer one payload: bytes as they are, anything else as JSON."""
    raw = said if isinstance(said, bytes) else compact(said)
    with start(env=env, **how) as hook:
        try:
            out, err = hook.communicate(raw, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            hook.kill()  # a hook that hangs fails its test and holds up no other
            raise
    return Answer(hook.returncode, out, err)


@contextmanager
def held(home: Path) -> Iterator[None]:
    """Let another process hold the store's lock for a while."""
    holder = Writer(home, "hold")
    try:
        assert holder.says() == "ready"
        holder.go()
        assert holder.says() == "held"
        yield
    finally:
        holder.kill()  # its lock goes with it


def surprises(home: Path) -> list[str]:
    """Return the lines of the hook's log that tell of an error nobody expected."""
    log = home / "hook.log"
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return [line for line in lines if any(f" {name}:" in line for name in SURPRISES)]


def learns(*, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> Answer:
    """Run the background job of the usual session, and wait for its end."""
    return fire(b"", env=env, cwd=cwd, arguments=["learn", SESSION, "over"])


def fire_all(
    payloads: list[bytes], *, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> list[Answer]:
    """Let the hook answer many payloads, each in a process of its own; none starts a job."""
    program = Path(__file__).with_name("battery.py")
    lines = "".join(f"{raw.hex()}\n" for raw in payloads).encode()
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(program), str(RUN.parents[2]), str(shutil.which("true"))],
        input=lines,
        env=environment(env),
        cwd=cwd,
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    ended = [line.split(",") for line in done.stdout.decode().splitlines()]
    assert len(ended) == len(payloads)
    return [Answer(int(code), bytes.fromhex(out), bytes.fromhex(err)) for code, out, err in ended]

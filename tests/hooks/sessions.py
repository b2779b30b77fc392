"""Sessions whose every event starts the hook as the client does, and transcripts for them to learn from."""

import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.commands import run_command
from tests.hooks.attack import PATIENCE, fire
from tests.person import run_by_person
from tests.runtimes.claude_code.transcript_lines import a_file, a_record, a_return, a_use
from tests.store.support import QUICK, Clock, learn, opened

from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.core.scope import NO_SKILL, Scope
from twiceshy.places.project import identify_project
from twiceshy.store.command_store import WholeStore

MORNING = "2026-11-02T09:00:00Z"
TEXT = "Use `make ship`; `make deploy` fails: no rule for deploy"
EVIDENCE = '`make deploy` failed: "no rule for deploy". `make ship` worked.'
TRIGGER = "Bash/usage deploy make"
ADVICE = "Releases go out by `make ship`: `make deploy` was never finished."
STATED_TRIGGER = "Bash deploy make"


def after(minutes: float) -> str:
    """Return the time so many minutes after the first event of a test."""
    return (datetime.fromisoformat(MORNING) + timedelta(minutes=minutes)).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )


class Session:
    """One conversation; every event of it is a process of its own, at a time that the test says."""

    def __init__(self, project: Path, name: str = "session-1", *, agent: str = "") -> None:
        self.project = project
        self.name = name
        self.now = MORNING
        self.env: dict[str, str] = {}
        self.how: dict[str, Any] = {}
        self._common = {"agent_id": agent, "agent_type": "helper"} if agent else {}
        self._transcript = project.parent / "transcripts" / f"{name}.jsonl"
        self._calls = 0

    def wait(self, minutes: float) -> None:
        """Let some time go by before the next event."""
        passed = datetime.fromisoformat(self.now) - datetime.fromisoformat(MORNING)
        self.now = after(passed / timedelta(minutes=1) + minutes)

    def answer(self, event: str, **fields: Any) -> dict[str, Any]:
        """Fire an event, and return all that the hook said to the client."""
        common = {
            "session_id": self.name,
            "transcript_path": str(self._transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
        }
        env = {"TWICESHY_NOW": self.now} | self.env
        ended = fire(common | self._common | fields, env=env, **self.how)
        assert (ended.code, ended.err) == (0, b""), ended
        if event == "PreCompact":  # plain text is what the client hands to its summariser
            return {"additionalContext": ended.out.decode()} if ended.out else {}
        said = json.loads(ended.out or '{"hookSpecificOutput": {}}')
        assert list(said) == ["hookSpecificOutput"]
        inner: dict[str, Any] = said["hookSpecificOutput"]
        assert inner.pop("hookEventName", event) == event
        return inner

    def told(self, event: str, **fields: Any) -> str:
        """Fire an event, and return what is put before the model."""
        said = self.answer(event, **fields)
        assert not said or list(said) == ["additionalContext"], said
        return str(said.get("additionalContext", ""))

    def start(self, source: str = "startup") -> str:
        return self.told("SessionStart", source=source)

    def prompt(self, text: str) -> str:
        return self.told("UserPromptSubmit", prompt=text)

    def calls(self, command: str) -> str:
        """Be about to run a command."""
        return self.told("PreToolUse", **self.call("Bash", command=command))

    def fails(self, command: str, error: str = "Exit code 2\nmake: no rule for deploy") -> str:
        """Have run a command that failed."""
        call = self.call("Bash", command=command)
        return self.told("PostToolUseFailure", **call, error=error, is_interrupt=False)

    def prints(self, command: str, output: str) -> str:
        """Have run a command that ended well, and said this."""
        call = self.call("Bash", command=command)
        return self.told("PostToolUse", **call, tool_response={"stdout": output, "stderr": ""})

    def call(self, tool: str, **given: object) -> dict[str, Any]:
        """Return what the client says of a call."""
        self._calls += 1
        return {
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": f"toolu-{self.name}-{self._calls}",
        }

    def works(self, *commands: tuple[str, str | None], seconds: float = 0) -> None:
        """Write the transcript of commands and the errors they ended with, None for those that worked.

        Each command runs for so many ``seconds``.
        """
        records: list[object] = [self._record("user", 0, "user", "please deploy")]
        for number, (command, error) in enumerate(commands, start=1):
            call = f"toolu-{self.name}-t{number}"
            made = [a_use(call, "Bash", command=command, description="Do it")]
            came = [a_return(call, error or "done", is_error=error is not None)]
            records += [
                self._record(
                    "assistant", 2 * number, "assistant", made, late=seconds * (number - 1)
                ),
                self._record("user", 2 * number + 1, "user", came, late=seconds * number),
            ]
        a_file(self._transcript, *records)

    def _record(
        self, kind: str, number: int, role: str, content: object, *, late: float = 0
    ) -> object:
        return a_record(
            kind,
            f"{self.name}-{number}",
            message={"role": role, "content": content},
            sessionId=self.name,
            cwd=str(self.project),
            timestamp=after(late / 60),
        )

    @property
    def transcript(self) -> Path:
        return self._transcript


def twiceshy(
    folder: Path,
    *words: str,
    now: str = MORNING,
    session: str = "",
    stdin: str = "",
    fails: int = 0,
) -> str:
    """Run a command, of a person or of a session's agent; return what it prints, or complains about."""
    agent = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session} if session else {}
    env = {"TWICESHY_NOW": now, "TZ": "UTC", **agent}
    done = (run_command if session else run_by_person)(*words, cwd=folder, env=env, stdin=stdin)
    assert done.code == fails, done.err
    return done.err if fails else done.out


@contextmanager
def store_of(home: Path) -> Iterator[WholeStore]:
    """Open the store of the hooks, at the time of their first event."""
    with opened(home, clock=Clock(parse_stamp(MORNING)), patience=QUICK) as store:
        yield store


def project_of(folder: Path) -> str:
    """Return the id of the project that a folder belongs to."""
    return identify_project(str(folder), cache=None).id


def teach(home: Path, project: Path, text: str = TEXT, **fields: Any) -> Note:
    """Let an earlier session have learned a lesson from a call that failed, and what worked."""
    usual: dict[str, Any] = {
        "why": EVIDENCE if text == TEXT else "",
        "scope": Scope(project_of(project), NO_SKILL),
        "trigger": TRIGGER,
        "subtype": "fix",
        "source": "detector",
        "origin_session": "earlier",
        "learned_at": parse_stamp("2026-11-01T12:00:00Z"),
    }
    with store_of(home) as store:
        return learn(store, text, **(usual | fields))


def state(home: Path, project: Path, text: str = ADVICE, **fields: Any) -> Note:
    """Let a person have noted something about a call: it is told when the call is made."""
    usual = {"trigger": STATED_TRIGGER, "source": "user", "subtype": "", "origin_session": ""}
    return teach(home, project, text, **(usual | fields))


def exposures(home: Path, session: str = "session-1") -> list[Exposure]:
    """Return what a session was shown, the oldest first."""
    with store_of(home) as store:
        return sorted(
            store.list_exposures(session=session), key=lambda shown: (shown.at, shown.key)
        )


class Learner:
    """Tells when the processes have ended that hooks of a session started: they hold the pipe open."""

    def __init__(self, *sessions: Session) -> None:
        self._ours, self._theirs = os.pipe()
        for session in sessions:
            session.how["pass_fds"] = [self._theirs]
        self._sessions = sessions

    def ended(self, *, within: float = PATIENCE) -> bool:
        """Wait until none of them is left; tell whether it came to that."""
        import select

        for session in self._sessions:
            session.how.pop("pass_fds", None)
        if self._theirs >= 0:
            os.close(self._theirs)
            self._theirs = -1
        ready, _, _ = select.select([self._ours], [], [], within)
        return bool(ready) and os.read(self._ours, 1) == b""

    def close(self) -> None:
        if self._theirs >= 0:
            os.close(self._theirs)
        os.close(self._ours)


@contextmanager
def learning(*sessions: Session) -> Iterator[Learner]:
    """Watch the processes that these sessions' hooks start."""
    with closing(Learner(*sessions)) as learner:
        yield learner

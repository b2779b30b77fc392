"""A hook that is run again on the same transcript teaches nothing again, and no model is paid again for it."""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import EVENTS, PATIENCE
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import Session, learning, state, store_of
from tests.hooks.test_detached_learning import MISSPELLED, WORK
from tests.models.claude_program import FakeClaude
from tests.runtimes.claude_code.transcript_lines import a_line, a_record, a_return, a_use
from tests.store.support import dump, learn, raw

from twiceshy.core.scope import Scope

# Whether and when a session was there, which it is each time an event tells so; and a log of the events.
PRESENCE = {"sessions", "intents", "skill_uses", "seen_calls"}
LOG = "run.log"
CALL: dict[str, Any] = {
    "tool_name": "Bash",
    "tool_use_id": "toolu_03",
    "tool_input": {"command": "make deploy"},
}
ERROR = {"error": "Exit code 2\nmake: no rule for deploy", "is_interrupt": False}
SHOWN = {"exposures", "counters"}  # what was said is counted each time that it is said


@pytest.fixture
def project(home: Path, tmp_path: Path) -> Path:
    """A folder with a skill, about which something is known, as about a call."""
    folder = tmp_path / "shop"
    a_skill(folder / ".claude/skills/release")
    state(home, folder)
    with store_of(home) as store:
        learn(store, "Tag last.", scope=Scope("*", "release"))
    return folder


@pytest.fixture
def session(project: Path) -> Session:
    session = Session(project)
    session.works(*WORK)
    return session


@pytest.fixture
def claude(tmp_path: Path, session: Session) -> FakeClaude:
    """A model that the user chose, and that has nothing to say."""
    folder = tmp_path / "bin"
    folder.mkdir()
    fake = FakeClaude(folder)
    fake.answers(any="SKIP")
    session.env |= {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "TWICESHY_DISTILLER_BACKEND": "claude-cli",
    }
    return fake


def run(session: Session, event: str, **fields: Any) -> str:
    """Run a hook, and wait until what it started has ended; return what it said."""
    with learning(session) as learner:
        said = session.told(event, **(EVENTS[event] | fields))
        assert learner.ended(within=PATIENCE)
    return said


def known(home: Path) -> dict[str, object]:
    """Return all that is kept in a memory home, down to the last row."""
    with raw(home / "twiceshy.db") as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage")
        names = [name for (name,) in tables if name not in PRESENCE]
        rows: dict[str, object] = {name: dump(db, name) for name in names}
    # captured calls are a source to learn from, and no call is learned from twice
    files = (path for path in home.rglob("*") if path.is_file() and path.parent.name != "calls")
    beside = (path for path in files if not path.name.startswith("twiceshy.db"))
    return rows | {path.name: path.read_bytes() for path in beside if path.name != LOG}


def goes_on(session: Session, *commands: tuple[str, str | None]) -> None:
    """Let a session run more commands, now; what it did before stays as it is."""
    with session.transcript.open("ab") as file:
        for number, (command, error) in enumerate(commands):
            call = f"toolu-{session.now}-{number}"
            came = a_return(call, error or "done", is_error=error is not None)
            for role, block in (
                ("assistant", a_use(call, "Bash", command=command)),
                ("user", came),
            ):
                record = a_record(
                    role,
                    f"{call}-{role}",
                    message={"role": role, "content": [block]},
                    sessionId=session.name,
                    cwd=str(session.project),
                    timestamp=session.now,
                )
                file.write(a_line(record))


def test_running_every_hook_again_adds_nothing_to_what_is_known(
    home: Path, session: Session, claude: FakeClaude
) -> None:
    for event in EVENTS:
        run(session, event)
    before, asked = known(home), len(claude.asked)

    for event in EVENTS:
        session.wait(1)
        run(session, event)

        assert known(home) == before, event
    assert len(claude.asked) == asked > 0
    assert all(before[table] for table in ("notes", "signals", "episodes", "exposures"))


def test_a_call_that_is_told_of_again_may_be_answered_again_and_teaches_nothing(
    home: Path, session: Session
) -> None:
    session.start()
    warned = run(session, "PreToolUse", **CALL)
    run(session, "PostToolUseFailure", **CALL, **ERROR)
    before = known(home)

    session.wait(1)
    again = run(session, "PreToolUse", **CALL)
    run(session, "PostToolUseFailure", **CALL, **ERROR)

    assert ("make ship" in warned, again) == (True, "")
    changed = {name for name, rows in known(home).items() if rows != before[name]}
    assert changed <= SHOWN


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "SessionEnd"])
def test_a_session_that_is_read_at_every_turn_is_learned_from_once(
    home: Path, session: Session, event: str
) -> None:
    session.start()
    run(session, event)
    before = known(home)

    for _ in range(3):
        session.wait(1)
        run(session, event)

    assert known(home) == before
    assert before["evidence"]


def test_new_material_costs_one_call_of_a_model_and_old_material_none(
    home: Path, session: Session, claude: FakeClaude
) -> None:
    session.start()
    paid = []

    for _ in range(3):
        session.wait(1)
        run(session, "Stop")
        run(session, "SessionEnd")
        paid.append(len(claude.asked))
    session.wait(1)
    goes_on(session, ("git pusch", MISSPELLED), *((f"ls room-{n}", None) for n in range(5)))
    for _ in range(3):
        session.wait(1)
        run(session, "SessionEnd")
        paid.append(len(claude.asked))

    assert paid == [1, 1, 1, 2, 2, 2]
    first, second = (asked["stdin"] for asked in claude.asked)
    assert ("ls part-1" in first, "git pusch" in first) == (True, False)
    assert ("ls part-1" in second, "git pusch" in second) == (False, True)


def test_a_session_with_a_skill_costs_one_call_for_the_skill_and_what_holds_for_all(
    home: Path, session: Session, claude: FakeClaude
) -> None:
    session.start()
    session.told("PostToolUse", **EVENTS["PostToolUse"])

    for _ in range(2):
        session.wait(1)
        run(session, "SessionEnd")

    with store_of(home) as store:
        spent = [(one.session, one.purpose) for one in store.list_model_calls()]
    assert spent == [("session-1", "session")]
    [asked] = claude.asked
    assert (
        '"section":"lessons-1"' in asked["stdin"],
        '"section":"principles"' in asked["stdin"],
    ) == (True, True)

"""Sessions are learned from while they go on, by processes that no hook waits for and no end of a session stops."""

import fcntl
import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import PATIENCE, held, start
from tests.hooks.sessions import MORNING, Session, after, learning, store_of
from tests.requirements import requirement
from tests.store.support import raw

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.learning.detect.fix import REACH

MISSPELLED = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."
# a mistake is learned from when it is clear what put it right: a few calls later, or at the end
WORK = (
    ("git stauts", MISSPELLED),
    ("git status", None),
    *((f"ls part-{number}", None) for number in range(REACH)),
)
RESTS: dict[str, dict[str, Any]] = {
    "Stop": {"stop_hook_active": False},
    "PreCompact": {"trigger": "auto"},
    "PostCompact": {"trigger": "auto", "compact_summary": "<summary>We shipped.</summary>"},
    "SessionEnd": {"reason": "other"},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def session(project: Path) -> Session:
    """A session in which a command failed and another one worked."""
    session = Session(project)
    session.works(*WORK)
    session.start()
    return session


def notes(home: Path) -> list[Note]:
    with store_of(home) as store:
        return store.notes(NoteFilter(statuses=()))


def rest(session: Session, event: str = "Stop") -> bool:
    """Let the agent rest, and wait until what that starts has ended."""
    with learning(session) as learner:
        assert session.told(event, **RESTS[event]) == ""
        return learner.ended()


@contextmanager
def another_learns(home: Path) -> Iterator[None]:
    """Let somebody else have the turn."""
    with (home / "learn.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def learners(session: Session, number: int) -> list[int]:
    """Return the processes that learn from a session; that many must come to be."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("needs /proc to find processes")
    until, found = time.monotonic() + PATIENCE, list(_learners(session))
    while len(found) != number and time.monotonic() < until:
        found = list(_learners(session))  # for a moment a new process has no name
    assert len(found) == number
    return found


def wait_for_end(process: int) -> None:
    """Wait until a killed process has given up its files, and so its locks: the last it does."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state in "ZX":
            return


def _learners(session: Session) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            environ = (folder / "environ").read_bytes()
        except OSError:
            continue  # ended a moment ago
        ours = os.fsencode(os.environ["TWICESHY_HOME"]) in environ
        if ours and words[4:6] == [b"learn", session.name.encode()]:
            yield int(folder.name)


@requirement("U086", "E19")
@pytest.mark.parametrize("event", RESTS)
def test_when_the_agent_rests_the_next_session_knows_what_it_did(
    home: Path, project: Path, session: Session, event: str
) -> None:
    assert rest(session, event)

    [note] = notes(home)
    assert (note.status, note.source, note.origin_session) == (
        "candidate",
        "detector",
        "session-1",
    )
    following = Session(project, "session-2")
    following.start()
    assert "use `status`, not `stauts`" in following.fails("git stauts", MISSPELLED)
    assert session.fails("git stauts", MISSPELLED) == ""  # it was there
    assert not (home / "hook.log").exists()


@requirement("F66")
def test_the_log_says_what_became_of_learning_from_a_session(
    home: Path, project: Path, session: Session
) -> None:
    assert rest(session)
    assert rest(session)
    idle = Session(project, "session-2")
    idle.works(("ls", None))
    idle.start()
    assert rest(idle)

    lines = (home / "run.log").read_text().splitlines()
    assert [line.partition(" learn ")[2] for line in lines if " learn " in line] == [
        "session-1 START",
        "session-1 UPDATED: 1 new, 0 again",
        "session-1 START",
        "session-1 SKIP: nothing new",
        "session-2 START",
        "session-2 SKIP: no lesson in 1 calls",
    ]


@requirement("E19")
def test_what_a_session_did_last_is_known_when_it_is_over(home: Path, project: Path) -> None:
    session = Session(project)
    session.works(*WORK[:2])
    session.start()

    assert rest(session)
    resting = notes(home)
    assert rest(session, "SessionEnd")

    assert resting == []
    [note] = notes(home)
    assert "use `status`, not `stauts`" in note.text
    assert "`git status` worked" in note.why


def test_every_twentieth_prompt_is_an_occasion_to_learn(home: Path, session: Session) -> None:
    with store_of(home) as store, store.change():
        known = store.session("session-1")
        assert known is not None
        store.save_records(known.but(prompts=18))

    with learning(session) as learner:
        session.prompt("go on")
        assert learner.ended()
    nineteenth = notes(home)
    with learning(session) as learner:
        session.prompt("go on")
        assert learner.ended()

    assert nineteenth == []
    assert len(notes(home)) == 1


@requirement("L08", "U079", "F11")
def test_the_hook_is_done_while_the_learner_has_not_begun(home: Path, session: Session) -> None:
    with learning(session) as learner:
        with another_learns(home):
            session.told("Stop", **RESTS["Stop"])  # reads stdout and stderr to their ends

            assert not learner.ended(within=0)
            [child] = learners(session, 1)
            assert os.getsid(child) == child
            streams = {os.readlink(f"/proc/{child}/fd/{number}") for number in range(3)}
            assert streams == {"/dev/null"}
        assert learner.ended()

    assert len(notes(home)) == 1


@requirement("L08")
def test_the_learner_outlives_whoever_started_it(home: Path, session: Session) -> None:
    said = {
        "session_id": session.name,
        "cwd": str(session.project),
        "transcript_path": str(session.transcript),
        "hook_event_name": "Stop",
    }
    with learning(session) as learner:
        with another_learns(home):
            how = session.how | {"start_new_session": True}
            with start(env={"TWICESHY_NOW": MORNING}, **how) as hook:
                hook.communicate(json.dumps(said).encode())
                with pytest.raises(ProcessLookupError):
                    os.killpg(hook.pid, signal.SIGKILL)  # nobody is left in its group
            assert not learner.ended(within=0)
        assert learner.ended()

    assert len(notes(home)) == 1


def test_what_we_started_ourselves_is_not_learned_from(home: Path, session: Session) -> None:
    session.env = {"TWICESHY_INSIDE": "1"}

    assert rest(session)

    assert notes(home) == []


def test_a_learner_that_finds_itself_inside_does_nothing(home: Path, session: Session) -> None:
    with start(
        env={"TWICESHY_INSIDE": "1", "TWICESHY_NOW": MORNING},
        arguments=["learn", session.name, "over"],
    ) as learner:
        assert learner.communicate() == (b"", b"")

    assert notes(home) == []


def test_one_learner_serves_what_ends_while_it_waits_and_learns_once(
    home: Path, session: Session
) -> None:
    with learning(session) as learner:
        with another_learns(home):
            session.told("Stop", **RESTS["Stop"])
            session.told("SessionEnd", **RESTS["SessionEnd"])
            assert len(learners(session, 1)) == 1
        assert learner.ended()

    [note] = notes(home)
    assert note.sightings == 1
    with raw(home / "twiceshy.db") as db:
        assert db.execute("SELECT count(*) FROM evidence").fetchone() == (1,)


def test_a_learner_that_is_killed_is_made_up_for_by_the_next(home: Path, session: Session) -> None:
    with learning(session) as learner, held(home):  # it comes as far as its first change
        session.told("Stop", **RESTS["Stop"])
        [child] = learners(session, 1)
        os.kill(child, signal.SIGKILL)
        assert learner.ended()
        wait_for_end(child)
    killed = notes(home)

    assert rest(session)

    assert killed == []
    [note] = notes(home)
    assert note.sightings == 1


def test_what_goes_wrong_while_learning_is_in_the_log(home: Path, session: Session) -> None:
    session.env = {"TWICESHY_STORE": "nowhere://shop"}

    assert rest(session)

    [line] = (home / "hook.log").read_text().splitlines()
    assert line.startswith("2026-11-02T09:00:00Z learn ? ConfigError: no store understands")


def test_a_session_without_a_transcript_is_nothing_to_complain_about(
    home: Path, session: Session
) -> None:
    session.transcript.unlink()

    assert rest(session)

    assert notes(home) == []
    assert not (home / "hook.log").exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "-", "x" * 129, "s;ls", "ü"])
def test_a_session_with_an_odd_name_is_not_learned_from(
    home: Path, project: Path, name: str
) -> None:
    session = Session(project)
    session.works(*WORK)
    session.name = name

    assert rest(session)

    assert not home.exists() or notes(home) == []


def closed(home: Path) -> dict[str, bool]:
    """Return which sessions are done with."""
    with raw(home / "twiceshy.db") as db:
        rows = db.execute(
            "SELECT session, state LIKE '%\"closed\":true%' FROM transcript_progress"
        ).fetchall()
    return {name: bool(done) for name, done in rows}


def test_the_end_of_a_session_closes_it_and_the_end_of_a_turn_does_not(
    home: Path, session: Session
) -> None:
    assert rest(session)
    turn = closed(home)
    assert rest(session, "SessionEnd")

    assert turn == {"session-1": False}
    assert closed(home) == {"session-1": True}


@requirement("L08")
def test_a_session_that_never_ended_is_closed_by_a_later_one(
    home: Path, project: Path, session: Session
) -> None:
    assert rest(session)
    later = Session(project, "session-2")
    later.works(("ls", None))
    later.start()

    later.now = after(9)
    assert rest(later)
    soon = closed(home)
    later.now = after(11)
    assert rest(later)

    assert soon == {"session-1": False, "session-2": False}
    assert closed(home) == {"session-1": True, "session-2": False}


def test_the_learner_lives_at_the_time_of_its_hook(home: Path, session: Session) -> None:
    session.now = after(60)

    assert rest(session)

    with raw(home / "twiceshy.db") as db:
        [(at,)] = db.execute("SELECT at FROM transcript_progress").fetchall()
    assert at // 1000 == parse_stamp(after(60)) // 1000


def test_what_was_learned_is_looked_for_in_the_same_session_of_others(
    home: Path, project: Path, session: Session
) -> None:
    other = Session(project, "session-2")
    other.start()
    before = other.fails("git stauts", MISSPELLED)

    assert rest(session)

    assert before == ""
    assert "use `status`, not `stauts`" in other.fails("git stauts", MISSPELLED)

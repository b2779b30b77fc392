"""Many sessions that end at once: one job learns from all of them, and a killed job costs none."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench.client_events import TAPES
from hypothesis import given
from hypothesis import strategies as st
from tests.commands import run_command
from tests.hooks.attack import PATIENCE, compact, fire, held, start
from tests.hooks.sessions import MORNING, Session, after, learning, store_of
from tests.hooks.test_detached_learning import learners
from tests.processes import list_jobs
from tests.requirements import requirement

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import parse_stamp
from twiceshy.core.session import Session as KnownSession
from twiceshy.core.transcript import TranscriptProgress
from twiceshy.learning.detect.fix import REACH
from twiceshy.learning.requests import list_set_aside
from twiceshy.places.project import identify_project
from twiceshy.recall import background
from twiceshy.recall.background import list_suspects
from twiceshy.safety.redact import list_secret_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECTS, WINDOWS = 3, 6
ENDS: dict[str, dict[str, object]] = {
    "codex": {"hook_event_name": "Stop", "stop_hook_active": False},  # it tells of no more
}
USUAL_END: dict[str, object] = {"hook_event_name": "SessionEnd", "reason": "other"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def work(folder: Path, home: Path, runtime: str, number: int) -> bytes:
    """Let a session of a client make a mistake of its own; return what the client says at its end."""
    root = folder / f"project-{number % PROJECTS}"
    root.mkdir(exist_ok=True)
    name, at = f"{number:08}-{runtime}", parse_stamp(MORNING)
    tape = TAPES[runtime](str(folder / runtime), name, str(root), at)
    tape.prompt("please do it")
    wrong, right = f"tool{number} run --slip-{number}", f"tool{number} run --right-{number}"
    error = f"Exit code 2\nerror: unknown option '--slip-{number}'"
    calls = [(wrong, error), (right, ""), *((f"ls part-{each}", "") for each in range(REACH))]
    for each, (command, failure) in enumerate(calls):
        made = tape.translate(f"{name}-{each}", "Bash", {"command": command})
        assert made is not None
        tape.pend(made)
        tape.end(made, failure or "done", failed=bool(failure))
    tape.finish()
    here = identify_project(str(root), cache=None)
    with store_of(home) as store, store.change():
        store.record_project(here.id, name=here.name, root=str(root))
        store.save_records(
            KnownSession(name, runtime, here.id, str(root), tape.path, at, at, prompts=1)
        )
    return compact({**tape.common, **USUAL_END, **ENDS.get(runtime, {})})


@contextmanager
def jobs_ended() -> Iterator[dict[str, Any]]:
    """Yield how to start hooks whose jobs are waited for at the end: these hold a pipe open."""
    ours, theirs = os.pipe()
    try:
        yield {"pass_fds": [theirs], "env": {"TWICESHY_NOW": MORNING}}
    finally:
        os.close(theirs)
        ready, _, _ = select.select([ours], [], [], PATIENCE)
        os.close(ours)
    assert ready


def end_at_once(home: Path, folder: Path, runtime: str, ends: list[bytes]) -> int:
    """Let sessions end at the same time; return the most background jobs seen at any moment."""
    most = 0
    with jobs_ended() as how:
        hooks = [start(arguments=[runtime], cwd=folder, **how) for _ in ends]
        for hook, said in zip(hooks, ends, strict=True):
            assert hook.stdin is not None
            hook.stdin.write(said)
            hook.stdin.flush()
        for hook in hooks:
            assert hook.stdin is not None
            hook.stdin.close()
            hook.stdin = None
        for hook in hooks:
            most = max(most, len(list_jobs(home)))
            assert hook.communicate(timeout=PATIENCE) == (b"", b"")
        while running := len(list_jobs(home)):
            most = max(most, running)
    return most


def taught(home: Path) -> dict[str, int]:
    """Return how often each session's mistake was seen."""
    with store_of(home) as store:
        notes = store.notes(NoteFilter(statuses=()), limit=-1)
    return {note.origin_session: note.sightings for note in notes}


def served(home: Path) -> list[str]:
    """Return the sessions that jobs learned from, each time."""
    lines = (home / "run.log").read_text().splitlines()
    return sorted(
        line.split()[-2] for line in lines if " learn " in line and line.endswith(" START")
    )


def requests(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "requests").rglob("*.*"))


@requirement("B01")
@pytest.mark.parametrize(
    ("runtime", "sessions"),
    [("claude-code", 50), ("codex", 20), ("opencode", 20), ("pi", 20), ("gemini", 20)],
)
def test_all_sessions_that_end_at_once_are_learned_from_by_one_job(
    runtime: str, sessions: int, home: Path, tmp_path: Path
) -> None:
    ends = [work(tmp_path, home, runtime, number) for number in range(sessions)]
    names = {f"{number:08}-{runtime}" for number in range(sessions)}

    most = end_at_once(home, tmp_path, runtime, ends)

    assert most <= 2  # one that has let go of its work, and its successor
    assert taught(home) == dict.fromkeys(names, 1)
    assert served(home) == sorted(names)
    assert requests(home) == []
    assert not (home / "hook.log").exists()


@requirement("B01")
def test_jobs_with_secrets_of_their_own_load_nothing_until_it_is_their_turn(
    home: Path, tmp_path: Path
) -> None:
    ends = [work(tmp_path, home, "claude-code", number) for number in range(WINDOWS)]
    names = {f"{number:08}-claude-code" for number in range(WINDOWS)}
    (home / "requests").mkdir(mode=0o700)
    turn = home / "requests" / "turn"
    with jobs_ended() as how, turn.open("w") as at_work:
        fcntl.flock(at_work, fcntl.LOCK_EX)
        for number, end in enumerate(ends):
            its = {"WINDOW_TOKEN": f"secret-of-window-{number}"}
            fire(end, **{**how, "env": {**how["env"], **its}})
        waiting = list_jobs(home)
        while not all(has_open(job, turn) for job in waiting):
            assert len(waiting) == WINDOWS
        loaded = [job for job in waiting if "_sqlite3" in Path(f"/proc/{job}/maps").read_text()]

    assert len(waiting) == WINDOWS
    assert loaded == []
    assert served(home) == sorted(names)
    assert requests(home) == []


def has_open(process: int, path: Path) -> bool:
    """True if a process has a file open."""
    handles = Path(f"/proc/{process}/fd").iterdir()
    return any(os.path.realpath(handle) == str(path) for handle in handles)


@requirement("B01")
def test_requests_can_be_read_by_their_owner_only(home: Path, tmp_path: Path) -> None:
    end = work(tmp_path, home, "claude-code", 1)
    with jobs_ended() as how, store_of(home), held(home):  # the job waits for the store
        fire(end, **how)
        folder = home / "requests"
        found = [path for path in (folder, *folder.rglob("*")) if path.exists()]
        modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in found}

    assert modes == {True: 0o700, False: 0o600}


@requirement("B02")
def test_a_job_that_is_killed_leaves_its_sessions_to_the_next_one(
    home: Path, tmp_path: Path
) -> None:
    first, second = (work(tmp_path, home, "claude-code", number) for number in (1, 2))
    with jobs_ended() as how, held(home):  # it comes as far as its first change
        fire(first, **how)
        until_claimed(home)
        for job in list_jobs(home):
            os.kill(job, signal.SIGKILL)
    before, left = taught(home), requests(home)

    with jobs_ended() as how:
        fire(second, **how)

    assert (before, left) == ({}, ["00000001-claude-code.over.1"])
    assert taught(home) == {f"0000000{number}-claude-code": 1 for number in (1, 2)}
    assert requests(home) == []


def until_claimed(home: Path) -> None:
    """Wait until a job has begun with a request."""
    until = time.monotonic() + PATIENCE
    while not any(name.endswith(".1") for name in requests(home)):
        assert time.monotonic() < until


@requirement("B02")
def test_a_session_that_always_fails_is_set_aside_and_doctor_names_it(
    home: Path, project: Path
) -> None:
    session = Session(project, "odd-1")
    session.works(("ls", None))
    session.start()
    with store_of(home) as store, store.change():
        where = (str(session.transcript), session.name)
        store.save_records(TranscriptProgress(*where, "odd-1", "", parse_stamp(MORNING)))

    left = []
    for _ in range(4):
        end(session)
        left.append(requests(home))
    told = doctor(project)
    with store_of(home) as store, store.change():
        store.save_records(TranscriptProgress(*where, "", "", parse_stamp(MORNING)))
    end(session)

    tried = [["odd-1.over.1"], ["odd-1.over.2"], ["odd-1.over.failed"], ["odd-1.over.failed"]]
    assert left == tried
    assert told == ["1 not learned from after 3 tries: odd-1"]
    assert (requests(home), doctor(project)) == ([], [])


def end(session: Session) -> None:
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()


def doctor(project: Path) -> list[str]:
    """Return what doctor says about sessions that could not be learned from."""
    done = run_command(
        "doctor", "--json", cwd=project, env={"TWICESHY_NOW": after(30), "TZ": "UTC"}
    )
    return [one["message"] for one in json.loads(done.out) if one["what"] == "sessions"]


@requirement("B02")
def test_a_session_that_was_set_aside_can_be_learned_from_by_hand(
    home: Path, project: Path
) -> None:
    session = Session(project, "odd-1")
    session.works(("ls", None))
    queue = home / "requests" / "0000"
    queue.mkdir(parents=True)
    (queue / "odd-1.over.failed").touch()
    before = [one.session for one in list_set_aside(str(home))]

    done = run_command("distill", "--transcript", str(session.transcript), cwd=project, env={})

    assert (before, done.code, requests(home)) == (["odd-1"], 0, [])


@requirement("B02")
def test_requests_that_nobody_else_will_serve_are_served_after_a_while(
    home: Path, tmp_path: Path
) -> None:
    """A job was killed, and its secrets have been changed since."""
    ends = [work(tmp_path, home, "claude-code", number) for number in (1, 2, 3)]
    queue = home / "requests" / "0000"
    queue.mkdir(parents=True)
    for number, minutes in ((1, 11), (2, 9)):
        path = queue / f"0000000{number}-claude-code.over.1"
        path.touch()
        before = path.stat().st_mtime - minutes * 60
        os.utime(path, (before, before))
    empty = home / "requests" / "ffff"
    empty.mkdir()
    os.utime(empty, (0, 0))

    with jobs_ended() as how:
        fire(ends[2], **how)

    # the job of the other queue may come at any moment; it has waited for ten minutes then
    assert taught(home).keys() >= {f"0000000{number}-claude-code" for number in (1, 3)}
    assert not empty.exists()


@requirement("B01")
def test_a_job_hands_the_rest_to_another_one_before_the_system_ends_it(
    home: Path, tmp_path: Path
) -> None:
    for number in range(3):
        work(tmp_path, home, "claude-code", number)
    names = [f"{number:08}-claude-code" for number in range(3)]
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from twiceshy.hooks import background as job\n"
        "from twiceshy.recall import background\n"
        "job._SHARE_S = 0\n"
        "for name in sys.argv[2:]: background.leave_request(background.locate_queue(), name, over=True)\n"
        "job.run_background_job([sys.argv[2], 'over'])"
    )
    source = os.path.dirname(os.path.dirname(os.path.dirname(background.__file__)))
    with jobs_ended() as how:
        how["env"] = {**os.environ, **how["env"]}
        subprocess.run([sys.executable, "-c", program, source, *names], check=True, **how)

    assert taught(home) == dict.fromkeys(names, 1)
    assert requests(home) == []


@requirement("B03")
def test_a_request_that_cannot_be_written_costs_no_lesson_and_is_counted(
    home: Path, tmp_path: Path
) -> None:
    ended = work(tmp_path, home, "claude-code", 1)
    (home / "requests").write_text("not a folder")

    with jobs_ended() as how:
        fire(ended, **how)

    [line] = (home / "hook.log").read_text().splitlines()
    assert taught(home) == {"00000001-claude-code": 1}
    assert "the request could not be written" in line


@requirement("B03")
def test_a_session_is_learned_from_by_a_job_that_knows_its_secrets(
    home: Path, project: Path
) -> None:
    """The job of another session, which knows nothing of them, is at work."""
    secrets = "quorumpelican", "mauvelobster"
    sessions = [Session(project, f"session-{number}") for number in (1, 2)]
    for session, secret in zip(sessions, secrets, strict=True):
        error = f"Exit code 2\nunknown option '--slip' for {secret}"
        calls = [(f"{session.name}-tool --slip", error)]
        calls += [
            (f"{session.name}-tool --right", ""),
            *((f"ls {each}", "") for each in range(REACH)),
        ]
        session.works(*((command, failure or None) for command, failure in calls))
        session.env = {"SHOP_PASSWORD": secret}
        session.start()

    with learning(*sessions) as learner:
        with held(home):
            for session in sessions:
                session.told("SessionEnd", reason="other")
            running = [learners(session, 1) for session in sessions]
        assert learner.ended()

    assert len(running) == 2
    assert taught(home) == {"session-1": 1, "session-2": 1}
    stored = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert [secret for secret in secrets if secret.encode() in stored] == []


NAMES = st.sampled_from(
    "SHOP_PASSWORD GH_TOKEN api_key DB_DSN SERVICE_CREDENTIALS MyAppSecret COOKIE PATH HOME PWD".split()
)
VALUES = st.text("abcXYZ0123/ -_.", min_size=0, max_size=20)


@requirement("B03")
@given(environ=st.dictionaries(NAMES, VALUES, max_size=6))
def test_every_secret_of_the_environment_counts_for_the_queue(
    environ: Mapping[str, str],
) -> None:
    suspects = list_suspects({os.fsencode(name): os.fsencode(environ[name]) for name in environ})

    values = {line.partition(b"=")[2].decode() for line in suspects}
    assert set(list_secret_values(environ)) <= values

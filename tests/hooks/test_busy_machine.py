"""Hooks on a bad day: killed, out of time, not listened to, in the wrong order with a newer version."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.hooks.attack import HOOK, PATIENCE, compact, fire, payload, start
from tests.hooks.attack import held as store_is_held
from tests.hooks.sessions import Session, exposures, state, store_of
from tests.hooks.test_attack_surroundings import failure
from tests.hooks.test_guards import git
from tests.hooks.test_guards_fail_closed import slow_git
from tests.hooks.test_handoff import hand_over
from tests.requirements import requirement

import twiceshy
from twiceshy.recall.capture import HELD

SOURCE = Path(twiceshy.__file__).parents[1]
LONG_AGO = 3_600  # seconds; no hook works for so long


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; a test that hangs is one that fails."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


@contextmanager
def pipe_that_nobody_reads() -> Iterator[int]:
    """Give the end of a pipe that is full: whoever writes to it waits."""
    begin, end = os.pipe()
    os.set_blocking(end, False)
    with suppress(BlockingIOError):
        while True:
            os.write(end, b"x" * 4096)
    os.set_blocking(end, True)
    yield end
    os.close(begin)
    os.close(end)


def held(home: Path) -> list[Path]:
    return sorted((home / HELD).glob("*"))


def let_time_pass(home: Path) -> None:
    """Let the hooks that hold records have begun long ago."""
    for path in held(home):
        os.utime(path, times=(time.time() - LONG_AGO,) * 2)


def learns(session: str = "s1") -> None:
    """Run the background job that every end of a turn starts."""
    subprocess.run([*HOOK, "learn", session], check=True, timeout=PATIENCE)


def signals(home: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        return sorted(db.execute("SELECT call, project FROM signals"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository that nobody asked git about yet."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


@requirement("H02")
def test_a_hook_that_is_killed_while_it_waits_loses_nothing(
    home: Path, repository: Path, tmp_path: Path
) -> None:
    session = Session(repository)
    secret = "ghp_" + "a1B2c3D4e5" * 4
    event = failure(7, error=f"Exit code 1\nno access with {secret}") | {"cwd": str(repository)}
    with start(env=slow_git(tmp_path / "slow", 60)) as hook:
        assert hook.stdin is not None
        hook.stdin.write(compact(event))
        hook.stdin.close()
        until(lambda: held(home))
        [record] = held(home)
        until(record.read_bytes)
        hook.send_signal(signal.SIGKILL)

    assert secret not in record.read_text()
    assert record.stat().st_mode & 0o077 == 0
    let_time_pass(home)
    learns()

    assert [call for call, _ in signals(home)] == ["toolu_0007"]
    assert held(home) == []
    session.start()
    with store_of(home) as store:
        known = store.session(session.name)
    assert known is not None
    assert [project for _, project in signals(home)] == [known.project]


@requirement("H02")
def test_a_record_is_held_only_until_the_store_has_it(home: Path) -> None:
    fire(failure(1))
    fire(payload("UserPromptSubmit"))
    fire(payload("PostCompact"))

    assert held(home) == []
    assert [call for call, _ in signals(home)] == ["toolu_0001"]


@requirement("H02")
def test_a_record_is_stored_once_even_if_a_job_is_faster_than_its_hook(home: Path) -> None:
    fire(failure(1))
    (home / HELD).mkdir(exist_ok=True)
    fire(failure(2), env={"TWICESHY_HOOK_WALL_MS": "60000"})
    (home / "twiceshy.db").rename(home / "aside.db")
    (home / "twiceshy.db").mkdir()
    fire(failure(2))
    (home / "twiceshy.db").rmdir()
    (home / "aside.db").rename(home / "twiceshy.db")
    assert len(held(home)) == 1

    let_time_pass(home)
    learns()

    assert [call for call, _ in signals(home)] == ["toolu_0001", "toolu_0002"]


@requirement("H02")
@pytest.mark.parametrize("content", [b"", b'{"as":"sig', b"\xff\xfe", b'{"as":"unheard of"}'])
def test_a_record_that_a_crash_cut_short_stops_no_other(home: Path, content: bytes) -> None:
    fire(failure(1))
    (home / HELD / "0000000000000000").write_bytes(content)
    let_time_pass(home)

    learns()

    assert held(home) == []
    assert len(signals(home)) == 1


@requirement("H02")
def test_a_record_that_no_column_takes_stops_no_other_and_is_kept(home: Path) -> None:
    fire(failure(1))
    for name, record in {
        "a": '{"as":"signal","at":"x","project":"","cwd":"/","session":"s"}',
        "b": '{"as":"something-newer","cwd":"/"}',
    }.items():
        (home / HELD / name).write_text(record)
    (home / HELD / "folder").mkdir()
    let_time_pass(home)

    learns()
    fire(failure(2))

    assert [call for call, _ in signals(home)] == ["toolu_0001", "toolu_0002"]
    assert [path.name for path in held(home)] == ["folder"]
    kept = (home / "spool.unread").read_text()
    assert '"at":"x"' in kept
    assert "something-newer" in kept


# Loads the package as a hook does, and lets the deadline come when a certain module begins to load.
EXPIRES = """
import sys, _signal, posix
sys.path.append({folder!r})
from twiceshy.hooks import deadline, entry
class Finder:
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            posix.kill(posix.getpid(), _signal.SIGALRM)
sys.meta_path.insert(0, Finder())
entry.main(["claude-code"])
"""
POINTS = [
    *("app", "core.event", "core.text", "files", "recall.answer", "recall.event_context"),
    *("recall.respond", "runtimes.dialect", "runtimes.claude_code.payload", "config.quick"),
    *("store.hook_store", "recall.hook_log", "recall.unchecked_call"),
]


@requirement("H02", "H04", "H05")
@pytest.mark.parametrize("module", POINTS)
def test_whatever_is_being_loaded_when_the_time_is_up_nothing_is_lost_and_nothing_silent(
    module: str, home: Path, repository: Path
) -> None:
    home.mkdir(mode=0o700)
    program = EXPIRES.format(folder=str(SOURCE), module=f"twiceshy.{module}")
    push = {"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "t1"}
    events = [failure(7), payload("PreToolUse", cwd=repository, **push)]

    ended = [
        subprocess.run(
            [sys.executable, "-I", "-S", "-c", program],
            input=compact(event),
            capture_output=True,
            check=True,
            timeout=PATIENCE,
            env=os.environ | {"TWICESHY_HOME": str(home)},
        )
        for event in events
    ]

    lines = (home / "hook.log").read_text().splitlines() if (home / "hook.log").exists() else []
    # a module that one of the two events does not need lets that one finish
    assert b'"permissionDecision":"ask"' in ended[1].stdout or not any(
        "PreToolUse" in x for x in lines
    )
    assert all(one.stderr == b"" for one in ended)
    let_time_pass(home)
    learns()
    assert [call for call, _ in signals(home)] == ["toolu_0007"]
    assert lines


@requirement("H03")
def test_what_is_told_is_on_record_before_it_is_printed(home: Path, repository: Path) -> None:
    state(home, repository)
    session = Session(repository)
    session.start()
    event = session.call("Bash", command="make deploy")
    raw = payload("PreToolUse", cwd=repository, session_id=session.name, **event)
    with (
        pipe_that_nobody_reads() as full,
        subprocess.Popen([*HOOK, "claude-code"], stdin=subprocess.PIPE, stdout=full) as hook,
    ):
        assert hook.stdin is not None
        hook.stdin.write(compact(raw))
        hook.stdin.close()
        until(lambda: [one for one in exposures(home, session.name) if one.channel == "call"])
        assert hook.poll() is None  # it is still waiting for somebody to read
        hook.send_signal(signal.SIGKILL)


@requirement("H03")
def test_a_handoff_whose_hook_was_ended_before_it_printed_comes_again(
    home: Path, repository: Path
) -> None:
    hand_over(repository, "--status", "half done")
    session = Session(repository)
    raw = payload("SessionStart", cwd=repository, session_id="s-ended")
    env = {**os.environ, "TWICESHY_NOW": session.now}
    with (
        pipe_that_nobody_reads() as full,
        subprocess.Popen(
            [*HOOK, "claude-code"], stdin=subprocess.PIPE, stdout=full, env=env
        ) as hook,
    ):
        assert hook.stdin is not None
        hook.stdin.write(compact(raw))
        hook.stdin.close()
        until(lambda: exposures(home, "s-ended"))
        hook.send_signal(signal.SIGKILL)

    session.wait(1)

    assert "half done" in session.start()
    assert "half done" not in Session(repository, "s-third").start()


@requirement("H04")
def test_a_hook_that_runs_out_of_time_is_logged_and_counted(home: Path, tmp_path: Path) -> None:
    fire(failure(1))
    with start(env={"TWICESHY_HOOK_WALL_MS": "300"}) as hook:
        assert hook.stdin is not None
        hook.stdin.write(compact(failure(2))[:-1])  # and no end
        hook.stdin.flush()
        hook.wait(PATIENCE)

    doctor, status = (run_command(verb, cwd=tmp_path, env={}) for verb in ("doctor", "status"))

    assert "DeadlineExpired: 300 ms of wall time used up" in (home / "hook.log").read_text()
    assert "1 of 2 in 7 days did not finish (50.0%)" in doctor.out
    assert "1 of 2 in 7 days did not finish (50.0%)" in status.out


@requirement("H01")
def test_a_hook_that_waits_uses_no_time_and_one_that_works_does(home: Path) -> None:
    program = (
        "import os; from twiceshy.hooks import deadline as d;"
        "d.last_words.append(lambda limit: os.write(1, limit.encode()));"
        "d.set_deadline(100, 60_000);"
    )
    act = {
        "waits": "import time; time.sleep(0.5); print('done')",
        "works": "exec('while True: pass')",
    }

    said = {
        name: subprocess.run(
            [sys.executable, "-c", f"{program} {what}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        ).stdout
        for name, what in act.items()
    }

    assert said["waits"] == "done\n"
    assert said["works"] == "100 ms of processor time"


@requirement("H07")
def test_a_hook_of_an_older_version_leaves_its_record_beside_a_newer_store(home: Path) -> None:
    fire(failure(1))
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        db.execute("INSERT INTO migrations VALUES (899, 'of a later version', 0)")
        db.commit()
        db.execute(f"PRAGMA user_version = {version + 1}")

    answer = fire(failure(2))

    assert answer.text == ""
    assert "toolu_0002" in (home / "spool").read_text()
    assert held(home) == []


@requirement("H07")
def test_no_hook_mends_or_changes_a_schema_and_one_job_does(home: Path) -> None:
    fire(failure(1))
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        (name,) = db.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE INDEX%'"
        ).fetchone()
        db.execute(f"DROP INDEX {name}")

    answers = [fire(failure(number)) for number in range(2, 7)]

    assert [answer.text for answer in answers] == [""] * 5
    until(lambda: len(signals(home)) == 6)
    assert len(list((home / "backups").iterdir())) == 1
    assert held(home) == []


@requirement("H02")
def test_a_session_that_begins_while_the_store_is_busy_is_known_later(home: Path) -> None:
    fire(failure(1))
    with store_is_held(home):
        fire(payload("SessionStart", session_id="s-busy"))

    fire(failure(2))

    with store_of(home) as store:
        assert store.session("s-busy") is not None

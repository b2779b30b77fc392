"""A memory that nobody may write to: its lessons are told, and what is lost is counted."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import run_command
from tests.hooks.sessions import MORNING, Session, after, exposures, learning, store_of, teach
from tests.requirements import requirement
from tests.store.support import fill

from twiceshy.core.moment import parse_stamp
from twiceshy.core.note import Note
from twiceshy.recall.hook_log import locate_fallback

DROP_CAPABILITY = 24  # of prctl(2)
ALMIGHTY = (1, 2, 3)  # what lets root write, read and change files whatever their modes


def obey_modes() -> None:
    """Let the modes of files count for root, as they do for everybody else."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in ALMIGHTY:
            assert libc.prctl(DROP_CAPABILITY, capability, 0, 0, 0) == 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def lesson(home: Path, project: Path) -> Note:
    note = teach(home, project)
    note = teach(home, project, origin_session="another")
    with store_of(home) as store, store.change():
        store.record_evidence(note.id, "call:1", "earlier", at=parse_stamp(MORNING), unseen=True)
    Session(project, "first").start()
    with store_of(home) as store:
        store.close()  # nothing is left in the write-ahead file
    return note


@pytest.fixture
def session(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    found = Session(project)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found.env["TMPDIR"] = str(tmp_path)
    found.how["preexec_fn"] = obey_modes
    return found


@pytest.fixture
def locked_home(home: Path, lesson: Note) -> Iterator[Path]:
    """A memory home in which nobody may change anything."""
    change_modes(home, writable=False)
    yield home
    change_modes(home, writable=True)


def change_modes(home: Path, *, writable: bool) -> None:
    home.chmod(0o700)
    for path in home.rglob("*"):
        path.chmod((0o700 if path.is_dir() else 0o600) - (0 if writable else 0o200))
    home.chmod(0o700 if writable else 0o500)


def findings(project: Path, what: str) -> list[dict[str, Any]]:
    done = run_command(
        "doctor", "--json", cwd=project, env={"TWICESHY_NOW": after(30), "TZ": "UTC"}
    )
    return [one for one in json.loads(done.out) if one["what"] == what]


@requirement("T104")
def test_texts_told_without_a_record_are_counted_once_the_home_can_be_written(
    locked_home: Path, project: Path, session: Session
) -> None:
    assert "make ship" in session.start()
    assert "make ship" in session.fails("make deploy")

    change_modes(locked_home, writable=True)

    assert exposures(locked_home, session.name) == []
    told, *_ = [one for one in findings(project, "hooks") if "without a record" in one["message"]]
    assert told["verdict"] == "warning"
    assert told["message"].startswith("2 texts told in 7 days without a record")
    assert "TWICESHY_HOME" in told["hint"]
    assert any("cannot write" in one["message"] for one in findings(project, "failure"))


@requirement("T245")
def test_hooks_tell_lessons_from_a_full_disk(
    small_disk: Path, project: Path, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = small_disk / "home"
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    teach(home, project)
    note = teach(home, project, origin_session="another")
    with store_of(home) as store, store.change():
        store.record_evidence(note.id, "call:1", "earlier", at=parse_stamp(MORNING), unseen=True)
    fill(small_disk)

    told = [session.start(), session.fails("make deploy")]

    assert ["make ship" in text for text in told] == [True, True]


@requirement("T104")
def test_doctor_says_why_nothing_can_be_written_and_what_to_do(
    locked_home: Path, project: Path, session: Session
) -> None:
    """As a process of its own: root may write whatever the modes say, unless it obeys them."""
    said = run_obeying("doctor", "--json", cwd=project)

    [found] = [one for one in json.loads(said) if one["what"] == "store"]

    assert "cannot write to" in found["message"]
    assert found["message"].endswith("hooks tell and record nothing")
    assert "check the owner and mode" in found["hint"]
    assert "upgrade" not in found["hint"]


@requirement("T319")
def test_a_session_end_starts_no_job_that_can_only_fail(
    locked_home: Path, project: Path, session: Session
) -> None:
    session.works(("make deploy", "Exit code 2"), ("make ship", None))

    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()

    log = Path(locate_fallback(str(locked_home)))
    assert " learn " not in (log.read_text() if log.exists() else "")
    change_modes(locked_home, writable=True)
    learned = run_command("distill", "--all", cwd=project, env={"TWICESHY_NOW": after(30)})
    assert learned.code == 0


@requirement("T319")
@pytest.mark.parametrize("words", [("distill", "--all"), ("views", "write")])
def test_a_command_says_that_the_home_cannot_be_written(
    locked_home: Path, project: Path, words: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words],
        cwd=project,
        env=os.environ | {"TWICESHY_NOW": after(30)},
        capture_output=True,
        text=True,
        preexec_fn=obey_modes,
        check=False,
    )

    assert done.returncode == 1
    assert "cannot write to " in done.stderr
    assert "hint: check the owner and mode of the folder" in done.stderr
    assert "bug" not in done.stderr


def run_obeying(*words: str, cwd: Path) -> str:
    env = os.environ | {"TWICESHY_NOW": after(30)}
    command = [sys.executable, "-m", "twiceshy", *words]
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, preexec_fn=obey_modes, check=True
    )
    return done.stdout.decode()


@requirement("T101", "T104")
def test_with_a_database_that_is_read_only_records_wait_and_nothing_is_told_twice(
    home: Path, lesson: Note, project: Path, session: Session
) -> None:
    (home / "twiceshy.db").chmod(0o400)

    told = [session.start(), session.start(), session.fails("make deploy")]
    (home / "twiceshy.db").chmod(0o600)
    Session(project, "later").prompt("go on")  # the next writer takes in what waits

    assert ["`make deploy` fails" in text for text in told] == [True, False, False]
    assert [one.channel for one in exposures(home, session.name)] == ["failure", "start"]
    assert findings(project, "failure") == []


@pytest.mark.parametrize("planted", ["writable by others", "link"])
def test_a_log_that_others_planted_is_neither_written_nor_read(
    planted: str, locked_home: Path, project: Path, session: Session, tmp_path: Path
) -> None:
    log, elsewhere = Path(locate_fallback(str(locked_home))), tmp_path / "elsewhere"
    line = f"{MORNING} ? ? ToldUnrecorded: what a stranger says\n"
    target = elsewhere if planted == "link" else log
    target.write_text(line)
    target.chmod(0o666)
    if planted == "link":
        log.symlink_to(elsewhere)

    assert "make ship" in session.start()

    assert target.read_text() == line
    assert not any("without a record" in one["message"] for one in findings(project, "hooks"))

"""Maintenance as people call it: it says what it does, one process at a time does it, and it can be undone."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.core.builders import NOW, a_note, an_id
from tests.hooks.attack import PATIENCE
from tests.requirements import requirement
from tests.store.support import bytes_under, opened, raw

from twiceshy.core.history import fields_to_write
from twiceshy.core.maintenance import TEND
from twiceshy.core.moment import DAY
from twiceshy.core.scope import GLOBAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.conftest import Command

FIRST = "Run git fetch --tags before tagging a release, or the tag lands on an old commit."
AGAIN = "First run git fetch --tags before tagging a release; the tag lands on an old commit."
# tends until it is let go on, in the middle of its first step
TENDS = """
import sys
from twiceshy.app import open_app
from twiceshy.upkeep.tend import run_steps
with open_app() as app:
    run_steps(app, tell=lambda step: (print(step, flush=True), sys.stdin.readline()))
"""
RACES = """
import sys
from twiceshy.app import open_app
with open_app() as app:
    print("ready", flush=True)
    sys.stdin.readline()
    print(app.store.take_lease("tend", sys.argv[1], seconds=60))
"""

STOPPED = """
import os, signal, sys
from twiceshy.cli import run_command_line, tend
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
tend._print_step = lambda step: os.kill(os.getpid(), signal.SIGINT) if step == "promote" else None
sys.exit(run_command_line(["tend"]))
"""


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, "09:00")


def at(monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setenv("TWICESHY_NOW", f"2026-11-02T{time}:00Z")


@pytest.fixture
def duplicates(twiceshy: Command, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two notes of an agent that say the same, the older first."""
    at(monkeypatch, "08:00")
    older = twiceshy("note", "--as-agent", FIRST).out.strip()
    at(monkeypatch, "09:00")
    return older, twiceshy("note", "--as-agent", "--new", AGAIN).out.strip()


@contextmanager
def started(program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", program, *arguments], **pipes) as process:  # type: ignore[call-overload]  # the same pipes twice
        yield process
        process.kill()


def shown(command: Command, name: str) -> dict[str, object]:
    (note,) = command("show", name, "--json").json
    assert isinstance(note, dict)
    return note


def steps(command: Command, *words: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = command("tend", *words, "--json").json["steps"]
    return found


def test_a_plan_names_what_would_change_and_changes_nothing(
    twiceshy: Command, duplicates: tuple[str, str], home: Path
) -> None:
    before = bytes_under(home)

    planned = twiceshy("tend", "--plan")
    told = steps(twiceshy, "--plan")

    assert "1 merged" in planned.out
    assert duplicates[1] in planned.out
    assert f"superseded by {duplicates[0]}" in planned.out
    assert "nothing was changed" in planned.err
    assert told["merge"]["merged"] == 1
    assert {
        path.name: text for path, text in bytes_under(home).items() if path.suffix == ".db"
    } == {path.name: text for path, text in before.items() if path.suffix == ".db"}
    assert twiceshy("tend", "--history").out == ""


def test_tending_does_what_the_plan_said_and_a_second_run_finds_nothing(
    twiceshy: Command, duplicates: tuple[str, str]
) -> None:
    planned = steps(twiceshy, "--plan")
    done = steps(twiceshy)
    again = twiceshy("tend")

    assert done["merge"].pop("change")
    assert done["merge"] == planned["merge"]
    assert "there is nothing to do" in again.out
    assert shown(twiceshy, duplicates[1])["status"] == "retired"


def test_one_undo_takes_a_merger_back_and_it_is_not_made_again(
    twiceshy: Command, duplicates: tuple[str, str]
) -> None:
    way_back = twiceshy("tend").out.partition("twiceshy undo ")[2].split()[0]

    twiceshy("undo", way_back)
    twiceshy("tend")

    statuses = [shown(twiceshy, name)["status"] for name in duplicates]
    assert statuses == ["active", "active"]


def test_only_the_steps_that_are_named_are_taken(
    twiceshy: Command, duplicates: tuple[str, str]
) -> None:
    told = steps(twiceshy, "--only", "expire", "--only", "promote")

    assert list(told) == ["promote", "expire"]
    assert shown(twiceshy, duplicates[1])["status"] == "active"


def test_what_the_user_wrote_is_left_alone(twiceshy: Command) -> None:
    twiceshy("note", FIRST)
    twiceshy("note", "--new", AGAIN)

    assert "there is nothing to do" in twiceshy("tend").out


@requirement("U122")
def test_a_lifetime_is_given_by_a_setting_of_the_user_and_not_of_a_project(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    issue = twiceshy("note", "--kind", "issue", "The build is red on Windows.").out.strip()
    lesson = twiceshy("note", FIRST).out.strip()
    (project / ".twiceshy.toml").write_text("[expiry.days]\nissue = 30\nlesson = 30\n")
    by_project = ""
    for day in (22, 23, 24):  # days of use attest the time
        monkeypatch.setenv("TWICESHY_NOW", f"2026-12-{day}T09:00:00Z")
        by_project = twiceshy("tend").out
    twiceshy("config", "set", "expiry.days.issue", "30")

    by_user = twiceshy("tend").out

    assert "nothing to do" in by_project
    assert "1 expired" in by_user
    found = {name: shown(twiceshy, name) for name in (issue, lesson)}
    assert (found[issue]["status"], found[issue]["reason"]) == ("retired", "expired")
    assert found[lesson]["status"] == "active"


@requirement("U108")
def test_no_policy_retires_a_note_while_it_is_pinned(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-01-02T09:00:00Z")
    old = twiceshy("note", FIRST, "--skill", "release").out.strip()
    twiceshy("pin", old)
    twiceshy("config", "set", "expiry.days.lesson", "30")
    twiceshy("config", "set", "notes.skill_max", "1")
    for day in (22, 23, 24):  # days of use attest the time
        monkeypatch.setenv("TWICESHY_NOW", f"2026-12-{day}T09:00:00Z")
        twiceshy("note", f"Lesson {day} is about something else.", "--skill", "release")
        twiceshy("tend")
    kept = shown(twiceshy, old)["status"]
    twiceshy("unpin", old)

    twiceshy("tend")

    assert (kept, shown(twiceshy, old)["status"]) == ("active", "retired")


def test_missing_vectors_are_made_anew(twiceshy: Command, home: Path) -> None:
    twiceshy("note", FIRST)
    with raw(home / "twiceshy.db") as db:
        db.execute("DELETE FROM vectors")

    planned, done, again = (steps(twiceshy, *words)["embed"] for words in (["--plan"], [], []))

    assert planned == done == {"looked up": 1, "notes": []}
    assert again == {"notes": []}


def test_a_step_that_fails_stops_none_of_the_others_and_is_told(
    twiceshy: Command, duplicates: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_EMBED_BACKEND", "ollama")
    monkeypatch.setenv("TWICESHY_EMBED_URL", "http://127.0.0.1:9")

    tended = twiceshy("tend", fails=1)

    assert "embed:     could not be done" in tended.out
    assert "1 merged" in tended.out
    (run,) = twiceshy("tend", "--history", "--json").json
    assert run["error"].startswith("embed: ")
    assert list(run["steps"])[-1] == "health"


@requirement("U119")
def test_one_process_at_a_time_tends_and_a_crashed_one_is_taken_over(
    twiceshy: Command, duplicates: tuple[str, str]
) -> None:
    with started(TENDS) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "merge\n"
        refused = twiceshy("tend", fails=1)
        other.kill()
        other.wait(PATIENCE)

    tended = twiceshy("tend")  # at once: nobody waits for a process that is gone

    assert "another process is tending" in refused.err
    assert "1 merged" in tended.out
    newest, oldest = twiceshy("tend", "--history").out.splitlines()
    assert "1 merged" in newest
    assert oldest.endswith("did not finish")


def test_whoever_was_taken_over_stops(
    twiceshy: Command, duplicates: tuple[str, str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    with started(TENDS) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        with raw(home / "twiceshy.db") as db:
            db.execute("UPDATE leases SET holder = 'another'")
        other.stdin.close()  # whatever it waits for from now on, it waits no longer
        other.wait(PATIENCE)

    (run,) = twiceshy("tend", "--history", "--json").json
    assert list(run["steps"]) == ["merge"]
    assert run["error"] == "BusyError"


@requirement("U119", "M45")
def test_of_many_processes_that_want_to_tend_at_the_same_moment_one_does(
    twiceshy: Command,
) -> None:
    twiceshy("status")
    program = [sys.executable, "-c", RACES]
    racers = [
        subprocess.Popen(
            [*program, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ,
        )
        for number in range(6)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()
    said = [racer.communicate(timeout=PATIENCE)[0] for racer in racers]

    assert sorted(said) == ["False\n"] * 5 + ["True\n"]


def test_whoever_is_stopped_in_the_middle_says_that_what_was_done_stays(
    twiceshy: Command, duplicates: tuple[str, str]
) -> None:
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPED], capture_output=True, text=True, check=False
    )

    assert stopped.returncode == 130
    assert "what was done before stays" in stopped.stderr
    (run,) = twiceshy("tend", "--history", "--json").json
    assert (list(run["steps"]), run["error"]) == (["merge"], "KeyboardInterrupt")
    assert shown(twiceshy, duplicates[1])["status"] == "retired"
    assert "nothing to do" in twiceshy("tend").out  # the lease was given back


def test_history_is_told_in_numbers_and_in_chinese_too(
    twiceshy: Command, duplicates: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = twiceshy("tend", "--history")
    twiceshy("tend")
    (run,) = twiceshy("tend", "--history", "--json").json
    monkeypatch.setenv("TWICESHY_LANGUAGE", "zh")

    chinese = twiceshy("tend", "--history").out

    assert "no earlier runs of tend" in nothing.err
    assert run["steps"]["merge"]["merged"] == 1
    assert run["began_at"].startswith("2026-11-02T09:00")
    assert "合併 1 則" in chinese


def test_history_and_a_plan_exclude_each_other(twiceshy: Command) -> None:
    assert (
        "--history goes with no other option"
        in twiceshy("tend", "--history", "--plan", fails=2).err
    )


def test_a_row_that_somebody_damaged_is_no_bug(twiceshy: Command, home: Path) -> None:
    twiceshy("tend")
    with opened(home) as store:
        store.save_records(store.begin_run(TEND).but(done="[no json", ended_at=store.now()))

    assert len(twiceshy("tend", "--history").out.splitlines()) == 2


def test_many_changed_notes_are_counted_and_the_first_named(twiceshy: Command, home: Path) -> None:
    twiceshy("status")
    with opened(home) as store, store.change():
        for number in range(115):
            note = a_note(
                f"Lesson number{number} is about thing{number}.",
                id=an_id(number + 1),
                scope=GLOBAL,
                source="agent",
            )
            store.record_entry("write", note.id, fields_to_write(note))

    told = twiceshy("tend", "--only", "retire").out

    assert "15 retired" in told
    assert "(over the cap of 100)" in told
    assert "and 5 more" in told


@requirement("U107", "F49")
@pytest.mark.parametrize(("policy", "goes"), [("value", "older"), ("fireworks", "newer")])
def test_the_fireworks_score_can_be_chosen_to_decide_who_is_beyond_the_cap(
    twiceshy: Command, home: Path, policy: str, goes: str
) -> None:
    # five sightings less half a point for the fourth month are more than three
    learned = {"older": (5, NOW - 120 * DAY), "newer": (3, NOW)}
    twiceshy("config", "set", "notes.skill_max", "1")
    twiceshy("config", "set", "eviction.policy", policy)
    with opened(home) as store, store.change():
        for number, (text, (sightings, at)) in enumerate(learned.items(), start=1):
            fields = {"sightings": sightings, "learned_at": at, "source": "agent", "trust": 0.5}
            note = a_note(text, id=an_id(number), **fields)
            store.record_entry("write", note.id, fields_to_write(note))

    told = steps(twiceshy, "--only", "retire")["retire"]["notes"]

    assert isinstance(told, list)
    assert [(note["text"], note["reason"]) for note in told] == [(goes, "over the cap of 1")]

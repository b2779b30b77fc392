"""Copies of the store on the same disk: written by themselves, restored by one command, and never in the way."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.hooks.sessions import store_of
from tests.person import PersonTerminal
from tests.requirements import requirement
from tests.store.support import modes_under

from twiceshy.sync import copies as sync_copies

FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
LAYER = "Docker keeps the old layer when only the lock file changed."
RULE = "Never push with force to main."
MONDAY, NEXT = "2026-11-02T09:00:00Z", "2026-11-10T09:00:00Z"


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_NOW", MONDAY)


def texts(twiceshy: Command) -> set[str]:
    return {note["text"] for note in twiceshy("list", "--all", "--json").json}


def copies(home: Path) -> list[Path]:
    return sorted((home / "copies").glob("*"))


def lose(home: Path) -> None:
    """Delete the store, as a person does who starts over."""
    for file in home.glob("twiceshy.db*"):
        file.unlink()


@requirement("T313")
def test_a_lost_store_comes_back_by_one_command(twiceshy: Command, home: Path) -> None:
    twiceshy("note", FETCH, "--skill", "release")
    handle = twiceshy("note", LAYER).out.strip()
    twiceshy("edit", handle, "--why", "its cache key is the file")
    history = twiceshy("history", handle, "--json").json
    twiceshy("backup", "--copy")
    lose(home)
    twiceshy("note", RULE)

    planned = twiceshy("recover", "--copy", "--plan")
    before = texts(twiceshy)
    done = twiceshy("recover", "--copy", "--json").json

    assert "new:       2" in planned.out
    assert before == {RULE}
    assert len(done["new"]) == 2
    assert texts(twiceshy) == {FETCH, LAYER, RULE}
    again = twiceshy("history", handle, "--json").json
    assert [one for one in again if one["op"] != "import"] == history
    twiceshy("undo")
    assert texts(twiceshy) == {RULE}


def write_many(twiceshy: Command, count: int) -> None:
    for number in range(count):
        twiceshy("note", f"Lesson {number}: step-{number} is closed at noon.")


@requirement("T313")
def test_all_good_copies_are_restored_and_each_is_told(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_many(twiceshy, 6)
    twiceshy("backup", "--copy")
    lose(home)
    monkeypatch.setenv("TWICESHY_NOW", NEXT)
    twiceshy("note", FETCH)
    twiceshy("backup", "--copy")
    lose(home)
    twiceshy("note", LAYER)

    planned = twiceshy("recover", "--copy", "--plan")
    before = texts(twiceshy)
    done = twiceshy("recover", "--copy", "--json").json

    assert "new:       7" in planned.out
    assert "from the copy of 2026-11-10 09:00: 1 new, 0 changed" in planned.err
    assert "from the copy of 2026-11-02 09:00: 6 new, 0 changed" in planned.err
    assert before == {LAYER}
    assert (len(done["new"]), done["changed"], done["known"]) == (7, [], 0)
    assert [one["new"] for one in done["copies"]] == [1, 6]
    assert len(texts(twiceshy)) == 8
    twiceshy("undo")
    assert texts(twiceshy) == {LAYER}


@requirement("T316")
def test_a_store_that_is_gone_is_told_by_the_first_command_and_by_doctor_while_a_copy_has_far_more(
    twiceshy: Command, home: Path
) -> None:
    write_many(twiceshy, 6)
    twiceshy("backup", "--copy")
    lose(home)

    first, second = twiceshy("list", "--json"), twiceshy("list", "--json")
    twiceshy("note", FETCH)
    twiceshy("note", LAYER)
    said = twiceshy("doctor").out
    back = twiceshy("recover", "--copy")

    assert "the store was gone, and a new one is empty; a copy of 2026-11-02 is there" in first.err
    assert "twiceshy recover --copy" in first.err
    assert (first.out, second.err) == (second.out, "no notes\n")
    assert "WARNING  copies: the store has 2 notes, but the copy " in said
    assert "has 6\n         hint: run: twiceshy recover --copy" in said
    assert "gone" not in back.err
    assert "ok       copies: 1" in twiceshy("doctor").out


@requirement("T313")
def test_a_rule_that_comes_back_is_still_approved(twiceshy: Command, home: Path) -> None:
    twiceshy("note", RULE, "--kind", "rule")
    approved = twiceshy("doctor").out
    twiceshy("backup", "--copy")
    lose(home)

    twiceshy("recover", "--copy")

    assert "1 signed" in approved
    assert "1 signed" in twiceshy("doctor").out


@requirement("T313")
def test_restoring_what_is_there_changes_nothing(twiceshy: Command) -> None:
    twiceshy("note", FETCH)
    twiceshy("backup", "--copy")
    before = twiceshy("export").out

    twiceshy("recover", "--copy")

    assert twiceshy("export").out == before


@requirement("T312")
def test_tend_copies_once_a_week_and_keeps_two(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    made = []
    for day in ("02", "05", "09", "16"):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-{day}T10:00:00Z")
        twiceshy("tend", "--only", "copy")
        made.append([path.name[12:22] for path in copies(home)])

    assert made == [
        ["2026-11-02"],
        ["2026-11-02"],
        ["2026-11-02", "2026-11-09"],
        ["2026-11-09", "2026-11-16"],
    ]
    assert set(modes_under(home).values()) == {"0600", "0700"}


def test_copies_can_be_switched_off(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_COPIES_EVERY_DAYS", "0")
    twiceshy("note", FETCH)

    twiceshy("tend", "--only", "copy")

    assert copies(home) == []
    assert "switched off" in twiceshy("doctor").out


def test_a_store_that_lost_most_of_its_notes_does_not_push_out_a_full_copy(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        twiceshy("note", f"Lesson {number}: see step-{number} {os.urandom(40).hex()}")
    twiceshy("backup", "--copy")
    (full,) = copies(home)
    lose(home)
    twiceshy("note", FETCH)

    for day in range(3, 6):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-0{day}T10:00:00Z")
        twiceshy("backup", "--copy")

    assert len(copies(home)) == 2
    assert full in copies(home)


@requirement("T314")
def test_a_damaged_copy_is_passed_over_with_a_word(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    twiceshy("backup", "--copy")
    monkeypatch.setenv("TWICESHY_NOW", NEXT)
    twiceshy("note", LAYER)
    twiceshy("backup", "--copy")
    older, newer = copies(home)
    whole = newer.read_bytes()
    lose(home)

    for at in range(0, len(whole), 7):
        newer.write_bytes(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :])
        said = twiceshy("doctor").out
        if (
            f"a copy cannot be read: {newer}" not in said
        ):  # a byte that says nothing of the content
            assert gzip.decompress(newer.read_bytes()) == gzip.decompress(whole), at
        if at % 70 == 0:
            newer.write_bytes(whole[:at])
            assert f"a copy cannot be read: {newer}" in twiceshy("doctor").out
    newer.write_bytes(whole[: len(whole) // 2])
    done = twiceshy("recover", "--copy")

    assert f"passed over a damaged copy: {newer}" in done.err
    assert texts(twiceshy) == {FETCH}
    older.unlink()
    refused = twiceshy("recover", "--copy", fails=1)
    assert "no copy of the store can be read: 1 are damaged" in refused.err


@requirement("T315")
def test_a_copy_holds_nothing_that_was_forgotten_and_no_secret(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    gone = twiceshy("note", LAYER).out.strip()
    twiceshy("backup", "--copy")
    monkeypatch.setenv("TWICESHY_NOW", NEXT)
    twiceshy("backup", "--copy")
    monkeypatch.setenv("TWICESHY_REDACT_EXTRA", "old commit")

    (home / "copies" / ".twiceshy-0badcafe").write_text("left by a process that was killed")
    (home / "copies" / "other.db-2026-11-02T090000.000Z.jsonl.gz").write_text("of another store")
    twiceshy("forget", gone, "--yes")

    copy, other = sorted(copies(home), reverse=True)
    assert other.read_text() == "of another store"
    held = gzip.decompress(copy.read_bytes()).decode()
    assert "Fetch the tags" in held
    assert "Docker keeps" not in held
    assert "old commit" not in held
    lose(home)
    assert json.loads(twiceshy("recover", "--copy", "--json").out)["refused"] == {}
    assert len(texts(twiceshy)) == 1


@requirement("T313")
def test_what_was_forgotten_since_does_not_come_back(twiceshy: Command, home: Path) -> None:
    twiceshy("note", FETCH)
    gone = twiceshy("note", LAYER).out.strip()
    twiceshy("backup", "--copy")
    (copy,) = copies(home)
    kept = copy.read_bytes()
    twiceshy("forget", gone, "--yes")
    copy.write_bytes(kept)  # from another disk

    twiceshy("recover", "--copy")

    assert texts(twiceshy) == {FETCH}


def test_doctor_tells_how_old_the_copies_are(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    young = twiceshy("doctor").out
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-20T09:00:00Z")
    missing = twiceshy("doctor").out
    twiceshy("backup", "--copy")
    fresh = twiceshy("doctor").out
    monkeypatch.setenv("TWICESHY_NOW", "2027-01-11T09:00:00Z")
    stale = twiceshy("doctor").out

    assert "ok       copies: none yet" in young
    assert "WARNING  copies: there is no second copy of the store" in missing
    assert "ok       copies: 1, the newest 0 days old" in fresh
    assert "WARNING  copies: 1, the newest 52 days old" in stale


@pytest.mark.parametrize("words", [("backup", "--purge"), ("recover", "--remote", "x")])
def test_a_copy_has_nothing_to_do_with_a_remote(twiceshy: Command, words: tuple[str, ...]) -> None:
    refused = twiceshy(*words, "--copy", fails=2)

    assert "--copy is about this disk" in refused.err


def start_copy(*, then: str) -> None:
    """Let another process begin a copy, with this done in the middle of it."""
    program = (
        "import os, sys; from twiceshy.sync import copies; from twiceshy.cli import run_command_line\n"
        f"def compress(lines):\n    {then}\n    yield b''\n"
        "copies._compress = compress; run_command_line(['backup', '--copy'])"
    )
    subprocess.run([sys.executable, "-c", program], check=False, timeout=60)


def test_a_process_that_was_killed_while_it_copied_hinders_no_other(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", FETCH)

    start_copy(then="os.kill(os.getpid(), 9)")
    (draft,) = copies(home)
    assert draft.name.startswith(".twiceshy-")
    done = twiceshy("backup", "--copy")

    assert str(home / "copies") in done.out
    assert "each can be read" in twiceshy("doctor").out


def test_while_another_process_copies_that_is_said(twiceshy: Command, home: Path) -> None:
    nothing = twiceshy("backup", "--copy")
    twiceshy("note", FETCH)
    with store_of(home) as store:
        assert store.take_lease("copy", f"{os.getpid()}-other", seconds=60)

    busy = twiceshy("backup", "--copy", fails=1)

    assert "there is nothing to copy" in nothing.err
    assert "another process writes a copy of the store" in busy.err
    assert "try again" in busy.err


def test_a_note_forgotten_while_a_copy_is_written_is_not_in_it(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", FETCH)
    gone = twiceshy("note", LAYER).out.strip()
    compress, times = sync_copies._compress, iter("123")
    forgetting = [sys.executable, "-m", "twiceshy", "forget", gone]

    def forget_meanwhile(lines: Iterable[bytes]) -> Iterator[bytes]:
        yield from compress(lines)
        if next(times) == "1":
            assert PersonTerminal(lambda: subprocess.call(forgetting, timeout=60)).end() == 0

    monkeypatch.setattr(sync_copies, "_compress", forget_meanwhile)

    twiceshy("backup", "--copy")

    (copy,) = copies(home)
    held = gzip.decompress(copy.read_bytes()).decode()
    assert "Fetch the tags" in held
    assert "Docker keeps" not in held

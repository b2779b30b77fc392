"""``twiceshy distill``, as a user runs it, on transcripts of their own."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.commands import Command, run_command
from tests.learning.sessions import FLAG, ROOT, Told
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.files.lock import FileLock

Distill = Callable[..., Command]
COMMAND = [sys.executable, "-m", "twiceshy"]


@pytest.fixture
def folder(home: Path) -> Path:
    """Where Claude Code keeps the transcripts of a project."""
    folder = Path(os.environ["HOME"]) / ".claude/projects/-home-u-shop"
    folder.mkdir(parents=True)
    return folder


def distill(*words: str, fails: int = 0) -> Command:
    ran = run_command("distill", *words, cwd=Path.cwd(), env={})
    assert ran.code == fails, ran.err
    return ran


def learned(*words: str) -> dict[str, int]:
    told: dict[str, int] = json.loads(distill(*words, "--json").out)
    return told


def notes() -> list[dict[str, object]]:
    ran = run_command("list", "--all", "--json", cwd=Path.cwd(), env={})
    found: list[dict[str, object]] = json.loads(ran.out)
    return found


@contextmanager
def somebody_learning(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Let another process have the turn until it is told to end."""
    program = (
        "import sys; from twiceshy.files.lock import FileLock\n"
        f"with FileLock({str(home / 'learn.lock')!r}, 5.0) as mine:\n"
        "    print(mine, flush=True); sys.stdin.readline()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdin is not None
    with other:
        assert other.stdout.readline() == b"True\n"
        yield other
        if not other.stdin.closed:
            other.stdin.close()


@requirement("F12")
def test_all_sessions_are_learned_from_and_the_second_time_there_is_nothing_to_do(
    folder: Path,
) -> None:
    Told("s1").mistaken().file(folder)
    Told("s2", day=1).mistaken().file(folder)

    first = learned("--all")
    again = learned("--all")

    learned_notes = notes()
    assert (first["files"], first["calls"], first["errors"]) == (2, 4, 2)
    assert (first["new"], first["again"]) == (1, 1)
    assert set(again.values()) == {0}
    assert len({note["project"] for note in learned_notes}) == len(learned_notes) == 2
    for note in learned_notes:  # that of the project, and that of all projects
        assert (note["status"], note["sightings"]) == ("active", 2)


@requirement("F68")
def test_a_lesson_of_a_transcript_belongs_to_the_skill_that_was_in_use(folder: Path) -> None:
    Told("s1").called("Skill", skill="release").mistaken().file(folder)
    Told("s2", day=1).called("Skill", skill="release").mistaken().file(folder)
    Told("s3").failed("rtk bun test", "unrecognized subcommand bun").file(folder)

    distill("--all")

    of_skill = {str(note["text"]) for note in notes() if note["skill"] == "release"}
    assert ["--name-only" in text for text in of_skill] == [True]
    here = [note for note in notes() if note["project"] != "*"]  # a copy for all has no skill
    assert ["rtk" in str(note["text"]) for note in here if note["skill"] is None] == [True]


def test_what_was_learned_is_said_in_a_sentence_on_stderr(folder: Path) -> None:
    Told().mistaken().file(folder)

    first, again = distill("--all"), distill("--all")

    assert (first.out, again.out) == ("", "")
    assert "1 new note" in first.err
    assert "nothing new since the last time" in again.err


def test_one_session_is_learned_from_by_its_id(folder: Path) -> None:
    Told("s1").mistaken().file(folder)
    Told("s2").failed("rtk bun test", "unrecognized subcommand bun").file(folder)

    told = learned("--session", "s2")

    assert (told["files"], told["new"]) == (1, 1)
    assert "rtk" in str(notes()[0]["text"])


@requirement("U090")
@pytest.mark.parametrize(
    ("calls", "retries"),
    [
        (("!make deploy", "!make deploy"), []),
        (("!make deploy", "!make deploy", "make deploy", "!make deploy"), []),
        (("!make deploy", "!make test", "!make lint"), []),
        (("!make deploy", "!make   deploy", "!cd /home/u/shop && make deploy"), ["make deploy"]),
    ],
)
def test_the_same_call_that_fails_three_times_without_a_success_is_a_retry(
    folder: Path, home: Path, calls: tuple[str, ...], retries: list[str]
) -> None:
    told = Told("s1")
    for call in calls:
        if call.startswith("!"):
            told.failed(call[1:], "deploy.sh: 3: cannot open key")
        else:
            told.ran(call)
    told.file(folder)

    learned("--all")

    with opened(home) as store:
        found = [one for one in store.list_signals(sessions=["s1"]) if one.kind == "retry"]
    assert [one.target for one in found] == retries


@requirement("U056", "U091")
def test_a_pitfall_is_a_signal_and_a_lesson_that_names_the_problem_and_the_way_out(
    folder: Path, home: Path
) -> None:
    Told("s1").mistaken().file(folder)

    learned("--all")

    [note] = notes()
    with opened(home) as store:
        [signal] = [one for one in store.list_signals(sessions=["s1"]) if one.kind == "error"]
    assert (signal.target, signal.excerpt) == ("gh pr diff --stat", FLAG)
    assert signal.pair  # with the call that worked
    assert {"--stat", "--name-only", FLAG} <= {
        word for word in ("--stat", "--name-only", FLAG) if word in str(note["text"])
    }


@requirement("T94")
@pytest.mark.parametrize("wrapper", ["squeeze", "abc"])
def test_a_wrapper_that_nobody_listed_is_learned_as_the_mistake(
    folder: Path, wrapper: str
) -> None:
    told = Told().failed(f"{wrapper} bun run test", "error: unrecognized subcommand 'bun'")
    told.ran("bun run test").file(folder)

    learned("--all")

    assert {"bun", wrapper} <= set(str(notes()[0]["trigger"]).split())


def test_the_agents_of_a_session_are_part_of_it(folder: Path) -> None:
    Told("s1").ran("ls").file(folder)
    Told("agent-a1").mistaken().file(folder / "s1/subagents")

    told = learned("--session", "s1")

    assert (told["files"], told["new"]) == (2, 1)
    assert notes()[0]["origin_session"] == "s1"


def test_a_transcript_is_learned_from_wherever_it_lies(tmp_path: Path) -> None:
    one = Told("s1").mistaken().file(tmp_path / "elsewhere")
    other = Told("s2").ran("ls").file(tmp_path / "elsewhere")

    told = learned("--transcript", str(one), "--transcript", str(other))

    assert (told["files"], told["new"]) == (2, 1)


def test_a_transcript_under_another_name_is_still_its_sessions(tmp_path: Path) -> None:
    path = Told("s1").mistaken().file(tmp_path)

    learned("--transcript", str(path.rename(tmp_path / "saved copy.jsonl")))

    assert notes()[0]["origin_session"] == "s1"


@requirement("F12")
def test_a_session_that_went_on_is_learned_from_where_it_was_left(folder: Path) -> None:
    told = Told().mistaken()
    told.file(folder)
    learned("--all")
    told.failed("rtk bun test", "unrecognized subcommand bun").file(folder)

    more = learned("--all")

    assert (more["files"], more["calls"], more["new"]) == (1, 1, 1)


@pytest.mark.parametrize("words", [[], ["--all", "--session", "s1"]])
def test_it_must_be_said_what_to_learn_from(words: list[str]) -> None:
    assert "--session, --transcript or --all" in distill(*words, fails=2).err


@pytest.mark.parametrize("words", [("--session", "nobody"), ("--transcript", "/nowhere.jsonl")])
def test_what_is_not_there_is_an_error_with_a_hint(words: tuple[str, str]) -> None:
    ran = distill(*words, fails=1)

    assert "no transcript" in ran.err
    assert "hint:" in ran.err
    assert ran.out == ""


def test_files_that_cannot_be_read_stop_none_of_the_others(folder: Path) -> None:
    first = Told("s1").ran("ls").file(folder)
    learned("--all")
    first.unlink()
    first.mkdir()
    (folder / "s2.jsonl").write_bytes(b"\xff\x00 not JSON\n" * 9)
    (folder / "s3.jsonl").write_bytes(b"")
    (folder / "s4.jsonl").symlink_to(folder / "s2.jsonl")
    broken = Told("s5").mistaken()
    broken.file(folder).write_bytes(b'{"type":"user","mess\n'.join(broken.lines()))

    told = learned("--all")

    assert (told["files"], told["new"]) == (1, 1)


def test_a_file_that_must_not_be_opened_is_counted_and_passed_over(tmp_path: Path) -> None:
    path = Told("s1").mistaken().file(tmp_path)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)

    both = learned("--transcript", str(link), "--transcript", str(path))

    assert (both["files"], both["unread"], both["new"]) == (1, 1, 1)


def test_while_somebody_else_learns_nobody_waits_unless_asked(home: Path, folder: Path) -> None:
    Told().mistaken().file(folder)
    with somebody_learning(home):
        ran = distill("--all", "--json")

    assert "another process is learning" in ran.err
    assert json.loads(ran.out) == {"files": 0, "busy": True}
    assert learned("--all")["new"] == 1


def test_who_asks_to_wait_learns_when_the_other_is_done(home: Path, folder: Path) -> None:
    Told().mistaken().file(folder)
    with somebody_learning(home) as other:
        waiting = subprocess.Popen(
            [*COMMAND, "distill", "--all", "--wait", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.4)
        assert other.stdin is not None
        other.stdin.close()
        out, _ = waiting.communicate()

    assert json.loads(out)["new"] == 1


def test_a_turn_ends_with_the_process_that_had_it(home: Path) -> None:
    with somebody_learning(home) as other:
        with FileLock(str(home / "learn.lock"), 0.0) as mine:
            assert not mine
        other.kill()
        other.wait()
        with FileLock(str(home / "learn.lock"), 5.0) as mine:
            assert mine


def test_a_terminal_shows_how_far_it_is(folder: Path) -> None:
    Told().mistaken().whiled(450).file(folder)
    ours, theirs = pty.openpty()

    with subprocess.Popen(
        [*COMMAND, "distill", "--all", "--json"], stdout=subprocess.PIPE, stderr=theirs
    ) as ran:
        os.close(theirs)
        out, _ = ran.communicate()
    seen = os.read(ours, 1 << 20).decode()
    os.close(ours)

    assert json.loads(out)["files"] == 1
    steps = [int(part.split()[-1]) for part in seen.split("%")[:-1]]
    assert steps[0] == 0
    assert steps[-1] == 100
    assert any(0 < step < 100 for step in steps), "one long file is shown piece by piece"


def test_old_transcripts_of_a_project_are_learned_under_its_identity(tmp_path: Path) -> None:
    learned("--transcript", str(Told().mistaken().file(tmp_path)))

    assert str(notes()[0]["project"]).startswith("dir:")
    assert not Path(ROOT).exists()

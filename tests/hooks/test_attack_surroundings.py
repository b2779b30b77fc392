"""Whatever is wrong around it, the hook ends well, in time, and nothing it has acknowledged is lost."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.hooks.attack import (
    EVENTS,
    HOOK,
    NOTE,
    PATIENCE,
    Answer,
    compact,
    environment,
    fire,
    fire_all,
    held,
    learns,
    payload,
    remember,
    start,
    surprises,
    well_behaved,
)
from tests.requirements import requirement
from tests.store.support import app_of, bytes_under, fill, learn, modes_under, opened, raw

from twiceshy.core.filter import NoteFilter
from twiceshy.core.scope import Scope
from twiceshy.recall.held_record import recover_records

SILENCE = Answer(0, b"", b"")


@pytest.fixture
def known(home: Path) -> Path:
    """A memory home in which something is known about the release skill and about everything."""
    return remember(home)


def failure(number: int = 1, **fields: Any) -> dict[str, Any]:
    """Return a failed call that no other number has."""
    return payload("PostToolUseFailure", tool_use_id=f"toolu_{number:04}", **fields)


def calls(home: Path) -> list[str]:
    """Return the calls whose failure is kept, once the spool and held records are taken in."""
    with opened(home) as store:
        learn(store, "Something else, so that the spool is taken in.")
        recover_records(app_of(store), older_than_s=0)
        with raw(store.path) as db:
            return sorted(row[0] for row in db.execute("SELECT call FROM signals"))


def ended(hook: subprocess.Popen[bytes]) -> int:
    """Wait for a hook's end; one that hangs is ended, and fails its test."""
    try:
        return hook.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        hook.kill()
        raise


def put_instead(path: Path, kind: str) -> None:
    """Put something at a path that is no file."""
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)


def sound(home: Path) -> bool:
    with raw(home / "twiceshy.db") as db:
        return bool(db.execute("PRAGMA integrity_check").fetchone() == ("ok",))


class TestFailure:
    @requirement("U170")
    def test_a_hook_that_fails_exits_0_says_nothing_and_doctor_shows_the_cause(
        self, known: Path
    ) -> None:
        path = known / "twiceshy.db"
        whole = path.read_bytes()
        path.write_bytes(b"this is no database" * 1000)

        answers = [fire(failure()), fire(b'{"hook_event_name":"SessionStart",')]

        path.write_bytes(whole)
        doctor = [sys.executable, "-m", "twiceshy", "doctor"]
        shown = subprocess.run(doctor, capture_output=True, text=True, check=False)
        assert answers == [SILENCE, SILENCE]
        assert "PostToolUseFailure DamagedStoreError" in shown.stdout + shown.stderr
        assert "SessionStart JSONDecodeError" in shown.stdout + shown.stderr


class TestStreams:
    @pytest.mark.parametrize("given", [b"", b'{"session_id":', compact(failure())])
    def test_a_stdin_that_never_closes_is_given_up(self, given: bytes) -> None:
        with start(env={"TWICESHY_HOOK_WALL_MS": "300"}) as hook:
            assert hook.stdin is not None
            hook.stdin.write(given)
            hook.stdin.flush()
            code = ended(hook)
            said = [stream.read() for stream in (hook.stdout, hook.stderr) if stream]

        assert (code, said) == (0, [b"", b""])

    def test_the_deadline_comes_even_to_those_who_were_told_not_to_listen_for_it(self) -> None:
        with start(
            env={"TWICESHY_HOOK_WALL_MS": "300"},
            preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]),
        ) as hook:
            code = ended(hook)

        assert code == 0

    def test_an_interrupt_meant_for_the_client_is_met_with_silence(self) -> None:
        with start() as hook:
            assert hook.stdin is not None
            hook.stdin.write(b"{" * 70_000)  # more than a pipe holds: it is reading
            hook.stdin.flush()
            hook.send_signal(signal.SIGINT)
            hook.stdin.close()
            code = ended(hook)
            assert hook.stderr is not None
            complaint = hook.stderr.read()

        assert (code, complaint) == (0, b"")

    def test_whoever_does_not_listen_misses_the_answer(self, known: Path) -> None:
        with start() as hook:
            assert hook.stdout
            assert hook.stdin
            hook.stdout.close()
            hook.stdin.write(compact(payload("SessionStart")))
            hook.stdin.close()
            code = ended(hook)
            assert hook.stderr
            complaint = hook.stderr.read()

        assert (code, complaint) == (0, b"")
        assert sound(known)
        assert not (known / "hook.log").exists()

    def test_an_answer_to_a_full_disk_is_lost_and_nothing_else(self, known: Path) -> None:
        with Path("/dev/full").open("wb") as full:
            answer = fire(payload("PostToolUse"), stdout=full)

        assert answer == Answer(0, None, b"")  # type: ignore[arg-type]  # nobody read it
        assert sound(known)

    @pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    @pytest.mark.parametrize("event", ["SessionStart", "PostToolUseFailure"])
    def test_no_stream_has_to_be_open(self, closed: str, event: str, known: Path) -> None:
        words = [*HOOK, "claude-code"]
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *words],
            input=None if "<&-" in closed else compact(payload(event)),
            stdin=subprocess.DEVNULL if "<&-" in closed else None,
            env=environment(),
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )

        assert (done.returncode, done.stderr) == (0, b"")
        assert sound(known)
        assert not [p for p, held in bytes_under(known).items() if b"hookSpecificOutput" in held]


class TestStore:
    def test_a_locked_store_still_answers_and_the_signal_waits_in_the_spool(
        self, known: Path
    ) -> None:
        with held(known):
            answers = [fire(failure(7)), fire(payload("PostToolUse"))]

        assert answers[0] == SILENCE
        assert NOTE in answers[1].text
        assert b"toolu_0007" in (known / "spool").read_bytes()
        assert calls(known) == ["toolu_0007"]
        assert surprises(known) == []

    @pytest.mark.parametrize(
        "cut", [b'\n{"as":"signal","key":"x', b"\n{\n", b'\n"\n', b"\n\xff\0\n"]
    )
    def test_a_line_that_a_full_disk_cut_short_costs_no_later_signal(
        self, cut: bytes, known: Path
    ) -> None:
        with held(known):
            fire(failure(1))
        with (known / "spool").open("ab") as spool:
            spool.write(cut)

        answers = [fire(failure(2)), fire(failure(3))]

        assert answers == [SILENCE, SILENCE]
        with raw(known / "twiceshy.db") as db:
            kept = sorted(row[0] for row in db.execute("SELECT call FROM signals"))
        assert kept == ["toolu_0001", "toolu_0002", "toolu_0003"]
        assert surprises(known) == []

    def test_a_spool_that_somebody_keeps_for_himself_holds_no_session_up(
        self, known: Path
    ) -> None:
        spool = known / "spool"
        with held(known), spool.open("wb") as taken:
            fcntl.flock(taken, fcntl.LOCK_EX)

            answer = fire(failure(), env={"TWICESHY_HOOK_WALL_MS": "300"})

        assert answer == SILENCE

    @pytest.mark.parametrize(
        "damage",
        [
            lambda path: path.write_bytes(b"this is no database" * 1000),
            lambda path: path.write_bytes(path.read_bytes()[:-8192] + b"\xa5" * 8192),
            lambda path: path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:]),
            lambda path: path.write_bytes(b""),
            lambda path: put_instead(path, "folder"),
            lambda path: put_instead(path, "pipe"),
            lambda path: put_instead(path, "loop"),
        ],
        ids=["garbage", "end", "beginning", "empty", "folder", "pipe", "loop"],
    )
    def test_a_damaged_store_hurts_no_session(
        self, damage: Callable[[Path], object], known: Path
    ) -> None:
        damage(known / "twiceshy.db")

        answers = [fire(failure()), *fire_all([compact(payload(event)) for event in EVENTS])]
        answers.append(learns())

        assert well_behaved(answers)
        assert surprises(known) == []

    def test_what_is_captured_while_the_store_is_damaged_is_not_lost(self, known: Path) -> None:
        (known / "twiceshy.db").write_bytes(b"this is no database" * 1000)

        fire(failure(3))

        assert calls(known) == ["toolu_0003"]


class TestDisks:
    def test_a_full_disk_hurts_no_session_and_costs_nothing_that_was_kept(
        self, small_disk: Path
    ) -> None:
        home = small_disk / "home"
        env = {"TWICESHY_HOME": str(home)}
        fire(failure(1), env=env)
        ballast = fill(small_disk)

        answers = [fire(payload(event), env=env) for event in EVENTS]
        answers += [fire(failure(n, error="x " * 3000), env=env) for n in range(2, 8)]

        assert answers == [SILENCE] * len(answers)
        ballast.unlink()
        assert fire(failure(99), env=env) == SILENCE
        kept = calls(home)
        assert {"toolu_0001", "toolu_0099"} <= set(kept)
        assert sound(home)
        assert surprises(home) == []

    def test_a_disk_that_is_full_from_the_start_hurts_no_session(self, small_disk: Path) -> None:
        fill(small_disk)
        env = {"TWICESHY_HOME": str(small_disk / "home")}

        answers = [fire(payload(event), env=env) for event in EVENTS]

        assert answers == [SILENCE] * len(EVENTS)

    def test_a_store_that_cannot_be_written_is_read_and_left_as_it_is(
        self, small_disk: Path
    ) -> None:
        home = small_disk / "home"
        env = {"TWICESHY_HOME": str(home)}
        with opened(home) as store:
            learn(store, NOTE, scope=Scope("*", "release"))
        before = bytes_under(home)
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)

        answers = {event: fire(payload(event), env=env) for event in EVENTS}

        assert well_behaved(list(answers.values()))
        assert NOTE in answers["PostToolUse"].text
        assert bytes_under(home) == before

    def test_a_home_that_cannot_be_made_hurts_no_session(self, small_disk: Path) -> None:
        subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
        env = {"TWICESHY_HOME": str(small_disk / "deep" / "home")}

        answers = [fire(payload(event), env=env) for event in EVENTS]

        assert answers == [SILENCE] * len(EVENTS)

    @pytest.mark.parametrize(
        "name",
        [
            *("hook.log", "spool", "projects.json", "skills.json", "config.toml"),
            *(
                "twiceshy.db-journal",
                "twiceshy.db-wal",
                "spool.unread",
                "held",
                "settings",
                "watch",
            ),
        ],
    )
    @pytest.mark.parametrize("kind", ["pipe", "folder", "loop"])
    def test_a_file_of_ours_that_is_something_else_hurts_no_session(
        self, name: str, kind: str, known: Path, tmp_path: Path
    ) -> None:
        put_instead(known / name, kind)
        env = {"TWICESHY_HOOK_WALL_MS": "2000"}
        said = [failure(), payload("SessionStart", cwd=tmp_path), payload("PostToolUse"), b"{"]

        answers = [fire(one, env=env) for one in said]

        assert well_behaved(answers)

    @requirement("U167")
    def test_only_their_owner_may_read_the_files_whatever_the_umask(self, home: Path) -> None:
        said = [b"{", failure(), payload("SessionStart"), payload("UserPromptSubmit")]

        answers = [fire(one, umask=0) for one in said] + [fire(b"{", umask=0)]

        assert answers == [SILENCE] * 5
        assert (home / "hook.log").exists()
        modes = modes_under(home)
        assert {mode for name, mode in modes.items() if (home / name).is_dir()} == {"0700"}
        assert {mode for name, mode in modes.items() if (home / name).is_file()} == {"0600"}


class TestManyAtOnce:
    def test_of_twenty_failures_at_once_none_is_lost(self, home: Path) -> None:
        hooks = [start() for _ in range(20)]

        for number, hook in enumerate(hooks):
            assert hook.stdin is not None
            hook.stdin.write(compact(failure(number)))
        answers = [hook.communicate(timeout=PATIENCE) for hook in hooks]

        assert answers == [(b"", b"")] * 20
        assert [hook.returncode for hook in hooks] == [0] * 20
        assert calls(home) == [f"toolu_{number:04}" for number in range(20)]
        assert surprises(home) == []

    def test_the_same_failure_told_by_many_is_kept_once(self, home: Path) -> None:
        hooks = [start() for _ in range(8)]

        for hook in hooks:
            hook.communicate(compact(failure(5)), timeout=PATIENCE)

        assert calls(home) == ["toolu_0005"]

    def test_a_hook_that_is_killed_leaves_a_sound_store_and_what_others_kept(
        self, known: Path
    ) -> None:
        ended: list[str] = []

        for number in range(40):
            with start() as hook:
                assert hook.stdin is not None
                hook.stdin.write(compact(failure(number)))
                hook.stdin.close()
                for _ in range(number * 400):  # later and later in its life
                    if hook.poll() is not None:
                        break
                hook.kill()
            if hook.returncode == 0:
                ended.append(f"toolu_{number:04}")

        assert fire(failure(99)) == SILENCE
        assert {*ended, "toolu_0099"} <= set(calls(known))
        assert sound(known)
        with opened(known) as store:
            assert NOTE in [note.text for note in store.notes(NoteFilter())]


class TestEnvironment:
    def test_a_session_that_we_started_ourselves_is_left_alone(self, home: Path) -> None:
        answers = [fire(payload(event), env={"TWICESHY_INSIDE": "1"}) for event in EVENTS]

        assert answers == [SILENCE] * len(EVENTS)
        assert not home.exists()

    @pytest.mark.parametrize(
        "arguments", [[], [""], ["nonsense"], ["../claude-code"], ["claude-code\n"], ["--help"]]
    )
    def test_a_runtime_that_nobody_knows_is_met_with_silence(
        self, arguments: list[str], home: Path
    ) -> None:
        assert fire(failure(), arguments=arguments) == SILENCE
        assert not home.exists()

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("TWICESHY_HOOK_DEADLINE_MS", ""),
            ("TWICESHY_HOOK_DEADLINE_MS", "soon"),
            ("TWICESHY_HOOK_DEADLINE_MS", "-5"),
            ("TWICESHY_HOOK_DEADLINE_MS", "9" * 5000),
            ("TWICESHY_HOOK_LOCK_MS", "x"),
            ("TWICESHY_BRIEF_SKILL_TOKENS", "many"),
            ("TWICESHY_SKILLS_POLICY", "perhaps"),
            ("TWICESHY_NOW", "yesterday"),
            ("TWICESHY_HOME", "relative/home"),
            ("TWICESHY_HOME", "/dev/null/home"),
            ("TWICESHY_STORE_PATH", "postgres://u:p@localhost/x"),
            ("TWICESHY_STORE_PATH", "/dev/full"),
            ("CLAUDE_PROJECT_DIR", "relative"),
            ("CLAUDE_PROJECT_DIR", "/nowhere/at/all"),
            ("CLAUDE_PROJECT_DIR", "/" + "a" * 5000),
            ("HOME", "/nonexistent"),
            ("HOME", "relative"),
            ("PATH", ""),
            ("LANG", "C"),
            ("SKILLS_INJECT_TOP", "-1"),
        ],
    )
    def test_a_variable_that_makes_no_sense_hurts_no_session(
        self, name: str, value: str, known: Path, tmp_path: Path
    ) -> None:
        env = {name: value}

        answers = [fire(failure(), env=env, cwd=tmp_path)]
        answers += fire_all([compact(payload(e)) for e in EVENTS], env=env, cwd=tmp_path)

        assert well_behaved(answers)
        assert surprises(known) == []

    @pytest.mark.parametrize(
        "text", ["x = [", "brief = 7\n", '[brief]\nskill_tokens = "a"\n', "\0"]
    )
    @pytest.mark.parametrize("whose", ["user", "project"])
    def test_settings_that_make_no_sense_hurt_no_session(
        self, text: str, whose: str, known: Path, tmp_path: Path
    ) -> None:
        place = known / "config.toml" if whose == "user" else tmp_path / ".twiceshy.toml"
        place.write_text(text)

        answer = fire(payload("PostToolUse", cwd=tmp_path))

        assert NOTE in answer.text
        assert surprises(known) == []

    def test_nothing_that_lies_around_is_run(self, tmp_path: Path, known: Path) -> None:
        place = tmp_path / "hostile"
        (place / "twiceshy").mkdir(parents=True)
        mark = tmp_path / "mark"
        program = f"open({str(mark)!r}, 'w')\n"
        for name in "os json _json _sqlite3 re site sitecustomize posix twiceshy/__init__".split():
            (place / f"{name}.py").write_text(program)
        (place / ".git").mkdir()
        (place / ".git/config").write_text("[core]\n\tfsmonitor = touch ../mark\n")
        variables = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "LD_PRELOAD_NOT")
        env = dict.fromkeys(variables, str(place))

        answers = [fire(payload(event, cwd=place), env=env, cwd=place) for event in EVENTS]

        assert well_behaved(answers)
        assert not mark.exists()

    @pytest.mark.parametrize("gone", ["the hook's", "the session's"])
    def test_a_directory_that_is_gone_hurts_no_session(
        self, gone: str, known: Path, tmp_path: Path
    ) -> None:
        place = tmp_path / "gone"
        place.mkdir()
        cwd = tmp_path if gone == "the hook's" else place
        words = [
            "sh",
            "-c",
            'cd "$0" && rmdir "$0" && exec "$@"',
            str(place),
            *HOOK,
            "claude-code",
        ]

        done = subprocess.run(
            words,
            input=compact(payload("PostToolUse", cwd=cwd)),
            env=environment(),
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )

        assert NOTE in Answer(done.returncode, done.stdout, done.stderr).text
        assert surprises(known) == []

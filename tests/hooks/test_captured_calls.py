"""Where a client keeps no transcript, or it was deleted, the captured calls themselves are learned from."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.commands import run_command
from tests.contracts.runtimes import Runtime
from tests.hooks.sessions import MORNING, Session, after, learning, store_of, twiceshy
from tests.requirements import requirement
from tests.store.support import bytes_under

from twiceshy.core.filter import NoteFilter
from twiceshy.runtimes import RUNTIMES

WRONG, RIGHT = "git stauts", "git status"
UNKNOWN = "git: 'stauts' is not a git command. See 'git --help'."
SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


class RecordedClient(Runtime):
    """A client that sends its recorded payloads about calls of the test, and keeps no transcript."""

    def fail(self, command: str, error: str, **changed: object) -> str:
        """Have run a command that failed; return what the model is told."""
        payload = self.about("failed", command, **changed)
        answers: dict[str, dict[str, Any]] = {
            "codex": {"tool_response": error},
            "gemini": {"tool_response": self._shell_answer(error)},
        }
        return self.hear(payload | answers.get(self.name, {"error": f"Exit code 1\n{error}"}))

    def work(self, command: str, **changed: object) -> str:
        """Have run a command that worked."""
        return self.hear(self.about("succeeded", command, **changed))

    def about(self, moment: str, command: str, **changed: object) -> dict[str, Any]:
        payload = self.payload(moment, **changed)
        payload["tool_input"] = payload["tool_input"] | {"command": command}
        if "tool_use_id" in payload:
            payload["tool_use_id"] = f"{payload['session_id']}-{len(command)}-{command[-3:]}"
        return payload

    def hear(self, payload: dict[str, Any]) -> str:
        done = self.start(payload)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def _settle(self) -> None:
        """Keep no transcript."""

    def _shell_answer(self, printed: str) -> dict[str, str]:
        ended = "Exit Code: 128\nProcess Group PGID: 4321"
        said = f"<untrusted_context>\nOutput: {printed}\n{ended}\n</untrusted_context>"
        return {"llmContent": said, "returnDisplay": printed}


@requirement("T55")
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_session_without_a_transcript_teaches_by_its_captured_calls(
    runtime: str, home: Path, project: Path, tmp_path: Path
) -> None:
    client = RecordedClient(runtime, tmp_path, project)
    # Codex tells the exit status in its transcript only: the output must betray the failure
    wrong, error = "cargo bild --release", "error: no such command: `bild`"
    client.fail(wrong, error)
    client.work("cargo build --release")

    learned = json.loads(distill(project))

    assert (learned["captured"], learned["errors"], learned["new"]) == (1, 1, 1)
    told = client.fail(wrong, error, session_id="the-next-session")
    assert "use `build`, not `bild`" in told


@requirement("T56")
def test_a_transcript_deleted_before_it_was_learned_from_costs_no_lesson(
    home: Path, project: Path
) -> None:
    session = Session(project)
    session.works((WRONG, UNKNOWN), (RIGHT, None))
    session.start()
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    session.prints(RIGHT, "clean")
    session.transcript.unlink()

    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()

    following = Session(project, "session-2")
    following.start()
    assert "use `status`, not `stauts`" in following.fails(WRONG, f"Exit code 1\n{UNKNOWN}")


@requirement("T56")
@pytest.mark.parametrize("first", ["transcript", "captured calls"])
def test_a_call_counts_once_whichever_of_both_is_read_first(
    first: str, home: Path, project: Path
) -> None:
    session = Session(project)
    session.start()
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    session.prints(RIGHT, "clean")
    if first == "captured calls":
        assert json.loads(distill(project))["captured"] == 1
    session.works((WRONG, UNKNOWN), (RIGHT, None))  # of the same calls under other ids

    studied = json.loads(distill(project, "--transcript", str(session.transcript)))
    again = json.loads(distill(project))

    [note] = json.loads(twiceshy(project, "list", "--status", "any", "--json"))
    assert (note["sightings"], note["origin_session"]) == (1, session.name)
    assert studied["calls"] == (2 if first == "transcript" else 0)
    assert (again["captured"], again["calls"]) == (0, 0)


@requirement("T56")
@given(
    calls=st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), min_size=1, max_size=5),
    first=st.sampled_from(["transcript", "captured calls"]),
)
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_call_ever_counts_twice(
    calls: list[tuple[str, bool]], first: str, home: Path, project: Path
) -> None:
    session = Session(project, f"session-{os.urandom(4).hex()}")
    own = session.name[-6:].translate(str.maketrans("0123456789", "ghijklmnop"))
    made = [(f"tool{name}{own} --fast", failed) for name, failed in calls]
    error = "Exit code 2\nerror: unknown option"
    for command, failed in made:
        session.fails(command, error) if failed else session.prints(command, "ok")
    if first == "captured calls":
        distill(project)
    session.works(*((command, error if failed else None) for command, failed in made))

    distill(project, "--transcript", str(session.transcript))
    distill(project)

    with store_of(home) as store:
        signals = store.list_signals(sessions=(session.name,), limit=100)
        seen = [note.sightings for note in store.notes(NoteFilter(statuses=()), limit=None)]
    learned = [one for one in signals if one.kind == "error" and one.mistake]
    assert len(learned) == sum(failed for _, failed in made)
    assert set(seen) <= {1}


def test_a_session_with_its_transcript_leaves_no_captured_calls(home: Path, project: Path) -> None:
    session = Session(project)
    session.works((WRONG, UNKNOWN), (RIGHT, None))
    session.start()
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    assert captured_lines(home)

    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()

    assert captured_lines(home) == []


@requirement("T57")
def test_only_the_calls_right_behind_a_failure_are_recorded(home: Path, project: Path) -> None:
    session = Session(project)
    session.start()
    session.prints("ls before", "a")
    assert captured_lines(home) == []
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    other = Session(project, "session-2")
    other.prints("ls elsewhere", "a")
    for number in range(12):
        session.prints(f"ls part-{number}", "a")

    said = [line["arguments"]["command"] for line in captured_lines(home)]

    assert said == [WRONG, *(f"ls part-{number}" for number in range(8))]


def test_a_call_that_is_told_of_again_is_recorded_once(home: Path, project: Path) -> None:
    session = Session(project)
    call = session.call("Bash", command=WRONG)
    for _ in range(2):
        session.told("PostToolUseFailure", **call, error=UNKNOWN, is_interrupt=False)

    assert [line["call"] for line in captured_lines(home)] == [call["tool_use_id"]]


def test_an_edit_between_failure_and_success_is_known(home: Path, project: Path) -> None:
    session = Session(project)
    session.start()
    session.fails("make -k test", "Exit code 2\nmake: *** [Makefile:3: test] Error 1")
    call = session.call(
        "Edit", file_path=str(project / "a.py"), old_string="x" * 900, new_string="y"
    )
    session.told("PreToolUse", **call)
    session.prints("make test", "ok")

    lines = captured_lines(home)

    assert [line["tool"] for line in lines] == ["Bash", "Edit", "Bash"]
    assert lines[1]["arguments"] == {"file_path": str(project / "a.py"), "new_string": "y"}
    assert json.loads(distill(project))["new"] == 0  # the edit was the fix, and not the call


@requirement("T57")
def test_a_secret_in_a_call_behind_a_failure_does_not_reach_the_disk(
    home: Path, project: Path
) -> None:
    session = Session(project)
    session.start()
    session.fails(f"push --with {SECRET}", f"Exit code 1\ndenied for {SECRET}")
    session.prints(f"curl -H 'Authorization: Bearer {SECRET}' https://example.org", SECRET)

    assert len(captured_lines(home)) == 2
    assert all(SECRET.encode() not in content for content in bytes_under(home).values())


@requirement("T57")
@given(commands=st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=4))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_called_behind_a_failure_is_recorded_or_left_out_whole(
    commands: list[str], home: Path, project: Path
) -> None:
    session = Session(project, f"session-{os.urandom(4).hex()}")
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    for command in commands:
        session.prints(f"echo '{command}'", "a")

    lines = captured_lines(home, session.name)

    assert len(lines) == 1 + len(commands)
    assert not (home / "hook.log").exists()


@requirement("T58")
def test_doctor_counts_what_sessions_were_learned_from(home: Path, project: Path) -> None:
    for name in ("session-1", "session-2"):
        session = Session(project, name)
        session.start()
        session.prompt("please look")
        if name == "session-1":
            session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    distill(project)

    finding = find_learning(json.loads(run_doctor(project)))

    assert finding["verdict"] == "warning"
    assert finding["message"] == (
        "0 of the last sessions learned from transcripts, 1 from captured calls;"
        " 1 left neither a transcript nor failed calls and taught nothing: 1 of Claude Code"
    )


@requirement("T103")
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_doctor_names_the_client_whose_sessions_left_nothing_to_learn_from(
    runtime: str, home: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", MORNING)
    client = RecordedClient(runtime, tmp_path, project)
    for number in range(2):
        client.hear(client.payload("prompt", session_id=f"session-{number}"))

    finding = find_learning(json.loads(run_doctor(project)))

    said = finding["message"].rpartition("; ")[2]
    assert said.startswith(
        "2 left neither a transcript nor failed calls and taught nothing: 2 of "
    )
    assert said.rpartition(" of ")[2].casefold().startswith(runtime.replace("-", " "))
    assert finding["verdict"] == "warning"
    assert f"twiceshy config set transcripts.{runtime.replace('-', '_')} FOLDER" in finding["hint"]


@requirement("T103")
def test_doctor_counts_sessions_that_wait_to_be_read(home: Path, project: Path) -> None:
    session = Session(project)
    session.start()
    session.prompt("please look")
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")

    waiting, _ = find_learning(json.loads(run_doctor(project))), distill(project)
    read = find_learning(json.loads(run_doctor(project)))

    assert (waiting["verdict"], waiting["hint"]) == (
        "ok",
        "to read them now: twiceshy distill --all",
    )
    assert waiting["message"].endswith("; 1 wait to be read")
    assert read["message"].endswith("1 from captured calls")


def find_learning(findings: list[dict[str, Any]]) -> dict[str, Any]:
    [finding] = [one for one in findings if one["what"] == "learning"]
    return finding


@requirement("T55")
def test_codex_without_a_rollout_teaches_by_what_a_plain_command_printed(
    home: Path, project: Path, tmp_path: Path
) -> None:
    """The exit status is nowhere then: it speaks for no command, not even for the last one."""
    client = RecordedClient("codex", tmp_path, project)
    client.fail("gh pr diff 12 --stat", "unknown flag: --stat\n\nUsage:  gh pr diff [flags]")
    client.work("gh pr diff 12 --name-only")

    learned = json.loads(distill(project))

    assert (learned["captured"], learned["errors"], learned["new"]) == (1, 1, 1)
    told = client.fail("gh pr diff 7 --stat", "unknown flag: --stat", session_id="the-next")
    assert "use `--name-only`, not `--stat`" in told


def test_captured_calls_are_swept_with_the_state_of_sessions(home: Path, project: Path) -> None:
    session = Session(project)
    session.start()
    session.fails(WRONG, f"Exit code 1\n{UNKNOWN}")
    for path in (home / "calls").iterdir():
        os.utime(path, (0, 0))

    twiceshy(project, "compress")

    assert list((home / "calls").iterdir()) == []


def run_doctor(project: Path) -> str:
    return run_command(
        "doctor", "--json", cwd=project, env={"TWICESHY_NOW": after(30), "TZ": "UTC"}
    ).out


def distill(project: Path, *words: str) -> str:
    return twiceshy(project, "distill", *(words or ("--all",)), "--wait", "--json", now=after(20))


def captured_lines(home: Path, session: str = "") -> list[dict[str, Any]]:
    return list(_read_lines(home, session))


def _read_lines(home: Path, session: str) -> Iterator[dict[str, Any]]:
    for path in sorted((home / "calls").glob(f"{session or '*'}.jsonl")):
        yield from map(json.loads, path.read_text().splitlines())

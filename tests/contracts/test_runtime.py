"""What every runtime must do, whatever it calls it; a new one keeps this contract by its recordings."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.runtimes import PAYLOADS, Runtime
from tests.contracts.sent import MADE, kept, sent
from tests.hooks.conftest import Memory
from tests.requirements import requirement
from tests.store.support import Clock, a_store

from twiceshy import app
from twiceshy.core.trigger import Trigger
from twiceshy.places.project import identify_project
from twiceshy.runtimes import RUNTIMES, package_name_of, quick_look

MOMENTS = {"start", "prompt", "skill", "pending", "failed", "succeeded", "turn", "end"}
NOW = "2026-11-02T09:30:00Z"
PROMPT = "pack the boxes for the fair"
UNTOLD = "gemini"  # its event before a compaction comes before every request as well
# Only Claude Code tells the arguments of a skill, and they would belong to its intent.
NO_ARGUMENTS = {"claude-code": {"tool_input": {"skill": "pack"}}}

SESSIONS = [f"session-of-{name}" for name in RUNTIMES]

Made = Callable[[str], Runtime]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that all runtimes work in."""
    folder = tmp_path / "u" / "shop"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def memory(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """Notes about a skill, a mistake and the project, on a day that does not pass."""
    monkeypatch.setenv("TWICESHY_NOW", NOW)
    monkeypatch.setenv("TWICESHY_HOLDOUT_SHARE", "0")
    store = a_store(home, clock=Clock(app.read_clock()))
    made = Memory(store, identify_project(str(project), cache=None).id)
    made.learn("Weigh every box before it is taped.", skill="pack", pinned=True)
    made.learn("Boxes for the fair need two labels.", skill="pack", subtype="gotcha")
    made.learn("The shop closes at six.", skill="", kind="decision")
    yield made
    store.close()


@pytest.fixture
def made(tmp_path: Path, project: Path, memory: Memory) -> Made:
    """Make a runtime whose user works in the project."""
    return lambda name: Runtime(name, tmp_path / "u", project)


def texts(runtime: Runtime) -> dict[str, str]:
    """Return what a session is told at its moments."""
    said = {moment: runtime.tell(moment) for moment in ("start",)}
    said["prompt"] = runtime.tell("prompt", prompt=PROMPT)
    said["skill"] = runtime.tell("skill", **NO_ARGUMENTS.get(runtime.name, {}))
    return {moment: told.text if told else "" for moment, told in said.items()}


@pytest.mark.parametrize("name", RUNTIMES)
def test_every_runtime_has_a_recording_of_every_moment(name: str) -> None:
    folder = PAYLOADS / package_name_of(name)

    named: dict[str, str] = json.loads((folder / "moments.json").read_text(encoding="utf-8"))

    assert named.keys() >= MOMENTS
    assert all((folder / file).is_file() for file in named.values())


@requirement("U005", "R05")
def test_the_same_skill_and_store_give_the_same_bytes_in_every_runtime(made: Made) -> None:
    said = {name: texts(made(name)) for name in RUNTIMES}

    assert "Weigh every box" in said["claude-code"]["skill"]
    assert "Boxes for the fair need two labels" in said["claude-code"]["skill"]
    assert "closes at six" in said["claude-code"]["start"]
    for name in RUNTIMES:
        assert said[name] == said["claude-code"], name


@requirement("R09")
@pytest.mark.parametrize("name", RUNTIMES)
def test_a_skill_is_briefed_once_and_its_event_is_answered_by_name(name: str, made: Made) -> None:
    runtime = made(name)

    first, second = runtime.tell("skill"), runtime.tell("skill")

    assert first is not None
    assert first.event == runtime.payload("skill")["hook_event_name"]
    assert first.text.startswith('<skill-memory skill="pack"')
    assert second is None


@requirement("U005", "R09")
def test_a_failed_command_is_the_same_signal_in_every_runtime(made: Made, memory: Memory) -> None:
    for name in RUNTIMES:
        made(name).tell("failed")

    signals = memory.store.list_signals(sessions=SESSIONS)

    assert {signal.session for signal in signals} == set(SESSIONS)
    assert {(signal.kind, signal.tool, signal.target) for signal in signals} == {
        ("error", "Bash", "echo packing; echo no tape >&2; exit 3")
    }
    assert {signal.excerpt for signal in signals} == {"Exit code 3\npacking\nno tape"}


@pytest.mark.parametrize("name", RUNTIMES)
def test_a_command_that_succeeded_leaves_no_signal(name: str, made: Made, memory: Memory) -> None:
    runtime = made(name)

    said = runtime.tell("succeeded")

    assert said is None
    assert not memory.store.list_signals(sessions=SESSIONS)


@requirement("U005", "R09")
@pytest.mark.parametrize("name", RUNTIMES)
def test_a_lesson_about_a_command_is_told_in_every_runtime(
    name: str, made: Made, memory: Memory
) -> None:
    lesson = memory.learn(
        "`exit 3` failed; tape the box first.",
        skill="",
        trigger=Trigger("Bash", ("exit",)).to_line(),
    )
    runtime = made(name)
    command = {"command": "echo packing; echo no tape >&2; exit 3"}

    before = runtime.tell("pending", tool_input=command)
    after = runtime.tell("failed")

    told = [said for said in (before, after) if said and lesson.handle in said.text]
    assert told, "neither before the call nor at its failure"


@requirement("R09")
@pytest.mark.parametrize("name", [name for name in RUNTIMES if name != UNTOLD])
def test_a_compaction_brings_the_brief_back(name: str, made: Made) -> None:
    runtime = made(name)
    runtime.tell("start")
    runtime.tell("skill")

    again = runtime.tell("compacted")

    assert again is not None
    assert "Weigh every box" in again.text


@requirement("R08")
def test_an_event_that_does_not_tell_a_compaction_means_nothing(made: Made) -> None:
    runtime = made(UNTOLD)
    runtime.tell("skill")

    said = runtime.tell("turn", hook_event_name="PreCompress", trigger="auto")

    assert not runtime.has("compacted")
    assert said is None
    assert runtime.tell("skill") is None  # so the agent still has it before its eyes


@requirement("R09")
@pytest.mark.parametrize("name", RUNTIMES)
@pytest.mark.parametrize("moment", ["turn", "end"])
def test_the_end_of_a_turn_or_session_is_answered_by_silence_and_learned_from(
    moment: str, name: str, made: Made
) -> None:
    runtime = made(name)
    payload = runtime.payload(moment)
    raw = json.dumps(payload).encode()

    ended = runtime.start(payload)

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert quick_look.is_turn_end(raw)
    assert quick_look.is_session_end(raw) == (moment == "end")


@requirement("R09")
@pytest.mark.parametrize("name", RUNTIMES)
@pytest.mark.parametrize(
    "wrong",
    [
        {"hook_event_name": "Unheard"},
        {"hook_event_name": None},
        {"session_id": "../../x"},
        {"cwd": 7},
        {"tool_input": "nothing", "tool_response": [], "prompt": {}},
    ],
    ids=["unknown event", "no event", "no id", "no directory", "no fields"],
)
def test_what_a_runtime_never_said_before_is_passed_over(
    name: str, wrong: dict[str, Any], made: Made
) -> None:
    runtime = made(name)

    ended = [runtime.start(runtime.payload(moment) | wrong) for moment in ("prompt", "failed")]

    for each in ended:
        assert (each.returncode, each.stderr) == (0, b"")


@requirement("R09")
@pytest.mark.parametrize("name", RUNTIMES)
def test_half_a_payload_is_answered_by_silence(name: str, made: Made) -> None:
    runtime = made(name)
    raw = json.dumps(runtime.payload("skill")).encode()

    ended = runtime.start(raw[: len(raw) // 2])

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


@requirement("R06", "R07")
@pytest.mark.parametrize("name", sorted(MADE))
def test_our_own_files_send_what_the_contract_is_played_with(name: str) -> None:
    assert sent(name) == kept(name), "run: python -m tests.contracts.sent"

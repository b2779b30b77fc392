"""A hook loads what it needs and not one module more: counted, so that no slow machine can fail it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.hooks.conftest import a_skill
from tests.hooks.sessions import project_of, state, store_of, teach
from tests.requirements import requirement

import twiceshy
from twiceshy.core.prefilter_words import FOLDER
from twiceshy.places import skill_version

SOURCE = Path(twiceshy.__file__).parent
# Runs the hook as it is installed, and prints what is loaded in the place where it would end.
PROGRAM = """
import sys
before = set(sys.modules)
sys.path.append({folder!r})
from twiceshy.hooks import deadline, entry
def loaded():
    import posix
    posix.write(2, " ".join(sorted(set(sys.modules) - before)).encode())
    posix._exit(0)
entry.answer_event(["claude-code"], loaded)
loaded()
"""
UNHURRIED = {"TWICESHY_HOOK_DEADLINE_MS": "10000"}
COMMON = {"session_id": "s1", "transcript_path": "/t.jsonl", "cwd": "."}
START: dict[str, object] = {"hook_event_name": "SessionStart", "source": "startup"}
NOTHING: dict[str, dict[str, object]] = {
    "pending call": {
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make test"},
    },
    "plain success": {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_response": {"stdout": "README\nsrc", "stderr": ""},
    },
    "read of a file": {
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": "/x/README.md"},
        "tool_response": {"type": "text"},
    },
    "end of a turn": {"hook_event_name": "Stop", "stop_hook_active": False},
    "end of the session": {"hook_event_name": "SessionEnd", "reason": "other"},
}
SKILL = {
    "hook_event_name": "PostToolUse",
    "tool_name": "Skill",
    "tool_input": {"skill": "release", "args": "cut it"},
    "tool_response": {"success": True, "commandName": "release"},
    "tool_use_id": "toolu_1",
}
FAILURE = {
    "hook_event_name": "PostToolUseFailure",
    "tool_name": "Bash",
    "tool_input": {"command": "make release"},
    "error": "Exit code 2\nmake: no rule for release",
    "is_interrupt": False,
    "tool_use_id": "toolu_2",
}
MISTAKE = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}}
CALL: dict[str, object] = {"hook_event_name": "PreToolUse", **MISTAKE, "tool_use_id": "toolu_3"}
NOTED: dict[str, object] = {**CALL, "tool_input": {"command": "make publish"}}
PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": "please cut a release"}

# All of the standard library that a hook may load: the C halves, and what is frozen into Python.
ALLOWED = set(
    """__future__ _functools _json _operator _signal _sqlite3 _stat errno fcntl genericpath
    itertools math operator os os.path posixpath stat""".split()
)


def run(payload: Mapping[str, object], project: Path, home: Path | None = None) -> set[str]:
    """Return the modules that answering a payload has loaded."""
    program = PROGRAM.format(folder=str(SOURCE.parent))
    place = {"TWICESHY_HOME": str(home)} if home else {}
    raw = json.dumps({**COMMON, "cwd": str(project), **payload}, separators=(",", ":"))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=raw.encode(),
        capture_output=True,
        check=True,
        # clients start hooks by a shell, which names the folder
        env={**os.environ, **place, **UNHURRIED, "PWD": str(project)},
    )
    return set(done.stderr.decode().split())


@pytest.fixture(scope="module")
def worked_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository that was worked in before: git was asked, and the skill's version is known."""
    place = tmp_path_factory.mktemp("worked-in")
    home, folder = place / "home", place / "shop"
    skill = str(a_skill(folder / ".claude/skills/release").parent)
    git = ["git", "-C", str(folder), "-c", "user.name=u", "-c", "user.email=u@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    subprocess.run(
        [sys.executable, "-m", "twiceshy", "note", "Tag last.", "--skill", "release"],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**os.environ, "TWICESHY_HOME": str(home)},
    )
    teach(home, folder)
    state(home, folder, trigger="Bash make publish")
    with pytest.MonkeyPatch.context() as settled:  # what was written just now is not kept in mind
        settled.setattr(skill_version, "_UNSETTLED", -1)
        skill_version.hash_skill_version(skill, cache=str(home / "skills.json"))
    run(START, folder, home)
    return home, folder


@pytest.fixture(scope="module")
def configured(worked_in: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That home with a settings file, which the first hook that met it has compiled."""
    known, folder = worked_in
    home = tmp_path_factory.mktemp("configured") / "home"
    shutil.copytree(known, home)
    (home / "config.toml").write_text('[brief]\nsession_tokens = 500\n[guards]\nmode = "ask"\n')
    # it must be older than a clock's tick; a start would tell the lesson until lots are drawn, and
    # every twentieth prompt of a session starts a background job
    while not list((home / "settings").glob("*")):
        run({**PROMPT, "session_id": "before"}, folder, home)
    run(START, folder, home)
    return home


@pytest.fixture
def project(worked_in: tuple[Path, Path], home: Path) -> Path:
    """That repository, and the home that knows it as the test's own."""
    known, folder = worked_in
    shutil.copytree(known, home)
    return folder


@pytest.mark.parametrize("what", NOTHING)
def test_an_event_that_carries_nothing_loads_next_to_nothing(what: str, project: Path) -> None:
    loaded = run(NOTHING[what], project)

    starts_job = {"fcntl"} if what.startswith("end of") else set()  # for the lock of the one job
    assert {name for name in loaded if not name.startswith("twiceshy")} <= {
        "__future__",
        "_signal",
        *starts_job,
    }
    assert len(loaded) <= 10 + len(starts_job), sorted(loaded)


def test_a_pending_call_loads_what_looks_at_bytes_and_nothing_else(project: Path) -> None:
    loaded = run(NOTHING["pending call"], project)

    assert {name.removeprefix("twiceshy.") for name in loaded if "." in name} == {
        "core.prefilter_words",
        "hooks.deadline",
        "hooks.entry",
        "runtimes.fields",
        "runtimes.quick_look",
        *("core", "hooks", "runtimes"),
    }


@requirement("T57")
def test_a_call_behind_a_failure_is_recorded_without_the_store(project: Path) -> None:
    run(FAILURE, project)

    loaded = run(NOTHING["plain success"], project)

    ours = {name for name in loaded if name.startswith("twiceshy")}
    assert "twiceshy.recall.capture" in ours
    assert "_sqlite3" not in loaded
    assert loaded - ours <= ALLOWED
    assert len(loaded) <= 44, " ".join(sorted(loaded))


@requirement("H06")
@pytest.mark.parametrize("settings", [False, True], ids=["no settings", "with settings"])
@pytest.mark.parametrize(
    ("payload", "most"),
    [
        (SKILL, 79),
        (FAILURE, 72),
        (PROMPT, 65),
        (START, 73),
        (NOTED, 70),
        ({**FAILURE, **MISTAKE}, 73),
    ],
    ids=["skill", "failure", "prompt", "start", "call, told", "failure, told"],
)
def test_an_event_that_matters_loads_few_modules_and_no_slow_one(
    payload: dict[str, object], most: int, settings: bool, project: Path, configured: Path
) -> None:
    loaded = run(payload, project, configured if settings else None)

    ours = {name for name in loaded if name.startswith("twiceshy")}
    assert loaded - ours <= ALLOWED
    # the variable that gives these hooks more time is hashed into the name of a compiled file
    counted = loaded - {"twiceshy.core.prefilter_words"} if settings else loaded
    assert len(counted) <= most, " ".join(sorted(loaded))


@requirement("H06")
def test_a_start_without_lessons_loads_no_prices(home: Path, tmp_path: Path) -> None:
    loaded = run(START, tmp_path, home)

    assert "twiceshy.recall.session_start" in loaded
    assert not loaded & {"twiceshy.core.lesson_value", "twiceshy.core.prices"}


@pytest.mark.parametrize(("payload", "most"), [({**FAILURE, **MISTAKE}, 75), (NOTED, 70)])
def test_a_note_that_was_told_often_loads_no_more_than_its_lot(
    payload: dict[str, object], most: int, project: Path, home: Path
) -> None:
    with store_of(home) as store, store.change():
        notes = [match.note.id for match in store.match_triggers((project_of(project),))]
        for _ in range(10):
            store.increment_counter("recalls", notes)

    loaded = run(payload, project, home)

    ours = {name for name in loaded if name.startswith("twiceshy")}
    assert ("twiceshy.effect.holdout" in ours) is (payload is not NOTED)
    assert loaded - ours <= ALLOWED
    assert len(loaded) <= most, " ".join(sorted(loaded))


def test_a_stopped_call_loads_few_modules_and_no_slow_one(project: Path, home: Path) -> None:
    with store_of(home) as store, store.change():
        (match,) = store.match_triggers((project_of(project),), which="learned")
        for _ in range(3):
            store.count_call([match.note.id], "", failed=True, ran_ms=30_000)
    shutil.rmtree(home / FOLDER)  # the session that counted them would write its files anew
    run({**START, "source": "resume"}, project, home)

    loaded = run(CALL, project, home)

    ours = {name for name in loaded if name.startswith("twiceshy")}
    assert "twiceshy.recall.stop_call" in ours
    assert loaded - ours <= ALLOWED
    assert len(loaded) <= 80, " ".join(sorted(loaded))

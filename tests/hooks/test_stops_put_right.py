"""No call is stopped that may work by now: its line, its folder or what the session did is another."""

from pathlib import Path

import pytest
from tests.hooks.attack import fire
from tests.hooks.sessions import Session, store_of, teach
from tests.hooks.test_stops import DEPLOY, a_lesson, stop
from tests.requirements import requirement

ERROR = "Exit code 2\nmake: no rule for deploy"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / "web").mkdir(parents=True)
    return folder


def learn_from(session: Session, *calls: tuple[str, str | None]) -> None:
    """Let a session make calls of 30 seconds, and learn from its transcript."""
    session.start()
    session.works(*calls, seconds=30)
    fire(b"", env={"TWICESHY_NOW": session.now}, arguments=["learn", session.name, "over"])


@requirement("T21")
@pytest.mark.parametrize(
    "command",
    [
        f"echo 'deploy: ship' >> Makefile && {DEPLOY}",
        f"git pull; {DEPLOY}",
        "make -C web deploy",
        f"cd web && {DEPLOY}",
        "grep -n deploy make",
        f"{DEPLOY} <<EOF\nx\nEOF",
        f"cat <<EOF >> Makefile\ndeploy: ship\nEOF\n{DEPLOY}",
    ],
)
def test_a_line_with_anything_that_did_not_fail_runs(
    home: Path, project: Path, command: str
) -> None:
    a_lesson(home, project)

    assert stop(Session(project), command) == ""
    assert stop(Session(project, "session-2"))


@requirement("T21")
def test_a_call_runs_in_a_folder_in_which_it_never_failed(home: Path, project: Path) -> None:
    a_lesson(home, project)
    inside = Session(project)
    call = inside.call("Bash", command=DEPLOY)

    assert inside.answer("PreToolUse", **call, cwd=str(project / "web")) == {}
    assert stop(Session(project, "session-2"))


@requirement("T21")
def test_a_call_that_works_in_the_folder_of_its_lesson_is_not_stopped_elsewhere(
    home: Path, project: Path
) -> None:
    error = 'Exit code 1\nnpm error Missing script: "e2e"'
    for number in range(3):
        here = Session(project, f"earlier-{number}")
        learn_from(here, ("npm run e2e", error), ("cd web && npm run e2e", None))
    failing = Session(project)
    learn_from(failing, ("npm run e2e", error))

    assert stop(Session(project, "session-2"), "npm run e2e") == ""


@requirement("T21")
@pytest.mark.parametrize(
    ("between", "stopped"),
    [
        ([], True),
        ([("git status && ls -la | head -3", None)], True),
        ([("grep -rn ship . 2>/dev/null", None), ("cat Makefile", None)], True),
        ([("git pull", None)], False),
        ([("./setup.sh", None)], False),
        ([("./setup.sh", "Exit code 1\nhalf of it is done")], False),
        ([("brew upgrade make", None), ("ls", None)], False),
        ([("sed -i s/ship/deploy/ Makefile", None)], False),
        ([("echo 'deploy: ship' >> Makefile", None)], False),
        ([("git pull", None), (DEPLOY, ERROR)], True),
        ([(DEPLOY, ERROR), ("git checkout main", None)], False),
        ([(DEPLOY, None)], False),
    ],
)
def test_what_a_session_did_since_may_have_put_it_right(
    home: Path,
    project: Path,
    between: list[tuple[str, str | None]],
    *,
    stopped: bool,
) -> None:
    a_lesson(home, project)
    session = Session(project)
    session.start()
    session.works(*between)

    assert bool(stop(session)) is stopped


@requirement("T21")
@pytest.mark.parametrize(
    ("between", "stopped"),
    [(["ls"], True), (["./setup.sh"], False), (["ls"] * 9, False), (["make ship"], False)],
)
def test_without_a_transcript_the_captured_calls_tell_what_was_done(
    home: Path, project: Path, between: list[str], *, stopped: bool
) -> None:
    a_lesson(home, project, ran_s=1)
    session = Session(project)
    assert stop(session) == ""
    session.wait(1)
    session.fails(DEPLOY)
    for command in between:
        session.wait(1)
        session.prints(command, "done")

    assert bool(stop(session)) is stopped


@requirement("T21")
@pytest.mark.parametrize(
    ("edit", "stopped"),
    [
        ({"file_path": "Makefile", "old_string": "ship:", "new_string": "deploy:"}, False),
        ({"file_path": "src/make.py", "old_string": "a", "new_string": "b"}, False),
        ({"file_path": "README.md", "old_string": "a", "new_string": "b"}, True),
    ],
)
def test_an_edit_that_names_a_word_of_the_call_may_put_it_right(
    home: Path, project: Path, edit: dict[str, str], *, stopped: bool
) -> None:
    a_lesson(home, project, ran_s=1)
    session = Session(project)
    assert stop(session) == ""
    session.wait(1)
    session.fails(DEPLOY)
    session.wait(1)
    session.answer("PreToolUse", **session.call("Edit", **edit))

    assert bool(stop(session)) is stopped


@requirement("T21")
def test_a_user_who_answers_a_failure_may_have_put_it_right(home: Path, project: Path) -> None:
    a_lesson(home, project, ran_s=1)
    session = Session(project)
    session.prompt("deploy it")
    session.wait(1)
    session.fails(DEPLOY)
    session.wait(1)
    session.prompt("I mended the Makefile, once more please")

    assert stop(session) == ""


@requirement("T21")
def test_another_error_of_the_same_call_is_another_matter(home: Path, project: Path) -> None:
    a_lesson(home, project, ran_s=1)
    session = Session(project)
    session.fails(DEPLOY, "Exit code 2\nconnection reset by peer")
    session.wait(1)

    assert stop(session) == ""


@requirement("T21")
def test_a_lesson_without_a_failed_call_on_record_stops_nothing(home: Path, project: Path) -> None:
    note = teach(home, project, "`make deploy`: never finished")
    with store_of(home) as store, store.change():
        for _ in range(4):
            store.count_call([note.id], "", failed=True, ran_ms=45_000)

    assert stop(Session(project), f"{DEPLOY} -j4") == ""

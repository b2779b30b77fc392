"""What weeks of ordinary use leave in a store comes back through a bundle, and through a copy of the store."""

import gzip
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from tests.hooks.sessions import Session, after, learning, state, store_of, teach, twiceshy
from tests.requirements import requirement
from tests.sizes import sized

from twiceshy.core.evidence import Exposure

DAY = 24 * 60
ERROR = "Exit code 2\nmake: no rule for deploy"
ACTS = ("look", "work", "fail", "prompt", "note", "handoff", "compact")


def keep_house(home: Path, project: Path, days: list[tuple[int, str]]) -> None:
    """Let sessions do what they do, each some days after the one before, and each with its job."""
    teach(home, project)
    state(home, project)
    teach(home, project, "Write tea house.", kind="rule", subtype="correction", trigger="")
    passed = 0
    for number, (pause, act) in enumerate(days):
        passed += pause
        session = Session(project, f"s{number}")
        session.wait(passed * DAY)
        session.works(("make deploy", ERROR), ("make ship", None))
        with learning(session) as learner:
            session.start()
            do_act(session, act)
            session.told("SessionEnd", reason="other")
            assert learner.ended()


def do_act(session: Session, act: str) -> None:
    now = session.now
    if act == "work":
        session.calls("make deploy")
    elif act == "fail":
        session.fails("make deploy")
    elif act == "prompt":
        session.prompt("No, always say tea house. How do I deploy?")
    elif act == "note":
        twiceshy(
            session.project, "note", f"Lesson of {session.name}.", now=now, session=session.name
        )
    elif act == "handoff":
        twiceshy(session.project, "handoff", "Go on with the fence.", now=now)
    elif act == "compact":
        session.answer("PreCompact", trigger="manual", custom_instructions="")


def run_later(project: Path, *words: str) -> str:
    """Run a command when all the sessions are over."""
    return twiceshy(project, *words, now=after(100 * DAY))


def list_lines(project: Path) -> set[str]:
    """Return the records of the store but those that only tell of an import."""
    lines = run_later(project, "export").splitlines()[1:-1]
    return {line for line in lines if '"op":"import"' not in line}


@requirement("T318")
@settings(
    max_examples=sized(1, 30),
    phases=(
        Phase.explicit,
        Phase.generate,
    ),  # an example takes seconds, and is a short story as it is
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@example([(1, act) for act in ACTS])
@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from(ACTS)), min_size=3, max_size=5))
def test_all_that_hooks_and_commands_write_comes_back_from_an_export_and_from_a_copy(
    tmp_path_factory: Any, monkeypatch: Any, days: list[tuple[int, str]]
) -> None:
    folder = tmp_path_factory.mktemp("machine")
    home, project = folder / "home", folder / "shop"
    project.mkdir()
    monkeypatch.setenv("TWICESHY_HOME", str(home))
    keep_house(home, project, [(1, "work"), (8, "prompt"), *days])
    before = list_lines(project)
    assert any('"channel":"reminder"' in line for line in before)
    run_later(project, "export", str(folder / "all.jsonl"))
    run_later(project, "backup", "--copy")
    assert "each can be read" in run_later(project, "doctor")

    for file in home.glob("twiceshy.db*"):
        file.unlink()
    restored = json.loads(run_later(project, "recover", "--copy", "--json"))
    monkeypatch.setenv("TWICESHY_HOME", str(folder / "other"))
    imported = json.loads(
        run_later(project, "import", str(folder / "all.jsonl"), "--trust", "--json")
    )
    elsewhere = list_lines(project)
    monkeypatch.setenv("TWICESHY_HOME", str(home))

    assert (restored["refused"], imported["refused"]) == ({}, {})
    assert list_lines(project) == before
    assert elsewhere == before


@requirement("T318")
def test_a_record_of_a_copy_that_is_not_valid_is_left_out_alone(
    home: Path, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    state(home, project)
    with store_of(home) as store:
        store.capture(Exposure("k", "no such id", "s1", "reminder", 1))
    twiceshy(project, "backup", "--copy")
    assert "WARNING  copies: a restore would leave out 1 records of " in twiceshy(
        project, "doctor"
    )
    for file in home.glob("twiceshy.db*"):
        file.unlink()

    done = json.loads(twiceshy(project, "recover", "--copy", "--json"))

    assert len(done["new"]) == 1
    assert list(done["refused"].values()) != []
    (copy,) = (home / "copies").iterdir()
    assert b"no such id" in gzip.decompress(copy.read_bytes())

"""A call that is nearly certain to fail and is dear is stopped once, and passes when it is repeated."""

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hooks.attack import fire
from tests.hooks.attack import held as store_is_held
from tests.hooks.conftest import Memory
from tests.hooks.sessions import MORNING, Session, exposures, store_of, teach, twiceshy
from tests.hooks.test_rule_acts import a_rule
from tests.requirements import requirement

from twiceshy.core.evidence import Signal
from twiceshy.core.note import Note
from twiceshy.core.scope import NO_SKILL
from twiceshy.recall.answer import answer_event

DEPLOY = "make deploy"
REPOSITORY = Path(__file__).parents[2]
MEANT = "Call it again unchanged if you mean it.</twiceshy-note>"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def a_lesson(
    home: Path,
    project: Path,
    *,
    calls: str = "fff",
    ran_s: int = 45,
    lines: Iterable[str] = (),
    **fields: Any,
) -> Note:
    """Let earlier sessions have made calls that a lesson is about: f for failed, w for worked.

    Of the failed ones, these ``lines`` are on record.
    """
    note = teach(home, project, **fields)
    with store_of(home) as store, store.change():
        for number, line in enumerate(lines):
            key, at = f"call:earlier-{number}", note.learned_at
            about = {"session": "earlier", "project": note.scope.project, "at": at}
            said = {"tool": "Bash", "target": line, "excerpt": "make: no rule for deploy"}
            store.capture(Signal.of({"key": key, "kind": "error", **about, **said}))
            store.record_evidence(note.id, key, "earlier", at=at)
        for call in calls:
            store.count_call([note.id], "", failed=call == "f", ran_ms=ran_s * 1_000)
    return note


def stop(session: Session, command: str = DEPLOY) -> str:
    """Be about to run a command, and return why it is stopped; empty if it may run."""
    said = session.answer("PreToolUse", **session.call("Bash", command=command))
    if "permissionDecision" not in said:
        return ""
    assert said["permissionDecision"] == "deny"
    return str(said["permissionDecisionReason"])


@requirement("T20")
def test_a_long_call_that_always_failed_is_stopped_once_with_the_lesson_as_the_reason(
    home: Path, project: Path
) -> None:
    note = a_lesson(home, project)
    session = Session(project)
    session.start()

    first, second = stop(session), stop(session)
    session.wait(1)

    assert first == (
        f'<twiceshy-note id="{note.handle}">Not run: Use `make ship`; `make deploy` fails: '
        "no rule for deploy (3 of 3 such calls failed, and it took 45 s to fail.) " + MEANT
    )
    assert (second, stop(session)) == ("", "")
    assert [shown.channel for shown in exposures(home)].count("stop") == 1
    assert stop(Session(project, "session-2")) == first


@requirement("T21")
@pytest.mark.parametrize(
    ("calls", "stopped"),
    [
        ("ff", False),
        ("fff", True),
        ("wfff", False),  # three of four
        ("w" + 9 * "f", True),
        ("ww" + 18 * "f", True),
        ("ffffw", False),  # it worked since
        ("ffffwf" + 9 * "f", True),
        (30 * "f" + "w", False),
    ],
)
def test_only_a_call_that_nearly_always_failed_and_did_not_work_since_is_stopped(
    home: Path, project: Path, calls: str, stopped: bool
) -> None:
    a_lesson(home, project, calls=calls)

    assert bool(stop(Session(project))) is stopped


def test_the_documentation_shows_what_is_printed(home: Path, project: Path) -> None:
    error = "Exit code 2\nmake: *** No rule to make target 'e2e-all'.  Stop."
    for number in range(4):
        earlier = Session(project, f"earlier-{number}")
        earlier.start()
        earlier.works(("make e2e-all", error), ("make e2e", None), seconds=45)
        fire(b"", env={"TWICESHY_NOW": earlier.now}, arguments=["learn", earlier.name, "over"])

    said = stop(Session(project), "make e2e-all")

    words = said.partition(">")[2]
    assert words.startswith("Not run: `make`: use `e2e`, not `e2e-all`: ")
    for page in ("README.md", "docs/stops.md"):
        assert words in (REPOSITORY / page).read_text(encoding="utf-8"), page


@requirement("T21")
def test_a_failure_that_waited_for_the_user_makes_no_call_dear(home: Path, project: Path) -> None:
    note = a_lesson(home, project, calls="ff", ran_s=2)
    with store_of(home) as store:
        store.count_call([note.id], "", failed=True, ran_ms=5_249_000)

    assert stop(Session(project)) == ""


@requirement("T21")
@pytest.mark.parametrize(
    ("calls", "sightings", "stopped"),
    [("fff", 1, False), ("fff", 2, True), ("w" + 12 * "f", 4, False)],
)
def test_work_that_failed_stops_a_call_only_after_two_sessions_and_if_it_never_worked(
    home: Path, project: Path, calls: str, sightings: int, stopped: bool
) -> None:
    a_lesson(home, project, calls=calls, sightings=sightings, trigger="Bash/outcome deploy make")

    assert bool(stop(Session(project))) is stopped


@requirement("T21")
@pytest.mark.parametrize(
    ("ran_s", "command", "stopped"),
    [
        (19, DEPLOY, False),
        (20, DEPLOY, True),
        (1, f"touch stamp && {DEPLOY}", True),
        (1, f"git add -A; git commit -m x; {DEPLOY}", True),
        (1, f"{DEPLOY} && touch stamp", False),  # it would not come to that
        (1, f"{DEPLOY} > log.txt", False),  # make does nothing when it knows no such target
        (1, f"git status && ls 2>/dev/null && {DEPLOY}", False),
    ],
)
def test_only_a_dear_call_is_stopped(
    home: Path, project: Path, ran_s: int, command: str, stopped: bool
) -> None:
    a_lesson(home, project, ran_s=ran_s, lines=[command])

    assert bool(stop(Session(project), command)) is stopped


@requirement("T21")
@pytest.mark.parametrize(("category", "attempts"), [("usage", 1), ("missing", 2), ("outcome", 2)])
def test_a_cheap_call_is_stopped_when_the_same_call_failed_in_this_session(
    home: Path, project: Path, category: str, attempts: int
) -> None:
    a_lesson(home, project, ran_s=1, sightings=2, trigger=f"Bash/{category} deploy make")
    session = Session(project)

    for _ in range(attempts):
        assert stop(session) == ""
        session.wait(1)
        session.fails(DEPLOY)
        session.wait(1)

    assert stop(session, f"{DEPLOY} -j4") == ""
    session.wait(1)
    session.fails(f"{DEPLOY} -j4")
    assert "and the same call failed in this session.) " in stop(session)
    assert stop(Session(project, "session-2")) == ""


@requirement("T21")
def test_a_call_that_works_in_this_session_is_not_stopped_in_it_any_more(
    home: Path, project: Path
) -> None:
    a_lesson(home, project, lines=[f"{DEPLOY} -j4"])
    session = Session(project)

    assert stop(session)
    session.wait(1)
    assert stop(session) == ""
    session.prints(DEPLOY, "deployed")

    assert stop(session, f"{DEPLOY} -j4") == ""
    assert stop(Session(project, "session-2"), f"{DEPLOY} -j4")


def test_a_rule_comes_first_and_a_guard_is_heard_as_well(home: Path, project: Path) -> None:
    line = f"touch .env && {DEPLOY}"
    a_lesson(home, project, lines=[line])
    both = stop(Session(project), line)
    a_rule(home, project, "deny")

    ruled = stop(Session(project, "session-2"))

    assert MEANT in both
    assert "this call writes `.env`" in both
    assert "A rule that the user approved" in ruled
    assert MEANT not in ruled


@requirement("T23")
def test_the_user_decides_what_a_stop_does(home: Path, project: Path) -> None:
    a_lesson(home, project)
    off, ask = Session(project, "session-1"), Session(project, "session-2")
    off.env, ask.env = {"TWICESHY_STOPS_MODE": "off"}, {"TWICESHY_STOPS_MODE": "ask"}

    asked = ask.answer("PreToolUse", **ask.call("Bash", command=DEPLOY))

    assert stop(off) == ""
    assert "stop" not in [shown.channel for shown in exposures(home)]
    assert asked["permissionDecision"] == "ask"
    assert MEANT in asked["permissionDecisionReason"]
    assert stop(ask) == ""


@requirement("T22")
def test_a_stop_that_cannot_be_recorded_is_not_made(home: Path, project: Path) -> None:
    a_lesson(home, project)
    busy, late, told = (Session(project, f"session-{number}") for number in range(3))
    for session in (busy, late, told):
        session.start()
    late.env = {"TWICESHY_HOOK_WALL_MS": "300"}

    with store_is_held(home):
        assert stop(busy) == ""
        assert stop(late) == ""

    assert "stop" not in [shown.channel for shown in exposures(home, "session-0")]
    assert "NotRecorded: no stop was made, the store could not be written" in twiceshy(
        project, "doctor"
    )
    late.env = {}
    assert stop(busy)
    assert stop(late)
    assert stop(told)


@requirement("T21")
def test_of_equal_calls_at_the_same_time_one_is_stopped(home: Path, project: Path) -> None:
    a_lesson(home, project)
    session = Session(project)
    session.start()

    with ThreadPoolExecutor(6) as pool:
        stopped = list(pool.map(lambda _: bool(stop(session)), range(6)))

    assert stopped.count(True) <= 1
    assert [shown.channel for shown in exposures(home)].count("stop") == stopped.count(True)


NUMBERS = count()
CALLS = ["make deploy", "make deploy -j4", "touch x; make deploy"]
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["works", "works", "fails", "fails", "learned to work", "learned to fail"]
        ),
        st.sampled_from(CALLS),
        st.sampled_from(["a", "a", "b"]),
    ),
    min_size=8,
    max_size=20,
)


@requirement("T21")
@settings(max_examples=40)
@given(events=EVENTS, ran_s=st.sampled_from([1, 45]))
def test_no_call_is_ever_stopped_twice_in_a_session_or_after_it_worked(
    memory: Memory, project: Path, events: list[tuple[str, str, str]], ran_s: int
) -> None:
    number = next(NUMBERS)
    words = f"make deploy{number}"
    note = memory.learn(
        f'Note {number}: `{words}` failed: "no".',
        skill=NO_SKILL,
        trigger=f"Bash/usage deploy{number} make",
    )

    def count_call(*, failed: bool) -> None:
        memory.store.count_call([note.id], "", failed=failed, ran_ms=ran_s * 1_000)

    for _ in range(40):
        count_call(failed=True)
    stopped: set[tuple[str, str]] = set()
    worked: set[str] = set()
    for what, call, session in events:
        command = call.replace("make deploy", words)
        if what.startswith("learned"):
            count_call(failed=what == "learned to fail")
            worked = {"everywhere"} if what == "learned to work" else set()
        elif _is_stopped(project, f"s-{number}-{session}", command):
            assert (session, command) not in stopped
            assert not worked & {session, "everywhere"}
            stopped.add((session, command))
        elif what == "works":
            worked.add(session)
        else:
            _fail(project, f"s-{number}-{session}", command)


def _is_stopped(project: Path, session: str, command: str) -> bool:
    said = _fire(project, session, "PreToolUse", command)
    return "permissionDecision" in json.loads(said or "{}").get("hookSpecificOutput", {})


def _fail(project: Path, session: str, command: str) -> None:
    _fire(
        project,
        session,
        "PostToolUseFailure",
        command,
        error="Exit code 2\nno",
        is_interrupt=False,
    )


def _fire(project: Path, session: str, event: str, command: str, **more: object) -> str:
    said: list[str] = []
    call = {"tool_name": "Bash", "tool_input": {"command": command}}
    common = {"session_id": session, "cwd": str(project), "hook_event_name": event}
    raw = {**common, **call, "tool_use_id": f"toolu-{next(NUMBERS)}", **more}
    answer_event("claude-code", json.dumps(raw).encode(), said.append, lambda: None)
    return "".join(said)


DENIED = (
    "Permission to use Bash with command make deploy has been denied. Not run: such calls fail"
)


@requirement("T24")
@pytest.mark.parametrize(
    ("after", "said"),
    [
        ([("make ship", None)], "1 call; 0 repeated by the agent, 0 of them worked"),
        ([(DEPLOY, "Exit code 2\nno rule")], "1 call; 1 repeated by the agent, 0 of them worked"),
        ([(DEPLOY, None)], "1 call; 1 repeated by the agent, 1 of them worked"),
    ],
)
def test_effect_and_doctor_count_stops_and_false_stops(
    home: Path, project: Path, after: list[tuple[str, str | None]], said: str
) -> None:
    a_lesson(home, project)
    session = Session(project)
    session.start()
    assert stop(session)
    session.works((DEPLOY, DENIED), *after)

    fire(b"", env={"TWICESHY_NOW": session.now}, arguments=["learn", session.name, "over"])

    assert f"Stops: lessons stopped {said} (false stops)." in twiceshy(project, "effect")
    counted = twiceshy(project, "doctor")
    assert f"deny; lessons stopped {said} (false stops) in 30 days" in counted


@requirement("T24")
def test_a_stop_is_counted_at_once_and_without_a_transcript(home: Path, project: Path) -> None:
    a_lesson(home, project)
    assert stop(Session(project))

    assert "deny; lessons stopped 1 call;" in twiceshy(project, "doctor", now=MORNING)
    assert "Stops: lessons stopped 1 call;" in twiceshy(project, "effect", now=MORNING)


@requirement("T24")
@pytest.mark.parametrize(
    ("then", "said"),
    [
        ("", "0 repeated by the agent, 0 of them worked (false stops)."),
        (
            "repeats",
            "1 repeated by the agent, 0 of them worked (false stops); of 1 it is not known.",
        ),
        ("fails", "1 repeated by the agent, 0 of them worked (false stops)."),
    ],
)
def test_a_repeated_call_is_counted_where_no_transcript_tells_of_it(
    home: Path, project: Path, then: str, said: str
) -> None:
    a_lesson(home, project)
    session = Session(project)
    assert stop(session)
    session.wait(1)
    stop(session, DEPLOY if then else "make ship")
    if then == "fails":
        session.wait(1)
        session.fails(DEPLOY)

    assert f"Stops: lessons stopped 1 call; {said}" in twiceshy(project, "effect")


@requirement("T20")
def test_what_three_sessions_learned_stops_the_next_one(home: Path, project: Path) -> None:
    error = "Exit code 1\ngit: 'stauts' is not a git command. See 'git --help'."
    for number in range(3):
        earlier = Session(project, f"earlier-{number}")
        earlier.start()
        earlier.works(("git stauts", error), ("git status", None), seconds=30 + number)
        fire(b"", env={"TWICESHY_NOW": earlier.now}, arguments=["learn", earlier.name, "over"])
        assert stop(Session(project, f"between-{number}"), "git stauts").count("Not run") == (
            number == 2
        )

    said = stop(Session(project), "git stauts")

    assert "`status`" in said
    assert "(3 of 3 such calls failed, and it took 30 s to fail.)" in said

"""Lots: which sessions go without a lesson, to measure what the lesson does."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.hooks.conftest import Client
from tests.hooks.sessions import (
    MORNING,
    Session,
    exposures,
    learning,
    project_of,
    store_of,
    teach,
    twiceshy,
)
from tests.requirements import requirement

from twiceshy.core.evidence import SHOWN_BEFORE_LOTS, Exposure
from twiceshy.core.moment import DAY, parse_stamp
from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.effect.holdout import is_withheld

ERROR = "Exit code 2\nmake: no rule for deploy"
LOT = 100  # of 1,000 sessions: the default of `holdout.share`
NAMES = [f"session-{number}" for number in range(200)]
WEEKLY = 400  # showings: the default of `holdout.weekly`
EVENTS = ("start", "compact", "load", "call", "fail", "clear")


def known(home: Path, note: Note, *, shown: int = SHOWN_BEFORE_LOTS) -> Note:
    """Let a lesson have been shown so often that sessions draw lots about it."""
    with store_of(home) as store, store.change():
        for _ in range(shown):
            store.increment_counter("recalls", [note.id])
    return note


def by_lot(note: Note, *, withheld: bool, lot: int = LOT) -> str:
    """Return a session that goes without the note, or one that does not."""
    return next(name for name in NAMES if is_withheld(name, note.id, lot) is withheld)


@pytest.fixture
def busy(home: Path) -> None:
    """A memory that told as much in the last week as it takes for an answer within a month."""
    _tell_others(home, WEEKLY, at=parse_stamp(MORNING) - 6 * DAY)


def _tell_others(home: Path, count: int, *, at: int) -> None:
    with store_of(home) as store:
        for number in range(count):
            store.capture(Exposure(f"other/{at}/{number}", "elsewhere", "other", "start", at, 30))


@pytest.mark.usefixtures("busy")
@requirement("L11", "T41")
def test_a_session_that_goes_without_a_note_is_told_nothing_and_is_counted(
    home: Path, project: Path
) -> None:
    note = known(home, teach(home, project))
    without, others = by_lot(note, withheld=True), by_lot(note, withheld=False)

    told = [Session(project, name).fails("make deploy") for name in (without, without, others)]

    assert [bool(text) for text in told] == [False, False, True]
    [kept] = exposures(home, without)
    assert (kept.note, kept.channel, kept.withheld, kept.tokens) == (note.id, "failure", True, 0)
    assert kept.lot == LOT
    assert [(shown.withheld, shown.lot) for shown in exposures(home, others)] == [(False, LOT)]
    assert not any(shown.withheld for shown in exposures(home, others))


@requirement("L11")
def test_a_note_has_its_chance_before_it_is_withheld_from_anybody(
    home: Path, project: Path
) -> None:
    note = known(home, teach(home, project), shown=SHOWN_BEFORE_LOTS - 1)
    unlucky = by_lot(note, withheld=True)

    session = Session(project, unlucky)
    assert "make ship" in session.fails("make deploy")
    assert [(shown.withheld, shown.lot) for shown in exposures(home, unlucky)] == [(False, 0)]
    # that was the fifth time: this session drew no lot before, so it draws none now
    session.wait(30)
    assert "make ship" in session.fails("make deploy")
    assert [shown.lot for shown in exposures(home, unlucky)] == [0, 0]


@requirement("L11")
def test_what_a_person_wrote_is_withheld_from_nobody(home: Path, project: Path) -> None:
    note = known(home, teach(home, project, source="user"))

    assert "make ship" in Session(project, by_lot(note, withheld=True)).fails("make deploy")


@requirement("T95")
@pytest.mark.parametrize(("count", "days"), [(WEEKLY - 1, 6), (WEEKLY, 8)])
def test_nobody_goes_without_a_note_for_an_answer_that_no_month_would_give(
    count: int, days: int, home: Path, project: Path
) -> None:
    note = known(home, teach(home, project))
    _tell_others(home, count, at=parse_stamp(MORNING) - days * DAY)
    unlucky = by_lot(note, withheld=True)

    session = Session(project, unlucky)
    assert "make ship" in session.fails("make deploy")

    assert [(shown.withheld, shown.lot) for shown in exposures(home, unlucky)] == [(False, 0)]
    session.works(("make deploy", ERROR), ("make ship", None))
    with learning(session) as learner:
        session.told("SessionEnd", reason="other")
        assert learner.ended()
    assert f"before a week has {WEEKLY} showings" in twiceshy(project, "effect")


@pytest.mark.usefixtures("busy")
@requirement("T41")
def test_a_session_that_goes_without_a_note_is_not_stopped_either(
    home: Path, project: Path
) -> None:
    note = known(home, teach(home, project))
    with store_of(home) as store, store.change():
        for _ in range(3):
            store.count_call([note.id], "", failed=True, ran_ms=45_000)
    pair = [Session(project, by_lot(note, withheld=held)) for held in (True, False)]

    replies = [
        each.answer("PreToolUse", **each.call("Bash", command="make deploy")) for each in pair
    ]

    assert [reply.get("permissionDecision") for reply in replies] == [None, "deny"]
    for session, withheld in zip(pair, (True, False), strict=True):
        about = [shown for shown in exposures(home, session.name) if shown.note == note.id]
        assert "stop" in {shown.channel for shown in about}
        assert {(shown.withheld, shown.lot) for shown in about} == {(withheld, LOT)}


def test_a_share_of_zero_withholds_from_nobody(home: Path, project: Path) -> None:
    note = known(home, teach(home, project))
    session = Session(project, by_lot(note, withheld=True))
    session.env = {"TWICESHY_HOLDOUT_SHARE": "0"}

    assert "make ship" in session.fails("make deploy")
    assert [shown.lot for shown in exposures(home, session.name)] == [0]


def fire(client: Client, event: str) -> str:
    """Let something happen at which the lesson could be told."""
    how: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}}
    match event:
        case "start" | "compact" | "clear":
            return client.start(event.replace("start", "startup"))
        case "load":
            return client.load("release")
        case "call":
            return client.fire("PreToolUse", **how, tool_use_id=f"t{client.calls}")
        case _:
            return client.fail("make deploy", ERROR)


@pytest.fixture
def lesson(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Note:
    """A lesson of a skill that keeps coming up: every channel would tell it, by half of the lots."""
    monkeypatch.setenv("TWICESHY_HOLDOUT_SHARE", "0.5")
    monkeypatch.setenv("TWICESHY_HOLDOUT_WEEKLY", "0")
    scope = Scope(project_of(project), "release")
    teach(home, project, scope=scope)
    note = teach(home, project, scope=scope, origin_session="another")
    with store_of(home) as store, store.change():
        store.record_evidence(note.id, "call:1", "earlier", at=parse_stamp(MORNING), unseen=True)
    return known(home, note)


def test_the_lesson_is_told_on_every_channel_where_it_is_not_withheld(
    lesson: Note, project: Path
) -> None:
    lucky = (name for name in NAMES if not is_withheld(name, lesson.id, 500))
    told = {
        event
        for name, event in zip(lucky, EVENTS, strict=False)
        if "make ship" in fire(Client(project, session=name), event)
    }

    assert told >= {"start", "load", "fail"}


@requirement("T41")
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    number=st.integers(0, 10**6),
    events=st.lists(st.sampled_from(EVENTS), min_size=1, max_size=5),
)
def test_a_session_keeps_to_one_lot_whatever_the_channel(
    number: int, events: list[str], lesson: Note, home: Path, project: Path
) -> None:
    session = f"session-{number}"
    held = is_withheld(session, lesson.id, 500)

    told = [fire(Client(project, session=session), event) for event in events]

    assert not (held and any("make ship" in text for text in told))
    about = [shown for shown in exposures(home, session) if shown.note == lesson.id]
    assert {shown.withheld for shown in about} <= {held}
    assert {shown.lot for shown in about} <= {500}
    assert about or not any("make ship" in text for text in told)

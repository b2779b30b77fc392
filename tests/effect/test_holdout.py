"""Which notes a session goes without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id, notes
from tests.requirements import requirement

from twiceshy.core.evidence import SHOWN_BEFORE_LOTS
from twiceshy.core.note import Note
from twiceshy.effect.holdout import is_withheld, lot_for, may_be_withheld

LEARNED = a_note(source="detector", trigger="Bash/usage make deploy", recalls=SHOWN_BEFORE_LOTS)


def share_withheld(note: Note, share: float) -> float:
    lot, sessions = lot_for(note, share), [f"session-{number}" for number in range(4_000)]
    return sum(is_withheld(each, note.id, lot) for each in sessions) / len(sessions)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_share_that_was_asked_for_is_withheld(share: float) -> None:
    error = 3 * (share * (1 - share) / 4_000) ** 0.5

    assert share_withheld(LEARNED, share) == pytest.approx(share, abs=error)


@given(st.text(), notes(), st.integers(0, 50))
def test_nothing_is_withheld_when_the_share_is_zero(session: str, note: Note, shown: int) -> None:
    assert not is_withheld(session, note.id, lot_for(note.but(recalls=shown), 0.0))


@requirement("L11")
@given(notes(), st.integers(SHOWN_BEFORE_LOTS, 50))
def test_only_what_machines_learned_nobody_vouches_for_and_calls_can_judge_is_withheld(
    note: Note, shown: int
) -> None:
    lot = lot_for(note.but(recalls=shown), 0.5)

    automatic = note.source in ("detector", "distiller", "historian")
    vouched = note.pinned or note.kind in ("rule", "task", "page", "preference")
    assert may_be_withheld(note) == (automatic and not vouched and bool(note.trigger))
    assert lot == (500 if may_be_withheld(note) else 0)
    assert any(is_withheld(f"s{number}", note.id, lot) for number in range(40)) == bool(lot)


def test_a_note_is_shown_five_times_before_sessions_draw_lots_about_it() -> None:
    assert lot_for(LEARNED.but(recalls=SHOWN_BEFORE_LOTS - 1), 0.5) == 0
    assert lot_for(LEARNED, 0.5) == 500


@requirement("L11")
def test_a_session_keeps_to_its_lot_and_each_note_has_its_own() -> None:
    sessions = [f"s{number}" for number in range(200)]

    one = [is_withheld(each, an_id(1), 500) for each in sessions]

    assert one == [is_withheld(each, an_id(1), 500) for each in sessions]
    assert one != [is_withheld(each, an_id(2), 500) for each in sessions]


@given(st.text(), st.integers(0, 1_000), st.integers(0, 1_000))
def test_who_goes_without_at_a_small_share_goes_without_at_a_larger_one(
    session: str, one: int, other: int
) -> None:
    few, many = sorted((one, other))

    assert is_withheld(session, "n1", few) <= is_withheld(session, "n1", many)

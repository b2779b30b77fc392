"""Which notes a session goes without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id, notes
from tests.requirements import requirement

from twiceshy.core.note import Note
from twiceshy.effect.holdout import SHOWN_BEFORE, is_withheld, may_be_withheld

LEARNED = a_note(source="detector")


def share_withheld(note: Note, share: float, *, shown: int = SHOWN_BEFORE) -> float:
    sessions = [f"session-{number}" for number in range(4_000)]
    return sum(is_withheld(each, note, share, shown=shown) for each in sessions) / len(sessions)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_share_that_was_asked_for_is_withheld(share: float) -> None:
    error = 3 * (share * (1 - share) / 4_000) ** 0.5

    assert share_withheld(LEARNED, share) == pytest.approx(share, abs=error)


@given(st.text(), notes(), st.integers(0, 50))
def test_nothing_is_withheld_when_the_share_is_zero(session: str, note: Note, shown: int) -> None:
    assert not is_withheld(session, note, 0.0, shown=shown)


@requirement("L11")
@given(notes(), st.integers(SHOWN_BEFORE, 50))
def test_only_what_machines_learned_and_nobody_vouches_for_is_withheld(
    note: Note, shown: int
) -> None:
    held = [is_withheld(f"s{number}", note, 0.5, shown=shown) for number in range(40)]

    automatic = note.source in ("detector", "distiller", "historian")
    vouched = note.pinned or note.kind in ("rule", "task", "page", "preference")
    assert may_be_withheld(note) == (automatic and not vouched)
    assert any(held) == may_be_withheld(note)


def test_a_note_is_shown_to_five_sessions_before_it_may_be_withheld() -> None:
    assert share_withheld(LEARNED, 0.5, shown=SHOWN_BEFORE - 1) == 0


@requirement("L11")
def test_a_session_keeps_to_its_lot_and_each_note_has_its_own() -> None:
    other = a_note(id=an_id(2), source="detector")
    sessions = [f"s{number}" for number in range(200)]

    one = [is_withheld(each, LEARNED, 0.5, shown=9) for each in sessions]

    assert one == [is_withheld(each, LEARNED, 0.5, shown=90) for each in sessions]
    assert one != [is_withheld(each, other, 0.5, shown=9) for each in sessions]

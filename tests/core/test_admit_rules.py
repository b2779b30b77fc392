"""Nobody but the user makes a rule, and what the user rejected only the user brings back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_draft, a_note, an_id

from twiceshy.core.admit import REJECTED, Admitted, RelatedNotes, SeenAgain, admit
from twiceshy.core.note import SOURCES, STATUSES

MACHINES = [source for source in SOURCES if source != "user"]


@given(source=st.sampled_from(SOURCES), trust=st.sampled_from([None, 0.2, 0.5, 1.0]))
def test_only_the_users_own_rule_begins_active(source: str, trust: float | None) -> None:
    draft = a_draft(kind="rule", source=source, trust=trust)

    outcome = admit(draft, RelatedNotes(), note_id=an_id(), now=NOW)

    assert isinstance(outcome, Admitted)
    assert outcome.note.status != "active" or source == "user"


@given(
    source=st.sampled_from(MACHINES),
    status=st.sampled_from([status for status in STATUSES if status != "active"]),
    session=st.sampled_from(["session-1", "another"]),
)
def test_no_machine_brings_a_rule_into_sight(source: str, status: str, session: str) -> None:
    duplicate = a_note(kind="rule", status=status)
    draft = a_draft(kind="rule", source=source, origin_session=session)

    outcome = admit(draft, RelatedNotes(duplicate=duplicate), note_id=an_id(2), now=NOW)

    assert isinstance(outcome, SeenAgain)
    assert not outcome.revived


@pytest.mark.parametrize("reason", [REJECTED, f"{REJECTED}: we squash"])
@pytest.mark.parametrize(("source", "revived"), [("user", True), ("agent", False)])
def test_what_was_rejected_only_the_user_brings_back(
    reason: str, source: str, revived: bool
) -> None:
    duplicate = a_note(status="retired", reason=reason)

    outcome = admit(
        a_draft(source=source), RelatedNotes(duplicate=duplicate), note_id=an_id(2), now=NOW
    )

    assert isinstance(outcome, SeenAgain)
    assert outcome.revived is revived

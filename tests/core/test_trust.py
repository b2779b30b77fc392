"""Where words come from decides how far they may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_draft, an_id
from tests.requirements import requirement

from twiceshy.core.admit import Admitted, RelatedNotes, admit
from twiceshy.core.note import SOURCES as ALL_SOURCES
from twiceshy.core.trust import INJECTABLE, ORIGINS, SOURCES, first_status

if TYPE_CHECKING:
    from twiceshy.core.note import NoteStatus, Source


def test_origins_are_worth_what_was_measured() -> None:
    assert ORIGINS == {"user": 1.0, "command": 0.8, "assistant": 0.5, "output": 0.2}


@given(st.sampled_from(ALL_SOURCES))
def test_nothing_that_a_tool_printed_ever_starts_where_it_could_be_shown(source: Source) -> None:
    assert first_status(source, ORIGINS["output"]) == "quarantined"


def test_every_source_has_a_trust() -> None:
    assert set(SOURCES) == set(ALL_SOURCES)
    assert all(INJECTABLE <= trust <= 1.0 for trust in SOURCES.values())
    assert max(SOURCES, key=SOURCES.__getitem__) == "user"


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("user", "active"),
        ("agent", "active"),
        ("import", "active"),
        ("historian", "candidate"),
        ("distiller", "candidate"),
        ("detector", "candidate"),
    ],
)
def test_people_and_agents_are_believed_and_machines_are_on_probation(
    source: Source, status: NoteStatus
) -> None:
    assert first_status(source, SOURCES[source]) == status


@requirement("A08")
@pytest.mark.parametrize("source", ["historian", "detector", "distiller"])
@pytest.mark.parametrize("trust", [None, 0.5, 0.8, 1.0])
def test_what_a_historian_or_detector_wrote_starts_as_a_candidate(
    source: Source, trust: float | None
) -> None:
    draft = a_draft(source=source, trust=trust)

    decided = admit(draft, RelatedNotes(), note_id=an_id(), now=NOW)

    assert isinstance(decided, Admitted)
    assert decided.note.status == "candidate"

"""Where words come from decides how far they may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_draft, an_id
from tests.requirements import requirement

from twiceshy.core.admit import Admitted, Known, admit
from twiceshy.core.note import SOURCES as ALL_SOURCES
from twiceshy.core.trust import INJECTABLE, ORIGINS, SOURCES, first_life, trust_of

if TYPE_CHECKING:
    from twiceshy.core.note import Life, Source
    from twiceshy.core.trust import Origin

origins: st.SearchStrategy[Origin] = st.sampled_from(tuple(ORIGINS))


def test_origins_are_worth_what_was_measured() -> None:
    assert ORIGINS == {"user": 1.0, "command": 0.8, "assistant": 0.5, "output": 0.2}


@given(st.lists(origins, min_size=1))
def test_trust_is_that_of_the_weakest_evidence(evidence: list[Origin]) -> None:
    trust = trust_of(evidence)

    assert trust in [ORIGINS[origin] for origin in evidence]
    assert all(trust <= ORIGINS[origin] for origin in evidence)


@given(st.lists(origins), origins)
def test_more_evidence_never_raises_trust(evidence: list[Origin], more: Origin) -> None:
    if evidence:
        assert trust_of([*evidence, more]) <= trust_of(evidence)


def test_no_evidence_is_worth_no_more_than_tool_output() -> None:
    assert trust_of([]) == ORIGINS["output"] < INJECTABLE


@given(st.lists(origins), st.sampled_from(ALL_SOURCES))
def test_nothing_that_a_tool_printed_ever_starts_where_it_could_be_shown(
    evidence: list[Origin], source: Source
) -> None:
    trust = trust_of([*evidence, "output"])

    assert first_life(source, trust) == "quarantined"


def test_every_source_has_a_trust() -> None:
    assert set(SOURCES) == set(ALL_SOURCES)
    assert all(INJECTABLE <= trust <= 1.0 for trust in SOURCES.values())
    assert max(SOURCES, key=SOURCES.__getitem__) == "user"


@pytest.mark.parametrize(
    ("source", "life"),
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
    source: Source, life: Life
) -> None:
    assert first_life(source, SOURCES[source]) == life


@requirement("A08")
@pytest.mark.parametrize("source", ["historian", "detector", "distiller"])
@pytest.mark.parametrize("trust", [None, 0.5, 0.8, 1.0])
def test_what_a_historian_or_detector_wrote_starts_as_a_candidate(
    source: Source, trust: float | None
) -> None:
    draft = a_draft(source=source, trust=trust)

    decided = admit(draft, Known(), note_id=an_id(), now=NOW)

    assert isinstance(decided, Admitted)
    assert decided.note.life == "candidate"

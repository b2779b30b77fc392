"""A handoff reads back as it was written, and nothing in it can pass for something else."""

from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.evidence import Episode
from twiceshy.project.handoff.rules import (
    Handoff,
    is_too_long,
    parse_handoff,
    render_framed,
    render_summary,
)

LINE = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), max_size=30).map(
    lambda text: " ".join(text.split())
)  # fmt: skip
LINES = st.lists(LINE.filter(bool), max_size=3).map(tuple)
HANDOFFS = st.builds(
    Handoff,
    status=LINE,
    done=LINES,
    left=LINES,
    decisions=LINES,
    files=LINES,
    text=LINES.map("\n".join),
)


def kept(handoff: Handoff) -> Episode:
    summary = render_summary(handoff)
    return Episode("e1", "handoff", "s", "p", 1, 1, summary=summary, files=handoff.files)


@given(HANDOFFS)
def test_a_handoff_reads_back_as_it_was_written(handoff: Handoff) -> None:
    assert parse_handoff(kept(handoff)) == handoff


@given(HANDOFFS)
def test_no_line_of_a_handoff_closes_its_frame(handoff: Handoff) -> None:
    text = render_framed(handoff, day="2026-11-02")

    assert text.startswith('<handoff written="2026-11-02">\n')
    assert text.count("</handoff>") == 1
    assert text.endswith("\n</handoff>")


def test_a_line_that_looks_like_a_section_stays_where_it_was_said() -> None:
    handoff = Handoff(status="Done:", left=("Done:", "- x"), text="Decisions:\n- obey")

    assert parse_handoff(kept(handoff)) == handoff


def test_lines_of_another_hand_are_what_was_said_freely() -> None:
    episode = Episode("e1", "handoff", "s", "p", 1, 1, summary="Just go on.\nWith care.")

    assert parse_handoff(episode) == Handoff(text="Just go on.\nWith care.")


def test_a_handoff_that_says_nothing_is_empty() -> None:
    assert Handoff().is_empty
    assert not Handoff(left=("x",)).is_empty


def test_a_handoff_has_an_end() -> None:
    assert is_too_long(Handoff(text="word " * 2_000))
    assert not is_too_long(Handoff(text="word " * 100))

"""A note is removed in two reflections, on two days, and in no other order."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_entry

from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Episode, Exposure
from twiceshy.core.history import JournalEntry
from twiceshy.core.moment import DAY, format_day
from twiceshy.core.note import Note
from twiceshy.project.reflect.apply_answers import (
    PENDING,
    PendingRemoval,
    check_markable,
    check_removable,
    is_needed_since,
    parse_reason,
    render_reason,
)

MARK = PendingRemoval("e1", NOW)
MARKED = a_note(status=PENDING, reason=render_reason(MARK))


def a_cycle(name: str = "e2", *, at: int = NOW + DAY) -> Episode:
    return Episode(name, "reflect", "", "demo", at, at)


@given(
    st.text("0123456789abcdef", min_size=1),
    st.integers(0, 4_000_000_000_000),
    st.sampled_from(("", "n7k2x")),
)
def test_a_note_tells_which_reflection_marked_it(cycle: str, at: int, rule: str) -> None:
    mark = PendingRemoval("e" + cycle, at, rule)

    assert parse_reason(a_note(status=PENDING, reason=render_reason(mark))) == mark


@pytest.mark.parametrize(
    "note",
    [
        MARKED.but(status="active"),
        MARKED.but(status="retired"),
        MARKED.but(reason=""),
        MARKED.but(reason="reflection e1 at noon"),
        MARKED.but(reason="reflection  at 2026-11-02"),
    ],
)
def test_what_no_reflection_marked_is_not_removed(note: Note) -> None:
    with pytest.raises(NoteError, match="no reflection marked"):
        check_removable(note, a_cycle(), day_of=format_day)


def test_a_later_reflection_on_another_day_may_remove_a_note() -> None:
    assert check_removable(MARKED, a_cycle(), day_of=format_day) == MARK


@pytest.mark.parametrize(
    ("cycle", "told"),
    [
        (None, "only a later one"),
        (a_cycle("e1"), "only a later one"),
        (a_cycle(at=NOW), "only a later one"),
        (a_cycle(at=NOW - DAY), "only a later one"),
        (a_cycle(at=NOW + DAY - 1), "sleep on it"),
    ],
)
def test_no_other_reflection_may(cycle: Episode | None, told: str) -> None:
    with pytest.raises(NoteError, match=told):
        check_removable(MARKED, cycle, day_of=format_day)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"kind": "rule"}, "is a rule"),
        ({"pinned": True}, "is pinned"),
        ({"status": "retired"}, "is retired already"),
        ({"status": PENDING}, "is pending removal already"),
        ({"status": "quarantined"}, "is quarantined already"),
    ],
)
def test_what_is_not_shown_pinned_or_a_rule_is_not_marked(
    fields: dict[str, Any], told: str
) -> None:
    with pytest.raises(NoteError, match=told):
        check_markable(a_note(**fields))


def test_what_is_shown_can_be_marked() -> None:
    check_markable(a_note())
    check_markable(a_note(status="candidate"))


@pytest.mark.parametrize(
    ("entry", "needed"),
    [
        (an_entry("see", NOW + 1), True),
        (an_entry("edit", NOW + 1, after={"text": "x"}), True),
        (an_entry("undo", NOW + 1, after={"why": "x"}), True),
        (an_entry("see", NOW), False),
        (an_entry("unsee", NOW + 1, after={"text": "x"}), False),
        (an_entry("mark", NOW + 1, after={"status": PENDING, "reason": "x"}), False),
        (an_entry("rebase", NOW + 1), False),
    ],
)
def test_what_was_learned_or_changed_since_is_needed(entry: JournalEntry, needed: bool) -> None:
    assert is_needed_since(MARK, [entry], []) == needed


@pytest.mark.parametrize(
    ("at", "withheld", "needed"),
    [(NOW + 1, False, True), (NOW + 1, True, False), (NOW, False, False)],
)
def test_what_was_shown_since_is_needed(at: int, withheld: bool, needed: bool) -> None:
    shown = Exposure("k", "n", "s", "call", at, withheld=withheld)

    assert is_needed_since(MARK, [], [shown]) == needed

"""Notes that say the same, nearly the same, or the opposite."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW, a_note, an_id

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.core.text import normalise_text
from twiceshy.language.similar import THRESHOLD, telling_terms_of, word_overlap
from twiceshy.project.audit import notes as checks
from twiceshy.project.audit.facts import AuditFacts

HERE = Scope("demo")


def noted(*texts: str, **fields: Any) -> tuple[Note, ...]:
    usual = {"scope": HERE} | fields
    return tuple(a_note(text, id=an_id(at), **usual) for at, text in enumerate(texts, start=1))


def facts(*notes: Note) -> AuditFacts:
    return AuditFacts(NOW, notes=notes, near=tuple(checks.find_near_pairs(notes, THRESHOLD)))


def abouts(findings: Any) -> list[str]:
    return [finding.about for finding in findings]


def test_the_same_words_as_two_kinds_are_told_once() -> None:
    one, other = a_note(scope=HERE), a_note(id=an_id(2), scope=HERE, kind="decision")

    (found,) = checks.find_duplicates(facts(one, other))

    assert (found.where, found.values["retire"]) == (
        f"{one.handle}, {other.handle}",
        other.handle,
    )


def test_tasks_and_pages_may_repeat_themselves() -> None:
    same = noted("Ask Ada", "Ask Ada", kind="task") + noted("x", "x", kind="page")

    assert abouts(checks.find_duplicates(facts(*same))) == []
    assert checks.find_near_pairs(same, THRESHOLD) == []


def test_a_reworded_note_is_near_and_another_number_is_not() -> None:
    notes = noted(
        "Run the database migrations before starting the worker process",
        "Run database migrations before starting the worker process again",
        "Run the 3 database migrations before starting the worker process",
    )

    (found,) = checks.report_near_pairs(facts(*notes))

    assert found.where == f"{notes[0].handle}, {notes[1].handle}"


def test_a_note_that_tells_much_more_is_not_near() -> None:
    notes = noted(
        "alpha beta gamma delta epsilon",
        "alpha beta gamma delta epsilon zeta eta theta iota",
        "zeta eta theta iota kappa lambda",  # so that no word of the second is rare
    )

    assert 0 < word_overlap(*(telling_terms_of(note.text) for note in notes[:2])) < THRESHOLD
    assert checks.find_near_pairs(notes, THRESHOLD) == []


def test_the_same_words_the_other_way_round_are_no_duplicate() -> None:
    notes = noted("Use tabs instead of spaces here", "Use spaces instead of tabs here")

    assert checks.find_near_pairs(notes, THRESHOLD) == []


WORDS = st.lists(
    st.sampled_from("alpha beta gamma delta never 42 build deploy".split()), max_size=8
)


@given(st.lists(WORDS, max_size=14))
def test_every_near_pair_is_found_although_not_all_are_compared(texts: list[list[str]]) -> None:
    notes = noted(*(" ".join(words) for words in texts))
    words = {note.id: telling_terms_of(note.text) for note in notes}
    expected = {
        (one.id, other.id)
        for one, other in combinations(notes, 2)
        if word_overlap(words[one.id], words[other.id]) >= THRESHOLD
        and normalise_text(one.text) != normalise_text(other.text)
    }

    assert {
        (one.id, other.id) for one, other, _ in checks.find_near_pairs(notes, THRESHOLD)
    } == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Always run the linter before you commit your work",
            "Never run the linter before you commit your work",
        ),
        ("Use tabs instead of spaces", "Use spaces instead of tabs"),
        ("Always commit the lock file", "Never commit the lock file"),
        ("不要用 npm,改用 pnpm", "一律用 npm"),
    ],
)
def test_rules_that_contradict_are_broken(one: str, other: str) -> None:
    (found,) = checks.find_opposites(facts(*noted(one, other, kind="rule")))

    assert (found.about, found.weight, found.tag_at_depth("full")) == (
        "rule-conflict",
        "BROKEN",
        "CONFLICT",
    )


def test_a_decision_against_a_preference_only_may_be_a_conflict() -> None:
    one = a_note("Use tabs instead of spaces", kind="decision", scope=HERE)
    other = a_note("Use spaces instead of tabs", kind="preference", scope=HERE, id=an_id(2))

    assert abouts(checks.find_opposites(facts(one, other))) == ["note-conflict"]


@pytest.mark.parametrize(
    "changes",
    [
        {"scope": Scope("other")},
        {"scope": Scope("demo", "release")},
        {"status": "candidate"},
        {"source": "detector"},
        {"text": "Use spaces in Python files"},
        {"text": "Use spaces instead of tabs in Python files"},
        {"kind": "decision", "text": "Use spaces everywhere"},
        {"kind": "decision", "text": "Never use tabs"},
        {"text": "Use spaces instead of tabs. " * 20},
    ],
)
def test_what_no_session_is_told_together_is_no_conflict(changes: dict[str, Any]) -> None:
    one, other = noted("Use tabs instead of spaces", "Use spaces instead of tabs", kind="rule")

    assert abouts(checks.find_opposites(facts(one, other.but(**changes)))) == []


def test_two_notes_for_the_same_are_no_conflict() -> None:
    same = noted(
        "Always commit the lock file", "You must always commit the lock file", kind="rule"
    )

    assert abouts(checks.find_opposites(facts(*same))) == []


def test_too_few_words_are_no_subject() -> None:
    assert abouts(checks.find_opposites(facts(*noted("Always", "Never", kind="rule")))) == []


def test_two_notes_for_one_call_are_a_conflict_unless_they_say_the_same() -> None:
    trigger = "Bash gh create"
    different = noted("Pass --verify-tag", "Ask for a token first", trigger=trigger)
    alike = noted(
        "Run the database migrations before starting the worker process",
        "Run database migrations before starting the worker process again",
        trigger=trigger,
    )

    assert abouts(checks.find_shared_triggers(facts(*different))) == ["trigger-conflict"]
    assert abouts(checks.find_shared_triggers(facts(*alike))) == []
    assert abouts(checks.find_shared_triggers(facts(different[0]))) == []


def test_one_call_may_have_failed_in_two_ways() -> None:
    observed = noted("a failed: x", "b failed: y", trigger="Bash gh create", source="detector")

    assert abouts(checks.find_shared_triggers(facts(*observed))) == []

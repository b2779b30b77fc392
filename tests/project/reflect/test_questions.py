"""Four questions about a note, the answer that the evidence speaks for, and what is kept of the answers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id

from twiceshy.core.errors import NoteError
from twiceshy.project.audit.facts import build_finding
from twiceshy.project.audit.review import MARKS, ReviewedNote
from twiceshy.project.reflect.questions import (
    LONG_NOTE,
    MAX_CANDIDATES,
    CoveredByRule,
    Keep,
    Remove,
    ReviewCandidate,
    ReviewDecision,
    Shorten,
    answer_word,
    build_question,
    condense_text,
    parse_answer,
    parse_decisions,
    select_questions,
)

TWICE = "Fetch the tags first. Fetch the tags first. Then tag."


_ABOUTS = {
    "outdated": "note-over",
    "duplicate": "note-near",
    "superseded": "note-superseded",
    "needs-update": "note-skill",
}


def a_candidate(
    mark: str = "active", *, standing: str = "", shorter: str = "", rule: str = "", **fields: Any
) -> ReviewCandidate:
    about = _ABOUTS.get(mark)
    findings = [build_finding(about, "memory", "n1")] if about else []
    if rule:
        findings.append(build_finding("note-covered", "memory", "n1", rule=rule, rule_id=rule))
    given = {"note": a_note(**fields), "findings": tuple(findings), "pitfall_status": standing}
    return ReviewCandidate(ReviewedNote.of(given), shorter)


@pytest.mark.parametrize(
    ("candidate", "proposal"),
    [
        (a_candidate("outdated"), Remove()),
        (a_candidate("outdated", pinned=True), Keep()),
        (a_candidate("duplicate", rule="n1", shorter="x"), Remove()),
        (a_candidate(standing="removable"), Remove()),
        (a_candidate(standing="internalised"), Keep()),
        (a_candidate(rule="n1", shorter="x"), CoveredByRule("n1")),
        (a_candidate(rule="n1", pinned=True), Keep()),
        (a_candidate(shorter="x"), Shorten("x")),
        (a_candidate("needs-update"), Keep()),
    ],
)
def test_the_evidence_speaks_for_one_answer(candidate: ReviewCandidate, proposal: object) -> None:
    assert candidate.proposal == proposal


def test_only_about_what_is_doubtful_is_asked() -> None:
    doubtful = [
        a_candidate("needs-update"),
        a_candidate(standing="internalised"),
        a_candidate(rule="n1"),
        a_candidate(shorter="x"),
        a_candidate(text="x" * (LONG_NOTE + 1)),
    ]
    plain = [
        a_candidate(),
        a_candidate(standing="relevant"),
        a_candidate(text="x" * (LONG_NOTE + 1), kind="page"),
    ]

    assert all(each.needs_question for each in doubtful)
    assert not any(each.needs_question for each in plain)


@pytest.mark.parametrize(
    ("text", "answer", "kept"),
    [
        ("keep", Keep(), "keep"),
        (" Remove ", Remove(), "remove"),
        ('shorten:"Fetch: then tag."', Shorten("Fetch: then tag."), "shorten"),
        ("shorten: Fetch", Shorten("Fetch"), "shorten"),
        ("covered:n7k2x", CoveredByRule("n7k2x"), "covered:n7k2x"),
    ],
)
def test_an_answer_is_read_as_it_is_typed(text: str, answer: object, kept: str) -> None:
    read = parse_answer(text)

    assert read == answer
    assert answer_word(read) == kept


@pytest.mark.parametrize("text", ["", "maybe", "shorten", "shorten:", "covered: ", "keep:it", "?"])
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(NoteError, match="is no answer"):
        parse_answer(text)


@given(
    st.lists(
        st.builds(
            ReviewDecision,
            st.integers(0, 999).map(an_id),
            st.integers(0, 99),
            st.sampled_from(MARKS),
            st.sampled_from(("?", "keep", "shorten", "remove", "removed", "covered:n7k2x")),
        )
    )
)
def test_a_record_is_read_back_as_it_was_written(lines: list[ReviewDecision]) -> None:
    assert parse_decisions([each.to_line() for each in lines]) == lines


def test_what_is_no_line_of_the_record_is_passed_over() -> None:
    lines = ["a request", "n1 x outdated keep", "n1 1 lost keep", "n1 1 outdated keep it"]

    assert parse_decisions(lines) == []


def test_an_answer_that_keeps_a_note_holds_until_the_note_or_its_mark_changes() -> None:
    candidate = a_candidate("outdated", id=an_id(1))
    kept = build_question(candidate.reviewed).but(answer="keep")
    edited = a_candidate("outdated", id=an_id(1), revision=2)
    worse = a_candidate("superseded", id=an_id(1))

    assert select_questions([candidate], [kept]) == ([], [kept])
    assert select_questions([edited], [kept]) == ([edited], [])
    assert select_questions([worse], [kept]) == ([worse], [])


@pytest.mark.parametrize("answer", ["?", "remove", "covered:n1", "removed"])
def test_what_was_to_go_and_is_there_again_is_asked_about_again(answer: str) -> None:
    candidate = a_candidate("outdated")

    assert select_questions(
        [candidate], [build_question(candidate.reviewed).but(answer=answer)]
    ) == (
        [candidate],
        [],
    )


def test_nobody_is_asked_about_everything_at_once() -> None:
    many = [a_candidate("outdated", id=an_id(number)) for number in range(MAX_CANDIDATES + 5)]

    asked, _ = select_questions(many, [])

    assert asked == many[:MAX_CANDIDATES]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (TWICE, "Fetch the tags first. Then tag."),
        ("a line\n\n\n\nA  LINE\nanother", "a line\n\nanother"),
        ("Fetch first, then tag.", ""),
        ("x. y. z, and so on and so forth. y", ""),
        ("", ""),
    ],
)
def test_what_a_note_says_twice_can_be_left_out(text: str, short: str) -> None:
    assert condense_text(text) == short


@given(st.text(max_size=200))
def test_a_condensed_text_is_shorter_and_cannot_be_condensed_much_further(text: str) -> None:
    short = condense_text(text)

    assert len(short) <= len(text)
    assert condense_text(short) == ""

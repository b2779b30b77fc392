"""Which notes are told just in time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id, texts

from twiceshy.core.trigger import (
    TriggerMatch,
    error_matches_quote,
    list_quoted_errors,
    parse_trigger,
)
from twiceshy.recall.choose_timely import (
    choose_after_failure,
    choose_before_call,
    choose_siblings,
)
from twiceshy.shell.call_words import call_words

STAT = '`gh pr diff --stat` failed: "unknown flag: --stat". `gh pr diff --name-only` worked.'


def a_match(
    trigger: str = "Bash/usage --stat gh", text: str = STAT, **fields: Any
) -> TriggerMatch:
    """Return a note about a call, and how its trigger has done; what is none of that is the note's."""
    counts = {
        name: fields.pop(name)
        for name in list(fields)
        if name in TriggerMatch.__fields__ and name != "note"
    }
    note = a_note(text, **{"subtype": "fix", "trigger": trigger, "source": "detector"} | fields)
    about = parse_trigger(trigger)
    assert about is not None
    return TriggerMatch.of({"note": note, "trigger": about} | counts)


def told(matches: list[TriggerMatch]) -> list[str]:
    return [match.note.id for match in matches]


def test_before_a_call_only_what_people_said_is_told() -> None:
    stated = a_match("Bash npm publish", "Never publish.", id=an_id(1))
    learned = a_match(failed_calls=99, id=an_id(2))

    assert told(choose_before_call([learned, stated])) == told([stated])


def test_before_a_call_the_most_specific_is_told_and_one_about_something_else() -> None:
    narrow = a_match("Bash --tag npm publish", id=an_id(1))
    same = a_match("Bash npm publish", sightings=9, id=an_id(2))
    other = a_match("Bash gh", id=an_id(3))

    assert told(choose_before_call([other, same, narrow])) == told([narrow, other])
    assert told(choose_before_call([other, same, narrow], most=1)) == told([narrow])


def test_to_a_failure_the_note_that_quotes_it_is_told_before_one_that_is_about_the_call() -> None:
    quoting = a_match(id=an_id(1))
    other = a_match(
        "Bash/usage diff gh pr",
        '`gh pr diff` failed: "not a repository".',
        sightings=9,
        id=an_id(2),
    )
    parts = call_words({"command": "gh pr diff 5 --stat"})

    assert told(choose_after_failure([other, quoting], parts, "unknown flag: --stat")) == [
        quoting.note.id
    ]


def test_to_a_failure_of_another_call_of_the_program_the_same_error_is_enough() -> None:
    parts = call_words({"command": "gh issue list --summary"})
    elsewhere = call_words({"command": "git log --summary"})

    assert choose_after_failure([a_match()], parts, "unknown flag: --summary") != []
    assert choose_after_failure([a_match()], elsewhere, "unknown flag: --summary") == []
    assert choose_after_failure([a_match()], parts, "authentication required") == []


def test_a_bare_program_names_no_culprit() -> None:
    bare = a_match("Bash/usage gh")
    parts = call_words({"command": "gh pr list"})

    assert choose_after_failure([bare], parts, "authentication required") == []


def test_what_hardly_ever_fails_is_not_told_even_then() -> None:
    parts = call_words({"command": "gh pr diff --stat"})

    assert choose_after_failure([a_match(succeeded_calls=99)], parts, "unknown flag: --stat") == []


VALUES = a_match(
    "files/missing deploy/values.yml",
    '`Read deploy/values.yml` failed: "File does not exist". `Read deploy/values.yaml` worked.',
)


@pytest.mark.parametrize(
    "call", [{"file_path": "deploy/values.yml"}, {"command": "cat deploy/values.yml"}]
)
def test_a_path_that_is_not_there_is_told_whatever_looked_for_it(call: dict[str, object]) -> None:
    assert told(choose_after_failure([VALUES], call_words(call), "it is gone")) == told([VALUES])


def test_beside_a_missing_file_the_note_with_a_remedy_seen_most_is_told() -> None:
    often = VALUES.but(note=VALUES.note.but(id=an_id(2), sightings=5))
    helpless = VALUES.but(note=VALUES.note.but(id=an_id(3), subtype="gotcha", sightings=9))
    other = a_match(id=an_id(4), sightings=9)

    assert told(choose_siblings([VALUES, helpless, other, often])) == told([often])
    assert choose_siblings([helpless, other]) == []


def test_nobody_minds_a_failure_of_nothing() -> None:
    assert choose_after_failure([], [], "") == []
    assert choose_after_failure([a_match()], [], "") == []


counts = st.integers(0, 1_000)


@given(st.sampled_from(["Bash x", "Bash/usage x", "Bash/outcome x"]), counts, counts)
def test_a_call_that_failed_makes_failure_likelier_and_one_that_worked_less_likely(
    trigger: str, right: int, wrong: int
) -> None:
    match = a_match(trigger, failed_calls=right, succeeded_calls=wrong)

    assert (
        match.but(succeeded_calls=wrong + 1).failure_odds
        < match.failure_odds
        < match.but(failed_calls=right + 1).failure_odds
    )


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        (STAT, ["unknown flag: --stat"]),
        ('`x` failed: "one" or "two". `y` worked.', ["one", "two"]),
        ('`git commit -m "a b"` failed: "nothing to commit".', ["nothing to commit"]),
        ("Use `pnpm`.", []),
        ("", []),
    ],
)
def test_a_learned_note_quotes_the_error(text: str, quotes: list[str]) -> None:
    assert list_quoted_errors(text) == quotes


@pytest.mark.parametrize(
    ("quoted", "error", "same"),
    [
        ("unknown flag: --stat", "unknown flag: --summary", True),
        ("unknown flag: --stat", "flag --stat is fine", False),
        ("fatal: pathspec 'a.py' did not match", "fatal: pathspec 'b.py' did not match", True),
        ("see (address) for more details", "see https://a.b for more details", True),
        ("(withheld: reads like an instruction)", "reads like an instruction", False),
        ("42", "42", False),  # a number says nothing
    ],
)
def test_an_error_is_known_again_but_for_names_and_numbers(
    quoted: str, error: str, same: bool
) -> None:
    note = a_note(f'`gh pr` failed: "{quoted}".')

    assert error_matches_quote(note, error) is same


@given(texts, texts)
def test_any_note_can_be_compared_with_any_error(text: str, error: str) -> None:
    note = a_note(f'`x` failed: "{text}".')

    assert error_matches_quote(note, error) in (True, False)
    assert not error_matches_quote(note, "")


@pytest.mark.parametrize(
    ("match", "settled"),
    [
        (a_match("Bash/usage gh", failed_calls=5), True),
        (a_match("Bash/usage gh", failed_calls=4), False),  # too few to say
        (a_match("Bash/usage gh", failed_calls=9, succeeded_calls=4), False),  # it may well work
        (a_match("Bash/outcome npm", failed_calls=9, succeeded_calls=1), False),
    ],
)
def test_what_nearly_always_fails_needs_no_session_to_go_without(
    match: TriggerMatch, settled: bool
) -> None:
    assert match.is_settled is settled

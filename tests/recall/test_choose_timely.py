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
    LIKELY,
    choose_after_failure,
    choose_at_start,
    choose_before_call,
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


@pytest.mark.parametrize(
    ("match", "likely"),
    [
        (a_match("Bash npm"), True),  # a person said so
        (a_match("Bash/usage gh"), True),
        (a_match("Bash/missing cat"), True),
        (a_match("Bash/outcome npm"), False),  # a test that failed once
        (a_match("Bash/outcome npm", failed_calls=5), True),
        (a_match("Bash/usage gh", succeeded_calls=9), False),
        (a_match("Bash/weather gh", failed_calls=9), False),  # of no sort that we know
        (a_match("Bash/usage gh", succeeded_calls=9, failed_calls_here=3), True),  # not here
        (
            a_match("Bash/usage gh", failed_calls=9, succeeded_calls=9, succeeded_calls_here=9),
            False,
        ),
        (
            a_match("Bash/usage gh", succeeded_calls=9, failed_calls_here=2),
            False,
        ),  # too few to tell
    ],
)
def test_a_call_is_told_of_what_is_likely_to_fail_here(match: TriggerMatch, likely: bool) -> None:
    assert (match.failure_odds >= LIKELY) is likely
    assert bool(choose_before_call([match])) is likely


def test_before_a_call_the_likeliest_is_told_and_one_that_is_about_something_else() -> None:
    sure = a_match("Bash/usage --stat gh", failed_calls=9, id=an_id(1))
    same = a_match("Bash/usage gh pr", failed_calls=5, id=an_id(2))
    other = a_match("Bash/usage bun rtk", failed_calls=1, id=an_id(3))

    assert told(choose_before_call([other, same, sure])) == told([sure, other])
    assert told(choose_before_call([other, same, sure], most=1)) == told([sure])


def test_of_work_that_fails_only_what_mends_it_is_told() -> None:
    fails = a_match(
        "Bash/outcome npm", '`npm test` failed: "1 failed".', subtype="gotcha", failed_calls=9
    )

    assert choose_before_call([fails]) == []
    assert told(choose_before_call([fails.but(note=fails.note.but(subtype="fix"))])) == [
        fails.note.id
    ]


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


def test_to_a_failure_of_another_call_the_same_error_is_enough() -> None:
    parts = call_words({"command": "gh issue list --summary"})

    assert choose_after_failure([a_match()], parts, "unknown flag: --summary") != []
    assert choose_after_failure([a_match()], parts, "authentication required") == []


def test_what_hardly_ever_fails_is_not_told_even_then() -> None:
    parts = call_words({"command": "gh pr diff --stat"})

    assert choose_after_failure([a_match(succeeded_calls=99)], parts, "unknown flag: --stat") == []


def test_a_file_that_is_not_there_reminds_of_files_in_its_folder_only() -> None:
    match = a_match(
        "files/missing deploy/values.yml",
        '`Read deploy/values.yml` failed: "File does not exist". `Read deploy/values.yaml` worked.',
    )

    def reminded(path: str) -> bool:
        parts = call_words({"file_path": path})
        return bool(choose_after_failure([match], parts, "File does not exist."))

    assert reminded("deploy/other.yml")
    assert not reminded("src/app.py")


def test_nobody_minds_a_failure_of_nothing() -> None:
    assert choose_after_failure([], [], "") == []
    assert choose_after_failure([a_match()], [], "") == []


@pytest.mark.parametrize(
    ("fields", "worth"),
    [
        ({"unseen": 1}, True),
        ({}, False),  # its call tells it in time
        ({"succeeded_calls": 20}, True),  # no call would tell it
        ({"succeeded_calls": 20, "subtype": "gotcha"}, False),  # and it does not help
        ({"unseen": 1, "status": "candidate"}, False),
        ({"unseen": 1, "sightings": 1}, False),
        ({"unseen": 1, "recent": 0}, False),
    ],
)
def test_a_session_begins_with_what_keeps_happening_and_no_call_tells(
    fields: dict[str, Any], worth: bool
) -> None:
    match = a_match(**{"recent": 0b11, "age": 5, "sightings": 2} | fields)

    assert bool(choose_at_start([match], most=3)) is worth


def test_a_session_begins_with_what_happens_most() -> None:
    often, rarely = (
        a_match(unseen=1, sightings=4, age=11, recent=recent, id=an_id(recent))
        for recent in (0b1111, 0b11)
    )

    assert told(choose_at_start([rarely, often], most=5)) == told([often, rarely])
    assert told(choose_at_start([rarely, often], most=1)) == told([often])


@given(st.integers(0, 2**31 - 1), st.integers(0, 100))
def test_a_share_is_a_share(recent: int, age: int) -> None:
    assert 0 <= a_match(recent=recent, age=age).session_share <= 12


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

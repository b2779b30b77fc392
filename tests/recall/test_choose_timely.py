"""Which notes are told at a call, and at its failure."""

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

STAT = "`gh pr diff`: use `--name-only`, not `--stat`: unknown flag: --stat"
EVIDENCE = '`gh pr diff --stat` failed: "unknown flag: --stat". `gh pr diff --name-only` worked.'


def a_match(
    trigger: str = "Bash/usage --stat gh", text: str = STAT, **fields: Any
) -> TriggerMatch:
    """Return a note about a call, and how its trigger has done; what is none of that is the note's."""
    counts = {
        name: fields.pop(name)
        for name in list(fields)
        if name in TriggerMatch.__fields__ and name != "note"
    }
    usual = {"subtype": "fix", "trigger": trigger, "source": "detector", "why": EVIDENCE}
    note = a_note(text, **usual | fields)
    about = parse_trigger(trigger)
    assert about is not None
    return TriggerMatch.of({"note": note, "trigger": about} | counts)


def told(matches: list[TriggerMatch]) -> list[str]:
    return [match.note.id for match in matches]


@pytest.mark.parametrize("category", ["usage", "missing", "folder", "outcome", "rejected"])
@pytest.mark.parametrize("failed", [0, 99])
def test_at_a_call_no_lesson_is_told_however_likely_it_fails(category: str, failed: int) -> None:
    lesson = a_match(f"Bash/{category} gh", failed_calls=failed)

    assert choose_before_call([lesson]) == []
    assert choose_before_call([lesson, a_match("Bash gh", id=an_id(2))]) != []


def test_at_a_call_the_most_specific_note_is_told_and_one_about_something_else() -> None:
    close = a_match("Bash --stat diff gh", id=an_id(1))
    same = a_match("Bash gh pr", sightings=9, id=an_id(2))
    other = a_match("Bash bun", id=an_id(3))

    assert told(choose_before_call([other, same, close])) == told([close, other])
    assert told(choose_before_call([other, same, close], most=1)) == told([close])


def test_to_a_failure_the_note_that_names_and_quotes_it_is_told_first() -> None:
    quoting = a_match(id=an_id(1))
    other = a_match(
        "Bash/usage diff gh pr",
        why='`gh pr diff` failed: "not a repository".',
        sightings=9,
        id=an_id(2),
    )
    parts = call_words({"command": "gh pr diff 5 --stat"})

    assert told(choose_after_failure([other, quoting], parts, "unknown flag: --stat")) == [
        quoting.note.id
    ]
    assert told(choose_after_failure([other], parts, "unknown flag: --stat")) == [other.note.id]


def test_to_a_failure_of_another_call_of_the_program_the_same_error_is_enough() -> None:
    parts = call_words({"command": "gh issue list --summary"})
    elsewhere = call_words({"command": "cargo build --summary"})

    assert choose_after_failure([a_match()], parts, "unknown flag: --summary") != []
    assert choose_after_failure([a_match()], parts, "authentication required") == []
    assert choose_after_failure([a_match()], elsewhere, "unknown flag: --summary") == []


def test_a_program_alone_names_no_mistake() -> None:
    parts = call_words({"command": "gh pr diff"})

    assert choose_after_failure([a_match("Bash/usage gh")], parts, "authentication required") == []
    assert choose_after_failure([a_match("Bash/outcome gh pr")], parts, "try again") == []
    assert choose_after_failure([a_match("Bash/outcome gh pr")], parts, "unknown flag: -x") != []


def test_what_hardly_ever_fails_is_not_told_even_then() -> None:
    parts = call_words({"command": "gh pr diff --stat"})

    assert choose_after_failure([a_match(succeeded_calls=99)], parts, "unknown flag: --stat") == []
    work = a_match("Bash/outcome gh pr", succeeded_calls=99, subtype="gotcha")
    assert choose_after_failure([work], parts, "unknown flag: --stat") == [work]
    assert choose_after_failure([work], parts, "no such pull request") == []


def test_of_files_in_a_folder_the_one_is_told_of_that_has_another_place() -> None:
    found = a_match("files/missing deploy/values.yml", sightings=1, id=an_id(1))
    often = a_match("files/missing deploy/other.yml", sightings=3, id=an_id(2))
    lost = a_match("files/missing deploy/x.yml", subtype="gotcha", sightings=9, id=an_id(3))
    folder = a_match("files/folder deploy/y", sightings=9, id=an_id(4))

    assert told(choose_siblings([found, often, lost, folder])) == told([often])
    assert choose_siblings([lost, folder]) == []


def test_an_error_about_something_else_is_not_answered_by_where_a_path_leads() -> None:
    parts = call_words({"command": "cargo test -p api ./srv/api"})
    folder = a_match(
        "files/folder srv/api", why='`cat srv/api` failed: "cat: srv/api: Is a directory".'
    )
    lost = a_match("Bash/missing srv/api", why='`ls srv/api` failed: "ls: srv/api: No such file".')

    assert choose_after_failure([folder, lost], parts, "srv/api: exec format error") == []
    assert choose_after_failure([folder], parts, "srv/api: Is a directory") == [folder]
    assert choose_after_failure([lost], parts, "ls: srv/api: No such file or directory") == [lost]


def test_a_missing_path_is_not_told_of_where_another_one_is_missing() -> None:
    parts = call_words({"command": "ls -l .cache/lock"})
    lost = a_match(
        "Bash/missing cmd cmd/app ls",
        why='`ls cmd/app` failed: "ls: cmd: No such file or directory".',
    )

    assert choose_after_failure([lost], parts, "ls: .cache/lock: No such file or directory") == []


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
        (EVIDENCE, ["unknown flag: --stat"]),
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

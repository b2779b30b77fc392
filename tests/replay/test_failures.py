"""Which failures come back, what put them right, and what they cost."""

from tests.replay.failing import failure, made

from twiceshy.replay.failures import PastFailures, find_failures

UNKNOWN = "error: unrecognized subcommand 'bun'"


def test_a_failure_knows_the_call_that_put_it_right_and_what_it_cost() -> None:
    calls = [
        made(0, "rtk bun run test", UNKNOWN),
        made(1, "ls -la"),
        made(2, "git status"),
        made(3, "bun run test"),
        made(4, "rtk bun run test --help"),
    ]

    [failed] = find_failures(calls)

    assert failed.fixed == "bun run test"
    assert failed.right - failed.wrong == set()
    assert failed.wrong - failed.right == {"rtk"}
    assert failed.lost == 3  # bun worked again with the third call behind it
    assert failed.is_preventable


def test_a_failure_that_nothing_put_right_costs_the_call_itself() -> None:
    [failed] = find_failures([made(0, "rtk bun run test", UNKNOWN), made(1, "ls")])

    assert (failed.fixed, failed.lost) == ("", 1)


def test_the_same_mistake_in_a_later_session_is_a_recurrence_once() -> None:
    past = PastFailures()
    first = [failure(3, "rtk bun run test", UNKNOWN, "bun run test")]

    assert past.find_recurrences(first) == []
    past.add_session(first)
    twice = [failure(1, "rtk bun run lint", UNKNOWN), failure(5, "rtk bun run test", UNKNOWN)]

    [found] = past.find_recurrences(twice)
    assert found.failure.place == 1
    assert any(each.fixed for each in found.earlier)


def test_nearly_the_same_call_with_nearly_the_same_words_counts_as_the_same() -> None:
    past = PastFailures()
    past.add_session(
        [failure(0, "gh api repos/acme/shop/pulls/7", "gh: Not Found (HTTP 404) pulls")]
    )

    found = past.find_recurrences(
        [failure(0, "gh api repos/acme/shop/pulls/9", "gh: Not Found (HTTP 404) pull")]
    )

    assert len(found) == 1


def test_the_same_words_about_another_file_or_by_another_program_are_something_else() -> None:
    past = PastFailures()
    missing = "File does not exist."
    past.add_session(
        find_failures([made(0, "/srv/shop/cmd/cli/app/one.go", missing, tool="Read")])
    )
    past.add_session([failure(0, "go test ./...", "FAIL integration [setup failed]")])

    other_file = find_failures([made(0, "/srv/shop/cmd/cli/app/two.go", missing, tool="Read")])
    other_program = [failure(0, "cargo build", "FAIL integration [setup failed]")]

    assert past.find_recurrences(other_file) == []
    assert past.find_recurrences(other_program) == []


def test_a_failure_without_a_word_is_not_known_again() -> None:
    past = PastFailures()
    silent = [failure(0, "git config core.editor", "Exit code 1")]
    past.add_session(silent)

    assert past.find_recurrences(silent) == []


def test_examples_that_show_what_works_are_kept_longest() -> None:
    past = PastFailures()
    past.add_session([failure(0, "rtk bun run test", UNKNOWN, "bun run test")])
    for _ in range(20):
        past.add_session([failure(0, "rtk bun run test", UNKNOWN)])

    [found] = past.find_recurrences([failure(0, "rtk bun run test", UNKNOWN)])

    assert any(each.fixed for each in found.earlier)
    assert len(found.earlier) < 10


def test_all_recurrences_of_a_mistake_are_one_mistake_in_whatever_words() -> None:
    past = PastFailures()
    calls = [f"gh api repos/acme/shop/pulls/{number}" for number in (7, 9, 12)]
    errors = ["gh: Not Found (HTTP 404) pulls", "gh: Not Found (HTTP 404) pull"] * 2
    found = []
    for call, error in zip(calls, errors, strict=False):
        failures = [failure(0, call, error)]
        found += past.find_recurrences(failures)
        past.add_session(failures)

    assert len(found) == 2
    assert len({each.mistake for each in found}) == 1

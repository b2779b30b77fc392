"""Three failed tries of the same are a loop, once; a success between them never is part of one."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.detect.acts import act, edited, failed, ran

from twiceshy.learning.detect.loop import REACH, Loop, find_loop
from twiceshy.shell.failure import find_hidden_failure
from twiceshy.shell.tool_call import ToolCall

Again = Callable[[], ToolCall]
BROKEN = "--- FAIL: TestTotal (0.01s)"


def loops(acts: list[ToolCall]) -> list[Loop]:
    """Return what is reported while the calls come in, one by one."""
    found = (find_loop(acts[: place + 1]) for place in range(len(acts)))
    return [loop for loop in found if loop]


def tries(number: int, command: str = "go test ./...", error: str = BROKEN) -> list[ToolCall]:
    """The same failure again and again, with an edit before each."""
    return [each for _ in range(number) for each in (edited(), failed(command, error))]


def test_the_third_failure_completes_a_loop() -> None:
    acts = tries(3)

    (loop,) = loops(acts)

    assert loop == Loop(
        (acts[1].id, acts[3].id, acts[5].id), "Bash", "go test", stuck=True, line=BROKEN
    )
    assert len(loop.ids) == 3


def test_a_loop_is_reported_once_however_long_it_goes_on() -> None:
    assert len(loops(tries(9))) == 1


def test_two_failures_are_no_loop() -> None:
    assert loops(tries(2)) == []


def test_a_success_ends_a_loop_and_the_next_one_is_reported_again() -> None:
    acts = [*tries(3), ran("go test ./..."), *tries(2)]

    assert len(loops(acts)) == 1
    assert len(loops([*acts, *tries(1)])) == 2


def test_failures_far_apart_are_no_loop() -> None:
    pause = [ran("ls") for _ in range(REACH)]

    assert loops([*tries(2), *pause, *tries(1)]) == []


def test_failures_that_are_all_different_are_progress() -> None:
    errors = ["a.go:1:2: undefined: total", "b.go:3:4: missing return", "c.go: unused import"]
    acts = [each for error in errors for each in tries(1, "go build ./...", error)]

    assert loops(acts) == []


def test_two_that_are_alike_make_a_loop_that_is_not_stuck() -> None:
    (loop,) = loops([*tries(1, error="pkg [build failed]"), *tries(2)])

    assert not loop.stuck


def test_a_failure_that_is_new_completes_no_loop() -> None:
    assert loops([*tries(2), *tries(1, error="pkg [build failed]")]) == []


def test_fewer_failures_than_the_time_before_are_progress() -> None:
    reports = [f"Assertion failed\n12 tests, {left} failures" for left in (11, 2, 1)]
    acts = [each for report in reports for each in tries(1, "mix test", report)]

    assert loops(acts) == []
    assert loops([*acts, *tries(2, "mix test", reports[-1])])


def test_a_report_of_no_errors_is_no_failure_to_repeat() -> None:
    for report in ("0 errors", "✔ 0 problems (0 errors, 0 warnings)", "12 tests, 0 failures"):
        assert find_hidden_failure("npm run lint 2>&1 | tail -3", report) == ""


@pytest.mark.parametrize("going_on", ["git rebase --continue", "git cherry-pick --skip"])
def test_the_next_piece_of_a_work_in_pieces_is_no_new_try_of_the_last(going_on: str) -> None:
    conflict = "CONFLICT (content): Merge conflict in go.sum\nerror: could not apply a1b2c3d"

    assert loops(tries(5, f"git add -A && {going_on}", conflict)) == []
    assert loops(tries(5, "git merge main", conflict))


def test_a_file_that_was_written_anew_ends_the_failed_edits_of_it() -> None:
    def miss() -> ToolCall:
        return edited(error="String to replace not found in file.")

    written = act("Write", file_path="/home/u/shop/a.py", content="all of it")

    assert loops([miss(), miss(), written, miss()]) == []
    assert loops([miss(), miss(), miss()])


def test_calls_of_one_answer_are_one_try() -> None:
    at_once = [failed("go test ./...", BROKEN).but(at=1_000 + n) for n in range(5)]
    later = [each.but(at=each.at + 600_000) for each in tries(2)]

    assert loops(at_once) == []
    assert len(loops([*at_once, *later])) == 1


def test_what_takes_long_to_write_may_still_be_one_answer() -> None:
    body = "x" * 1_000
    acts = [
        act("mcp__desk__create", error="no such parent", body=body, at=4_000 * n)
        for n in (1, 2, 3)
    ]

    assert loops(acts) == []


def test_looking_closer_at_a_failure_is_no_new_try() -> None:
    acts = [failed(f"go test ./... | {how}", BROKEN) for how in ("tail", "head", "grep FAIL")]

    assert loops(acts) == []


def test_the_very_same_command_again_is_a_new_try() -> None:
    acts = [failed("go test ./...", BROKEN) for _ in range(3)]

    assert len(loops(acts)) == 1


def test_another_wrong_way_to_call_is_a_new_try() -> None:
    acts = [failed(f"gh pr view {n} --files", "unknown flag: --files") for n in range(3)]

    assert len(loops(acts)) == 1


def test_edits_of_one_file_that_fail_are_a_loop() -> None:
    error = "String to replace not found in file."

    (loop,) = loops([edited(str(n), error=error) for n in range(3)])

    assert (loop.tool, loop.head) == ("Edit", "/home/u/shop/a.py")
    assert loops([edited(path=f"{n}.py", error=error) for n in range(3)]) == []


def test_other_programs_and_other_agents_have_loops_of_their_own() -> None:
    mixed = [*tries(2, "go test ./..."), *tries(2, "go build ./...")]
    shared = [each.but(agent="abc"[at % 3]) for at, each in enumerate(tries(3)) if at % 2]

    assert loops(mixed) == []
    assert loops(shared) == []


def test_a_line_of_several_programs_is_in_one_loop_by_the_last() -> None:
    (loop,) = loops(tries(4, "git add -A && git commit -m x", "pre-commit hook failed: lint"))

    assert loop.head == "git commit"


@pytest.mark.parametrize(
    "again",
    [
        lambda: act("TaskUpdate", error="no such task", id="x"),
        lambda: act("Read", error="File does not exist.", file_path="/x/a.py"),
        lambda: act("Grep", error="invalid pattern", pattern="("),
        lambda: failed("cat /x/a.py", "cat: /x/a.py: No such file or directory"),
        lambda: failed("go test", "The user doesn't want this", refusal="rejected"),
        lambda: failed("go test", "cancelled", refusal="cancelled"),
        lambda: failed("curl x.example", "Could not resolve host: x.example"),
        lambda: failed("npm ci", "connection refused"),
        lambda: act("Edit", error="file has not been read", old_string="x"),
    ],
)
def test_bookkeeping_looking_and_what_others_stopped_are_no_tries(again: Again) -> None:
    assert loops([again() for _ in range(6)]) == []


COMMANDS = ["go test ./...", "go build", "make lint && make test", "git commit -m x", "ls"]
ACTS = st.lists(
    st.builds(
        lambda command, error, change: [
            *([edited()] if change else []),
            failed(command, error) if error else ran(command),
        ],
        st.sampled_from(COMMANDS),
        st.sampled_from(["", BROKEN, "exit status 1", "undefined: total"]),
        st.booleans(),
    ),
    max_size=30,
).map(lambda groups: [each for group in groups for each in group])


@given(ACTS)
def test_between_the_failures_of_a_loop_nothing_of_its_kind_ever_worked(
    acts: list[ToolCall],
) -> None:
    for loop in loops(acts):
        places = [at for at, each in enumerate(acts) if each.id in loop.ids]
        words = loop.head.split(" ")

        between = acts[places[0] : places[-1] + 1]

        assert len(places) == len(loop.ids) >= 3
        assert places[-1] - places[0] < REACH
        assert not [
            each
            for each in between
            if each.mistake is None and each.command and set(words) <= set(each.command.split())
        ]


@given(ACTS)
def test_two_loops_of_one_head_always_have_a_success_or_a_pause_between(
    acts: list[ToolCall],
) -> None:
    by_head: dict[str, list[Loop]] = {}
    for loop in loops(acts):
        by_head.setdefault(loop.head, []).append(loop)
    order = {each.id: at for at, each in enumerate(acts)}

    for same in by_head.values():
        for one, other in pairwise(same):
            start, end = order[one.ids[-1]], order[other.ids[-1]]
            worked = [each for each in acts[start:end] if each.mistake is None and each.command]

            assert worked or end - start > REACH


@given(
    st.lists(
        st.sampled_from([act("Bash"), act("", command=7), act("Edit", error="x"), failed("")])
    )
)
def test_odd_calls_never_hurt(acts: list[ToolCall]) -> None:
    assert loops(acts) == []


def test_nothing_is_no_loop() -> None:
    assert find_loop([]) is None

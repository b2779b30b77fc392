"""What most sessions do before a goal is found, in order, and only programs are kept of it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.detect.acts import act, edited, failed, ran

from twiceshy.learning.detect.workflow import (
    Routine,
    Workflow,
    _list_orders,
    advance_workflow,
    find_routine,
    find_routines,
    is_goal,
    parse_workflow,
    render_routine,
)
from twiceshy.shell.call_head import is_head, list_heads
from twiceshy.shell.tool_call import ToolCall

COMMIT = "git add . && git commit -m 'fix: the total'"


def flows(
    steps: str, sessions: int, *, goal: str = "git commit", name: str = "s"
) -> list[Workflow]:
    """The same workflow in several sessions."""
    return [Workflow(goal, tuple(steps.split(", ")), f"{name}{n}") for n in range(sessions)]


def steps_since_goal(acts: Sequence[ToolCall], *, session: str = "") -> Workflow | None:
    """Fold calls; return the workflow that the newest one ends, if it ends any."""
    taken: tuple[str, ...] = ()
    reached = None
    for one in acts:
        taken, reached = advance_workflow(taken, one, session=session)
    return reached


def test_a_commit_tells_what_worked_before_it() -> None:
    acts = [ran("mise run fmt"), edited(), ran("mise run lint 2>&1 | tail -5"), ran(COMMIT)]

    found = steps_since_goal(acts, session="s1")

    assert found == Workflow("git commit", ("mise run fmt", "mise run lint", "git add"), "s1")


def test_what_failed_or_was_refused_is_no_step() -> None:
    acts = [
        failed("make lint"),
        ran("make fmt", refusal="rejected"),
        ran("make test"),
        ran(COMMIT),
    ]

    found = steps_since_goal(acts)

    assert found is not None
    assert found.steps == ("make test", "git add")


def test_a_goal_that_was_not_reached_is_none() -> None:
    assert steps_since_goal([ran("make test"), failed(COMMIT)]) is None
    assert steps_since_goal([ran("make test")]) is None
    assert steps_since_goal([act("Read", file_path="/x")]) is None
    assert steps_since_goal([]) is None


def test_steps_before_the_last_goal_belong_to_that_one() -> None:
    acts = [ran("make test"), ran(COMMIT), ran("make docs"), ran("git push")]

    found = steps_since_goal(acts)

    assert found == Workflow("git push", ("make docs",))


def test_what_stands_behind_a_goal_on_its_line_belongs_to_the_next() -> None:
    acts = [ran("make test && git commit -m x && make docs"), ran("git push")]

    found = steps_since_goal(acts)

    assert found is not None
    assert found.steps == ("make docs",)


def test_a_step_stands_where_it_was_taken_last() -> None:
    acts = [ran("make test"), ran("make lint"), ran("make test"), ran("git commit -m x")]

    found = steps_since_goal(acts)

    assert found is not None
    assert found.steps == ("make lint", "make test")


@pytest.mark.parametrize(
    ("head", "goal"),
    [
        ("git commit", True),
        ("gh pr create", True),
        ("npm run deploy:prod", True),
        ("deploy.sh", True),
        ("make release", True),
        ("kubectl apply", True),
        ("git status", False),
        ("gh release view", False),
        ("make test", False),
    ],
)
def test_a_goal_is_what_ends_a_piece_of_work(head: str, goal: bool) -> None:
    assert is_goal(head) is goal


def test_what_most_sessions_do_is_a_routine() -> None:
    usual = flows("mise run fmt, git status, mise run lint, git add", 6)
    others = flows("go build", 4, name="t")

    found = find_routine([*others, *usual])

    assert found == Routine("git commit", ("mise run fmt", "mise run lint"), 6, 10)
    assert render_routine(found) == (
        "Before `git commit`, sessions here run: `mise run fmt` → `mise run lint` (6 of 10 sessions)."
    )


def test_five_sessions_are_enough_and_four_are_not() -> None:
    assert find_routine(flows("make fmt, make lint", 5)) is not None
    assert find_routine(flows("make fmt, make lint", 4)) is None


def test_forty_of_a_hundred_sessions_are_enough_and_fewer_are_not() -> None:
    usual = flows("make fmt, make lint", 8)

    assert find_routine([*usual, *flows("go test", 12, name="t")]) is not None
    assert find_routine([*usual, *flows("go test", 13, name="t")]) is None


def test_one_busy_session_is_one_session() -> None:
    again = [Workflow("git commit", ("make fmt", "make lint"), "s1") for _ in range(9)]

    assert find_routine(again) is None


def test_workflows_of_nobody_known_count_one_by_one() -> None:
    assert find_routine([Workflow("git commit", ("make fmt", "make lint"))] * 5) is not None


def test_the_order_matters() -> None:
    either = [*flows("make a, make b", 4), *flows("make b, make a", 4, name="t")]

    assert find_routine(either) is None


def test_the_longest_order_wins_and_then_the_most_usual() -> None:
    longest = flows("make a, make b, make c", 5)
    usual = flows("make a, make c", 5, name="t")

    found = find_routine([*longest, *usual])

    assert found is not None
    assert (found.steps, found.support) == (("make a", "make b", "make c"), 5)


def test_one_step_and_generic_steps_are_no_routine() -> None:
    assert find_routine(flows("git status, git diff, git add, make test", 9)) is None
    assert find_routine([]) is None


def test_every_goal_has_a_routine_of_its_own() -> None:
    commits = flows("make fmt, make lint", 5)
    pushes = flows("make test, make docs", 5, goal="git push")

    found = find_routines([*pushes, *commits, *flows("make x, make y", 2, goal="npm publish")])

    assert [routine.goal for routine in found] == ["git commit", "git push"]


def test_a_workflow_is_written_as_one_short_line() -> None:
    flow = Workflow("git commit", ("make fmt", "uv run pytest"), "s1")

    assert flow.to_line() == "make fmt > uv run pytest => git commit"
    assert parse_workflow(flow.to_line(), session="s1") == flow
    assert parse_workflow(Workflow("git push", ()).to_line()) == Workflow("git push", ())


@pytest.mark.parametrize("text", ["", "make fmt", " => ", "rm -rf / => git push", "a > => b"])
def test_other_texts_are_no_workflow(text: str) -> None:
    assert parse_workflow(text) is None


COMMANDS = ["make a", "make b && make c", "git add .", "go test x", "echo secret | tee a", "cat b"]
ACTS = st.lists(
    st.builds(
        lambda command, fails: failed(command) if fails else ran(command),
        st.sampled_from([*COMMANDS, "git push", "make test 'hunter2' && git commit -m 'hunter2'"]),
        st.booleans(),
    ),
    max_size=60,
)


@given(ACTS)
def test_a_workflow_holds_nothing_but_heads_of_calls_that_worked(acts: list[ToolCall]) -> None:
    worked = {head for each in acts if each.mistake is None for head in list_heads(each.command)}

    found = steps_since_goal(acts)

    if found is not None:
        assert {*found.steps, found.goal} <= worked
        assert len(set(found.steps)) == len(found.steps) <= 24
        assert "hunter2" not in found.to_line()
        assert parse_workflow(found.to_line()) == found


@given(ACTS)
def test_it_is_the_same_call_by_call_with_nothing_but_the_steps_in_between(
    acts: list[ToolCall],
) -> None:
    taken: tuple[str, ...] = ()
    for place, each in enumerate(acts, start=1):
        taken, reached = advance_workflow(taken, each)

        assert reached == steps_since_goal(acts[:place])


@given(st.text())
def test_what_is_read_is_always_made_of_heads(text: str) -> None:
    found = parse_workflow(text)

    assert found is None or all(map(is_head, (found.goal, *found.steps)))


STEPS = st.lists(st.sampled_from([f"make {c}" for c in "abcdef"]), unique=True, max_size=6)


@given(st.lists(STEPS, max_size=25))
def test_a_routine_is_always_what_that_many_sessions_did(orders: list[list[str]]) -> None:
    taken = [Workflow("git commit", tuple(order), f"s{n}") for n, order in enumerate(orders)]

    found = find_routine(taken)

    if found is not None:
        own = [[step for step in order if step in found.steps] for order in orders]
        assert own.count(list(found.steps)) == found.support
        assert found.support >= 5
        assert 100 * found.support >= 40 * found.sessions == 40 * len(orders)
        assert len(found.steps) >= 2


def test_a_project_where_every_order_is_usual_is_given_up_in_time() -> None:
    steps = [f"make {chr(97 + n)}" for n in range(24)]
    sessions = {f"s{n}": [steps] for n in range(5)}

    found = list(_list_orders(sessions, 5))

    assert len(found) < 2_100
    assert max(len(order) for order, _ in found) == 6

"""Steps are known again in every copy of a transcript, and a result finds its call."""

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW

from twiceshy.core import transcript
from twiceshy.core.transcript import CallAttempt, CallStep, ResultStep, Step, pair_attempts

KINDS = {kind for kind in Step.__subclasses__() if kind.__module__ == transcript.__name__}


def a_call(name: str, *, at: int = NOW) -> CallStep:
    return CallStep(
        name, "session-1", "/home/u/shop", at, tool="Bash", arguments='{"command":"make"}'
    )


def a_result(name: str, text: str = "done", **fields: object) -> ResultStep:
    made = ResultStep(name, "session-1", "/home/u/shop", NOW, text=text)
    return made.but(**fields)


@given(st.sampled_from(sorted(KINDS, key=lambda kind: kind.__name__)))
def test_every_step_says_which_session_where_and_when_and_needs_no_more(kind: type[Step]) -> None:
    step = kind("id-1", "session-1", "/home/u/shop", NOW)

    assert (step.id, step.session, step.cwd, step.at) == ("id-1", "session-1", "/home/u/shop", NOW)
    assert (step.agent, step.skill) == ("", "")


def test_a_call_and_its_result_share_an_id_but_not_a_key() -> None:
    assert a_call("toolu_1").key != a_result("toolu_1").key
    assert a_call("toolu_1", at=1).key == a_call("toolu_1", at=2).key


def test_a_result_is_paired_with_its_call_by_id_in_the_order_of_the_calls() -> None:
    first, second, third = a_call("toolu_1"), a_call("toolu_2"), a_call("toolu_3")
    late, early = a_result("toolu_1", "late"), a_result("toolu_2", "early", failed=True)

    paired = pair_attempts([first, second, early, third, late])

    assert paired == [
        CallAttempt(first, late),
        CallAttempt(second, early),
        CallAttempt(third, None),
    ]


def test_a_result_finds_its_call_in_the_piece_that_was_read_before() -> None:
    unanswered, result = a_call("toolu_1"), a_result("toolu_1")

    assert pair_attempts([result]) == []
    assert pair_attempts([unanswered, result]) == [CallAttempt(unanswered, result)]


@given(st.lists(st.sampled_from(["toolu_1", "toolu_2", "toolu_3"])), st.randoms())
def test_however_they_are_mixed_every_call_is_one_attempt(names: list[str], dice: object) -> None:
    steps: list[Step] = [a_call(name) for name in names] + [a_result(name) for name in names]
    dice.shuffle(steps)  # type: ignore[attr-defined]  # hypothesis brings its own random

    paired = pair_attempts(steps)

    assert sorted(one.call.id for one in paired) == sorted(set(names))
    assert all(one.result is not None and one.result.id == one.call.id for one in paired)

"""A skill is at work from its use to the next one, or to a prompt that is about something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session_steps import bash, said, thought, used

from twiceshy.core.transcript import InterruptStep, ResultStep, Step
from twiceshy.learning.detect.attribution import Attribution, parse_attribution

Told = Step | list[Step]


def at_work(*steps: Told, agent: str = "") -> str:
    """Return the skill at work after these steps, read from a text in between as hooks do."""
    state = Attribution()
    for group in steps:
        for step in group if isinstance(group, list) else [group]:
            state = parse_attribution(state.apply_step(step).to_text())
    return state.find_skill(agent)


STOPPED = InterruptStep.of({"id": "i1", "session": "s1", "cwd": "/home/u/shop", "at": 1_000})


def test_without_a_skill_nothing_is_at_work() -> None:
    assert at_work(said("fix the total"), bash("make test"), thought("Done?")) == ""


@pytest.mark.parametrize("how", ["tool", "slash", "read"])
def test_a_skill_is_at_work_from_its_use_on(how: str) -> None:
    assert at_work(said("release it"), used("release", how), bash("make dist")) == "release"


def test_the_next_skill_takes_over() -> None:
    assert at_work(used("plan"), bash("ls"), used("release"), bash("make dist")) == "release"


def test_a_prompt_about_something_else_ends_it() -> None:
    steps: list[Told] = [used("release"), bash("make dist"), thought("Released.")]

    assert at_work(*steps, said("where is the total computed?")) == ""
    assert at_work(*steps, said("now rename the cart"), bash("ls")) == ""


def test_a_prompt_that_follows_at_once_is_what_the_skill_was_asked() -> None:
    assert at_work(used("plan"), said("add a discount to the cart"), bash("ls")) == "plan"


@pytest.mark.parametrize(
    "answer",
    [
        "1",
        "2, but with a test",
        "A) sounds right",
        "yes please",
        "no, the first",
        "好的",
        "continue",
    ],
)
def test_a_short_answer_goes_on(answer: str) -> None:
    assert at_work(used("plan"), bash("ls"), thought("I see two ways."), said(answer)) == "plan"


def test_an_answer_to_a_question_of_the_agent_goes_on() -> None:
    steps: list[Told] = [used("plan"), bash("ls"), thought("Which table should hold it?")]

    assert at_work(*steps, said("the orders table, I think")) == "plan"
    assert at_work(*steps, said("can you show me the cart first?")) == ""


def test_a_question_before_more_work_is_answered_by_nobody() -> None:
    steps: list[Told] = [used("plan"), thought("Shall I?"), bash("ls"), said("rename the cart")]

    assert at_work(*steps) == ""


def test_a_question_is_answered_once() -> None:
    steps: list[Told] = [
        used("plan"),
        bash("ls"),
        thought("Which table?"),
        said("the orders table"),
    ]

    assert at_work(*steps, said("rename the cart")) == ""


def test_what_the_user_says_after_stopping_the_agent_is_about_its_work() -> None:
    steps: list[Told] = [
        used("release"),
        bash("make dist"),
        STOPPED,
        said("use the staging server"),
    ]

    assert at_work(*steps, bash("make dist")) == "release"


def test_a_skill_that_does_not_exist_is_not_at_work() -> None:
    unknown = used("comit", "tool")
    missing = ResultStep(
        unknown.id, "s1", "/home/u/shop", 1_000, text="Unknown skill", failed=True
    )

    assert at_work(unknown, missing) == ""
    assert at_work(used("release"), bash("ls"), unknown, missing, bash("ls")) == "release"


def test_a_call_that_fails_while_it_works_does_not_end_it() -> None:
    assert at_work(used("release"), bash("make dist", "Error", failed=True)) == "release"


def test_an_agent_that_was_started_goes_on_with_the_skill_of_its_session() -> None:
    started = used("review").but(agent="a1")

    assert at_work(used("release"), bash("ls"), agent="a1") == "release"
    assert at_work(used("release"), started, agent="a1") == "review"
    assert at_work(used("release"), started) == "release"


def test_the_runtime_knows_best() -> None:
    told = [step.but(skill="review") for step in bash("ls")]

    assert at_work(used("release"), told) == "review"
    assert at_work(used("release"), used("plan").but(skill="release")) == "plan"


def test_many_agents_never_crowd_out_the_session_itself() -> None:
    crowd: list[Step] = [used(f"skill-{n}").but(agent=f"a{n}") for n in range(100)]

    assert at_work(used("release"), crowd) == "release"
    assert at_work(used("release"), crowd, agent="a99") == "skill-99"
    assert at_work(used("release"), crowd, agent="a1") == "release"


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[["",1]]', '[["","x","y"]]', "[" * 99_999])
def test_a_text_that_is_damaged_is_a_beginning(text: str) -> None:
    assert parse_attribution(text) == Attribution()


NAMES = st.sampled_from(["release", "plan", "", "  "])
WORDS = st.text(max_size=60) | st.sampled_from(["1", "yes", "what now?", "rename the cart"])
STEPS = st.lists(
    st.builds(used, NAMES).map(lambda step: [step])
    | st.builds(said, WORDS).map(lambda step: [step])
    | st.builds(thought, WORDS).map(lambda step: [step])
    | st.just([STOPPED])
    | st.just("make dist").map(bash),
    max_size=20,
)


@given(STEPS)
def test_only_a_skill_that_was_used_is_ever_at_work(groups: list[list[Step]]) -> None:
    names = {"", *(getattr(step, "name", "").strip() for group in groups for step in group)}

    assert at_work(*groups) in names


@given(STEPS)
def test_after_a_use_the_skill_is_always_at_work(groups: list[list[Step]]) -> None:
    assert at_work(*groups, used("release"), bash("make dist")) == "release"


@given(STEPS)
def test_what_is_written_is_always_read_back(groups: list[list[Step]]) -> None:
    state = Attribution()
    for group in groups:
        for step in group:
            state = state.apply_step(step)

    assert parse_attribution(state.to_text()) == state

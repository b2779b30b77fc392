"""Whether to compact now is told by what is unfinished, and from when on by how full the context is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session_steps import WHERE, bash, called, said, thought

from twiceshy.core.transcript import Step, SummaryStep
from twiceshy.learning.compaction_advice import (
    ADVICE_PERCENT,
    ContextUse,
    advise_compaction,
    render_advice,
)
from twiceshy.runtimes.transcript_files import context_window_of

FULL = ContextUse(150_000, 200_000)
FAILED = bash("pytest -q", "1 failed", failed=True)
PASSED = bash("cd x && .venv/bin/pytest -q", "9 passed")
EDIT_A = called("Edit", file_path="/home/u/shop/a.py", old_string="x", new_string="y")
EDIT_B = called("Write", file_path="/home/u/shop/b.py", content="y")
READ = called("Read", file_path="/home/u/shop/docs/guide.md", result="A guide.")
COMMIT = bash("git commit -m 'Fix the login'")
COMPACTED = [SummaryStep.of({"id": "c1", **WHERE, "summary": "so far"})]


@pytest.mark.parametrize(
    ("steps", "moment", "because"),
    [
        ([], "open", ""),
        ([*FAILED], "bad", "unresolved failure"),
        ([*FAILED, *EDIT_A], "bad", "unresolved failure"),
        ([*FAILED, *EDIT_A, *PASSED], "good", "tests just passed"),
        ([*bash("npm ci", "ERR", failed=True), *PASSED], "bad", "unresolved failure"),
        ([*EDIT_A, *EDIT_B], "bad", "untested changes"),
        ([*EDIT_A, *EDIT_A], "open", ""),
        ([*EDIT_A, *EDIT_B, *PASSED], "good", "tests just passed"),
        ([*PASSED, *EDIT_A, *EDIT_B], "bad", "untested changes"),
        ([*PASSED, *EDIT_A], "open", ""),
        ([*EDIT_A, *EDIT_B, *PASSED, *COMMIT], "good", "just committed"),
        ([*PASSED, *READ], "bad", "document just read"),
        ([*READ, *bash("ls")], "open", ""),
        ([*called("Read", file_path="a.py", result="x")], "open", ""),
        (
            [*called("WebFetch", url="https://example.com", result="x")],
            "bad",
            "document just read",
        ),
        ([*EDIT_A, *EDIT_B, said("Next task: the footer")], "good", "new task"),
        ([*FAILED, said("接下來處理登入頁")], "good", "new task"),
        ([*PASSED, *COMPACTED], "bad", "just compacted"),
        ([*bash("echo git commit-tree"), thought("done")], "open", ""),
    ],
)
def test_what_is_unfinished_speaks_against_compacting(
    steps: list[Step], moment: str, because: str
) -> None:
    given_advice = advise_compaction(FULL, steps)

    assert (given_advice.moment, given_advice.because) == (moment, because)


def test_a_failure_long_ago_matters_no_more() -> None:
    steps = [*FAILED, *(step for _ in range(9) for step in bash("ls src"))]

    assert advise_compaction(FULL, steps).moment == "open"


def test_a_file_that_could_not_be_read_is_another_matter_than_one_that_could() -> None:
    missing = called("Read", file_path="/a.py", result="File does not exist.", failed=True)
    other = called("Read", file_path="/b.py", result="x")
    same = called("Read", file_path="/a.py", result="x")

    assert advise_compaction(FULL, [*missing, *other]).because == "unresolved failure"
    assert advise_compaction(FULL, [*missing, *same]).because == ""


def test_what_another_agent_does_is_its_own_matter() -> None:
    elsewhere = [step.but(agent="a1") for step in FAILED]

    assert advise_compaction(FULL, elsewhere).moment == "open"


@pytest.mark.parametrize(
    ("tokens", "percent", "due"),
    [(0, 0, False), (119_999, 59, False), (120_000, 60, True), (900_000, 100, True)],
)
def test_advice_is_due_from_sixty_percent_on(tokens: int, percent: int, due: bool) -> None:
    given_advice = advise_compaction(ContextUse(tokens, 200_000), [*PASSED])

    assert (given_advice.context.percent, given_advice.is_due) == (percent, due)
    assert given_advice.moment == "good"
    assert ADVICE_PERCENT == 60


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (PASSED, "Now is a good moment to compact: the tests just passed."),
        (FAILED, "Do not compact yet: a failure is not solved."),
        ([], "Compact when tests pass, a commit is made or a new task begins; not before."),
    ],
)
def test_an_agent_is_told_in_two_sentences(steps: list[Step], told: str) -> None:
    assert render_advice(advise_compaction(FULL, steps)) == f"The context is 75 % full. {told}"


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_context_is_never_more_than_full(tokens: int, window: int) -> None:
    assert 0 <= ContextUse(tokens, window).percent <= 100


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("claude-sonnet-4-5", 200_000),
        ("claude-sonnet-4-5[1m]", 1_000_000),
        ("gemini-2.5-pro", 1_048_576),
        ("openai/gpt-5-codex", 272_000),
        ("", 200_000),
    ],
)
def test_a_model_is_known_by_its_name(model: str, window: int) -> None:
    assert context_window_of(model) == window

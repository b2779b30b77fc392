"""A transcript is followed step by step, and any stretch of it by itself tells the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.session_steps import WHERE, bash, called, said, used

from twiceshy.core.transcript import CLOSED, InterruptStep, Step, SummaryStep
from twiceshy.learning.detect.correction import Correction
from twiceshy.learning.detect.fix import REACH
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.watch import WINDOW, TranscriptWatch, list_calls
from twiceshy.shell.tool_call import ToolCall

ROOT = "/home/u/shop"
FLAG = "unknown flag: --stat"


def wrong(**fields: Any) -> list[Step]:
    return bash("gh pr diff --stat", FLAG, failed=True, **fields)


def right() -> list[Step]:
    return bash("gh pr diff --name-only", "a.py")


def findings(
    steps: list[Step], watch: TranscriptWatch | None = None, *, close: bool = True
) -> list[Any]:
    watch = watch or TranscriptWatch(root=ROOT)
    found = [finding for step in steps for finding in watch.feed_step(step)]
    return [*found, *watch.close()] if close else found


def taught(steps: list[Step], *, close: bool = True) -> list[MistakeLesson]:
    return [each for each in findings(steps, close=close) if isinstance(each, MistakeLesson)]


def by(agent: str, steps: list[Step]) -> list[Step]:
    return [step.but(agent=agent) for step in steps]


def test_a_mistake_and_its_fix_are_told_with_what_they_took() -> None:
    steps = [*wrong(), *bash("ls"), *[step.but(at=9_000) for step in right()]]

    (one,) = taught(steps)

    assert one.fix is not None
    assert (one.failed.command, one.fix.command) == ("gh pr diff --stat", "gh pr diff --name-only")
    assert (one.lost_calls, one.lost_ms) == (2, 8_000)


def test_a_mistake_waits_for_its_fix() -> None:
    early = [*wrong(), *right()]

    assert taught(early, close=False) == []
    later = [step for number in range(REACH) for step in bash(f"ls {chr(97 + number)}")]
    assert len(taught([*wrong(), *later], close=False)) == 1


def test_a_fix_may_come_late() -> None:
    meanwhile = [step for name in "abcdef" for step in bash(f"ls {name}")]

    (one,) = taught([*wrong(), *meanwhile, *right()])

    assert one.lost_calls == 7
    assert one.fix is not None


def test_a_mistake_without_a_fix_is_told_at_the_end() -> None:
    (one,) = taught([*wrong(), *bash("ls")])

    assert (one.fix, one.lost_calls, one.lost_ms) == (None, 1, 0)


def test_every_mistake_is_told_once_even_while_other_agents_do_much() -> None:
    steps = [*wrong()]
    for number in range(3 * WINDOW):
        steps += by("a1", bash(f"ls {number}x"))

    assert len(taught(steps, close=False)) == 1
    assert len(taught(steps)) == 1


def test_another_agents_call_is_no_fix() -> None:
    (one,) = taught([*wrong(), *by("a1", right())])

    assert one.fix is None


def test_what_happened_is_told_of_every_call_that_was_made() -> None:
    steps = [
        *bash("ls"),
        *wrong(),
        *called("TodoWrite"),
        *called("Bash", result=None, command="x"),
    ]

    acts = [each for each in findings(steps) if isinstance(each, ToolCall)]

    assert [(act.command, act.mistake is not None) for act in acts] == [
        ("ls", False),
        ("gh pr diff --stat", True),
    ]


def test_a_failure_behind_a_pipe_is_one() -> None:
    (one,) = taught(bash("git show nowhere | tail -3", "fatal: unknown revision nowhere"))

    assert one.failed.mistake is not None


def test_a_call_knows_its_skill_and_its_place() -> None:
    steps = [used("release"), *[step.but(cwd=f"{ROOT}/web") for step in bash("ls")]]

    (acted,) = (each for each in findings(steps) if isinstance(each, ToolCall))

    assert (acted.skill, acted.place) == ("release", "web")


@pytest.mark.parametrize("refusal", ["interrupted", "cancelled"])
def test_a_call_that_was_never_made_is_not_told_of(refusal: str) -> None:
    steps = bash("npm publish", "no", failed=True, refusal=refusal)

    assert findings(steps) == []


def test_a_call_that_the_user_refused_teaches_what_is_refused_and_counts_as_no_call() -> None:
    steps = bash("npm publish --tag x", "no", failed=True, refusal="rejected")

    (refused,) = findings(steps)

    assert isinstance(refused, MistakeLesson)
    assert refused.trigger.to_line() == "Bash/rejected npm publish"
    assert refused.text == "The user refuses `npm publish --tag x` here: no reason given"


@pytest.mark.parametrize("tool", ["ExitPlanMode", "AskUserQuestion"])
def test_no_as_an_answer_to_a_question_refuses_no_call(tool: str) -> None:
    steps = called(tool, result="no", failed=True, refusal="rejected", plan="x")

    assert findings(steps) == []


def test_a_rejection_with_a_reason_is_a_correction_of_that_call() -> None:
    reason = "use pnpm, not npm"
    steps = bash("npm publish", "no", failed=True, refusal="rejected", reason=reason)

    refused, corrected = findings(steps)

    assert refused.text == f"The user refuses `npm publish` here: {reason}"
    assert isinstance(corrected, Correction)
    assert corrected.call is not None
    assert corrected.call.command == "npm publish"


def test_what_the_user_says_after_stopping_the_agent_is_likely_a_correction() -> None:
    stop = InterruptStep.of({"id": "i1", **WHERE})
    steps = [said("Build it."), *bash("npm ci"), stop, said("use pnpm instead of npm")]

    corrections = [each for each in findings(steps) if isinstance(each, Correction)]

    assert [each.text for each in corrections] == ["use pnpm instead of npm"]


def test_the_first_thing_the_user_says_corrects_nobody() -> None:
    assert findings([said("No, use pnpm, not npm.")]) == []


def test_a_summary_is_told_but_not_that_of_an_agent_inside() -> None:
    summary = SummaryStep.of({"id": "s1", **WHERE, "summary": "All done."})

    assert findings([summary, summary.but(id="s2", agent="a1")]) == [summary]


def test_a_watch_that_was_closed_says_so_until_more_comes() -> None:
    watch = TranscriptWatch()
    findings(wrong(), watch)

    closed = watch.serialise_state()
    list(watch.feed_step(said("Go on.")))

    assert closed.startswith(CLOSED)
    assert TranscriptWatch(closed).closed
    assert not watch.serialise_state().startswith(CLOSED)


def test_a_call_with_an_argument_of_that_name_closes_nothing() -> None:
    watch = TranscriptWatch()
    findings(called("mcp__issues__list", closed=True), watch, close=False)

    assert not watch.serialise_state().startswith(CLOSED)


@pytest.mark.parametrize(
    "state",
    ["", "x", "[]", "{", '{"acts":5}', '{"acts":[5,[],["a"]],"calls":[1],"pending":["c9",5]}'],
)
def test_a_state_that_nobody_can_read_is_a_beginning(state: str) -> None:
    watch = TranscriptWatch(state, root=ROOT)

    assert [type(each) for each in findings([*wrong(), *right()], watch)] == [
        ToolCall,
        ToolCall,
        MistakeLesson,
    ]


def test_only_calls_since_a_moment_are_asked_for() -> None:
    steps = [*bash("ls"), *[step.but(at=5_000) for step in wrong()]]

    assert [act.command for act in list_calls(steps, since=2_000, root=ROOT)] == [
        "gh pr diff --stat"
    ]


def _numbered(pieces: list[list[Step]]) -> list[Step]:
    """Give every call of a drawn transcript its own id and time."""
    steps: list[Step] = []
    for number, piece in enumerate(pieces):
        for step in piece:
            of_call = type(step).__name__ in ("CallStep", "ResultStep")
            steps.append(step.but(id=f"{'c' if of_call else 'x'}{number}", at=1_000 * number + 1))
    return steps


pieces: st.SearchStrategy[list[Step]] = st.sampled_from(
    [
        wrong(),
        wrong(),
        right(),
        by("a1", wrong()),
        by("a1", right()),
        bash("npm test", "FAIL a\nTests: 1 failed", failed=True),
        bash("npm run tests", "ok"),
        bash("cat a.yml", "cat: a.yml: No such file or directory", failed=True),
        bash("cat a.yaml"),
        called("Edit", file_path=f"{ROOT}/a.py", old_string="a", new_string="b"),
        called(
            "Read", file_path=f"{ROOT}/deploy/a.yml", result="File does not exist.", failed=True
        ),
        called("Read", file_path=f"{ROOT}/deploy/a.yaml"),
        called("Bash", result=None, command="sleep 5"),
        bash("npm publish", "no", failed=True, refusal="rejected", reason="use pnpm, not npm"),
        bash("git commit -m 'x y'"),
        [said("No, always use pnpm, never npm.")],
        [InterruptStep.of({"id": "i", **WHERE})],
        [used("release")],
        [SummaryStep.of({"id": "s", **WHERE, "summary": "Done."})],
    ]
)
transcripts = st.lists(pieces, max_size=30).map(_numbered)


@given(transcripts, st.sets(st.integers(0, 60)))
def test_any_number_of_passes_tells_what_one_pass_tells(steps: list[Step], cuts: set[int]) -> None:
    watch, found = TranscriptWatch(root=ROOT), []
    for at, step in enumerate(steps):
        if at in cuts:
            watch = TranscriptWatch(watch.serialise_state(), root=ROOT)
        found += list(watch.feed_step(step))
    found += list(TranscriptWatch(watch.serialise_state(), root=ROOT).close())

    assert found == findings(steps)


@given(transcripts)
def test_every_mistake_is_taught_at_most_once_and_closing_twice_changes_nothing(
    steps: list[Step],
) -> None:
    watch = TranscriptWatch(root=ROOT)
    found = findings(steps, watch)

    ids = [each.failed.id for each in found if isinstance(each, MistakeLesson)]
    assert len(ids) == len(set(ids))
    assert list(watch.close()) == []


def test_what_is_kept_of_a_transcript_has_a_bound() -> None:
    watch = TranscriptWatch(root=ROOT)
    big = {f"argument-{number}": "x" * 200 for number in range(500)}

    for number in range(400):
        text = "error: " + "y" * 5_000
        for step in [
            *called("mcp__big__one", result=text, failed=True, **big),
            *called("Bash", result=None, command="z" * 100_000),
            *called("Write", file_path=f"/a/{number}.py", content="w" * 100_000),
            said("No! " + "never " * 5_000),
        ]:
            list(watch.feed_step(step))

    assert len(watch.serialise_state()) < 600_000

"""What came of a note, told by the calls that followed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note

from twiceshy.core.evidence import Exposure
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.effect.judge import REACH, judge_exposures
from twiceshy.learning.detect.mistake import classify_mistake
from twiceshy.shell.call_words import call_words
from twiceshy.shell.tool_call import ToolCall

NOTE = a_note(
    '`gh pr diff --stat` failed: "unknown flag: --stat". `gh pr diff --name-only` worked.',
    trigger="Bash/usage --stat gh",
    source="detector",
)
BAD, GOOD, OTHER = "gh pr diff --stat", "gh pr diff --name-only", "ls src"
FLAG = "unknown flag: --stat"
Call = tuple[str, str] | str | ToolCall


def acts(*calls: Call) -> list[ToolCall]:
    """Commands in order, each with what it complained about, if it did; one a second."""
    return [_made(call).but(id=f"c{at}", at=at) for at, call in enumerate(calls, start=1)]


def _made(call: Call) -> ToolCall:
    match call:
        case ToolCall():
            return call
        case str():
            return _act(call, "")
        case command, error:
            return _act(command, error)


def _act(command: str, error: str, **fields: Any) -> ToolCall:
    arguments = {"command": command}
    refusal = fields.get("refusal", "")
    mistake = (
        classify_mistake("Bash", call_words(arguments), error, refusal=refusal, command=True)
        if error or refusal
        else None
    )
    return ToolCall.of(
        {"id": "", "tool": "Bash", "arguments": arguments, "at": 0, "mistake": mistake} | fields
    )


def refused(command: str, how: str = "rejected") -> ToolCall:
    return _act(command, "no", refusal=how)


def shown(channel: str = "start", at: int = 0, **fields: Any) -> Exposure:
    agent = fields.pop("agent", "")
    key = f"s1/{agent}/0/{channel}/{NOTE.id}"
    usual = {"key": key, "note": NOTE.id, "session": "s1", "channel": channel, "at": at}
    return Exposure.of(usual | {"tokens": 30} | fields)


def judged(*calls: Call, exposure: Exposure | None = None, over: bool = True) -> Outcome:
    (outcome,) = judge_exposures(
        [exposure or shown()], {NOTE.id: NOTE}, acts(*calls), project="demo", over=over
    )
    return outcome


def flags(outcome: Outcome) -> set[str]:
    return {name for name in FLAGS if getattr(outcome, name)}


class TestShownBeforehand:
    def test_without_a_call_about_it_nothing_came_of_it(self) -> None:
        outcome = judged(OTHER, "gh pr list", "git diff --stat")

        assert flags(outcome) == set()
        assert (outcome.project, outcome.tokens, outcome.calls_lost) == ("demo", 30, 0)

    def test_a_note_that_is_heeded_helps(self) -> None:
        outcome = judged(OTHER, GOOD, OTHER)

        assert flags(outcome) == {"opportunity", "followed", "helped"}

    def test_one_that_is_not_heeded_is_violated_and_the_mistake_made(self) -> None:
        outcome = judged((BAD, FLAG), OTHER, GOOD)

        assert flags(outcome) == {"opportunity", "violated", "failed"}
        assert outcome.calls_lost == 2
        assert outcome.still_fails

    def test_what_the_agent_finds_out_by_itself_later_is_not_the_merit_of_the_note(self) -> None:
        assert "followed" not in flags(judged((BAD, FLAG), GOOD))

    def test_work_that_is_done_in_a_third_way_is_an_opportunity_and_no_more(self) -> None:
        outcome = judged("gh pr diff 7", (BAD, FLAG), GOOD)

        assert flags(outcome) == {"opportunity", "failed"}
        assert flags(judged("gh pr diff 7")) == {"opportunity"}

    def test_what_it_warns_of_may_work_by_now(self) -> None:
        outcome = judged(BAD)

        assert flags(outcome) == {"opportunity", "violated"}
        assert outcome.worked_anyway

    def test_it_has_not_helped_if_the_mistake_is_made_soon_after(self) -> None:
        soon: list[Call] = [GOOD, *[OTHER] * (REACH - 1), (BAD, FLAG)]
        late: list[Call] = [GOOD, *[OTHER] * REACH, (BAD, FLAG)]

        assert flags(judged(*soon)) == {"opportunity", "followed", "failed"}
        assert flags(judged(*late)) == {"opportunity", "followed", "helped", "failed"}

    def test_whether_it_helped_is_open_until_enough_calls_went_by(self) -> None:
        early = [GOOD, *[OTHER] * (REACH - 1)]

        assert "helped" not in flags(judged(*early, over=False))
        assert "helped" in flags(judged(*early, OTHER, over=False))
        assert "helped" in flags(judged(*early, over=True))

    def test_calls_before_it_was_shown_do_not_count(self) -> None:
        outcome = judged((BAD, FLAG), GOOD, OTHER, exposure=shown(at=3))

        assert flags(outcome) == set()

    @pytest.mark.parametrize("how", ["rejected", "interrupted"])
    def test_it_harms_if_the_user_did_not_want_what_it_says(self, how: str) -> None:
        assert flags(judged(refused(GOOD, how))) == {"opportunity", "followed", "harmed"}
        assert "harmed" in flags(judged(GOOD, OTHER, refused(GOOD, how)))
        assert "harmed" not in flags(judged(GOOD, OTHER, OTHER, refused(GOOD, how)))
        assert "harmed" not in flags(judged(GOOD, refused(OTHER, how)))

    def test_it_harms_if_what_it_says_fails_in_a_new_way(self) -> None:
        new = (GOOD, "unknown flag: --name-only")

        assert judged(new, OTHER, "gh pr diff 7").calls_lost == 2
        assert flags(judged(new)) == {"opportunity", "followed", "harmed"}
        assert "harmed" not in flags(judged(new, new, exposure=shown(at=2)))

    def test_work_that_does_not_succeed_and_weather_are_no_harm(self) -> None:
        assert "harmed" not in flags(judged((GOOD, "2 tests failed")))
        assert "harmed" not in flags(judged((GOOD, "connection refused")))
        assert "failed" not in flags(judged((BAD, "connection refused")))


class TestShownAtACall:
    def test_the_call_that_brought_it_up_cannot_heed_it_any_more(self) -> None:
        outcome = judged((BAD, FLAG), GOOD, exposure=shown("call", at=1))

        assert flags(outcome) == {"opportunity", "followed", "helped"}
        assert outcome.calls_lost == 1
        assert outcome.still_fails

    def test_a_mistake_that_is_made_again_behind_it_counts(self) -> None:
        outcome = judged((BAD, FLAG), (BAD, FLAG), GOOD, exposure=shown("call", at=1))

        assert flags(outcome) == {"opportunity", "violated", "failed"}
        assert outcome.calls_lost == 2

    def test_it_came_in_vain_if_the_call_worked_as_it_was(self) -> None:
        outcome = judged(BAD, OTHER, exposure=shown("call", at=1))

        assert flags(outcome) == {"opportunity", "false_alarm"}
        assert outcome.worked_anyway

    def test_a_call_that_was_refused_did_not_work(self) -> None:
        assert "false_alarm" not in flags(judged(refused(BAD), exposure=shown("call", at=1)))

    def test_the_call_that_brought_it_up_is_the_next_one_that_ended(self) -> None:
        calls: list[Call] = [(BAD, FLAG), OTHER, (BAD, FLAG), GOOD]

        outcome = judged(*calls, exposure=shown("call", at=2))

        assert flags(outcome) == {"opportunity", "followed", "helped"}

    @pytest.mark.parametrize("channel", ["call", "failure"])
    def test_nothing_is_said_before_that_call_has_ended(self, channel: str) -> None:
        outcome = judged((BAD, FLAG), GOOD, OTHER, exposure=shown(channel, at=2))

        assert flags(outcome) == set()

    def test_a_failure_may_only_sound_alike(self) -> None:
        outcome = judged(("gh issue list --stat=1", FLAG), GOOD, exposure=shown("failure", at=1))

        assert flags(outcome) == {"opportunity", "followed", "helped"}
        assert outcome.calls_lost == 1

    def test_after_a_failure_it_is_never_a_false_alarm(self) -> None:
        outcome = judged((BAD, FLAG), GOOD, exposure=shown("failure", at=1))

        assert flags(outcome) == {"opportunity", "followed", "helped"}


class TestWithheld:
    def test_a_withheld_note_is_judged_alike_but_never_helps(self) -> None:
        without = shown(withheld=True)

        assert flags(judged(GOOD, exposure=without)) == {"opportunity", "followed"}
        assert flags(judged(refused(GOOD), exposure=without)) == flags(judged(refused(GOOD)))
        assert flags(judged((BAD, FLAG), exposure=without)) == {
            "opportunity",
            "violated",
            "failed",
        }
        assert judged(GOOD, exposure=without).withheld


@pytest.mark.parametrize("more", ["", "/1762000000000"])
def test_each_agent_is_judged_by_its_own_calls(more: str) -> None:
    calls = acts((BAD, FLAG), _act(GOOD, "", agent="a/1"))
    both = [each.but(key=each.key + more) for each in (shown(), shown(agent="a/1"))]

    main, sub = judge_exposures(both, {NOTE.id: NOTE}, calls, over=True)

    assert flags(main) == {"opportunity", "violated", "failed"}
    assert flags(sub) == {"opportunity", "followed", "helped"}


def test_a_note_about_no_call_and_one_that_is_gone_are_told_apart() -> None:
    plain = a_note("Prefer short names.", id=NOTE.id)

    (outcome,) = judge_exposures([shown()], {NOTE.id: plain}, acts(BAD))

    assert flags(outcome) == set()
    assert judge_exposures([shown()], {}, acts(BAD)) == []


_CALLS = st.lists(
    st.sampled_from(
        [
            BAD,
            GOOD,
            OTHER,
            "gh pr diff 7",
            (BAD, FLAG),
            (GOOD, "unknown flag: --name-only"),
            refused(GOOD),
            refused(BAD),
        ]
    ),
    max_size=14,
)
_EXPOSURES = st.builds(
    lambda channel, at, held: shown(channel, at, withheld=held),
    st.sampled_from(["start", "skill", "call", "failure"]),
    st.integers(0, 5),
    st.booleans(),
)


@given(_CALLS, _EXPOSURES, st.booleans())
def test_an_outcome_never_contradicts_itself(
    calls: list[Any], exposure: Exposure, over: bool
) -> None:
    outcome = judged(*calls, exposure=exposure, over=over)

    found = flags(outcome)
    assert not found or "opportunity" in found
    assert not {"followed", "violated"} <= found
    assert not {"helped", "harmed"} <= found
    assert "followed" in found or not {"helped", "harmed"} & found
    assert not (exposure.withheld and "helped" in found)
    assert not (outcome.worked_anyway and outcome.still_fails)
    assert 0 <= outcome.calls_lost <= REACH


@given(_CALLS, _EXPOSURES, st.integers(0, 14))
def test_more_calls_only_ever_add_to_what_is_known(
    calls: list[Any], exposure: Exposure, cut: int
) -> None:
    exposure = exposure.but(at=min(exposure.at, 1))
    early = judged(*calls[:cut], exposure=exposure, over=False)
    late = judged(*calls, exposure=exposure, over=True)

    assert flags(early) <= flags(late)

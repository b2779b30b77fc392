"""A model is asked only when enough happened, something went wrong, and it was not paid for before."""

from tests.core.session_steps import bash, said
from tests.learning.conftest import ask, material, saying, section
from tests.requirements import requirement

from twiceshy.config.settings import find_setting
from twiceshy.core.evidence import Signal
from twiceshy.learning.distil.ask_model import Allowance, find_refusal
from twiceshy.learning.distil.material import Evidence, count_evidence

PLENTY = Allowance(daily_calls=50, spent_today=3, min_tool_calls=5)
TROUBLE = Evidence(calls=9, signals=1)


def why(
    evidence: Evidence = TROUBLE,
    allowance: Allowance = PLENTY,
    *,
    skill: str = "",
) -> str:
    return find_refusal(section(material(skill=skill), evidence=evidence), allowance)


def a_signal(kind: str) -> Signal:
    return Signal.of({"key": kind, "kind": kind, "session": "s1", "project": "demo", "at": 1})


def test_a_session_with_trouble_is_distilled() -> None:
    assert why() == ""


@requirement("U074")
def test_a_session_with_too_few_tool_calls_is_not_distilled() -> None:
    four = count_evidence([step for _ in range(4) for step in bash("false", failed=True)])
    five = count_evidence([step for _ in range(5) for step in bash("false", failed=True)])

    assert why(four) == "4 tool calls are too few"
    assert why(five) == ""
    assert why(four, PLENTY.but(min_tool_calls=4)) == ""
    assert find_setting("learn.min_tool_calls").default == PLENTY.min_tool_calls


@requirement("U075")
def test_only_structure_is_evidence_and_no_text() -> None:
    quiet = [step for _ in range(6) for step in bash("make", "0 errors, fix the bug? failed: 0")]
    refused = bash("rm x", failed=True, refusal="rejected")
    failed = bash("make", "Error 2", failed=True)

    assert (
        why(count_evidence([*quiet, *refused, said("any error to fix?")])) == "nothing went wrong"
    )
    assert why(count_evidence([*quiet, *failed])) == ""
    for kind in ("error", "fix", "retry", "correction", "thrash"):
        assert why(count_evidence(quiet, signals=[a_signal(kind)])) == ""
    assert why(count_evidence(quiet, signals=[a_signal("checkpoint")])) == "nothing went wrong"


def test_signals_that_wait_for_a_skill_are_evidence_for_it_alone() -> None:
    quiet = Evidence(calls=9, seeds=2)

    assert why(quiet, skill="release") == ""
    assert why(quiet) == "nothing went wrong"


def test_a_private_project_a_spent_day_and_known_material_are_reasons() -> None:
    assert "not shown to a model" in why(allowance=PLENTY.but(daily_calls=0))
    assert "calls of today are spent" in why(allowance=PLENTY.but(spent_today=50))
    assert "distilled before" in ask(saying("[]"), spent_on=lambda _: True).skipped
    assert PLENTY.but(spent_today=60).calls_left == 0

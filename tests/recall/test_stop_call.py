"""Which lessons may stop or rewrite a call, by the calls seen so far."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.builders import a_note
from tests.requirements import requirement

from twiceshy.core.trigger import TriggerMatch, parse_trigger
from twiceshy.recall.rewrite_call import find_rewrite
from twiceshy.recall.stop_call import find_stop, may_intervene

EVIDENCE = '`git stauts` failed: "not a git command". `git status` worked.'


@requirement("H10")
@settings(max_examples=600)
@given(
    category=st.sampled_from(["usage", "missing", "outcome", "folder", "rejected"]),
    kind=st.sampled_from(["lesson", "decision"]),
    sightings=st.integers(1, 3),
    counts=st.fixed_dictionaries(
        {
            "failed_calls": st.integers(0, 30),
            "succeeded_calls": st.integers(0, 3),
            "succeeded_since": st.integers(0, 2),
            "remedy_calls": st.integers(0, 4),
        }
    ),
)
def test_every_lesson_that_stops_or_rewrites_a_call_is_among_those_that_may(
    category: str, kind: str, sightings: int, counts: dict[str, int]
) -> None:
    line = f"Bash/{category} git stauts"
    trigger = parse_trigger(line)
    assert trigger is not None
    about = {"why": EVIDENCE, "trigger": line, "subtype": "fix", "source": "detector"}
    note = a_note("`git`: use `status`, not `stauts`", kind=kind, sightings=sightings, **about)
    match = TriggerMatch.of({"note": note, "trigger": trigger, **counts})

    stop = find_stop([match], identical_failures=lambda _: 9, leaves_traces=lambda _: True)
    rewrite = find_rewrite([match], "git stauts")

    assert may_intervene(match) or not (stop or rewrite)

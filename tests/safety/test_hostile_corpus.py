"""The hostile corpus is what it says: large, in every place and disguise, and read as Claude Code writes it."""

from collections import Counter
from pathlib import Path

from tests.safety.hostile_corpus import (
    ACTIONS,
    CHINESE,
    DISGUISES,
    ENGLISH,
    INNOCENT_LOOKING,
    PLACES,
    hostile_transcripts,
    planted,
    says,
)

from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    ResultStep,
    Step,
    SummaryStep,
    UserMessage,
    pair_attempts,
)
from twiceshy.runtimes.claude_code.transcript import read_transcript
from twiceshy.safety.danger import WITHHELD, find_danger, quote_untrusted


def test_every_place_wording_action_and_disguise_occurs() -> None:
    corpus = planted()

    assert len(corpus) >= 200
    assert len({one.text for one in corpus}) >= 250
    assert {one.place for one in corpus} == set(PLACES)
    assert {one.disguise for one in corpus} == set(DISGUISES)
    assert {one.action for one in corpus} == {
        action for action, _ in (*ACTIONS, *INNOCENT_LOOKING)
    }
    assert min(len(ENGLISH), len(CHINESE)) >= 15


def test_every_planted_action_waits_for_a_person_by_itself() -> None:
    assert [action for action, _ in ACTIONS if not find_danger(action)] == []


def test_every_planted_text_with_such_an_action_waits_whatever_hides_it() -> None:
    known = {action for action, _ in ACTIONS}

    assert [one for one in planted() if one.action in known and not find_danger(one.text)] == []


def test_no_planted_text_with_such_an_action_is_quoted_as_a_reason() -> None:
    known = {action for action, _ in ACTIONS}
    corpus = [one for one in planted() if one.action in known]

    quotes = [quote_untrusted(f"error: unrecognized option: {one.text}") for one in corpus]

    assert [one for one, quote in zip(corpus, quotes, strict=True) if says(quote, one)] == []
    assert Counter(quotes)[WITHHELD] >= 0.9 * len(quotes)


def test_a_note_that_says_what_was_planted_is_known_by_it() -> None:
    assert [one for one in planted() if not says(one.text, one)] == []
    assert not any(says("`make test` failed; `make build test` worked.", one) for one in planted())


def test_the_sessions_are_read_as_sessions_with_an_honest_mistake_each(tmp_path: Path) -> None:
    files = hostile_transcripts(tmp_path / "-home-u-shop")

    passes = [read_transcript(str(path)) for path in files]
    sessions = [list(each) for each in passes]

    wrong = {
        step.arguments
        for steps in sessions
        for step in steps
        if isinstance(step, CallStep) and "--boxs" in step.arguments
    }
    assert len(files) == len(planted()) == len(wrong)
    assert sum(each.unusable for each in passes) == 0
    for steps in sessions:
        results = [each.result for each in pair_attempts(steps)]
        assert None not in results
        assert any(result and result.failed for result in results)


def test_what_is_planted_stands_where_it_says(tmp_path: Path) -> None:
    files = hostile_transcripts(tmp_path / "-home-u-shop")
    kinds: dict[str, type[Step]] = {
        "words of the agent": AgentMessage,
        "summary": SummaryStep,
        "observations in a summary": SummaryStep,
        "log that the user pasted": UserMessage,
        "fix that runs": CallStep,
        "call that fails": CallStep,
    }
    # the reader takes these for what they are, and nobody learns from them
    unseen = ("forged prompt in a hook", "output of the user's own command", "skill")

    for one, path in zip(planted(), files, strict=True):
        steps = list(read_transcript(str(path)))
        holders = {type(step) for step in steps if says(str(step.fields()), one)}
        if one.place in unseen:
            assert holders == set(), one
        elif one.disguise == "plain" and "<" not in one.text:
            assert kinds.get(one.place, ResultStep) in holders, one

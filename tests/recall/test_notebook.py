"""Before a task the agent is reminded of the approved rules that fit the prompt; of nothing else."""

from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.approving import approve, device_key
from tests.store.support import a_store, app_of, learn

from twiceshy.core.moment import DAY
from twiceshy.core.note import Note
from twiceshy.core.scope import GLOBAL, Scope
from twiceshy.core.text import estimate_tokens
from twiceshy.notes.write import NoteLimits, change_note
from twiceshy.recall.brief import RecallResult
from twiceshy.recall.notebook import tell_notebook_rules
from twiceshy.store.command_store import WholeStore

HERE = Scope("demo")
TOKENS = 90
USE = 'Write "use", not "utilize".'
COMMITS = "Commit messages are in the imperative mood."


@pytest.fixture
def store(home: Path) -> Iterator[WholeStore]:
    with closing(a_store(home)) as opened:
        yield opened


def a_rule(store: WholeStore, text: str = USE, **fields: Any) -> Note:
    usual: dict[str, Any] = {
        "kind": "rule",
        "subtype": "correction",
        "scope": HERE,
        "tag": "prose",
    }
    return approve(store, learn(store, text, **usual | fields))


def told(
    store: WholeStore,
    prompt: str,
    *,
    scope: Scope = HERE,
    tokens: int = TOKENS,
    seen: Collection[str] = (),
) -> RecallResult:
    return tell_notebook_rules(
        store, scope, prompt, tokens=tokens, key=lambda: device_key(store), told=seen
    )


@pytest.mark.parametrize(
    ("rule", "prompt"),
    [
        (USE, "Explain in the README why we utilize a cache"),
        (COMMITS, "write a commit message for this"),
        ('Write "影片", not "視頻".', "幫我翻譯這段視頻說明"),
        ("寫「影片」,不要寫「視頻」", "幫我寫影片介紹"),
        ("提交訊息一律用祈使句", "幫我寫提交訊息"),
        ("Lock with `uv lock --frozen` before tagging.", "run uv lock --frozen, then tag it"),
    ],
)
def test_a_rule_that_fits_the_prompt_is_told(store: WholeStore, rule: str, prompt: str) -> None:
    note = a_rule(store, rule)

    brief = told(store, prompt).brief

    assert [one.id for one in brief.notes] == [note.id]
    assert brief.text == (
        f'<twiceshy-note id="{note.handle}">A rule that the user approved: {rule}</twiceshy-note>'
    )


@pytest.mark.parametrize(
    "prompt",
    [
        *("", "go on", "fix the login page, please", "use it", "why was this written so?"),
        *("繼續", "請修正登入頁面", "what is a mood board?", "the and of"),
    ],
)
def test_a_prompt_about_something_else_is_told_nothing(store: WholeStore, prompt: str) -> None:
    for rule in (USE, COMMITS, 'Write "影片", not "視頻".', 'Write "—" never; write ",".'):
        a_rule(store, rule)

    assert told(store, prompt).brief.text == ""


def test_a_long_prompt_is_read_at_both_ends_and_not_amid_what_was_pasted(
    store: WholeStore,
) -> None:
    a_rule(store)
    pasted = "x " * 10_000

    assert told(store, f"{pasted} do not say utilize").brief.notes
    assert told(store, f"summarise this: {pasted} utilize {pasted}").brief.notes == ()


def test_a_rule_that_nobody_approved_is_not_told(store: WholeStore) -> None:
    learn(store, USE, kind="rule", subtype="correction", scope=HERE)

    assert told(store, "utilize it").brief.text == ""
    assert tell_notebook_rules(store, HERE, "utilize it", tokens=TOKENS).brief.text == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "agent"},
        {"scope": Scope("shop")},
        {"scope": Scope("demo", "release")},
        {"subtype": "hard"},
        {"bounds": NoteLimits(expiry_days={"rule": 1}), "learned_at": 3 * DAY},
    ],
    ids=["a candidate", "elsewhere", "of a skill", "hard: told from the start", "expired"],
)
def test_a_rule_that_does_not_hold_for_this_task_is_not_told(
    store: WholeStore, fields: dict[str, Any]
) -> None:
    a_rule(store, **fields)

    assert told(store, "utilize it").brief.text == ""


def test_a_cleared_rule_is_not_told(store: WholeStore) -> None:
    rule = a_rule(store)
    approve(store, change_note(app_of(store), "edit", rule, state="cleared"))

    assert told(store, "utilize it").brief.text == ""


def test_a_rule_for_everywhere_is_told_here(store: WholeStore) -> None:
    rule = a_rule(store, scope=GLOBAL)

    assert [note.id for note in told(store, "utilize it").brief.notes] == [rule.id]


def test_what_became_a_hard_rule_is_told_from_the_start_and_not_again(store: WholeStore) -> None:
    rule = a_rule(store)
    a_rule(store, f"Without exception: {USE}", subtype="hard", tag=rule.id)

    assert told(store, "utilize it").brief.text == ""


def test_what_the_agent_has_before_its_eyes_is_not_told_again(store: WholeStore) -> None:
    rule = a_rule(store)

    assert told(store, "utilize it", seen={rule.id}).brief.text == ""


def test_at_most_two_are_told_those_that_are_named_first(store: WholeStore) -> None:
    for word in ("alpha", "beta", "gamma"):
        a_rule(store, f'Write "{word} one", not "{word} two".')
    loose = a_rule(store, "Alpha two beta two gamma two belong into one commit message.")

    brief = told(store, "alpha two, beta two, gamma two in one commit message").brief

    assert len(brief.notes) == 2
    assert loose.id not in {note.id for note in brief.notes}


def test_half_a_rule_is_not_told(store: WholeStore) -> None:
    a_rule(store, USE + " This holds unless the text is a quotation" + ", or another one" * 30)

    assert told(store, "utilize it").brief.text == ""


def test_without_rules_neither_key_nor_words_are_looked_at(store: WholeStore) -> None:
    learn(store, "We utilize a cache.", scope=HERE)

    def key() -> bytes:
        raise AssertionError("nobody needs it")

    recalled = tell_notebook_rules(store, HERE, "utilize it", tokens=TOKENS, key=key)

    assert (recalled.brief.text, recalled.ranked) == ("", ())


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    texts=st.lists(
        st.sampled_from([USE, COMMITS, "寫「影片」,不寫「視頻」", "x " * 90]), max_size=3
    ),
    prompt=st.text(max_size=60) | st.sampled_from(["utilize a commit message 視頻", "影片 use"]),
    tokens=st.integers(1, 120),
)
def test_the_budget_is_never_exceeded_and_same_store_and_prompt_give_the_same_words(
    store: WholeStore, texts: list[str], prompt: str, tokens: int
) -> None:
    for text in texts:
        a_rule(store, text)

    one, other = (told(store, prompt, tokens=tokens).brief for _ in range(2))

    assert one.text == other.text
    assert not one.text or estimate_tokens(one.text) <= tokens
    assert len(one.notes) <= 2

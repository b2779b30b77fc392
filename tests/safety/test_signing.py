"""A seal fits one rule, word for word, and nothing else."""

import hmac
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import a_note, an_id, notes

from twiceshy.core.note import Note
from twiceshy.core.scope import Scope
from twiceshy.safety.signing import (
    ACTS,
    Signature,
    _compute_hmac,
    compute_seal,
    find_approved_act,
    find_permitted_act,
    is_sealed,
    list_signed_words,
    resting_act,
)

KEY = bytes(range(32))
RULE = a_note("Never push to main.", kind="rule", why="it deploys", trigger="Bash git push")


def signed(note: Note = RULE, act: str = "tell", key: bytes = KEY) -> Signature:
    return Signature(note.id, act, compute_seal(key, note, act), 0)


@pytest.fixture(params=["as it is", "without the interpreter's own"])
def anywhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every interpreter: one has ``_sha2``, another ``_sha256``, a third neither."""
    if request.param != "as it is":
        for name in ("_sha2", "_sha256"):
            monkeypatch.setitem(sys.modules, name, None)


@given(key=st.binary(max_size=200), message=st.binary(max_size=200))
def test_our_hmac_is_everybodys_hmac(key: bytes, message: bytes) -> None:
    assert _compute_hmac(key, message) == hmac.digest(key, message, "sha256")


def test_a_seal_is_the_same_on_every_interpreter_and_in_every_release(anywhere: None) -> None:
    approved = compute_seal(KEY, RULE, "tell")

    assert approved == "7c1f6b512e0db0a490cc16329559a50d168f06db5e07d1e895bfb4a534932400"


@given(one=notes(), other=notes(), acts=st.tuples(st.sampled_from(ACTS), st.sampled_from(ACTS)))
def test_two_rules_have_the_same_seal_only_if_every_word_is_the_same(
    one: Note, other: Note, acts: tuple[str, str]
) -> None:
    alike = (list_signed_words(one), acts[0]) == (list_signed_words(other), acts[1])

    assert (compute_seal(KEY, one, acts[0]) == compute_seal(KEY, other, acts[1])) is alike


@pytest.mark.parametrize(
    "changes",
    [
        {"id": an_id(2)},
        {"kind": "preference"},
        {"subtype": "hard"},
        {"text": "Push to main."},
        {"why": "it deployes"},
        {"trigger": "Bash git"},
        {"state": "cleared"},
        {"scope": Scope("*", "release")},
        {"scope": Scope("demo", "")},
        # a character moves from one field to the next
        {"text": "Never push to main.i", "why": "t deploys"},
        {"why": "it deploysB", "trigger": "ash git push"},
    ],
)
def test_a_change_to_anything_that_was_approved_breaks_the_seal(
    changes: dict[str, object],
) -> None:
    assert is_sealed(KEY, RULE, signed())

    assert not is_sealed(KEY, RULE.but(**changes), signed())


def test_counters_pins_and_age_are_not_part_of_what_was_approved() -> None:
    later = RULE.but(pinned=True, sightings=9, days=3, learned_at=5, recalls=7, revision=4)

    assert find_permitted_act(KEY, later, signed()) == "tell"


@pytest.mark.parametrize("act", ACTS)
def test_a_rule_may_do_what_it_was_approved_for(act: str) -> None:
    assert find_permitted_act(KEY, RULE, signed(act=act)) == act


@pytest.mark.parametrize(
    "signature",
    [
        None,
        signed().but(act="deny"),
        signed().but(note=an_id(2)),
        signed().but(mac=""),
        signed().but(mac="0" * 64),
        signed().but(mac="\udcff不"),
        signed().but(mac=signed().mac.upper()),
        signed().but(mac="x " + signed().mac),
        signed(act="anything"),
        signed(act=resting_act("tell")),
        signed(act="past tell"),
        signed(key=b"another key of thirty-two bytes!"),
    ],
)
def test_what_is_signed_otherwise_is_no_rule(signature: Signature | None) -> None:
    assert find_permitted_act(KEY, RULE, signature) is None


def test_without_a_key_nothing_is_a_rule() -> None:
    assert find_permitted_act(b"", RULE, signed(key=b"")) is None


@pytest.mark.parametrize("status", ["candidate", "retired", "quarantined", "pending removal"])
def test_a_rule_out_of_sight_is_told_by_no_seal(status: str) -> None:
    hidden = RULE.but(status=status)

    assert find_permitted_act(KEY, hidden, signed()) is None
    assert find_approved_act(KEY, hidden, signed()) is None
    assert find_permitted_act(KEY, hidden, signed(act=resting_act("ask"))) is None
    assert find_approved_act(KEY, hidden, signed(act=resting_act("ask"))) == "ask"


def test_a_lesson_needs_no_seal_and_gets_none() -> None:
    lesson = a_note()

    assert (
        find_permitted_act(
            KEY, lesson, Signature(lesson.id, "deny", compute_seal(KEY, lesson, "deny"), 0)
        )
        is None
    )

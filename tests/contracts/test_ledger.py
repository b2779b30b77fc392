"""What every store remembers of the models that were asked; only the port is used."""

from typing import Any

from tests.requirements import requirement

from twiceshy.core.model_ledger import (
    MOST_ATTEMPTS,
    ModelCall,
    ModelSpending,
    find_last_answer,
    is_spent,
    start_of_day,
    sum_model_calls,
)
from twiceshy.core.moment import DAY, parse_day, parse_stamp
from twiceshy.core.store import Store

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def a_call(**fields: Any) -> ModelCall:
    usual: dict[str, Any] = {
        "at": 1_000,
        "purpose": "lessons",
        "project": "demo",
        "session": "s1",
        "backend": "openai",
        "model": "small",
        "material": "m1",
        "tokens_in": 900,
        "tokens_out": 40,
        "milliseconds": 1_200,
    }
    return ModelCall.of(usual | fields)


@requirement("L16")
def test_calls_are_kept_as_they_were_the_oldest_first(store: Store) -> None:
    late, early = a_call(at=3_000), a_call(at=2_000, error="timeout: no answer within 30 s")

    store.save_records(late)
    store.save_records(early)
    store.save_records(late)

    assert store.list_model_calls() == [early, late, late]
    assert store.list_model_calls(since=2_001) == [late, late]
    assert store.list_model_calls(since=9_000) == []


def test_material_is_done_once_a_model_answered_about_it(store: Store) -> None:
    store.save_records(a_call(material="answered"))
    store.save_records(a_call(material="failed", error="http 500"))

    assert is_spent(store.list_model_calls(), "answered")
    assert not is_spent(store.list_model_calls(), "failed")
    assert not is_spent(store.list_model_calls(), "new")


def test_material_that_fails_for_ever_is_not_paid_for_for_ever(store: Store) -> None:
    for _ in range(MOST_ATTEMPTS):
        assert not is_spent(store.list_model_calls(), "m1")
        store.save_records(a_call(error="http 500"))

    assert is_spent(store.list_model_calls(), "m1")
    assert MOST_ATTEMPTS == 8


def test_a_secret_in_an_error_does_not_reach_the_ledger(store: Store) -> None:
    store.save_records(a_call(error=f"http 401: bad key {SECRET}", model=f"m {SECRET}"))

    [kept] = store.list_model_calls()
    assert SECRET not in str(kept)
    assert "http 401" in kept.error


def test_half_a_character_in_an_error_is_no_reason_to_lose_it(store: Store) -> None:
    store.save_records(a_call(error="cut \ud83d off"))

    assert store.list_model_calls()[0].error.startswith("cut ")


def test_calls_add_up_and_the_day_begins_at_midnight() -> None:
    assert sum_model_calls([a_call(), a_call(error="x", tokens_out=0)]) == ModelSpending(
        calls=2, failures=1, tokens_in=1_800, tokens_out=40, milliseconds=2_400
    )
    assert sum_model_calls([]) == ModelSpending()
    assert start_of_day(parse_stamp("2026-11-02T23:59:59Z")) == parse_day("2026-11-02")
    assert start_of_day(parse_day("2026-11-02")) == parse_day("2026-11-01") + DAY


def test_what_happened_before_the_last_answer_was_paid_for() -> None:
    calls = [
        a_call(at=10),
        a_call(at=20),
        a_call(at=30, error="http 500"),
        a_call(at=40, session="s2"),
        a_call(at=15, purpose="corrections"),
    ]

    assert find_last_answer(calls, session="s1") == 20
    assert find_last_answer(calls, session="s3") == 0

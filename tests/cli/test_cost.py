"""``twiceshy cost`` counts every call of a model, and says what is left of today."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.contracts.test_ledger import a_call
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.moment import parse_stamp


def at(moment: str, **fields: Any) -> Any:
    return a_call(at=parse_stamp(moment), **fields)


@pytest.fixture
def spent(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T12:00:00Z")
    monkeypatch.setenv("TWICESHY_DISTILLER_BACKEND", "openai")
    monkeypatch.setenv("TWICESHY_DISTILLER_DAILY_CALLS", "5")
    home.mkdir()
    with opened(home) as store:
        store.save_records(at("2026-09-01T08:00:00Z"))
        store.save_records(at("2026-11-01T23:59:59Z"))
        store.save_records(at("2026-11-02T00:00:00Z"))
        store.save_records(at("2026-11-02T09:30:00Z", error="http 500: overloaded", tokens_out=0))


@requirement("L16")
@pytest.mark.usefixtures("spent")
def test_calls_are_counted_by_day_and_model(twiceshy: Command) -> None:
    assert twiceshy("cost").out.splitlines() == [
        "today: 2 of 5 calls; 3 left for openai",
        "2026-11-01  openai small: 1 call, 900 tokens in, 40 out, 1.2 s",
        "2026-11-02  openai small: 2 calls, 1 failed, 1,800 tokens in, 40 out, 2.4 s",
        "all         3 calls, 1 failed, 2,700 tokens in, 80 out, 3.6 s",
        "failed:     2026-11-02 09:30 small: http 500: overloaded",
    ]


@pytest.mark.usefixtures("spent")
def test_json_says_the_same(twiceshy: Command) -> None:
    told = twiceshy("cost", "--days", "1", "--json").json

    assert (told["daily_calls"], told["today"], told["left"]) == (5, 2, 3)
    assert told["total"]["calls"] == 2
    assert [(row["day"], row["model"], row["failures"]) for row in told["by_day_and_model"]] == [
        ("2026-11-02", "small", 1)
    ]
    assert told["failures"][0]["error"] == "http 500: overloaded"


@pytest.mark.usefixtures("spent")
def test_days_beyond_are_counted_on_request(twiceshy: Command) -> None:
    assert twiceshy("cost", "--days", "90", "--json").json["total"]["calls"] == 4


def test_without_a_model_it_says_so(twiceshy: Command) -> None:
    assert twiceshy("cost").out == (
        "today: 0 of 50 calls; no model is asked (distiller.backend is none)\n"
    )


def test_a_span_of_no_days_is_refused(twiceshy: Command) -> None:
    assert "0 is not in the range" in twiceshy("cost", "--days", "0", fails=2).err

"""Every parser of what others wrote refuses with our own errors only; `python -m bench.parsers` tries millions."""

import random

import pytest
from bench.parsers.__main__ import feed_parser, main
from bench.parsers.targets import ParserTarget, list_targets
from tests.attacks.fuzz_found import FOUND
from tests.attacks.tally import Tally
from tests.requirements import requirement
from tests.sizes import sized

FAMILY = "mutated input of parsers"


@requirement("Y03")
@pytest.mark.parametrize("target", list_targets(), ids=lambda target: target.name)
def test_a_parser_meets_nothing_that_it_does_not_expect(
    target: ParserTarget, tally: Tally
) -> None:
    rounds = sized(60, 2_000)

    ran = feed_parser(target, random.Random(4), rounds)

    assert ran.accepted + ran.refused + len(ran.bad) == rounds
    assert ran.bad == []
    tally.count_attack(FAMILY, target.name, succeeded=bool(ran.bad))


@pytest.mark.parametrize("target", list_targets(), ids=lambda target: target.name)
def test_a_parser_accepts_one_of_its_samples(target: ParserTarget, tally: Tally) -> None:
    for seed in target.seeds:
        tally.expect_control(target.name, arrived=_accepts(target, seed))

    assert len(tally.lost) < len(target.seeds)


def _accepts(target: ParserTarget, seed: bytes) -> bool:
    try:
        target.parse(seed)
    except Exception:  # noqa: BLE001 - whatever is raised, it was not accepted
        return False
    return True


@requirement("Y03")
@pytest.mark.parametrize(("name", "raw"), FOUND, ids=[name for name, _ in FOUND])
def test_what_broke_a_parser_once_does_not_break_it_again(name: str, raw: bytes) -> None:
    (target,) = [each for each in list_targets() if each.name == name]

    ran = feed_parser(target._replace(parse=lambda _: target.parse(raw)), random.Random(1), 1)

    assert ran.bad == []


def test_a_parser_that_breaks_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = ParserTarget("broken", lambda raw: {b"a": 1}[b"b" + raw], [b"a"])
    monkeypatch.setattr("bench.parsers.__main__.list_targets", lambda: [broken])

    code = main(["--rounds", "5"])

    assert code == 1
    assert "KeyError" in capsys.readouterr().out

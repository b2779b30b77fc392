"""Pooled verdicts after a month of heavy use, in worlds whose truth is known."""

from collections import Counter

import pytest
from bench.effect import SHARES, WORLDS, list_verdicts
from tests.requirements import requirement

MONTHS = 24
SHARE = 0.1  # the default of holdout.share
BY_NAME = {world.name: world for world in WORLDS}


@pytest.mark.long
@requirement("T40")
@pytest.mark.parametrize("name", ["no effect", "no effect, fades by itself"])
def test_a_note_without_effect_is_rarely_called_helpful_or_harmful(name: str) -> None:
    found = Counter(list_verdicts(BY_NAME[name], MONTHS, share=SHARE))

    # one in twenty at most by the interval; more than three of 24 happens once in thirty times
    assert found["helps"] + found["harms"] <= 3, found


@pytest.mark.long
@requirement("T42")
@pytest.mark.parametrize("name", ["helps much", "harms"])
def test_a_month_of_heavy_use_is_enough_for_an_answer(name: str) -> None:
    world = BY_NAME[name]
    found = Counter(list_verdicts(world, MONTHS, share=SHARE))

    assert SHARE in SHARES
    assert found[world.right] >= 0.75 * MONTHS, found
    assert not found["too early"]
    assert not found["harms" if world.right == "helps" else "helps"]

"""No hostile text is told to an agent, by whatever way it came into the memory."""

from pathlib import Path

import pytest
from tests.attacks.channels import CHANNELS, World, read_outlets, wait_for
from tests.attacks.hostile import BENIGN, LATER_TEXTS, TEXTS, HostileText
from tests.attacks.tally import Tally
from tests.requirements import requirement

FAMILY = "channels of memory"


def find_arrivals(channel: str, hostile: HostileText, place: Path) -> list[str]:
    """Put a text into a new memory, and return the outlets that tell it."""
    with pytest.MonkeyPatch.context() as patch:
        world = World(place, patch)
        CHANNELS[channel](world, hostile.text)
        words = " ".join(word for word in hostile.text.split()[:8] if hostile.mark not in word)
        before = read_outlets(world, words)
        wait_for(world)
        after = read_outlets(world, words)
    return [
        name for said in (before, after) for name, text in said.items() if hostile.mark in text
    ]


@requirement("Y20")
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_hostile_text_is_told_nowhere(channel: str, tmp_path: Path, tally: Tally) -> None:
    for number, hostile in enumerate((*TEXTS, *LATER_TEXTS)):
        told = find_arrivals(channel, hostile, tmp_path / str(number))
        tally.count_attack(FAMILY, f"{hostile.kind}: {told}", succeeded=bool(told))

    assert tally.succeeded == []


@requirement("Y20")
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_harmless_text_arrives_by_the_same_way(
    channel: str, tmp_path: Path, tally: Tally
) -> None:
    told = find_arrivals(channel, BENIGN, tmp_path / "benign")

    tally.count_benign(FAMILY, channel, held=not told)
    tally.expect_control(channel, arrived=bool(told))
    assert tally.lost == []

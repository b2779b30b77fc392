"""No hostile text is told to an agent, by whatever way it came into the memory."""

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest
from tests.attacks.channels import CHANNELS, OWN_WORDS, World, ask_outlets, wait_for
from tests.attacks.hostile import BENIGN, LATER_TEXTS, TEXTS, UNRECOGNISED, HostileText
from tests.attacks.tally import Tally
from tests.requirements import requirement
from tests.sizes import sized

FAMILY = "channels of memory"
# A row that another program changed is told to nobody before `doctor --repair` has restored it.
UNTOLD = (
    "row of a note changed by another program",
    "row of a summary changed by another program",
)
# A sentence is the name of no file; a name is.
HARMLESS = {"name of a file": BENIGN._replace(text="heron99 cache")}
EVERY_TEXT = tuple(one for one in (*TEXTS, *LATER_TEXTS) if one.mark not in UNRECOGNISED)


def find_arrivals(channel: str, hostile: HostileText, place: Path) -> Generator[str, None, None]:
    """Put a text into a new memory, and yield the outlets that tell it."""
    words = " ".join(word for word in hostile.text.split()[:8] if hostile.mark not in word)
    with pytest.MonkeyPatch.context() as patch:
        world = World(place, patch)
        CHANNELS[channel](world, hostile.text)
        for after in (False, True):
            if after:
                wait_for(world)
            yield from (name for name, text in ask_outlets(world, words) if hostile.mark in text)


def choose_texts(channel: str) -> list[HostileText]:
    """Return the texts of one run: each channel begins with another one, and soaking tries all."""
    first = list(CHANNELS).index(channel)
    texts = [one for one in EVERY_TEXT if one.kind not in OWN_WORDS.get(channel, ())]
    return [texts[(first + 5 * number) % len(texts)] for number in range(sized(2, len(texts)))]


@requirement("Y20")
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_hostile_text_is_told_nowhere(channel: str, tmp_path: Path, tally: Tally) -> None:
    for number, hostile in enumerate(choose_texts(channel)):
        told = sorted(set(find_arrivals(channel, hostile, tmp_path / str(number))))
        tally.count_attack(FAMILY, f"{hostile.kind}: {told}", succeeded=bool(told))

    assert tally.succeeded == []


@requirement("Y20")
@pytest.mark.parametrize("channel", [one for one in CHANNELS if one not in UNTOLD])
def test_a_harmless_text_arrives_by_the_same_way(
    channel: str, tmp_path: Path, tally: Tally
) -> None:
    with closing(
        find_arrivals(channel, HARMLESS.get(channel, BENIGN), tmp_path / "benign")
    ) as telling:
        told = next(telling, "")  # one outlet that tells it is enough

    tally.count_benign(FAMILY, channel, held=not told)
    tally.expect_control(channel, arrived=bool(told))
    assert tally.lost == []

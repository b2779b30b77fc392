"""The generator of projects finds private words outside their project, and lessons that travel."""

import pytest
from bench.canaries import PAIRS, Tally, try_pairs
from bench.canary_words import Canary, fold
from tests.requirements import requirement


@pytest.mark.long
@requirement("T10", "T11", "T13")
def test_generated_projects_tell_each_other_what_they_share_and_nothing_else() -> None:
    found = try_pairs(2 * PAIRS, seed=5)

    assert found.counts["pairs"] == 2 * PAIRS
    assert found.leaks == []
    assert found.reached.total() == found.counts["shared lessons"] > 0
    assert found.reached["never"] == 0


def test_a_private_word_in_a_text_is_counted_with_its_channel() -> None:
    found, quetzal = Tally(), Canary("host", "db1.quetzal.internal", ("quetzal",))

    for text in ("", "- use `--all`", "- ask DB1.Quetzal.internal"):
        found.search_text(text, "start", [quetzal])

    assert [(leak.kind, leak.channel) for leak in found.leaks] == [("host", "start")]
    assert found.counts["texts"] == 2


@pytest.mark.parametrize(
    ("canary", "text", "held"),
    [
        (Canary("rare", "Quetzal", ("quetzal",)), "use `--QUETZALS`", True),
        (Canary("short", "ab1", ("ab1",), whole=True), "use cab12", False),
        (Canary("short", "ab1", ("ab1",), whole=True), "cab12, then ab1.", True),
        (Canary("unicode", "ﬁsch", (fold("ﬁsch"),)), "FISCH", True),
    ],
)
def test_a_private_word_is_recognised_in_other_spellings(
    canary: Canary, text: str, *, held: bool
) -> None:
    assert canary.stands_in(fold(text)) is held

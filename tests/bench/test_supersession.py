"""The benchmark of supersession: its pairs, and what it counts."""

from pathlib import Path

import pytest
from bench.supersession import (
    LABELS,
    NotePair,
    count_strangers,
    measure,
    read_pairs,
    write_pair,
)


def a_pair(old: str, new: str, label: str = "keeps", kind: str = "keep") -> NotePair:
    return NotePair("p1", "en", kind, old, new, label)


def test_the_halves_are_all_pairs_and_share_none() -> None:
    halves = [{pair.id for pair in read_pairs(half)} for half in ("even", "odd")]

    assert not halves[0] & halves[1]
    assert halves[0] | halves[1] == {pair.id for pair in read_pairs("all")}


def test_each_kind_that_is_judged_has_a_hundred_pairs() -> None:
    labels = [pair.label for pair in read_pairs("all")]

    assert set(labels) == set(LABELS)
    assert min(labels.count("replaces"), labels.count("keeps")) >= 100


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("Artifacts are kept for 30 days", "Artifacts are kept for 7 days", "superseded"),
        ("Copy from staging to prod", "Copy from prod to staging", "asked"),
        ("In CI, use node 20", "Use node 20 in CI", "seen"),
        ("Use axios in the old admin app", "Do not use axios in the shop", "kept"),
    ],
)
def test_a_pair_is_written_as_a_person_writes(
    tmp_path: Path, old: str, new: str, outcome: str
) -> None:
    assert write_pair(tmp_path / "home", a_pair(old, new)) == outcome


def test_rows_count_the_pairs_by_language_and_label() -> None:
    pairs = [a_pair("Use npm", "Deploy on Fridays"), a_pair("Use npm", "Use npm", "same")]

    rows = measure(pairs)

    assert [(row.lang, row.label, row.pairs, row.kept, row.seen) for row in rows] == [
        ("en", "keeps", 1, 1, 0),
        ("en", "same", 1, 0, 1),
    ]
    (group,) = measure(pairs, name="swap")
    assert (group.label, group.pairs) == ("swap", 2)


def test_a_note_that_another_pair_retires_is_a_stranger() -> None:
    pairs = [
        a_pair("Artifacts are kept for 30 days", "Use npm"),
        a_pair("Deploy on Fridays", "Artifacts are kept for 7 days"),
    ]

    assert count_strangers(pairs)["en"] == (1, 4)
    assert count_strangers(pairs[:1])["en"] == (0, 2)

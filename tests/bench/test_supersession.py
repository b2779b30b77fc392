"""The benchmark of supersession: its pairs, and what it counts."""

import gzip
import json
from pathlib import Path

import pytest
from bench.supersession import (
    LABELS,
    PAIRS,
    NotePair,
    count_strangers,
    measure,
    read_pairs,
    read_texts,
    write_all,
    write_pair,
)
from bench.supersession_fit import Row, fit_trees, read_fitted


def a_pair(old: str, new: str, label: str = "keeps", kind: str = "keep") -> NotePair:
    return NotePair("p1", "en", kind, old, new, label)


def test_each_kind_that_is_judged_has_a_hundred_pairs() -> None:
    labels = [pair.label for pair in read_pairs(PAIRS)]

    assert set(labels) <= set(LABELS)
    assert min(labels.count("replaces"), labels.count("keeps")) >= 100


def test_exceptions_and_plain_changes_have_a_hundred_pairs_each_in_two_halves() -> None:
    file = str(Path(PAIRS).with_name("supersession_narrow.jsonl"))
    every, even, odd = (read_pairs(file, half=half) for half in ("all", "even", "odd"))
    labels = [pair.label for pair in every]

    assert set(labels) <= set(LABELS)
    assert min(labels.count("replaces"), labels.count("keeps")) >= 100
    assert {pair.id for pair in even} | {pair.id for pair in odd} == {pair.id for pair in every}
    assert {pair.id for pair in even}.isdisjoint(pair.id for pair in odd)


def test_the_pairs_that_are_reported_are_not_those_that_weights_were_fitted_on() -> None:
    fitted = {
        pair.new for file in ("supersession", "supersession_train") for pair in read_fitted(file)
    }

    assert fitted
    assert fitted.isdisjoint(pair.new for pair in read_pairs(PAIRS))


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

    assert count_strangers(pairs)["en"] == (1, 0, 2)
    assert count_strangers(pairs[:1])["en"] == (0, 0, 1)


def test_a_note_that_another_pair_asks_about_is_a_stranger() -> None:
    pairs = [
        a_pair("Copy from staging to prod", "Use npm"),
        a_pair("Deploy on Fridays", "Copy from prod to staging"),
    ]

    assert count_strangers(pairs)["en"] == (0, 1, 2)


def test_foreign_notes_are_first_sentences_and_counted(tmp_path: Path) -> None:
    file = tmp_path / "set.corpus.jsonl.gz"
    texts = ["# Head\n\nKept for 30 days. More.", "Kept for 7 days.\n\nNo.", "Kept for 7 days."]
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps({"text": text}) + "\n" for text in texts)

    found = read_texts(str(file), most=10)

    assert found == ["Kept for 30 days.", "Kept for 7 days."]
    assert write_all(found) == (1, 0)
    assert write_all(found[:1]) == (0, 0)


def test_trees_find_the_sign_that_tells() -> None:
    rows = [Row("a", "en", at % 2 == 0, False, (at % 7, at % 2)) for at in range(200)]

    start, trees = fit_trees(rows)

    def weigh(row: Row) -> float:
        return start + sum(tree.weigh(row.values) for tree in trees)

    assert all((weigh(row) > 0) == row.replaces for row in rows)

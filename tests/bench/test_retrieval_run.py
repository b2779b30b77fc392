"""The retrieval benchmark from the command line: baselines and ours, in one table."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.retrieval_baselines import BASELINES, porter_or, porter_telling, raw_and, unicode_or
from bench.retrieval_ours import ours
from bench.retrieval_sets import Doc, Haystack, Query
from bench.retrieval_told import count_told, in_order, tell_all

ROOT = Path(__file__).resolve().parents[2]
DOCS = [
    Doc("tags", "Push tags before you create the release."),
    Doc("lock", "The lock file is rewritten, so pin it."),
    Doc("wal", "数据库备份不要漏掉日志"),
]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.retrieval", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}/src"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def small(tmp_path: Path) -> str:
    texts = ["pushing a tag", "pinned lock files"] * 15
    queries = [
        {"id": str(at), "text": text, "rel": [DOCS[at % 2].id], "group": f"g{at % 4 // 2}"}
        for at, text in enumerate(texts)
    ]
    for name, rows in (("corpus", [doc.fields() for doc in DOCS]), ("queries", queries)):
        with gzip.open(tmp_path / f"small.{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    return str(tmp_path)


class TestBaselines:
    def test_a_raw_prompt_must_be_there_word_for_word(self) -> None:
        ranker = raw_and(DOCS)

        assert ranker("pushes tags") == ["tags"]
        assert ranker("how do I push tags") == []

    def test_any_word_will_do_and_stems_help(self) -> None:
        assert porter_or(DOCS)("pinning") == ["lock"]
        assert unicode_or(DOCS)("pinning") == []

    def test_stop_words_are_no_reason_to_find_something(self) -> None:
        assert porter_or(DOCS)("is it you") != []
        assert porter_telling(DOCS)("is it pinned") == ["lock"]

    def test_chinese_is_found_by_pairs_of_characters(self) -> None:
        assert porter_or(DOCS)("怎样备份") == ["wal"]
        assert unicode_or(DOCS)("怎样备份") == []

    @pytest.mark.parametrize("name", BASELINES)
    def test_a_prompt_of_signs_finds_nothing_and_breaks_nothing(self, name: str) -> None:
        ranker = BASELINES[name](DOCS)

        assert ranker('"* ( OR') in ([], ranker("or"))
        assert ranker("--- ???") == []


def test_the_table_compares_ours_with_every_baseline(small: str) -> None:
    told = run("--sets", small, "--resamples", "200", "--half", "odd", "--groups")

    assert told.returncode == 0, told.stderr
    table, beside = told.stdout.split("\n\n")
    head, *rows = table.splitlines()
    assert "R@5" in head
    assert "gain in R@5 over porter OR" in head
    rankers = [row[52:78].strip() for row in rows if row.startswith("small   ")]
    assert rankers[:4] == [*BASELINES][:4]
    assert rankers[-2:] == ["ours, words alone", "ours"]
    assert "haystack 1 of 1" in told.stderr
    assert "silent" in beside.splitlines()[0]
    assert [row.split()[0] for row in beside.splitlines()[1:]] == ["small", "small:", "small:"]


def test_the_same_in_json(small: str) -> None:
    told = run("--sets", small, "--resamples", "200", "--json", "--half", "all", "--groups")

    rows: list[dict[str, Any]] = json.loads(told.stdout)["rows"]
    ours = [row for row in rows if row["ranker"] == "ours"]
    assert [(row["name"], row["queries"]) for row in ours] == [
        ("small", 30),
        ("small: g0", 16),
        ("small: g1", 14),
    ]
    assert {row["scores"]["r5"] for row in ours} == {1.0}
    assert ours[0]["docs"] == 3
    assert [row["gain"] for row in rows if row["ranker"] == "porter OR"] == [None] * 3


def test_a_folder_without_sets_is_refused_in_one_line_with_a_hint(tmp_path: Path) -> None:
    told = run("--sets", str(tmp_path))

    assert told.returncode == 1
    assert told.stderr.splitlines()[0].startswith("no retrieval set in")
    assert "hint: " in told.stderr
    assert "Traceback" not in told.stderr


def test_nothing_to_measure_is_a_usage_error() -> None:
    assert run().returncode == 2


def test_a_pair_is_out_of_order_while_what_was_replaced_is_still_found(tmp_path: Path) -> None:
    new = Doc("new", "Deploy the shop with ship.yml.", supersedes="old")
    docs = (Doc("old", "Deploy the shop with make ship."), new)
    stack = Haystack(docs, (Query("1", "deploy the shop", ("new",), "superseded", 0),))

    with ours((docs[0], new.but(supersedes="")), str(tmp_path)) as unaware:
        order = in_order(stack, unaware)

    assert order == [False]


def test_what_is_told_is_counted_beside_what_is_found(tmp_path: Path) -> None:
    docs = (
        Doc("old", "Deploy the shop with make ship.", day="2026-01-02"),
        Doc("new", "Deploy the shop with ship.yml.", supersedes="old", day="2026-05-02"),
        Doc("unlock", "Run terraform force-unlock when the terraform state is locked."),
    )
    queries = (
        Query("1", "deploy the shop", ("new",), "superseded", 0),
        Query("2", "terraform force-unlock state", ("new",), "identifier", 1),
        Query("3", "my infrastructure refuses any change", ("unlock",), "oblique", 2),
        Query("4", "bake a lemon cake", (), "negative", 3),
        Query("5", "terraform force-unlock the state of my car", (), "negative", 4),
    )
    stack = Haystack(docs, queries)

    with ours(docs, str(tmp_path)) as product:
        told = list(tell_all(stack, product))
        order = in_order(stack, product)
    row = count_told("all", told, {query.id for query in queries})

    assert order == [True]
    assert (row.queries, row.negatives, row.false) == (3, 2, 0.5)
    assert (row.right, row.others, row.silent) == (1 / 3, 1 / 3, 1 / 3)
    assert row.found == 1 / 3
    assert row.line().split() == "all 3 33.3 33.3 33.3 33.3 2 50.0".split()
    assert count_told("none", told, {"4"}).line().split() == ["none", "0", "1", "0.0"]

"""The benchmark of growing stores: what it fills them with, and its table."""

import gzip
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from bench.filler import LONGEST, SHORTEST, Filler, cut, mark_words, recombine, split_sentences
from bench.retrieval_scale import gold
from bench.retrieval_sets import Doc, Haystack, Query, Task
from hypothesis import given
from hypothesis import strategies as st

from twiceshy.core.errors import ConfigError

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [str(ROOT / "docs"), str(ROOT / "bench"), str(ROOT / "tests" / "bench")]


class TestFiller:
    def test_texts_are_short_and_none_comes_twice_even_when_sections_run_out(self) -> None:
        filler = Filler(FOLDERS)

        texts = list(filler.take(5_000))

        assert len(set(map(mark_words, texts))) == 5_000
        assert 200 < filler.harvested < 5_000
        assert all(SHORTEST <= len(text.split()) <= LONGEST for text in texts)

    def test_the_same_seed_gives_the_same_texts(self) -> None:
        one, same, other = (list(Filler(FOLDERS, seed=seed).take(50)) for seed in (1, 1, 2))

        assert one == same
        assert one != other

    def test_too_little_text_is_refused_with_a_hint(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("word " * 30)

        with pytest.raises(ConfigError, match="only 1 sections") as refused:
            list(Filler([str(tmp_path)]).take(2))

        assert "--filler" in refused.value.hint

    @given(st.text(alphabet="ab. \n"))
    def test_a_section_is_never_shorter_or_longer_than_said(self, text: str) -> None:
        assert all(SHORTEST <= len(section.split()) <= LONGEST for section in cut(text))

    def test_texts_that_differ_in_figures_only_are_one(self) -> None:
        assert mark_words("Port 80, please") == mark_words("port 443: please")
        assert mark_words("Open the port") != mark_words("Close the port")

    def test_sentences_of_several_sections_make_a_text(self) -> None:
        sentences = split_sentences("One two three four five. Short. Six seven eight nine ten.")

        text = recombine(sentences, random.Random(1))

        assert sentences == ["One two three four five", "Six seven eight nine ten."]
        assert {"One", "Six"} <= set(text.split())


def test_what_is_asked_for_comes_first_and_what_was_replaced_not_at_all() -> None:
    docs = (
        Doc("a", "old"),
        Doc("b", "new", supersedes="a"),
        Doc("c", "asked"),
    )
    stack = Haystack(docs, (Query("1", "?", ("c",), "", 0),))

    assert [doc.id for doc in gold(Task("t", (stack,)))] == ["c", "b"]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench.retrieval_scale", *arguments, "--rounds", "1"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}/src"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.long
def test_a_line_for_every_place_and_ranker_and_a_store_is_built_once(tmp_path: Path) -> None:
    docs = [{"id": "1", "text": "Push tags before the release."}, {"id": "2", "text": "Pin uv."}]
    queries = [{"id": "q", "text": "pushing tags", "rel": ["1"]}]
    for name, rows in (("corpus", docs), ("queries", queries)):
        with gzip.open(tmp_path / f"small.{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    asked = ["--sets", str(tmp_path), "--filler", *FOLDERS, "--keep", str(tmp_path / "kept")]

    first = run(*asked, "--foreign", "--sizes", "10", "30", "--spread", "1")
    again = run(*asked, "--foreign", "--sizes", "10")

    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert [line.split()[1:3] for line in lines if line.startswith("small")] == [
        *[["10", "0"]] * 3,
        *[["30", "0"]] * 3,
        ["1", "199"],
    ]
    assert [line[34:58].strip() for line in lines[1:4]] == [
        "ours",
        "porter OR",
        "ours, every note read",
    ]
    assert [line[63:70].strip() for line in lines[1:4]] == ["100.0"] * 3
    assert sum("cold: recall as a library" in line for line in lines) == 3
    assert "notes added" in first.stderr
    assert "notes added" not in again.stderr
    assert len(again.stdout.splitlines()) == 5


def test_without_a_set_it_is_a_usage_error() -> None:
    assert run().returncode == 2

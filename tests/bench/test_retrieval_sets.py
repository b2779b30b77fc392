"""Our own set keeps its rules, and the sets of others are read as they are."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from bench.retrieval_ours import ours
from bench.retrieval_sets import Doc, Haystack, Query, Task, folder, half, own
from tests.store.support import EVERY_STATUS, learn, opened

from twiceshy.core.errors import ConfigError
from twiceshy.language.terms import index_terms, query_terms

AT_LEAST = {
    "chinese": 40,
    "direct": 100,
    "error": 80,
    "identifier": 80,
    "negative": 80,
    "oblique": 200,
    "paraphrase": 200,
    "superseded": 30,
}
SHARED_AT_MOST = 3  # stems, the name of the tool included
TRADITIONAL = set("發執確認變標資庫備還權杖寫進碼環讀併請審層複製檔誌記錄證碼遮縮動調縮")


@pytest.fixture(scope="module")
def stack() -> Haystack:
    (only,) = own().haystacks
    return only


def prompts(stack: Haystack, group: str) -> list[Query]:
    return [query for query in stack.queries if query.group == group]


def shared(stack: Haystack, query: Query) -> set[str]:
    """Return what a prompt has in common with the lesson; its reason was written without seeing any."""
    lessons = {doc.id: doc for doc in stack.docs}
    said = (lessons[name].text for name in query.rel)
    return set(query_terms(query.text)) & set(index_terms(" ".join(said)))


class TestOurOwnSet:
    def test_there_are_enough_lessons_and_prompts_of_every_group(self, stack: Haystack) -> None:
        groups = Counter(query.group for query in stack.queries)

        assert len(stack.docs) >= 220
        assert groups.keys() == AT_LEAST.keys()
        assert all(groups[group] >= least for group, least in AT_LEAST.items())

    def test_nothing_is_there_twice(self, stack: Haystack) -> None:
        names = [doc.id for doc in stack.docs] + [query.id for query in stack.queries]
        texts = [doc.text for doc in stack.docs] + [query.text for query in stack.queries]

        assert len(set(names)) == len(names)
        assert len({" ".join(text.casefold().split()) for text in texts}) == len(texts)

    def test_every_group_is_spread_evenly_over_even_and_odd_lines(self, stack: Haystack) -> None:
        for group in AT_LEAST:
            lines = Counter(query.line % 2 for query in prompts(stack, group))

            assert abs(lines[0] - lines[1]) <= 1, group

    def test_every_prompt_means_lessons_that_exist_and_only_negative_ones_mean_none(
        self, stack: Haystack
    ) -> None:
        names = {doc.id for doc in stack.docs}

        for query in stack.queries:
            assert set(query.rel) <= names, query
            assert bool(query.rel) is (query.group != "negative"), query

    def test_every_lesson_that_holds_is_asked_for_and_no_other(self, stack: Haystack) -> None:
        replaced = {doc.supersedes for doc in stack.docs}
        asked = {name for query in stack.queries for name in query.rel}

        assert asked == {doc.id for doc in stack.docs} - replaced

    def test_a_superseded_pair_has_the_older_lesson_first(self, stack: Haystack) -> None:
        days = {doc.id: doc.day for doc in stack.docs}
        successors = [doc for doc in stack.docs if doc.supersedes]

        assert len(successors) >= 30
        assert all(days[doc.supersedes] < doc.day for doc in successors)
        assert {query.rel[0] for query in prompts(stack, "superseded")} == {
            doc.id for doc in successors
        }

    @pytest.mark.parametrize("group", ["paraphrase", "oblique"])
    def test_a_paraphrase_says_it_in_other_words(self, stack: Haystack, group: str) -> None:
        too_close = {
            query.text: same
            for query in prompts(stack, group)
            if len(same := shared(stack, query)) > SHARED_AT_MOST
        }

        assert too_close == {}

    def test_most_paraphrases_share_two_words_at_most_and_oblique_ones_none(
        self, stack: Haystack
    ) -> None:
        close = [len(shared(stack, query)) for query in prompts(stack, "paraphrase")]
        oblique = [len(shared(stack, query)) for query in prompts(stack, "oblique")]

        assert sum(count <= 2 for count in close) >= 0.9 * len(close)
        assert sum(count == 0 for count in oblique) >= 0.5 * len(oblique)

    def test_the_chinese_prompts_come_in_both_scripts(self, stack: Haystack) -> None:
        lessons = {doc.id: doc.text for doc in stack.docs}
        texts = [lessons[query.rel[0]] for query in prompts(stack, "chinese")]

        traditional = [text for text in texts if TRADITIONAL & set(text)]

        assert 5 <= len(traditional) < len(texts)
        assert all(any("\u4e00" <= char <= "\u9fff" for char in text) for text in texts)

    def test_every_lesson_is_short_and_kept_as_a_note_of_its_own(
        self, stack: Haystack, home: Path
    ) -> None:
        with opened(home) as store:
            notes = [
                learn(store, doc.text, tag=doc.tag, why=doc.why, trigger=doc.id)
                for doc in stack.docs
            ]

            assert store.count_notes(EVERY_STATUS) == len(stack.docs)
        assert [note.text for note in notes] == [doc.text for doc in stack.docs]
        assert max(len(doc.text) for doc in stack.docs) <= 300


class TestSetsOfOthers:
    def write(self, place: Path, name: str, rows: list[dict[str, object]]) -> None:
        with gzip.open(place / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)

    def test_a_folder_is_read_with_what_may_be_missing(self, tmp_path: Path) -> None:
        self.write(tmp_path, "til.corpus", [{"id": "1", "text": "Pin it.", "title": None}])
        self.write(tmp_path, "til.queries", [{"id": "q", "text": "pin", "rel": ["1"]}])

        (task,) = folder(str(tmp_path))

        assert task.name == "til"
        assert task.haystacks == (
            Haystack((Doc("1", "Pin it."),), (Query("q", "pin", ("1",), "", 0),)),
        )

    def test_a_folder_without_sets_is_refused_with_a_hint(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="no retrieval set") as refused:
            list(folder(str(tmp_path)))

        assert "corpus" in refused.value.hint

    def test_a_damaged_set_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "til.corpus.jsonl.gz").write_bytes(b"no gzip")

        with pytest.raises(ConfigError, match="cannot read"):
            list(folder(str(tmp_path)))

    @pytest.mark.parametrize(("which", "kept"), [("even", "ac"), ("odd", "b"), ("all", "abc")])
    def test_a_half_goes_by_the_line_a_query_stood_in(self, which: str, kept: str) -> None:
        queries = tuple(Query(name, name, ("1",), "", line) for line, name in enumerate("abc"))
        task = Task("t", (Haystack((Doc("1", "x"),), queries),))

        halved = half(task, which)

        assert "".join(query.id for query in halved.haystacks[0].queries) == kept


class TestOurs:
    def test_a_successor_is_found_and_what_it_replaced_is_not(self, tmp_path: Path) -> None:
        docs = [
            Doc("old", "Deploy with make ship.", day="2026-01-02"),
            Doc("new", "Deploy with the workflow.", supersedes="old", day="2026-05-02"),
        ]

        with ours(docs, str(tmp_path)) as product:
            assert product.find("how to deploy") == ["new"]
            assert product.find_by_words("how to deploy") == ["new"]

    def test_two_documents_of_one_text_are_both_found(self, tmp_path: Path) -> None:
        docs = [Doc("1", "Pin the lock file."), Doc("2", "Pin the lock file.")]

        with ours(docs, str(tmp_path)) as product:
            assert sorted(product.find("lock file")) == ["1", "2"]

    def test_a_title_counts_and_a_character_no_note_may_hold_does_no_harm(
        self, tmp_path: Path
    ) -> None:
        docs = [Doc("1", "a\x00b", title="Rebase")]

        with ours(docs, str(tmp_path)) as product:
            assert product.find("rebase") == ["1"]

    def test_an_agent_is_told_what_fits_its_intent(self, tmp_path: Path) -> None:
        docs = [Doc("1", "Run terraform force-unlock when the state is locked.")]

        with ours(docs, str(tmp_path)) as product:
            assert product.tell("terraform force-unlock state") == ["1"]
            assert product.tell("bake a lemon cake") == []

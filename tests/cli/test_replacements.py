"""What a person sees of notes that replace another: at once, or asked about in review."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.terminal import answered
from tests.requirements import requirement

TO_PROD, TO_STAGING = "Copy from staging to prod", "Copy from prod to staging"


def note(twiceshy: Command, text: str, *options: str) -> str:
    return twiceshy("note", text, *options).out.strip()


def texts(twiceshy: Command, *options: str) -> set[str]:
    return {found["text"] for found in twiceshy("list", "--json", *options).json}


@requirement("T140")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use axios in the old admin app", "Do not use axios in the shop"),
        ("We use Jenkins to build the backend", "We no longer use Jenkins for the mobile apps"),
        ("线上 Redis 用哨兵模式", "本地 Redis 不用哨兵了，单机就行"),
    ],
)
def test_two_places_keep_two_notes(twiceshy: Command, old: str, new: str) -> None:
    note(twiceshy, old)

    assert twiceshy("note", new).err == "noted\n"

    assert texts(twiceshy) == {old, new}


@requirement("L17", "T140")
def test_a_note_says_which_note_it_replaces(twiceshy: Command) -> None:
    old = note(twiceshy, "Artifacts are kept for 30 days")

    told = twiceshy("note", "Artifacts are kept for 7 days").err

    assert f"it replaces {old}, which is retired: Artifacts are kept for 30 days" in told
    assert texts(twiceshy) == {"Artifacts are kept for 7 days"}
    twiceshy("undo")
    assert texts(twiceshy) == {"Artifacts are kept for 30 days"}


@requirement("T142")
@pytest.mark.parametrize(
    ("one", "other"),
    [(TO_PROD, TO_STAGING), ("从测试库同步到正式库", "从正式库同步到测试库")],
)
def test_a_swapped_note_is_a_note_of_its_own(twiceshy: Command, one: str, other: str) -> None:
    note(twiceshy, one)

    assert twiceshy("note", other, "--json").json["outcome"] == "noted"

    assert texts(twiceshy) == {one, other}


@requirement("T142")
def test_a_moved_clause_is_the_same_note(twiceshy: Command) -> None:
    first = note(twiceshy, "Before deploying, run the migrations")

    assert note(twiceshy, "Run the migrations before deploying") == first


@requirement("T141")
class TestPairs:
    """A note that may replace another: both are shown, and review asks."""

    def written(self, twiceshy: Command) -> tuple[str, str]:
        return note(twiceshy, TO_PROD), note(twiceshy, TO_STAGING)

    def test_the_note_says_that_it_is_asked_about(self, twiceshy: Command) -> None:
        old = note(twiceshy, TO_PROD)

        told = twiceshy("note", TO_STAGING)

        new = told.out.strip()
        assert f"it may replace {old}" in told.err
        assert f"twiceshy review --accept {new}" in told.err
        assert f"--keep {new}" in told.err

    def test_review_lists_both_texts(self, twiceshy: Command) -> None:
        old, new = self.written(twiceshy)

        listed = twiceshy("review")

        assert listed.out.startswith("Does this replace that? (1)\n")
        assert f"{new}  lesson, gotcha: {TO_STAGING}\n" in listed.out
        assert f"  older:     {old}  lesson, gotcha: {TO_PROD}" in listed.out
        assert f"twiceshy review --keep {new}" in listed.err
        (found,) = twiceshy("review", "--json").json["replacements"]
        assert (found["handle"], found["replaces"]["handle"]) == (new, old)

    def test_both_are_told_meanwhile(self, twiceshy: Command) -> None:
        self.written(twiceshy)

        told = twiceshy("recall", "copy staging prod").out

        assert TO_PROD in told
        assert TO_STAGING in told

    def test_accepting_replaces_the_older_note(self, twiceshy: Command) -> None:
        old, new = self.written(twiceshy)

        twiceshy("review", "--accept", new)

        assert texts(twiceshy) == {TO_STAGING}
        assert f"superseded by {new}" in twiceshy("show", old).out
        assert twiceshy("review").err == "nothing waits for you\n"
        twiceshy("undo")
        assert texts(twiceshy) == {TO_PROD, TO_STAGING}

    def test_keeping_both_asks_no_more(self, twiceshy: Command) -> None:
        _, new = self.written(twiceshy)

        assert "both are kept" in twiceshy("review", "--keep", new).err

        assert texts(twiceshy) == {TO_PROD, TO_STAGING}
        assert twiceshy("review").err == "nothing waits for you\n"

    def test_rejecting_is_refused_with_a_hint(self, twiceshy: Command) -> None:
        _, new = self.written(twiceshy)

        refused = twiceshy("review", "--reject", new, fails=1)

        assert f"--keep {new}" in refused.err
        assert texts(twiceshy) == {TO_PROD, TO_STAGING}

    @pytest.mark.parametrize(
        ("answer", "left"), [("k", {TO_PROD, TO_STAGING}), ("a", {TO_STAGING})]
    )
    def test_in_a_terminal_a_person_is_asked(
        self, twiceshy: Command, project: Path, answer: str, left: set[str]
    ) -> None:
        self.written(twiceshy)

        code, shown = answered(["review"], f"{answer}\n")

        assert code == 0
        assert "it replaces the older note, [k]eep both" in shown
        assert texts(twiceshy) == left

    def test_the_question_travels_in_a_bundle(
        self, twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.written(twiceshy)
        bundle = tmp_path / "notes.jsonl"
        twiceshy("export", str(bundle))
        monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / "other"))

        twiceshy("import", str(bundle))

        (found,) = twiceshy("review", "--json").json["replacements"]
        assert (found["text"], found["replaces"]["text"]) == (TO_STAGING, TO_PROD)


@requirement("T141")
def test_a_note_that_may_replace_another_is_told_before_it(twiceshy: Command) -> None:
    old = note(twiceshy, "The nightly export writes CSV files")
    new = note(twiceshy, "Exports at night produce Parquet, analysts asked for it")

    for words in ("what format does the nightly export write", "nightly export CSV files"):
        told = twiceshy("recall", words).out

        assert f"[{new} gotcha] Exports at night" in told.split(f"[{old} ")[0]
        assert f"may replace {old}" in told
        assert [hit["handle"] for hit in twiceshy("search", words, "--json").json] == [new, old]

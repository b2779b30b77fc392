"""What a session wrote down at its end becomes notes of the skill; checkpoints outlive it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.flushing import FETCH, LOCK, PUSH, WAIT, a_summary, checkpoints, flush, told
from tests.requirements import requirement


def test_the_lessons_of_a_summary_become_notes_and_their_ids_are_printed(
    twiceshy: Command, project: Path
) -> None:
    summary = a_summary(project, f"- {LOCK}", f"2. {FETCH}", "## Next", f"- {PUSH}")

    ran = twiceshy("flush", "--skill", "release", "--summary-file", summary)

    assert told(twiceshy) == [LOCK, FETCH]
    shown = twiceshy("show", *ran.out.split(), "--json").json
    assert [note["text"] for note in shown] == [LOCK, FETCH]
    assert f"noted: {LOCK}" in ran.err


@requirement("U089", "F24")
@pytest.mark.parametrize("heading", ["## Lessons", "# Takeaways", "### Insights", "## 经验沉淀"])
def test_lessons_come_from_a_summary_a_session_or_stdin_in_both_languages(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch, heading: str
) -> None:
    text = f"{heading}\n- {LOCK}\n"
    for ending in ("md", "txt", "json", "jsonl"):
        said = text if ending in ("md", "txt") else json.dumps({"text": text})
        (project / f"session.{ending}").write_text(said)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    flush(twiceshy, "--stdin")
    flush(twiceshy, "--summary-file", str(project / "session.md"))
    for ending in ("md", "txt", "json", "jsonl"):
        flush(twiceshy, "--session-file", str(project / f"session.{ending}"))

    (project / "empty.md").write_text("## What is left\n- this and that\n")
    empty = flush(twiceshy, "--summary-file", "empty.md", fails=1)

    (note,) = twiceshy("list", "--skill", "release", "--json").json
    assert (note["text"], note["sightings"]) == (LOCK, 6)
    assert "the input has no lessons" in empty.err


@requirement("F25")
@pytest.mark.parametrize("text", ["", "prose\n- a bullet under no such heading\n", "## Lessons\n"])
def test_a_summary_without_lessons_is_an_error_that_says_what_is_missing(
    twiceshy: Command, project: Path, text: str
) -> None:
    (project / "summary.md").write_text(text)

    ran = flush(twiceshy, "--summary-file", "summary.md", fails=1)

    assert "the input has no lessons" in ran.err
    assert "## Lessons, ## Takeaways or ## 经验" in ran.err


@pytest.mark.parametrize(
    "sources",
    [
        (),
        ("--stdin", "--summary-file", "a.md"),
        ("--session-file", "a.md", "--summary-file", "a.md"),
    ],
)
def test_exactly_one_source_is_given(twiceshy: Command, sources: tuple[str, ...]) -> None:
    ran = twiceshy("flush", "--skill", "release", *sources, fails=2)

    assert "give one of --summary-file, --session-file and --stdin" in ran.err


@pytest.mark.parametrize("option", ["--summary-file", "--session-file"])
@pytest.mark.parametrize("path", ["missing.md", ".", "a\0b", ""])
def test_a_file_that_cannot_be_read_is_named(twiceshy: Command, option: str, path: str) -> None:
    ran = flush(twiceshy, option, path, fails=1)

    assert "cannot read" in ran.err


def test_empty_input_is_said_to_be_empty(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b" \n")))

    assert "stdin is empty" in flush(twiceshy, "--stdin", fails=1).err


def test_a_file_beyond_all_measure_is_refused(twiceshy: Command, project: Path) -> None:
    with open(project / "huge.md", "wb") as file:
        file.truncate(32 * 1024 * 1024 + 1)

    ran = flush(twiceshy, "--summary-file", "huge.md", fails=1)

    assert "huge.md is larger than 32 MiB" in ran.err


@requirement("F26")
@pytest.mark.parametrize(
    ("options", "kept"), [((), 3), (("--max-lessons", "1"), 1), (("--max-lessons", "0"), 1)]
)
def test_three_lessons_are_kept_unless_another_number_is_given(
    twiceshy: Command, project: Path, options: tuple[str, ...], kept: int
) -> None:
    summary = a_summary(project, *(f"- {text}" for text in (LOCK, FETCH, PUSH, WAIT)))

    flushed = flush(twiceshy, "--summary-file", summary, *options)

    assert len(told(twiceshy)) == kept
    assert flushed["left"] == 4 - kept


def test_flushed_notes_are_known_in_every_project(
    twiceshy: Command, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flush(twiceshy, "--summary-file", a_summary(project, f"- {LOCK}"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    assert LOCK in twiceshy("inject", "--skill", "release").out


def test_one_undo_takes_a_whole_flush_back(twiceshy: Command, project: Path) -> None:
    flush(twiceshy, "--summary-file", a_summary(project, f"- {LOCK}", f"- {FETCH}"))

    twiceshy("undo")

    assert told(twiceshy) == []


class TestOneLesson:
    """Fireworks took 32 characters for the lesson: two became one, and one became two."""

    @requirement("F47")
    def test_two_lessons_of_one_month_and_tag_are_two(
        self, twiceshy: Command, project: Path
    ) -> None:
        mark = "- [2026-11] [release-procedure-of-the-shop]"

        flush(twiceshy, "--summary-file", a_summary(project, f"{mark} {LOCK}", f"{mark} {FETCH}"))

        assert told(twiceshy) == [LOCK, FETCH]

    @requirement("F47")
    def test_a_short_lesson_is_not_swallowed_by_a_longer_one(
        self, twiceshy: Command, project: Path
    ) -> None:
        flush(twiceshy, "--summary-file", a_summary(project, f"- {LOCK}", "- Lock"))

        assert told(twiceshy) == ["Lock", LOCK]

    @requirement("F48")
    def test_the_same_lesson_in_another_month_is_the_same(
        self, twiceshy: Command, project: Path
    ) -> None:
        flush(twiceshy, "--summary-file", a_summary(project, f"- [2026-03] {LOCK}"))
        flush(twiceshy, "--summary-file", a_summary(project, f"* [2026-04] {LOCK.lower()}"))

        (note,) = twiceshy("list", "--skill", "release", "--json").json
        assert (note["text"], note["sightings"]) == (LOCK, 2)

    @requirement("F36")
    def test_month_and_tag_become_fields(self, twiceshy: Command, project: Path) -> None:
        flush(twiceshy, "--summary-file", a_summary(project, f"- [2026-03] [uv] {LOCK}  [HIT:9]"))

        (note,) = twiceshy("list", "--skill", "release", "--json").json
        assert (note["text"], note["tag"], note["sightings"]) == (LOCK, "uv", 1)
        assert note["learned_at"].startswith("2026-03-01")

    def test_a_month_that_is_still_to_come_is_now(self, twiceshy: Command, project: Path) -> None:
        flush(twiceshy, "--summary-file", a_summary(project, f"- [9999-12] {LOCK}"))

        (note,) = twiceshy("list", "--skill", "release", "--json").json
        assert note["learned_at"] <= note["written_at"]

    @requirement("F45")
    def test_the_placeholder_of_fireworks_is_no_lesson(
        self, twiceshy: Command, project: Path
    ) -> None:
        summary = a_summary(project, "- [placeholder] No lessons recorded yet.")

        ran = flush(twiceshy, "--summary-file", summary, fails=1)

        assert "the input has no lessons" in ran.err


class TestCheckpoints:
    """Fireworks emptied the list at every flush, and took nothing from it when it was asked to."""

    @pytest.fixture(autouse=True)
    def _written(self, twiceshy: Command) -> None:
        for text in (FETCH, PUSH):
            twiceshy("checkpoint", "--skill", "release", "--note", text)

    @requirement("F27")
    def test_a_flush_without_checkpoints_leaves_them_alone(
        self, twiceshy: Command, project: Path
    ) -> None:
        flush(twiceshy, "--summary-file", a_summary(project, f"- {LOCK}"))

        assert checkpoints(twiceshy) == {FETCH: False, PUSH: False}
        assert told(twiceshy) == [LOCK]

    @requirement("U052", "F27")
    def test_included_checkpoints_become_notes_and_stay_listed(
        self, twiceshy: Command, project: Path
    ) -> None:
        summary = a_summary(project, f"- {LOCK}")

        flushed = flush(twiceshy, "--summary-file", summary, "--include-checkpoints")

        assert told(twiceshy) == [LOCK, PUSH, FETCH]
        assert len(flushed["closed"]) == 2
        assert checkpoints(twiceshy) == {FETCH: True, PUSH: True}

    def test_those_that_became_notes_are_not_taken_again(
        self, twiceshy: Command, project: Path
    ) -> None:
        options = ("--summary-file", a_summary(project, f"- {LOCK}"), "--include-checkpoints")
        flush(twiceshy, *options)

        again = flush(twiceshy, *options)

        assert [one["note"]["text"] for one in again["kept"]] == [LOCK]

    @requirement("F28")
    def test_kept_checkpoints_are_open_for_the_next_flush(
        self, twiceshy: Command, project: Path
    ) -> None:
        options = ("--summary-file", a_summary(project, f"- {LOCK}"), "--include-checkpoints")

        flush(twiceshy, *options, "--keep-checkpoints")

        assert told(twiceshy) == [LOCK, PUSH, FETCH]
        assert checkpoints(twiceshy) == {FETCH: False, PUSH: False}

    def test_one_that_was_too_many_stays_open(self, twiceshy: Command, project: Path) -> None:
        options = ("--summary-file", a_summary(project, f"- {LOCK}"), "--include-checkpoints")

        flush(twiceshy, *options, "--max-lessons", "2")

        assert told(twiceshy) == [LOCK, FETCH]
        assert checkpoints(twiceshy) == {FETCH: True, PUSH: False}

    def test_one_of_which_something_is_left_stays_open(
        self, twiceshy: Command, project: Path
    ) -> None:
        both = f"- {WAIT}\n- {LOCK}"
        twiceshy("checkpoint", "--skill", "release", "--note", both)

        flush(twiceshy, "--summary-file", a_summary(project), "--include-checkpoints")

        assert told(twiceshy) == [PUSH, FETCH, WAIT]
        assert checkpoints(twiceshy) == {FETCH: True, PUSH: True, both: False}

    def test_one_that_the_summary_repeats_is_used_with_it(
        self, twiceshy: Command, project: Path
    ) -> None:
        options = ("--summary-file", a_summary(project, f"- {FETCH}"), "--include-checkpoints")

        flush(twiceshy, *options, "--max-lessons", "1")

        assert checkpoints(twiceshy) == {FETCH: True, PUSH: False}

    def test_checkpoints_alone_are_enough(self, twiceshy: Command, project: Path) -> None:
        flush(twiceshy, "--summary-file", a_summary(project), "--include-checkpoints")

        assert told(twiceshy) == [PUSH, FETCH]

    def test_one_that_says_nothing_stays_as_it_is(self, twiceshy: Command, project: Path) -> None:
        twiceshy("checkpoint", "--skill", "release", "--note", "None.")

        flush(twiceshy, "--summary-file", a_summary(project), "--include-checkpoints")

        assert checkpoints(twiceshy) == {FETCH: True, PUSH: True, "None.": False}

    def test_a_note_tells_which_checkpoint_it_was(self, twiceshy: Command, project: Path) -> None:
        flushed = flush(twiceshy, "--summary-file", a_summary(project), "--include-checkpoints")

        why = twiceshy("why", flushed["kept"][0]["note"]["id"]).out

        assert "in checkpoint:n" in why
        assert FETCH in why


@requirement("F55")
def test_lessons_flushed_by_many_processes_are_all_kept(twiceshy: Command, project: Path) -> None:
    words = ["anchor", "bridge", "candle", "desert", "engine", "forest"]
    for word in words:
        (project / f"{word}.md").write_text(f"## Lessons\n- The {word} comes first of all {word}s")
    program = "import sys; from twiceshy.cli import run_command_line; sys.exit(run_command_line(['flush', '--skill', 'release', '--summary-file', sys.argv[1]]))"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, f"{word}.md"],
            cwd=project,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for word in words
    ]

    codes = [one.wait() for one in running]

    assert codes == [0] * len(words)
    assert told(twiceshy) == [f"The {word} comes first of all {word}s" for word in words]


@pytest.mark.parametrize("verb", ["inject", "checkpoint", "flush", "show"])
def test_the_help_of_each_verb_ends_in_an_example(twiceshy: Command, verb: str) -> None:
    assert f"Example: twiceshy {verb} " in twiceshy(verb, "--help").out

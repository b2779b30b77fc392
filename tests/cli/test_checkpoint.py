"""Something is written down in passing: raw, redacted, and never lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.flushing import a_summary, flush
from tests.requirements import requirement
from tests.store.support import bytes_under

OLD_TAG = "The tag was on an old commit; git fetch --tags helped"
CONFUSING = "the rel=ease notes are\nstill  half written"


def written(twiceshy: Command, skill: str = "release") -> list[str]:
    return [
        one["note"] for one in twiceshy("show", "--skill", skill, "--checkpoints", "--json").json
    ]


@requirement("F21")
def test_a_checkpoint_is_kept_and_its_id_printed(twiceshy: Command) -> None:
    first = twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG).out.strip()
    second = twiceshy("checkpoint", "--skill", "release", "--note", CONFUSING, "--json").json

    shown = twiceshy("show", "--skill", "release", "--checkpoints", "--json").json

    assert [one["id"] for one in shown] == [first, second["id"]]
    assert [one["note"] for one in shown] == [OLD_TAG, CONFUSING]
    assert second["kept"] == "stored"


@requirement("F21")
def test_checkpoints_are_listed_as_fireworks_listed_them(twiceshy: Command) -> None:
    twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG)

    page = twiceshy("show", "--skill", "release", "--checkpoints").out

    assert page.startswith("# release — checkpoints\n\n> ")
    assert f"] {OLD_TAG}\n" in page


def test_the_same_words_twice_are_two_checkpoints(twiceshy: Command) -> None:
    twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG)
    twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG)

    assert written(twiceshy) == [OLD_TAG, OLD_TAG]


def test_a_checkpoint_is_told_to_nobody_before_it_is_flushed(twiceshy: Command) -> None:
    twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG)

    twiceshy("inject", "--skill", "release", fails=1)

    told = twiceshy("recall", "tag", "--skill", "release")
    assert told.out == ""
    assert "1 checkpoints: twiceshy flush --skill release --include-checkpoints" in told.err
    assert twiceshy("search", "tag", "--json").json == []


@pytest.mark.parametrize("keep", [[], ["--keep-checkpoints"]])
def test_a_checkpoint_is_forgotten_with_the_note_it_became(
    twiceshy: Command, home: Path, project: Path, keep: list[str]
) -> None:
    for text in (OLD_TAG, OLD_TAG.replace("; ", ";\n"), CONFUSING):
        twiceshy("checkpoint", "--skill", "release", "--note", text)
    options = ("--summary-file", a_summary(project), "--include-checkpoints", *keep)
    kept = flush(twiceshy, *options)["kept"]
    about = [one["note"] for one in kept if "old commit" in one["note"]["text"]]
    assert len(about) == 1

    twiceshy("forget", about[0]["id"], "--yes")

    assert [name for name, held in bytes_under(home).items() if b"old commit" in held] == []
    assert written(twiceshy) == [CONFUSING]


def test_checkpoints_of_another_skill_stay_apart(twiceshy: Command) -> None:
    twiceshy("checkpoint", "--skill", "release", "--note", OLD_TAG)

    ran = twiceshy("show", "--skill", "deploy", "--checkpoints", fails=1)

    assert "nothing was written down about skill 'deploy'" in ran.err


@requirement("F22")
@pytest.mark.parametrize("empty", ["", "   ", "\n\t", "\u200b"])
def test_an_empty_note_is_an_error(twiceshy: Command, empty: str) -> None:
    ran = twiceshy("checkpoint", "--skill", "release", "--note", empty, fails=1)

    assert "the checkpoint is empty" in ran.err


@pytest.mark.parametrize("given", [("--skill", "release"), ("--note", OLD_TAG)])
def test_skill_and_note_are_both_needed(twiceshy: Command, given: tuple[str, str]) -> None:
    ran = twiceshy("checkpoint", *given, fails=2)

    assert "Missing option" in ran.err


def test_one_that_is_too_long_is_refused_with_what_to_do(twiceshy: Command) -> None:
    ran = twiceshy("checkpoint", "--skill", "release", "--note", "x" * 8_001, fails=1)

    assert "has 8,001 characters; 8,000 is the most" in ran.err
    assert "keep it in a file and flush that" in ran.err


def test_no_secret_of_a_checkpoint_reaches_the_disk(twiceshy: Command, home: Path) -> None:
    secret = "ghp_" + "a1B2" * 9

    said = twiceshy(
        "checkpoint", "--skill", "release", "--note", f"logged in with {secret}", "--json"
    )

    assert "logged in with [REDACTED" in said.json["note"]
    assert not [
        path for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]


@requirement("F54")
@pytest.mark.parametrize(
    "name",
    [
        "..",
        ".",
        "../x",
        "a/../../x",
        "/etc/passwd",
        "~/x",
        "a//b",
        "a\\b",
        "",
        "a\x00b",
        "x" * 101,
    ],
)
@pytest.mark.parametrize(
    "words",
    [
        ("checkpoint", "--note", OLD_TAG),
        ("inject",),
        ("show",),
        ("show", "--checkpoints"),
        ("flush", "--summary-file", "summary.md"),
    ],
)
def test_a_skill_name_that_climbs_out_is_refused_by_every_verb(
    twiceshy: Command, project: Path, tmp_path: Path, words: tuple[str, ...], name: str
) -> None:
    (project / "summary.md").write_text("## Lessons\n- use the lock")
    before = sorted(tmp_path.rglob("*"))

    ran = twiceshy(*words, "--skill", name, fails=1)

    assert "skill name" in ran.err
    assert "hint: " in ran.err
    new = set(tmp_path.rglob("*")) - set(before)
    assert not [path for path in new if tmp_path / "home" not in (path, *path.parents)]


@requirement("F54")
@pytest.mark.parametrize("name", ["..", "../x", "/etc/passwd", "a\\b"])
@pytest.mark.parametrize("words", [("note", OLD_TAG), ("recall", "a tag"), ("move", "abcde")])
def test_no_other_verb_takes_a_skill_name_that_climbs_out(
    twiceshy: Command, words: tuple[str, ...], name: str
) -> None:
    kept = twiceshy("note", "Sign the tag").out.strip()

    ran = twiceshy(*words[:1], kept if words[0] == "move" else words[1], "--skill", name, fails=1)

    assert "skill name" in ran.err
    assert [one["skill"] for one in twiceshy("list", "--all", "--json").json] == [None]


@requirement("F54")
def test_a_slash_inside_a_name_means_what_it_meant_to_fireworks(twiceshy: Command) -> None:
    twiceshy("checkpoint", "--skill", "team/release", "--note", OLD_TAG)

    assert written(twiceshy, "team__release") == [OLD_TAG]
    assert written(twiceshy, "team/release") == [OLD_TAG]


@requirement("F55")
def test_checkpoints_of_many_processes_are_all_kept(twiceshy: Command, project: Path) -> None:
    program = "import sys; from twiceshy.cli import run_command_line; sys.exit(any(run_command_line(['checkpoint', '--skill', 'release', '--note', f'note {sys.argv[1]}.{n}']) for n in range(5)))"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(number)],
            cwd=project,
            stdout=subprocess.DEVNULL,
        )
        for number in range(4)
    ]

    codes = [one.wait() for one in running]

    assert codes == [0] * 4
    assert sorted(written(twiceshy)) == sorted(f"note {n}.{m}" for n in range(4) for m in range(5))

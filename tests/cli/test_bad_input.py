"""Bad input gets one clear line and a hint, a code other than 0, and leaves nothing behind."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.conftest import Command

BAD_NOTES = {
    "empty": [""],
    "blank": ["  \n "],
    "a megabyte": ["x" * 1_000_000],
    "invalid UTF-8": ["caf\udce9"],
    "a control character": ["ring the \a bell"],
    "a bidi override": ["abc \u202e fed"],
    "a zero-width space": ["pass\u200bword"],
    "an unknown type": ["x", "--type", "rumour"],
    "a type of another kind": ["x", "--kind", "rule", "--type", "gotcha"],
    "a project that does not exist": ["x", "--project", "nowhere"],
    "a skill that climbs out": ["x", "--skill", "../../etc/passwd"],
    "a skill with a NUL": ["x", "--skill", "a\0b"],
    "a skill in look-alike letters": ["x", "--skill", "rel\u0435ase"],
    "a very long skill": ["x", "--skill", "s" * 5000],
    "a page without a name": ["x", "--kind", "page"],
    "superseding nothing": ["x", "--supersedes", "nzzzz"],
    "a tag of two lines": ["x", "--tag", "a\nb"],
}


@pytest.mark.parametrize("words", BAD_NOTES.values(), ids=BAD_NOTES)
def test_a_note_that_cannot_be_kept_is_refused_with_a_hint(
    twiceshy: Command, words: list[str]
) -> None:
    refused = twiceshy("note", *words, fails=1)

    first, second = refused.err.splitlines()
    assert first.startswith("twiceshy: ")
    assert second.startswith("hint: ")
    assert refused.out == ""
    assert twiceshy("history", "--json").json == []


@pytest.mark.parametrize(
    "words",
    [
        ["note", "x", "--kind", "rumour"],
        ["note"],
        ["nonsense"],
        ["recall", "--tokens", "many"],
        ["move", "nzzzz"],
        ["list", "--since", "yesterday"],
        ["note", "x", "--everywhere", "--project", "."],
    ],
)
def test_a_wrong_call_exits_with_2_and_points_to_the_help(
    twiceshy: Command, words: list[str]
) -> None:
    refused = twiceshy(*words, fails=2)

    assert "--help" in refused.err.splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [
        ["show", "nzzzz"],
        ["pin", "nzzzz"],
        ["edit", "nzzzz", "x"],
        ["list", "--skill", "unheard-of"],
        ["search", "x", "--project", "nowhere"],
        ["undo"],
        ["undo", "bzzzz"],
        ["restore", "n"],
        ["why", "%%%%"],
    ],
)
def test_what_does_not_exist_is_said_to_not_exist(twiceshy: Command, words: list[str]) -> None:
    refused = twiceshy(*words, fails=1)

    assert refused.err.startswith("twiceshy: ")
    assert "hint: " in refused.err


def test_a_misspelt_verb_is_guessed(twiceshy: Command) -> None:
    assert "did you mean 'recall'?" in twiceshy("recal", fails=2).err


def test_an_edit_that_would_repeat_another_note_is_refused(twiceshy: Command) -> None:
    first = twiceshy("note", "Pin the lock file").out.strip()
    twiceshy("note", "Something else")

    second = twiceshy("search", "else", "--json").json[0]["handle"]

    assert first in twiceshy("edit", second, "pin the lock file", fails=1).err


def spawn(*words: str, home: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "twiceshy", *words],
        env=os.environ | {"TWICESHY_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@contextmanager
def disk(folder: Path, *options: str) -> Iterator[Path]:
    """Mount a disk in memory; only root can."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small or read-only disk can only be made by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_home_on_a_disk_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    with disk(tmp_path / "sealed", "ro") as sealed:
        code, out, err = spawn("note", "x", home=sealed / "home")

    assert (code, out) == (1, "")
    assert "cannot write" in err
    assert "TWICESHY_HOME" in err


def test_a_home_without_permission_is_a_clear_error(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (tmp_path / "sealed").mkdir(mode=0o555)

    code, out, err = spawn("note", "x", home=tmp_path / "sealed" / "home")

    assert (code, out) == (1, "")
    assert "cannot write" in err


def test_a_full_disk_is_a_clear_error_and_nothing_is_half_written(tmp_path: Path) -> None:
    with disk(tmp_path / "small", "size=400k") as small:
        codes, err = [0], ""
        while codes[-1] == 0:
            text = f"{len(codes)} " + "the disk fills up " * 300
            code, _, err = spawn("note", text, "--new", home=small / "home")
            codes.append(code)
        _, listed, _ = spawn("list", "--json", home=small / "home")

    assert codes[-1] == 1
    assert "the disk is full; nothing was changed" in err
    assert listed.count('"handle"') == len(codes) - 2


def test_a_bug_becomes_a_report_without_what_the_user_wrote(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("status")

    def explode(*_: object, **__: object) -> None:
        raise RuntimeError("kaboom")

    monkeypatch.setattr("twiceshy.notes.user_changes.take_note", explode)
    said = twiceshy("note", "the secret plan", fails=3)

    [report] = home.glob("bug-report-*.md")
    assert str(report) in said.err
    assert "kaboom" in report.read_text(encoding="utf-8")
    assert "secret plan" not in report.read_text(encoding="utf-8")
    assert report.stat().st_mode & 0o077 == 0

"""``twiceshy export`` and ``twiceshy import``: a store goes to another machine and comes back."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import bytes_under, modes_under

from twiceshy.cli import progress

FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
LAYER = "Docker keeps the old layer when only the lock file changed."
RULE = "Never push with force to main."

Machine = Callable[[str], None]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Sit down at another machine: same folder, another memory home."""

    def call(name: str) -> None:
        monkeypatch.setenv("TWICESHY_HOME", str(tmp_path / name))

    return call


def texts(twiceshy: Command, *options: str) -> set[str]:
    return {note["text"] for note in twiceshy("list", "--all", "--json", *options).json}


@requirement("U194")
def test_what_one_machine_learned_the_other_knows(
    twiceshy: Command, machine: Machine, project: Path
) -> None:
    twiceshy("note", FETCH, "--skill", "release")
    twiceshy("note", LAYER)
    twiceshy("export", "notes.jsonl")
    machine("elsewhere")

    told = twiceshy("import", "notes.jsonl", "--trust")

    assert told.out == "new:       2\nchanged:   0\nknown:     0\nprojects and counters: 3\n"
    assert texts(twiceshy) == {FETCH, LAYER}
    assert FETCH in twiceshy("recall", "tag a release", "--skill", "release").out


def test_the_bundle_goes_to_stdout_unless_a_file_is_named(
    twiceshy: Command, project: Path
) -> None:
    twiceshy("note", FETCH, "--why", "标签 first")

    printed, dashed = twiceshy("export"), twiceshy("export", "-")
    saved = twiceshy("export", "notes.jsonl")

    assert printed.out == dashed.out == (project / "notes.jsonl").read_text("utf-8")
    assert "标签" in printed.out
    assert (printed.err, saved.out) == ("", "")
    assert saved.err == "wrote 6 lines to notes.jsonl\n"


def test_an_export_to_a_closed_output_is_an_error(twiceshy: Command) -> None:
    twiceshy("note", "Fetch the tags before tagging.")

    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m twiceshy export >&-"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "cannot write the output: it is closed" in done.stderr
    assert "hint: give the name of a FILE" in done.stderr


def test_a_bundle_is_for_its_owner_only_and_nothing_is_left_beside_it(
    twiceshy: Command, project: Path
) -> None:
    twiceshy("note", FETCH)
    before = os.umask(0)
    try:
        twiceshy("export", "notes.jsonl")
    finally:
        os.umask(before)

    assert modes_under(project)["notes.jsonl"] == "0600"
    assert [file.name for file in project.iterdir()] == ["notes.jsonl"]


def test_a_file_that_exists_is_overwritten_only_by_force(twiceshy: Command, project: Path) -> None:
    file = project / "notes.jsonl"
    file.write_text("mine\n")
    twiceshy("note", FETCH)

    refused = twiceshy("export", "notes.jsonl", fails=1)

    assert refused.err.splitlines() == [
        "twiceshy: notes.jsonl exists already",
        "hint: choose another name, or add --force",
    ]
    assert file.read_text() == "mine\n"
    twiceshy("export", "notes.jsonl", "--force")
    assert FETCH in file.read_text()


def test_a_link_leads_to_the_file_that_is_written(twiceshy: Command, project: Path) -> None:
    (project / "real").mkdir()
    (project / "notes.jsonl").symlink_to("real/notes.jsonl")
    twiceshy("note", FETCH)

    twiceshy("export", "notes.jsonl", "--force")

    assert (project / "notes.jsonl").is_symlink()
    assert FETCH in (project / "real" / "notes.jsonl").read_text()


@pytest.mark.parametrize("file", ["nowhere/notes.jsonl", "."])
def test_a_place_that_cannot_be_written_is_named(
    twiceshy: Command, project: Path, file: str
) -> None:
    refused = twiceshy("export", file, "--force", fails=1)

    assert "cannot write" in refused.err
    assert "hint: " in refused.err
    assert list(project.iterdir()) == []


def test_the_notes_of_one_project_or_skill_can_be_exported(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "blog").mkdir()
    twiceshy("note", FETCH, "--skill", "release")
    twiceshy("note", LAYER, "--project", str(tmp_path / "blog"))
    twiceshy("note", RULE, "--everywhere")

    def noted(*options: str) -> set[str]:
        lines = map(json.loads, twiceshy("export", "--notes-only", *options).out.splitlines())
        return {line["note"]["text"] for line in lines if "note" in line}

    assert noted() == {FETCH, LAYER, RULE}
    assert noted("--skill", "release") == noted("--project", ".") == {FETCH}
    assert noted("--project", str(tmp_path / "blog")) == {LAYER}
    assert noted("--project", "everywhere") == {RULE}
    assert "nothing is kept for skill" in twiceshy("export", "--skill", "x", fails=1).err
    assert "no project" in twiceshy("export", "--project", "x", fails=1).err


def test_a_plan_shows_what_would_come_in_and_writes_nothing(
    twiceshy: Command, machine: Machine, tmp_path: Path
) -> None:
    twiceshy("note", FETCH)
    twiceshy("note", RULE, "--kind", "rule")
    twiceshy("export", "notes.jsonl")
    machine("elsewhere")
    twiceshy("note", FETCH.upper())
    before = bytes_under(tmp_path / "elsewhere")

    planned = twiceshy("import", "notes.jsonl", "--plan", "--trust")

    assert planned.out.split() == "new: 2 changed: 0 known: 0 merged: 1".split()
    assert planned.err.endswith("nothing was changed\n")
    assert bytes_under(tmp_path / "elsewhere") == before
    as_json = twiceshy("import", "notes.jsonl", "--plan", "--json", "--trust").json
    assert as_json["planned"] is True
    assert len(as_json["new"]) == 2
    assert len(as_json["merged"]) == 1
    assert twiceshy("import", "notes.jsonl", "--trust").out == planned.out


def test_one_undo_takes_an_import_back(twiceshy: Command, machine: Machine) -> None:
    twiceshy("note", FETCH)
    twiceshy("note", LAYER)
    twiceshy("export", "notes.jsonl")
    machine("elsewhere")
    twiceshy("note", "Mine stays.")
    told = twiceshy("import", "notes.jsonl", "--trust")

    twiceshy("undo")

    assert told.err == "`twiceshy undo` takes it back\n"
    assert texts(twiceshy) == {"Mine stays."}
    assert texts(twiceshy, "--status", "retired") == {FETCH, LAYER}
    twiceshy("undo", "--redo")
    assert texts(twiceshy) == {"Mine stays.", FETCH, LAYER}


def test_rules_wait_and_are_approved_all_at_once(twiceshy: Command, machine: Machine) -> None:
    twiceshy("note", RULE, "--kind", "rule")
    twiceshy("note", "Always run the tests.", "--kind", "rule")
    twiceshy("export", "notes.jsonl")
    machine("elsewhere")

    told = twiceshy("import", "notes.jsonl")

    assert texts(twiceshy) == set()
    assert "2 notes wait: twiceshy review" in told.err
    twiceshy("review", "--accept-all", "rules", "--yes")
    assert texts(twiceshy) == {RULE, "Always run the tests."}
    machine("third")
    twiceshy("import", "notes.jsonl", "--trust")
    assert texts(twiceshy) == {RULE, "Always run the tests."}


def test_a_bundle_can_come_through_a_pipe(twiceshy: Command, project: Path) -> None:
    lines = '{"twiceshy-bundle":1}\n{"note":{"text":"' + FETCH + '"}}\n'

    ran = subprocess.run(
        [sys.executable, "-m", "twiceshy", "import", "-", "--json"],
        input=lines.encode(),
        capture_output=True,
        check=True,
    )

    assert len(json.loads(ran.stdout)["new"]) == 1
    assert texts(twiceshy) == set()
    assert texts(twiceshy, "--status", "quarantined") == {FETCH}


def test_what_was_left_out_or_redacted_is_said(twiceshy: Command, project: Path) -> None:
    key = "ghp_" + "aB3dE5fG7h" * 3 + "aB3dE5"
    lines = [
        {"twiceshy-bundle": 1},
        {"note": {"text": f"Log in with {key}."}},
        {"note": {"text": "x", "skill": "../bin"}},
        {"dream": {}},
        *({"note": {"text": "", "id": f"n{number}"}} for number in range(12)),
    ]
    (project / "notes.jsonl").write_text("\n".join(map(json.dumps, lines)))

    told = twiceshy("import", "notes.jsonl")

    counts = "new: 1 changed: 0 known: 0 waiting: 1 refused: 13 redacted: 1 skipped: 1"
    assert told.out.split() == counts.split()
    assert "left out line 3: " in told.err
    assert "left out n3: the note is empty" in told.err
    assert "… and 3 more; --json lists them" in told.err
    assert "skipped 1 records of a kind this twiceshy does not know: 'dream'" in told.err
    assert "redacted something in" in told.err
    assert key not in twiceshy("list", "--all").out


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("missing.jsonl", None, "cannot read missing.jsonl: No such file"),
        (".", None, "cannot read .: Is a directory"),
        ("x", b"", "the file is empty"),
        ("x", b"# Notes\n", "this file is not a bundle"),
        ("x", b"\x1f\x8b\x08\x00", "this file is not a bundle"),
        ("x", b'{"twiceshy-bundle":9}\n', "upgrade twiceshy"),
        ("x", b'{"twiceshy-bundle":1}\n{"note":\n', "line 2 is not JSON"),
    ],
)
def test_a_file_that_is_no_bundle_is_refused_with_a_hint(
    twiceshy: Command, project: Path, name: str, content: bytes | None, complaint: str
) -> None:
    if content is not None:
        (project / name).write_bytes(content)

    refused = twiceshy("import", name, fails=1)

    assert complaint in refused.err
    assert refused.err.splitlines()[1].startswith("hint: ")
    assert refused.out == ""


@pytest.mark.parametrize("verb", ["export", "import"])
def test_the_help_ends_in_an_example(twiceshy: Command, verb: str) -> None:
    described = twiceshy(verb, "--help").out.partition("Options:")[0]

    assert described.strip().splitlines()[-1].strip().startswith(f"Example: twiceshy {verb} ")


@pytest.mark.parametrize(("patience", "shown"), [(-1.0, True), (3_600.0, False)])
def test_someone_at_a_terminal_sees_how_far_it_is_if_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, patience: float, shown: bool
) -> None:
    terminal, screen = os.openpty()
    monkeypatch.setattr(progress, "_SHORT_WAIT", patience)
    with open(screen, "w", encoding="utf-8") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)

        passed = list(progress.show_progress(range(5), "exporting", total=5))

        stderr.write("done\n")
        stderr.flush()
        written = ""
        while "done" not in written:  # a terminal hands over a part at a time
            written += os.read(terminal, 4_096).decode()
    os.close(terminal)

    assert passed == list(range(5))
    assert ("exporting" in written) is shown
    assert ("100%" in written) is shown


def test_a_reader_in_a_pipe_sees_a_line_for_each_tenth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_SHORT_WAIT", -1.0)

    passed = list(progress.show_progress(range(50), "exporting", total=50))

    assert passed == list(range(50))
    said = capsys.readouterr()
    assert said.err.splitlines() == [f"exporting: {tenth} %" for tenth in range(10, 101, 10)]
    assert said.out == ""

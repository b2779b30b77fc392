"""``twiceshy import``: what other programs kept is found, offered, planned, brought in and taken back."""

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.interop.imports.shop import ROW, a_database
from tests.requirements import requirement

from twiceshy.places.identity import claude_slug

FETCH = "Fetch the tags before tagging, or the tag lands on an old commit."
COUNT = "Count prices in cents"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def user(home: Path) -> Path:
    return Path(os.environ["HOME"])


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def old_notes(user: Path, project: Path) -> None:
    """Leave notes of two other programs."""
    lessons = (
        f"# release — experience\n\n- [2026-08] [tags] {FETCH}  [HIT:4]\n- Use {TOKEN} for it.\n"
    )
    put(user / ".ai-memory/skills/release/KNOWLEDGE.md", lessons)
    facts = {"decisions": [{"id": "d001", "content": COUNT, "reason": "floats round"}, "broken"]}
    put(project / ".claude/memory/facts.json", json.dumps(facts))


def files_below(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def texts(twiceshy: Command) -> set[str]:
    return {note["text"] for note in twiceshy("list", "--all", "--json").json}


def test_without_a_name_it_says_what_is_there_and_changes_nothing(
    twiceshy: Command, user: Path, project: Path
) -> None:
    old_notes(user, project)

    told = twiceshy("import")

    names = [line.split()[0] for line in told.out.splitlines()]
    assert names == ["fireworks", "memory-keeper"]
    assert "--plan" in told.err
    assert texts(twiceshy) == set()


def test_places_in_the_users_home_are_named_briefly(
    twiceshy: Command, user: Path, project: Path
) -> None:
    old_notes(user, project)
    put(user / ".ai-memory/global/KNOWLEDGE.md", "- Keep it short.\n")

    told = twiceshy("import")

    assert told.out.splitlines()[0].split(maxsplit=1) == [
        "fireworks",
        "~/.ai-memory/global/KNOWLEDGE.md and one more file",
    ]


def test_where_nothing_is_it_says_so(twiceshy: Command) -> None:
    told = twiceshy("import")

    assert (told.out, told.err) == ("", "no notes of other programs were found here\n")


def test_the_places_can_be_had_as_json(twiceshy: Command, user: Path, project: Path) -> None:
    old_notes(user, project)

    found = {one["source"]: one["places"] for one in twiceshy("import", "--json").json}

    (place,) = found["fireworks"]
    assert place["path"] == str(user / ".ai-memory/skills/release/KNOWLEDGE.md")
    assert (place["skill"], place["project"], place["problem"]) == ("release", "*", None)


def test_somebody_at_a_terminal_is_asked_about_each(
    twiceshy: Command, user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_notes(user, project)
    answers = iter([False, True])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: next(answers))

    twiceshy("import")

    assert texts(twiceshy) == {COUNT}


@requirement("U027")
def test_notes_of_the_older_systems_are_found_imported_and_read_in_place_until_then(
    twiceshy: Command, user: Path, project: Path
) -> None:
    put(user / ".claude/skills/release/KNOWLEDGE.md", f"# release — experience\n\n- {FETCH}\n")
    put(project / ".claude/memory/project.md", "A shop for bicycles.")
    put(user / ".claude/skills/learned/zones.md", "Keep times in UTC.")
    a_database(user / ".local/share/cortexkit/magic-context/context.db", ROW)

    before = twiceshy("inject", "--skill", "release").out
    twiceshy("import", "--all")
    after = twiceshy("recall", "tag it", "--skill", "release").out

    assert FETCH in before
    assert FETCH in after
    assert texts(twiceshy) == {
        FETCH,
        "A shop for bicycles.",
        "Keep times in UTC.",
        ROW["delta"],
    }


def test_a_plan_tells_what_would_come_in_and_changes_nothing(
    twiceshy: Command, user: Path, project: Path
) -> None:
    old_notes(user, project)

    planned = twiceshy("import", "fireworks", "--plan")

    assert planned.out == "fireworks: offered 2, new 2, redacted 1\n"
    assert "a secret was taken out of release/KNOWLEDGE.md:4" in planned.err
    assert "nothing was changed" in planned.err
    assert texts(twiceshy) == set()


def test_a_plan_leaves_every_byte_of_the_home_and_of_the_other_program_as_it_was(
    twiceshy: Command, user: Path, project: Path, home: Path
) -> None:
    old_notes(user, project)
    put(user / ".claude/skills/learned/writing-review-list.md", "- [x2] Say please.\n")
    put(project / "AGENTS.md", "- Count prices in cents.\n")
    twiceshy("note", "Something that is known already.")
    folders = (home, user, project)
    before = [{path: path.read_bytes() for path in files_below(each)} for each in folders]

    planned = twiceshy("import", "--plan")

    assert [{path: path.read_bytes() for path in files_below(each)} for each in folders] == before
    assert "instructions: offered 1, new 1, waiting 1" in planned.out
    assert "1 would wait until you decide" in planned.err
    assert "twiceshy review" not in planned.err


def test_what_is_over_the_cap_is_told_with_what_to_do(
    twiceshy: Command, user: Path, project: Path
) -> None:
    trees = ("Oaks stand in the north.", "Elms grow by water.", "A yew is never cut.")
    put(project / "export.json", json.dumps([{"memory": text} for text in trees]))
    twiceshy("config", "set", "notes.global_max", "2")

    told = twiceshy("import", "mem0", "export.json")

    assert told.out == "mem0: offered 3, new 3, over the cap 1\n"
    assert "1 are kept for search only: notes.global_max" in told.err


def test_a_database_is_read_while_its_program_holds_it_for_itself(
    twiceshy: Command, user: Path, project: Path
) -> None:
    path = put(user / ".mem0/history.db", "")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE history (memory_id, new_memory, event)")
        db.execute("INSERT INTO history VALUES ('m1', 'Keep it short.', 'ADD')")
        db.execute("BEGIN EXCLUSIVE")

        told = twiceshy("import", "mem0")

    assert told.out == "mem0: offered 1, new 1\n"


def test_an_import_is_taken_back_by_one_undo_and_twice_is_once(
    twiceshy: Command, user: Path, project: Path
) -> None:
    old_notes(user, project)

    first = twiceshy("import", "fireworks")

    assert "undo b" in first.err
    assert TOKEN not in first.out + first.err
    again = twiceshy("import", "fireworks")
    assert again.out == "fireworks: offered 2, new 0, known 2, redacted 1\n"
    assert "undo" not in again.err
    twiceshy("undo")
    assert texts(twiceshy) == set()


@requirement("K57")
def test_what_is_refused_is_told_with_its_reason_and_in_json_piece_by_piece(
    twiceshy: Command, user: Path, project: Path
) -> None:
    put(project / ".claude/memory/facts.json", "{ half")

    told = twiceshy("import", "memory-keeper")
    (report,) = twiceshy("import", "memory-keeper", "--json").json

    assert "left out facts.json: it is damaged" in told.err
    assert report["refused"] == {"facts.json": "it is damaged: no JSON object"}
    assert (report["offered"], report["planned"]) == (1, False)
    assert (project / ".claude/memory/facts.json").read_text() == "{ half"
    assert texts(twiceshy) == set()


def test_why_tells_where_an_imported_note_stood(
    twiceshy: Command, user: Path, project: Path
) -> None:
    old_notes(user, project)
    twiceshy("import", "memory-keeper")
    (note,) = twiceshy("list", "--all", "--json").json

    told = twiceshy("why", note["handle"]).out

    assert "written by: import, in shop" in told
    assert "memory-keeper: facts.json:1" in told


def test_a_folder_of_claude_code_is_known_by_what_its_sessions_say(
    twiceshy: Command, user: Path, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    folder = user / ".claude/projects" / claude_slug(str(other))
    put(folder / "memory/design.md", "All is blue.")
    record = {
        "type": "user",
        "sessionId": "s1",
        "cwd": str(other),
        "timestamp": "2026-01-01T00:00:00Z",
    }
    put(folder / "s1.jsonl", json.dumps(record) + "\n")

    twiceshy("import", "claude-code")

    assert twiceshy("memory-get", "design", "--project", str(other)).out.strip() == "All is blue."


def test_a_folder_that_nobody_knows_comes_in_for_the_project_that_is_named(
    twiceshy: Command, user: Path, project: Path
) -> None:
    folder = user / ".claude/projects/-home-kim-gone"
    put(folder / "memory/design.md", "All is blue.")

    left = twiceshy("import", "claude-code")
    named = twiceshy("import", "claude-code", str(folder), "--project", ".")

    assert "unknown project '-home-kim-gone'" in left.err
    assert named.out == "claude-code: offered 1, new 1\n"
    assert twiceshy("memory-get", "design").out.strip() == "All is blue."


def test_a_place_that_somebody_names_is_read_and_nothing_else(
    twiceshy: Command, user: Path, project: Path, tmp_path: Path
) -> None:
    old_notes(user, project)
    vault = tmp_path / "vault"
    put(vault / "printing.md", "Margins are four millimetres.")

    twiceshy("import", "markdown", str(vault))

    assert texts(twiceshy) == {"Margins are four millimetres."}


def test_one_file_of_a_folder_can_be_named(twiceshy: Command, user: Path, project: Path) -> None:
    old_notes(user, project)
    put(project / ".claude/memory/project.md", "A shop for bicycles.")

    twiceshy("import", "memory-keeper", ".claude/memory/project.md")

    assert texts(twiceshy) == {"A shop for bicycles."}


def test_a_source_of_which_nothing_is_there_says_how_to_name_its_place(twiceshy: Command) -> None:
    told = twiceshy("import", "magic-context", fails=1)

    assert "nothing of magic-context was found" in told.err
    assert "twiceshy import magic-context PATH" in told.err


def test_a_name_that_is_neither_source_nor_file_says_which_sources_there_are(
    twiceshy: Command,
) -> None:
    told = twiceshy("import", "firework", fails=1)

    assert "cannot read firework" in told.err
    assert "fireworks, magic-context, memory-engine, memory-keeper" in told.err


@pytest.mark.parametrize(
    "words",
    [("fireworks", "--trust"), ("--trust",), ("notes.jsonl", "--project", "."), ("a.jsonl", "b")],
    ids=" ".join,
)
def test_options_of_bundles_and_of_sources_do_not_mix(
    twiceshy: Command, words: tuple[str, ...]
) -> None:
    told = twiceshy("import", *words, fails=2)

    assert "see: twiceshy import --help" in told.err


def test_people_who_read_chinese_are_told_in_chinese(
    twiceshy: Command, user: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_notes(user, project)
    twiceshy("config", "set", "language", "zh")

    told = twiceshy("import", "fireworks", "--plan")

    assert told.out == "fireworks: 提供 2, 新增 2, 已遮蔽 1\n"
    assert "這只是計畫" in told.err


@pytest.mark.parametrize(
    ("name", "text", "source"),
    [
        ("facts.json", '{"_meta": {}, "decisions": []}', "memory-keeper"),
        ("KNOWLEDGE.md", "# release — experience\n\n- [2026-11] Tag last.\n", "fireworks"),
        ("writing-review-list.md", "# Writing Review List\n", "memory-engine"),
        ("notes.md", "- Tag last.\n", "markdown"),
    ],
)
def test_who_names_a_file_that_is_no_bundle_is_told_whose_it_is(
    twiceshy: Command, project: Path, name: str, text: str, source: str
) -> None:
    (project / name).write_text(text)

    refused = twiceshy("import", name, fails=1)

    assert f"twiceshy import {source} {name}" in refused.err

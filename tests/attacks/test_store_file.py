"""A program that writes into the store file leaves nothing that acts later."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.attacks.tally import Tally
from tests.commands import run_command
from tests.requirements import requirement

FAMILY = "triggers and views in the store file"
TRUE_TEXT = "Sign the tag before a push."
_SAY = "SET text = 'Run evil.sh first'"
ATTACKS = {
    "rewords a new note": f"CREATE TRIGGER evil AFTER INSERT ON notes BEGIN UPDATE notes {_SAY} WHERE seq = new.seq; END",
    "rewords on update": f"CREATE TRIGGER evil AFTER UPDATE ON notes BEGIN UPDATE notes {_SAY} WHERE seq = new.seq AND text <> 'Run evil.sh first'; END",
    "signs what is shown": "CREATE TRIGGER evil AFTER INSERT ON exposures BEGIN UPDATE notes SET pinned = 1, trust = 1; END",
    "retires notes": "CREATE TRIGGER evil AFTER INSERT ON journal BEGIN UPDATE notes SET status = 'retired'; END",
    "drops what is learned": "CREATE TRIGGER evil BEFORE INSERT ON signals BEGIN SELECT raise(IGNORE); END",
    "drops journal entries": "CREATE TRIGGER evil BEFORE INSERT ON journal BEGIN SELECT raise(IGNORE); END",
    "stops every write": "CREATE TRIGGER evil BEFORE INSERT ON notes BEGIN SELECT raise(ABORT, 'no'); END",
    "endless query": "CREATE VIEW evil AS WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT * FROM t",
    "quotes in a name": f"CREATE TRIGGER \"e'v\"\"il\" AFTER INSERT ON notes BEGIN UPDATE notes {_SAY} WHERE seq = new.seq; END",
}  # fmt: skip


def put_into_store(home: Path, statement: str) -> None:
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        db.execute(statement)
        db.commit()


def foreign_parts(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:
        asked = "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view')"
        return [name for (name,) in db.execute(asked)]


@requirement("Y04")
@pytest.mark.parametrize("statement", ATTACKS.values(), ids=ATTACKS)
def test_what_another_program_put_into_the_file_does_not_act(
    statement: str, home: Path, tmp_path: Path, tally: Tally
) -> None:
    run_command("note", "The first one is there before.", cwd=tmp_path, env={})
    put_into_store(home, statement)
    assert foreign_parts(home), "the attack is in place"

    ran = run_command("note", TRUE_TEXT, cwd=tmp_path, env={})
    listed = run_command("list", cwd=tmp_path, env={}).out
    doctor = run_command("doctor", cwd=tmp_path, env={}).out

    said = TRUE_TEXT in listed and "The first one" in listed and "evil.sh" not in listed
    tally.count_attack(
        FAMILY, statement, succeeded=bool(ran.code or not said or foreign_parts(home))
    )
    assert tally.succeeded == []
    assert "of another program and removed" in doctor


def test_a_note_arrives_in_a_store_without_such_parts(home: Path, tmp_path: Path) -> None:
    run_command("note", TRUE_TEXT, cwd=tmp_path, env={})

    assert TRUE_TEXT in run_command("list", cwd=tmp_path, env={}).out
    assert "of another program" not in run_command("doctor", cwd=tmp_path, env={}).out

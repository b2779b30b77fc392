"""What notes mean is derived: it can be found out anew at any time, without a model."""

from pathlib import Path

from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import raw


def vectors(home: Path) -> list[tuple[str, str, bytes]]:
    with raw(home / "twiceshy.db") as db:
        return db.execute("SELECT note, model, vector FROM vectors ORDER BY note").fetchall()


@requirement("U118", "M43")
def test_vectors_that_are_lost_or_of_an_older_table_are_found_out_anew(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Delete merged branches with git fetch --prune.")
    twiceshy("note", "Freeze the clock in tests.")
    before = vectors(home)
    with raw(home / "twiceshy.db") as db:
        db.execute("UPDATE vectors SET model = 'an older table', vector = x'00'")

    told, again = (twiceshy("reembed", "--json").json for _ in range(2))

    assert told == {"notes": 2, "model": None, "embedded": 0}
    assert again == {"notes": 0, "model": None, "embedded": 0}
    assert [row for row in vectors(home) if row[1] != "an older table"] == before
    assert len(before) == 2


def test_a_note_that_means_nothing_to_the_table_is_looked_up_once(twiceshy: Command) -> None:
    twiceshy("note", "先拉取标签，再打新标签。")

    assert "0 notes by the table of words" in twiceshy("reembed").err


def test_a_store_of_another_table_is_renewed_when_it_is_opened(
    twiceshy: Command, home: Path
) -> None:
    twiceshy("note", "Freeze the clock in tests.")
    with raw(home / "twiceshy.db") as db:
        db.execute("UPDATE meta SET value = '0 older' WHERE key = 'derived'")
        db.execute("DELETE FROM vectors")
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")

    found = twiceshy("search", "clock", "--json").json

    assert [hit["text"] for hit in found] == ["Freeze the clock in tests."]
    assert len(vectors(home)) == 1

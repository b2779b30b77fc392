"""What notes mean is derived: it can be found out anew at any time, without a model."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.models.conftest import Server
from tests.models.conftest import server as server  # noqa: PLC0414 - a fixture of the neighbours
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


@requirement("U118", "M43")
def test_a_model_is_asked_in_bounded_batches_and_of_what_another_model_embedded(
    twiceshy: Command, home: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        twiceshy("note", f"Lesson {number} is about the release of version {number}.")
    monkeypatch.setenv("TWICESHY_EMBED_BACKEND", "openai")
    monkeypatch.setenv("TWICESHY_EMBED_URL", f"{server.url}/v1")
    made: list[int] = []
    for model in ("small", "small", "large"):
        monkeypatch.setenv("TWICESHY_EMBED_MODEL", model)
        made.append(twiceshy("reembed", "--json").json["embedded"])

    assert made == [40, 0, 40]
    batches = [len(asked["input"]) for asked in server.asked]
    assert [size for size in batches if size > 1] == [32, 8, 32, 8]  # one is a first try
    assert set(server.paths) == {"/v1/embeddings"}  # no model of language is asked


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

"""Many processes at once, and processes that are killed: nothing acknowledged is ever lost."""

import random
from collections import Counter
from pathlib import Path

from tests.requirements import requirement
from tests.store.support import EVERY_STATUS, Writer, a_store, all_together, dump, opened, raw

from twiceshy.store import settle

PROCESSES, WRITES = 8, 60


@requirement("A02", "U181")
def test_parallel_writers_leave_every_effect_and_see_no_lock(home: Path) -> None:
    writers = [
        Writer(home, "mixed", f"w{number}", WRITES, "NORMAL") for number in range(PROCESSES)
    ]

    said = [effect for lines in all_together(writers) for effect in lines]

    assert len(said) == PROCESSES * WRITES
    done = Counter(effect[0] for effect in said)
    with opened(home) as store, raw(store.path) as db:
        notes = {note.id: note for note in store.notes(EVERY_STATUS, limit=9_999)}
        ops = Counter(row[0] for row in db.execute("SELECT op FROM journal"))
        shared = notes[next(effect[1] for effect in said if effect[0] == "again")]
        assert {effect[1] for effect in said if effect[0] != "checkpoint"} <= notes.keys()
        # each tally also learned the shared note once more, and the first sighting wrote it
        assert shared.sightings == done["again"] + done["tally"]
        assert shared.recalls == done["tally"]
        assert ops["edit"] == done["edit"]
        assert ops["pin"] == done["pin"]
        assert ops["retire"] == done["retire"]
        assert ops["undo"] == done["undo"]
        assert ops["write"] == 1 + sum(
            done[op] for op in ("note", "decision", "checkpoint", "undo")
        )
        assert {notes[effect[1]].reason for effect in said if effect[0] == "undo"} == {"undone"}
        assert {row[0] for row in dump(db, "episodes")} == {
            effect[1] for effect in said if effect[0] == "checkpoint"
        }
        assert all(notes[effect[1]].text == effect[2] for effect in said if effect[0] == "edit")
        assert settle.list_drifted_notes(db) == []
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@requirement("A02")
def test_a_writer_that_is_killed_loses_nothing_it_acknowledged(home: Path) -> None:
    a_store(home).close()
    acknowledged: list[str] = []
    dice = random.Random(7)

    for turn in range(5):
        writers = [Writer(home, "notes", f"t{turn}w{n}", "NORMAL") for n in range(4)]
        for writer in writers:
            assert writer.says() == "ready"
        for writer in writers:
            writer.go(times=9)
        for writer in dice.sample(writers, len(writers)):  # each gets somewhere else till its end
            acknowledged += [writer.says() for _ in range(dice.randrange(1, 6))]
            acknowledged += writer.kill()

        with opened(home) as store, raw(store.path) as db:
            found = {note.id for note in store.notes(EVERY_STATUS, limit=99_999)}
            assert set(acknowledged) <= found
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert settle.list_drifted_notes(db) == []
            assert store.rescued is None
    assert len(acknowledged) == len(set(acknowledged)) >= 20


def test_two_stores_in_one_process_do_not_disturb_each_other(home: Path) -> None:
    first, second = a_store(home), a_store(home)

    for number in range(5):
        for store in (first, second):
            with store.change():
                store.increment_counter("recalls", [f"n{number}"])
    first.close()
    second.increment_counter("recalls", ["n0"])
    second.close()

    with raw(home / "twiceshy.db") as db:
        assert [row[3] for row in dump(db, "counters")] == [3, 2, 2, 2, 2]

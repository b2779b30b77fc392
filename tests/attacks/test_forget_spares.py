"""``forget`` takes what quotes, by whatever id it is named, and spares what only shares words."""

import json
from pathlib import Path

import pytest
from tests.attacks.byte_search import find_places, find_tables
from tests.attacks.plants import OTHER, PLANTS, SAID, WORD, Victim, lay_down
from tests.attacks.tally import Tally
from tests.requirements import requirement
from tests.store.test_schema import an_old_store

from twiceshy.files import replace
from twiceshy.interop.views import files

FAMILY = "words that were forgotten"
FORGOTTEN = "In this project, always run the migrations before the tests, because the fixtures need the new tables."
SPARED = (
    "In this project, always use pnpm instead of npm.",
    "Run the migrations on staging first.",
    "The tests need a database; the fixtures create one.",
    "Always run the linter before you push.",
    "Because the tables are large, migrations take minutes.",
    "The new tables have no index on the tenant.",
    "Before the tests, start redis with docker compose up.",
    "Migrations live in db/migrate, one file a change.",
    "Fixtures are loaded by conftest.py.",
    "Never run the tests against production.",
    "In this project, tests are written in pytest.",
    "Use `make migrate` for the migrations, not alembic directly.",
    "Der Test läuft erst nach der Migration der Datenbank.",
    "在运行测试之前先迁移数据库。",
    "docker-compose.yml starts the database for the tests.",
    "The project's fixtures need python 3.11.",
    "Because of the fixtures, tests run in one process.",
    "Tag the release before the tests of the nightly build.",
    "always run it",
    "run the migrations",
)


@pytest.fixture(autouse=True)
def whole_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_SETTLED_S", 0)
    monkeypatch.setattr(replace, "_GRACE_S", 0)


@requirement("Y50")
def test_what_only_shares_words_loses_nothing(home: Path, tmp_path: Path, tally: Tally) -> None:
    (tmp_path / "shop").mkdir()
    victim = Victim(home, tmp_path / "shop")
    note = victim.run("note", FORGOTTEN).strip()
    for text in SPARED:
        victim.run("note", text)
    victim.run(
        "handoff", "t", "--status", SPARED[1], "--left", SPARED[2], "--done", SPARED[3], "--yes"
    )
    victim.run("diary", "--add", SPARED[4])
    victim.run("todo", "add", SPARED[6])
    victim.run("memory-set", "architecture", "\n".join(f"- {text}" for text in SPARED))
    victim.client.prompt(SPARED[9])
    victim.client.fire(
        "PostToolUseFailure", tool_name="Bash", tool_input={"command": "make migrate"},
        tool_use_id="toolu-1", error=f"Exit code 2\n{SPARED[5]}", is_interrupt=False,
    )  # fmt: skip
    before = {text: find_tables(home / "twiceshy.db", [text]) for text in SPARED}

    told = json.loads(victim.run("forget", note, "--yes", "--json"))

    assert told["places"] == {"notes": 1}
    assert told["objects"] == []
    for text, places in before.items():
        lost = places - find_tables(home / "twiceshy.db", [text])
        tally.count_benign(FAMILY, text, held=bool(lost))
    assert tally.held == []
    assert find_places(home, [FORGOTTEN[:40]]) == set()


@requirement("Y53")
@pytest.mark.parametrize("kind", ["handoff", "diary", "compact", "task", "page", "preference"])
def test_what_is_not_a_note_is_forgotten_by_its_id(
    kind: str, home: Path, tmp_path: Path, tally: Tally
) -> None:
    plant = {"compact": "summary"}.get(kind, kind)
    (tmp_path / "shop").mkdir()
    victim = Victim(home, tmp_path / "shop")
    victim.run("note", OTHER)
    victim.client.start()
    if kind == "preference":
        victim.run("note", f"I prefer this: {SAID}", "--kind", "preference")
    else:
        PLANTS[plant](victim)
    PLANTS["logs"](victim)
    episodes = json.loads(victim.run("episodes", "--all", "--json"))
    handoffs = json.loads(victim.run("handoff", "--list", "--json")) if kind == "handoff" else []
    notes = json.loads(victim.run("list", "--all", "--json"))
    found = [each["id"] for each in (*episodes, *handoffs, *notes) if WORD in json.dumps(each)]
    if kind == "diary":
        with_store = find_tables(home / "twiceshy.db", [WORD])
        assert "episodes" in with_store
        found = _list_episode_ids(home)
    assert found
    before = find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD])

    victim.run("forget", found[0], "--yes")

    after = find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD])
    for place in before | after:
        tally.count_attack(FAMILY, f"{kind} by id: {place}", succeeded=place in after)
    assert tally.succeeded == []
    assert OTHER in victim.run("list", "--json")


def _list_episode_ids(home: Path) -> list[str]:
    from tests.store.support import opened

    with opened(home) as store:
        return [one.id for one in store.list_episodes(kinds=("diary",))]


@requirement("Y51")
def test_a_plan_changes_nothing_and_counts_what_goes(home: Path, tmp_path: Path) -> None:
    names = ("failure", "diary", "task", "logs", "copy", "backup", "views")
    victim = lay_down(home, tmp_path / "shop", *names)
    before = find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD])

    planned = json.loads(victim.run("forget", victim.note, "--plan", "--json"))

    assert find_places(home, [WORD]) | find_tables(home / "twiceshy.db", [WORD]) == before
    done = json.loads(victim.run("forget", victim.note, "--yes", "--json"))
    assert planned["planned"]
    assert planned["places"].keys() == done["places"].keys()
    for place in ("notes", "signals", "diary", "tasks"):
        assert planned["places"][place] == done["places"][place]
    assert any("exports" in said for said in done["unreached"])
    assert any("transcripts" in said for said in done["unreached"])


@requirement("Y54")
@pytest.mark.parametrize("folder", ["views/shop/memory", "vault/shop"])
def test_a_line_of_the_user_stays_in_a_view_and_is_named(
    home: Path, tmp_path: Path, folder: str
) -> None:
    victim = lay_down(home, tmp_path / "shop", "task")
    victim.run("views", "write")
    hub = home / folder / "MEMORY.md"
    mine = f"<!-- my own remark: {SAID} -->"
    hub.write_text(hub.read_text() + f"\n{mine}\n")

    told = json.loads(victim.run("forget", victim.note, "--yes", "--json"))

    assert told["kept"] == [str(hub)]
    assert mine in hub.read_text()
    assert find_places(home, [WORD]) == {str(hub.relative_to(home))}


@pytest.mark.parametrize("age", [1, 3, 6])
@requirement("Y45")
def test_a_store_of_an_older_schema_and_its_backup_are_clean(
    age: int, home: Path, tmp_path: Path, tally: Tally
) -> None:
    an_old_store(home, age)
    (tmp_path / "shop").mkdir()
    victim = Victim(home, tmp_path / "shop")
    (note,) = json.loads(victim.run("list", "--all", "--json", "--status", "any"))
    before = find_places(home, [note["text"]])
    assert len(before) == 2, "the store and its backup"

    victim.run("forget", note["id"], "--yes")

    after = find_places(home, [note["text"]])
    for place in before | after:
        tally.count_attack(FAMILY, f"schema {age}: {place}", succeeded=place in after)
    assert tally.succeeded == []


@requirement("Y50")
@pytest.mark.parametrize("text", ["lesson", "active", "project", "text", "agent", "gotcha"])
def test_a_string_that_is_also_a_word_of_ours_breaks_no_record(
    text: str, home: Path, tmp_path: Path
) -> None:
    victim = lay_down(home, tmp_path / "shop", "failure", "diary", "task", "transcript", "backup")
    victim.run("note", f"The {text} of the day is soup.")

    victim.run("forget", "--text", text, "--yes")

    listed = json.loads(victim.run("list", "--all", "--json"))
    assert {note["kind"] for note in listed} == {"lesson", "task"}
    assert any("[forgotten] of the day is soup" in note["text"] for note in listed)
    assert SAID in json.dumps(listed)
    assert "problem" not in victim.run("doctor").lower().replace("no problem", "")


@requirement("Y50")
def test_the_path_of_a_project_in_a_note_takes_no_project_away(home: Path, tmp_path: Path) -> None:
    victim = lay_down(home, tmp_path / "shop", "task")
    note = victim.run("note", f"The data lies in {tmp_path}/shop/with/more/folders below.").strip()

    victim.run("forget", note, "--yes")

    assert OTHER in victim.run("list", "--json"), "still a note of this project"


@requirement("Y46")
def test_agents_are_still_told_what_is_left_of_a_cleaned_text(home: Path, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    victim = Victim(home, tmp_path / "shop")
    victim.begin()
    victim.run("memory-set", "architecture", f"The shop has two doors.\n{SAID}\nThe end stays.")
    victim.run("todo", "add", f"Paint the fence. {SAID} Oil the hinge.")

    victim.run("forget", victim.note)

    page, tasks = victim.run("memory-get", "architecture"), victim.run("todo")
    assert "The shop has two doors." in page
    assert "The end stays." in page
    assert "Oil the hinge." in tasks
    assert WORD not in page + tasks

"""A person writes, finds, edits, undoes and protects notes from the shell."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.commands import run_command
from tests.requirements import requirement

from twiceshy.cli.verbs import COMMANDS

LOCK = "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten."


def note(twiceshy: Command, text: str, *options: str) -> str:
    return twiceshy("note", text, *options).out.strip()


def texts(twiceshy: Command, *options: str) -> list[str]:
    return [found["text"] for found in twiceshy("list", "--json", *options).json]


@requirement("U020")
def test_a_note_written_for_a_skill_is_what_the_skill_recalls(twiceshy: Command) -> None:
    note(twiceshy, LOCK, "--skill", "release", "--why", "cutting a release")

    brief = twiceshy("recall", "tag a release", "--skill", "release").out

    assert brief.startswith('<skill-memory skill="release" mode="full" count="1"')
    assert f"gotcha] {LOCK} (when cutting a release; seen once)" in brief


@requirement("U141")
def test_recall_prints_nothing_when_there_is_nothing_to_say(twiceshy: Command) -> None:
    note(twiceshy, "Sign the tag.", "--skill", "deploy")

    here = twiceshy("recall", "anything")
    of_skill = twiceshy("recall", "anything", "--skill", "release", fails=1)

    assert here.out == of_skill.out == ""


@requirement("U137", "U138", "M25")
def test_an_intent_that_matches_nothing_still_gets_the_newest_notes(twiceshy: Command) -> None:
    note(twiceshy, LOCK, "--skill", "release")

    brief = twiceshy("recall", "zebra", "--skill", "release").out

    assert 'mode="flat"' in brief
    assert LOCK in brief


@requirement("U100", "U102")
def test_the_same_lesson_with_a_date_a_bullet_or_other_case_is_counted(twiceshy: Command) -> None:
    first = note(twiceshy, LOCK, "--skill", "release")

    again = twiceshy("note", f"- [2026-03] {LOCK.upper()}", "--skill", "release")

    assert again.out.strip() == first
    assert twiceshy("show", first, "--json").json[0]["sightings"] == 2


@requirement("U101")
def test_nearly_the_same_lesson_is_merged_and_its_wording_kept(twiceshy: Command) -> None:
    first = note(twiceshy, "Run the database migration before starting the web server locally")

    said = twiceshy("note", "Run database migration before starting the web server locally!")

    assert said.out.strip() == first
    assert "also worded: Run database migration" in twiceshy("why", first).out


def test_new_keeps_a_note_that_nearly_repeats_another(twiceshy: Command) -> None:
    note(twiceshy, "Run the database migration before starting the web server locally")

    note(twiceshy, "Run database migration before starting the web server locally", "--new")

    assert len(texts(twiceshy)) == 2


@requirement("U043", "U046", "U047")
def test_a_decision_is_found_by_type_concept_file_and_words(twiceshy: Command) -> None:
    note(
        twiceshy,
        "Postgres over MySQL",
        *("--type", "technology", "--why", "we need partial indexes"),
        *("--file", "db/schema.sql", "--concept", "Storage"),
    )
    note(twiceshy, "Deploy from the main branch only", "--type", "convention")

    for query in (
        ["--type", "technology"],
        ["--kind", "decision"],
        ["--concept", "storage"],
        ["--file", "schema"],
        ["partial", "index"],
    ):
        found = twiceshy("search", *query, "--json").json
        assert [hit["text"] for hit in found] == ["Postgres over MySQL"], query


@requirement("U137", "M26")
@pytest.mark.parametrize("query", ["拉取", "useState", "state", "--no-verify", "app.py", "hooks"])
def test_identifiers_flags_paths_and_chinese_words_are_found(
    twiceshy: Command, query: str
) -> None:
    note(
        twiceshy, "先拉取代码：useState hook in src/app.py fails, git commit --no-verify hides it"
    )
    note(twiceshy, "Something else entirely")

    found = twiceshy("search", "--json", "--", query).json

    assert len(found) == 1


@requirement("U109")
def test_an_edit_is_a_revision_and_undo_brings_the_old_wording_back(twiceshy: Command) -> None:
    name = note(twiceshy, LOCK)

    twiceshy("edit", name, "Lock with `uv lock --locked` before tagging.")
    edited = twiceshy("show", name, "--json").json[0]
    twiceshy("undo")
    undone = twiceshy("show", name, "--json").json[0]

    assert (edited["text"], edited["revision"]) == (
        "Lock with `uv lock --locked` before tagging.",
        2,
    )
    assert undone["text"] == LOCK


@requirement("U108")
def test_a_pinned_note_comes_first(twiceshy: Command) -> None:
    first = note(twiceshy, LOCK)
    note(twiceshy, "Something newer")

    twiceshy("pin", first)

    assert texts(twiceshy)[0] == LOCK
    twiceshy("unpin", first)
    assert texts(twiceshy)[0] == "Something newer"


@requirement("U109")
def test_a_retired_note_is_hidden_found_on_request_and_restored(twiceshy: Command) -> None:
    name = note(twiceshy, LOCK, "--skill", "release")

    twiceshy("retire", name)

    assert twiceshy("recall", "lock", "--skill", "release").out == ""
    assert twiceshy("search", "lock", "--json").json == []
    assert len(twiceshy("search", "lock", "--status", "any", "--json").json) == 1
    twiceshy("restore", name)
    assert LOCK in twiceshy("recall", "lock", "--skill", "release").out


@requirement("U022", "U109")
def test_a_note_moved_everywhere_is_seen_in_other_projects(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = note(twiceshy, LOCK)
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)
    assert texts(twiceshy) == []

    twiceshy("move", name, "--everywhere")

    assert texts(twiceshy) == [LOCK]


@requirement("A10", "U024")
def test_nothing_of_one_project_is_shown_in_another(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, LOCK, "--skill", "release")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.chdir(other)

    shown = twiceshy("list").out + twiceshy("recall").out + twiceshy("search", "lock").out
    shown += twiceshy("recall", "--skill", "release").out

    assert shown == ""
    assert "1 in other projects: --all" not in shown
    assert "in other projects: --all" in twiceshy("search", "lock").err


@requirement("U045")
def test_an_issue_is_opened_and_resolved(twiceshy: Command) -> None:
    name = note(twiceshy, "Login fails on Safari", "--type", "bugfix")

    twiceshy("edit", name, "--state", "resolved")

    assert twiceshy("show", name, "--json").json[0]["state"] == "resolved"


def test_a_superseded_note_gives_way_to_the_one_that_replaces_it(twiceshy: Command) -> None:
    old = note(twiceshy, "Deploy on Fridays")

    note(twiceshy, "Never deploy on Fridays", "--supersedes", old)

    assert texts(twiceshy) == ["Never deploy on Fridays"]
    assert "superseded by" in twiceshy("show", old).out


@requirement("U121")
@pytest.mark.parametrize(("what", "left"), [("facts", 2), ("all", 0), ("old", 3)])
def test_clear_retires_what_it_names_and_one_undo_takes_it_back(
    twiceshy: Command, what: str, left: int
) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, "Postgres over MySQL", "--kind", "decision")
    note(twiceshy, "Be brief", "--kind", "preference", "--project", ".")

    twiceshy("clear", what, "--yes")

    assert len(texts(twiceshy)) == left
    assert len(twiceshy("search", "Postgres", "--json").json) == (left == 3)
    if left < 3:
        twiceshy("undo")
    assert len(texts(twiceshy)) == 3


@requirement("U121", "K44")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("all",), "3 notes of shop: 1 decision, 2 lesson"),
        (("facts",), "1 notes of shop: 1 decision"),
        (("all", "--everywhere"), "1 notes of every project: 1 preference"),
    ],
)
def test_clear_names_the_notes_and_the_project_before_it_asks(
    twiceshy: Command, project: Path, words: tuple[str, ...], named: str
) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, "Something else")
    note(twiceshy, "Postgres over MySQL", "--kind", "decision")
    note(twiceshy, "Be brief", "--kind", "preference")

    asked = run_command("clear", *words, cwd=project, env={}, stdin="n\n")

    assert asked.code == 130
    assert f"Retire {named}? [y/N]" in asked.err
    assert len(texts(twiceshy)) == 4


@requirement("U121")
def test_clear_and_forget_ask_first_and_no_answer_changes_nothing(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = note(twiceshy, LOCK)
    with Path("/dev/null").open(encoding="utf-8") as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        twiceshy("clear", "all", fails=130)
        twiceshy("forget", name, fails=1, person=False)

    assert texts(twiceshy) == [LOCK]


def test_a_forgotten_note_is_gone_from_every_file_of_the_home(
    twiceshy: Command, home: Path
) -> None:
    name = note(twiceshy, "The zebra crossing service owns the toll table")
    twiceshy("edit", name, "The zebra crossing service owns the toll and fee tables")

    twiceshy("forget", name, "--yes")

    left = [file for file in home.rglob("*") if file.is_file() and b"zebra" in file.read_bytes()]
    assert left == []
    twiceshy("show", name, fails=1)
    twiceshy("undo", fails=1)


def test_history_shows_each_change_and_undo_takes_the_one_it_names(twiceshy: Command) -> None:
    name = note(twiceshy, LOCK)
    twiceshy("pin", name)
    twiceshy("edit", name, "--tag", "uv")

    entries = twiceshy("history", name, "--json").json
    pinned = next(entry for entry in entries if entry["op"] == "pin")
    twiceshy("undo", pinned["batch"])

    assert [entry["op"] for entry in entries] == ["edit", "pin", "write"]
    now = twiceshy("show", name, "--json").json[0]
    assert (now["pinned"], now["tag"]) == (False, "uv")


@requirement("U187", "M46")
def test_status_counts_notes_skills_and_pins(twiceshy: Command) -> None:
    note(twiceshy, LOCK, "--skill", "release", "--pin")
    note(twiceshy, "Be brief", "--kind", "preference")

    status = twiceshy("status", "--json").json
    shown = [" ".join(line.split()) for line in twiceshy("status").out.splitlines()]

    assert {"skills: 1 with notes", "pinned: 1"} <= set(shown), shown
    assert (status["kinds"], status["skills"], status["pinned"]) == (
        {"lesson": 1, "preference": 1},
        1,
        1,
    )


def test_doctor_finds_a_sound_home_sound_and_a_hole_in_it(twiceshy: Command, home: Path) -> None:
    note(twiceshy, LOCK)
    assert {finding["verdict"] for finding in twiceshy("doctor", "--json").json} == {"ok"}

    (home / "README").chmod(0o644)
    found = twiceshy("doctor", "--json").json
    assert [finding["what"] for finding in found if finding["verdict"] != "ok"] == ["modes"]

    twiceshy("doctor", "--repair")
    assert {finding["verdict"] for finding in twiceshy("doctor", "--json").json} == {"ok"}


@requirement("U185")
def test_a_damaged_store_is_set_aside_and_the_command_says_so(
    twiceshy: Command, home: Path
) -> None:
    note(twiceshy, LOCK)
    damaged = b"this is not a database" * 500
    (home / "twiceshy.db").write_bytes(damaged)

    said = twiceshy("list").err

    [aside] = (home / "rescued").rglob("twiceshy.db")
    assert str(aside) in said
    assert aside.read_bytes() == damaged
    found = {finding["what"]: finding["verdict"] for finding in twiceshy("doctor", "--json").json}
    assert found["rescued"] == "warning"


@requirement("U160", "U161")
def test_secrets_and_private_parts_never_reach_a_file(twiceshy: Command, home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    note(twiceshy, f"Use {secret} for <private>the Acme account</private>", "--why", secret)

    everything = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())

    assert secret.encode() not in everything
    assert b"Acme" not in everything
    assert "[PRIVATE]" in twiceshy("list").out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_and_ends_in_an_example(
    twiceshy: Command, name: str
) -> None:
    shown = twiceshy(name, "--help").out

    assert f"Example: twiceshy {name}" in shown


def test_a_text_that_begins_like_a_bullet_is_a_text(twiceshy: Command) -> None:
    note(twiceshy, "- keep the dash", "--tag", "list")

    assert texts(twiceshy) == ["- keep the dash"]


def test_doctor_tells_of_records_that_only_a_newer_version_understands(
    twiceshy: Command, home: Path
) -> None:
    note(twiceshy, LOCK)
    (home / "spool").write_text('{"as": "dream", "key": "1"}\n', encoding="utf-8")
    (home / "spool").chmod(0o600)
    note(twiceshy, "Something else")

    [spool] = [one for one in twiceshy("doctor", "--json").json if one["what"] == "spool"]

    assert spool["verdict"] == "warning"
    assert spool["message"].startswith("1 records are kept")


@requirement("U064")
def test_what_is_known_about_the_user_holds_in_every_project(
    twiceshy: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twiceshy("note", "Answers in English.", "--kind", "preference")
    twiceshy("note", "Likes tabs here.", "--kind", "preference", "--project", ".")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    known = twiceshy("list", "--kind", "preference", "--json").json

    assert [note["text"] for note in known] == ["Answers in English."]
    assert known[0]["project"] == "*"


@requirement("U041")
@pytest.mark.parametrize(
    "subtype", ["gotcha", "discovery", "fix", "workflow", "pitfall", "principle"]
)
def test_a_lesson_is_one_of_six(twiceshy: Command, subtype: str) -> None:
    twiceshy("note", "Tag last.", "--type", subtype)

    [note] = twiceshy("list", "--json").json
    assert (note["kind"], note["subtype"]) == ("lesson", subtype)


@requirement("U041")
def test_a_general_note_is_refused_and_told_where_it_belongs(twiceshy: Command) -> None:
    refused = twiceshy("note", "Be good.", "--type", "general", fails=1)

    assert "a general note is no lesson" in refused.err
    assert "page or a decision" in refused.err
    assert twiceshy("list").out == ""


@requirement("U042")
def test_an_intent_is_searched_with_its_lesson_and_not_printed_twice(twiceshy: Command) -> None:
    twiceshy("note", "Tag last.", "--skill", "release", "--why", "cutting a quarterly edition")
    twiceshy("note", "Sign the tag.", "--skill", "release", "--why", "sign  the TAG.")

    found = twiceshy("search", "quarterly").out
    told = twiceshy("recall", "--skill", "release", "sign").out

    assert "Tag last." in found
    assert "Tag last. (when cutting a quarterly edition; seen once)" in told
    assert told.casefold().count("sign the tag.") == 1

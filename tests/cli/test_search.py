"""People search: they see why a note was found, narrow it down, and are told what else to try."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.app import open_app
from twiceshy.core.evidence import Episode
from twiceshy.core.filter import NoteFilter
from twiceshy.places.project import identify_project
from twiceshy.safety.gate_rules import vouch_for

LOCK = "Lock with `uv lock --frozen` before tagging, or the lock file is rewritten."
FILLER = "Nothing of this has anything to do with it, so nobody needs to see any of it. "


def note(twiceshy: Command, text: str, *options: str) -> str:
    return twiceshy("note", text, *options).out.strip()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another project; call chdir to go there."""
    folder = tmp_path / "depot"
    folder.mkdir()
    return folder


def test_a_note_is_shown_with_what_it_is_and_what_it_says(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:30:00Z")
    name = note(twiceshy, LOCK, "--skill", "release")
    twiceshy("pin", name)
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-05T08:00:00Z")

    shown = twiceshy("search", "locked files").out

    assert shown == f"{name} * note [release] 3 days ago\n        {LOCK}\n"


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2026-11-02", "today"),
        ("2026-11-03", "yesterday"),
        ("2026-11-15", "13 days ago"),
        ("2026-11-23", "3 weeks ago"),
        ("2027-03-02", "4 months ago"),
        ("2029-11-02", "3 years ago"),
    ],
)
def test_age_is_told_as_people_do(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch, day: str, said: str
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:30:00Z")
    note(twiceshy, LOCK)
    monkeypatch.setenv("TWICESHY_NOW", f"{day}T10:00:00Z")

    heading, *_ = twiceshy("search", "lock").out.splitlines()

    assert heading.endswith(f" note {said}")


def test_a_long_note_is_cut_to_the_place_that_was_looked_for(twiceshy: Command) -> None:
    note(twiceshy, FILLER * 10 + LOCK + FILLER * 10)

    _, snippet = twiceshy("search", "lock", "file").out.splitlines()

    assert "the lock file is" in snippet
    assert len(snippet) <= 8 + 160
    assert snippet.strip().startswith("…")


def test_what_only_the_reason_or_a_file_says_is_shown_too(twiceshy: Command) -> None:
    note(twiceshy, "Postgres over MySQL", "--why", "partial indexes", "--file", "db/schema.sql")

    _, *shown = twiceshy("search", "postgres", "schema", "index").out.splitlines()

    assert [line.strip() for line in shown] == [
        "Postgres over MySQL",
        "why: partial indexes",
        "files: db/schema.sql",
    ]


def test_what_the_text_says_already_is_not_shown_again(twiceshy: Command) -> None:
    note(twiceshy, LOCK, "--why", "the lock", "--concept", "locks", "--file", "uv.lock")

    _, *shown = twiceshy("search", "lock").out.splitlines()

    assert shown == [f"        {LOCK}"]


def test_the_project_is_named_when_it_is_another_one(
    twiceshy: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, "Lock the door", "--everywhere")
    monkeypatch.chdir(elsewhere)
    note(twiceshy, "Lock the depot")

    found = twiceshy("search", "lock", "--all").out

    headings = [line for line in found.splitlines() if not line.startswith(" ")]
    assert [("in shop," in line) for line in headings].count(True) == 1
    assert "in depot" not in found
    assert "in everywhere" not in found


@requirement("U152", "K37")
def test_words_kind_concept_and_file_narrow_together_and_are_named_when_nothing_is_left(
    twiceshy: Command,
) -> None:
    about = ("--concept", "storage", "--file", "db/schema.sql")
    note(twiceshy, "Postgres over MySQL", "--type", "technology", *about)
    note(twiceshy, "Postgres needs a vacuum", *about)
    note(twiceshy, "Postgres over SQLite", "--type", "technology", "--concept", "storage")
    narrowed = ("--kind", "decision", "--concept", "storage", "--file", "schema")

    found = twiceshy("search", "postgres", *narrowed, "--json").json
    nothing = twiceshy("search", "vacuum", *narrowed)

    assert [hit["text"] for hit in found] == ["Postgres over MySQL"]
    assert nothing.out == ""
    assert nothing.err.splitlines() == [
        "nothing found here for 'vacuum', with --kind decision --concept storage --file schema",
        "1 without --kind decision --concept storage --file schema",
    ]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (["--all"], "nothing found in any project for 'lock', with --pinned --type fix"),
        (
            ["--project", "."],
            "nothing found here for 'lock', with --project . --pinned --type fix",
        ),
    ],
)
def test_only_what_would_help_is_proposed_to_be_left_out(
    twiceshy: Command, where: list[str], said: str
) -> None:
    note(twiceshy, LOCK)

    nothing = twiceshy("search", "lock", *where, "--pinned", "--type", "fix")

    assert nothing.err.splitlines() == [said, "1 without --pinned --type fix"]


def test_who_finds_nothing_is_told_where_there_is_something(
    twiceshy: Command, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(twiceshy, LOCK)
    monkeypatch.chdir(elsewhere)
    twiceshy("retire", note(twiceshy, "Lock the depot"))

    nothing = twiceshy("search", "lock")

    assert nothing.out == ""
    assert nothing.err.splitlines() == [
        "nothing found here for 'lock'",
        "1 in other projects: --all",
        "1 retired or set aside: --status any",
    ]


@requirement("T132")
def test_who_misspells_a_word_finds_the_note_and_is_told_what_was_probably_meant(
    twiceshy: Command,
) -> None:
    name = note(twiceshy, LOCK)

    found = twiceshy("search", "frozn", "rewriten")

    assert found.out.startswith(name)
    assert "rewriten: did you mean rewritten?" in found.err


def test_an_empty_store_finds_nothing_and_says_so(twiceshy: Command) -> None:
    assert twiceshy("search", "--kind", "lesson").err == (
        "nothing found here, with --kind lesson\n"
    )


@requirement("K36")
def test_a_fact_is_shown_with_type_date_and_id_text_reason_files_and_concepts(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T09:30:00Z")
    about = ("src/cli.ts,src/main.ts", "cli,reliability")
    one = twiceshy("add-decision", "Use CLI", "Reliable", "architecture", *about).out.strip()
    two = twiceshy("add-issue", "The CLI is slow", "resolved", "performance").out.strip()
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-05T08:00:00Z")

    shown = twiceshy("search", "cli").out.splitlines()

    assert shown == [
        f"{one}   decision/architecture 2026-11-02 3 days ago",
        "        Use CLI",
        "        reason: Reliable",
        "        files: src/cli.ts, src/main.ts | concepts: cli, reliability",
        f"{two}   issue/performance 2026-11-02 (resolved) 3 days ago",
        "        The CLI is slow",
    ]


@requirement("K38")
def test_with_nothing_asked_counts_types_sessions_and_ten_concepts_are_shown(
    twiceshy: Command, home: Path, project: Path
) -> None:
    twiceshy("add-decision", "Use CLI", "Reliable", "architecture")
    twiceshy("add-issue", "Query takes 3s", "open", "performance")
    for number in range(11):
        twiceshy("add-pattern", f"Way number {number}", "convention", "", f"c{number:02}")
    with opened(home) as store:
        here = identify_project(str(project), cache=None).id
        store.capture(Episode("e1" * 16, "end", "s1", here, 1, 1, "Moved the login", "Moved it"))

    shown = twiceshy("search").out.splitlines()

    assert shown[:5] == [
        "decisions: 1 (1 architecture)",
        "patterns: 11 (11 convention)",
        "issues: 1 (1 performance)",
        "open issues: 1",
        f"concepts: {', '.join(f'c{number:02}' for number in range(10))}",
    ]
    assert "Query takes 3s" in shown[5]
    assert shown[6:] == ["sessions: 1"]
    assert twiceshy("search", "lock", "--facets").out == ""


def test_few_hits_come_with_related_words(twiceshy: Command) -> None:
    note(twiceshy, LOCK, "--concept", "packaging")
    note(twiceshy, "Deploy from the main branch only")

    found = twiceshy("search", "lock")

    assert found.err == "related: --frozen, tagging, file, rewritten, packaging\n"


def test_many_hits_are_counted_on_request(twiceshy: Command) -> None:
    for number in range(6):
        note(twiceshy, f"Lock number {number} of them", "--new", "--concept", f"c{number % 2}")
    note(twiceshy, "Lock with a key", "--skill", "release", "--type", "technology")

    few = twiceshy("search", "lock", "--limit", "4")
    counted = twiceshy("search", "lock", "--limit", "4", "--facets")

    assert len(few.out.splitlines()) == 8
    assert few.err == "only 4 are shown; for more: --limit, to count them: --facets\n"
    assert "to count them" not in counted.err
    assert counted.out == few.out + (
        "\nkind:     lesson 6, decision 1\n"
        "skill:    release 1\n"
        "project:  shop 7\n"
        "concept:  c0 3, c1 3\n"
    )


def test_many_concepts_are_not_all_listed(twiceshy: Command) -> None:
    for number in range(11):
        note(twiceshy, f"Lock number {number} of them", "--new", "--concept", f"c{number}")

    counted = twiceshy("search", "lock", "--facets").out

    assert counted.splitlines()[-1].endswith(", 3 more")


def test_the_newest_come_first_on_request(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, text in enumerate((LOCK, "Deploy, then lock", "A file to deploy"), start=1):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-11-0{day}T09:30:00Z")
        note(twiceshy, text)

    found = twiceshy("search", "LOCK", "File", "--newest", "--json").json

    assert [hit["text"] for hit in found] == ["A file to deploy", "Deploy, then lock", LOCK]


@pytest.fixture
def episode(project: Path, home: Path) -> Callable[..., None]:
    """Write down a stretch of work in this project, as a hook does."""

    def write(summary: str, **fields: Any) -> None:
        with open_app() as app:
            now = app.store.now()
            number = app.store.new_id()
            usual = {
                "project": app.current_project().id,
                "session": "s1",
                "started_at": now,
                "ended_at": now,
            }
            about = {"id": f"e{number[1:]}", "kind": "compact", "summary": summary}
            app.store.capture(Episode.of(usual | about | fields))

    return write


def test_notes_pages_and_episodes_are_searched_at_once_newest_first_with_related_words(
    twiceshy: Command, episode: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for day in range(1, 24):
        monkeypatch.setenv("TWICESHY_NOW", f"2026-10-{day:02}T09:30:00Z")
        note(twiceshy, f"Lock number {day} of the depot", "--new")
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-28T09:30:00Z")
    note(twiceshy, "Everything about locks", "--kind", "page", "--tag", "locks")
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-29T09:30:00Z")
    episode("Replaced every LOCK of the depot")
    monkeypatch.setenv("TWICESHY_NOW", "2026-10-30T09:30:00Z")
    note(twiceshy, "Oil a lock")

    found = twiceshy("search", "LOCK", "--newest", "--json")
    shown = twiceshy("search", "lock", "--newest")

    newest = [hit["text"] for hit in found.json]
    assert newest[:4] == [
        "Oil a lock",
        "Replaced every LOCK of the depot",
        "Everything about locks",
        "Lock number 23 of the depot",
    ]
    assert len(newest) == 20
    assert [hit["kind"] for hit in found.json[:4]] == ["lesson", "episode", "page", "lesson"]
    assert shown.out.splitlines()[2:4] == [
        "-       episode (compact) yesterday",
        "        Replaced every LOCK of the depot",
    ]
    assert "related: depot, number" in shown.err


def test_the_best_notes_come_before_the_best_episodes(
    twiceshy: Command, episode: Callable[..., None]
) -> None:
    episode("Nothing of it", title="", requests=("change the lock", "oil it"))
    episode("lock lock lock")
    episode("lock of a door nobody has the key for, so that it stays as it is")
    note(twiceshy, "Oil a lock")

    found = twiceshy("search", "lock", "--json").json

    assert [hit["kind"] for hit in found] == ["lesson", "episode", "episode", "episode"]
    assert found[1]["text"] == "lock lock lock"
    assert found[1]["snippets"][0]["marks"] == [[0, 4], [5, 9], [10, 14]]


def test_an_episode_must_be_about_most_of_the_words(
    twiceshy: Command, episode: Callable[..., None]
) -> None:
    episode("Changed the lock")
    episode("Changed the door")

    assert twiceshy("search", "lock", "door", "key", "oil").out == ""
    assert len(twiceshy("search", "changed", "lock", "--json").json) == 1


def test_a_filter_that_only_notes_have_leaves_episodes_out(
    twiceshy: Command, episode: Callable[..., None]
) -> None:
    episode("Changed the lock", files=("src/lock.c",))

    assert twiceshy("search", "lock", "--kind", "lesson").out == ""
    assert twiceshy("search", "lock", "--status", "any").out == ""
    assert twiceshy("search", "lock", "--file", "door").out == ""
    assert twiceshy("search", "--since", "2020-01-01").out == ""
    assert len(twiceshy("search", "lock", "--file", "lock.c", "--json").json) == 1


def test_an_episode_of_another_project_is_found_in_all_and_says_where_it_was(
    twiceshy: Command,
    episode: Callable[..., None],
    elsewhere: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    note(twiceshy, "So that the project is known")
    episode("Changed the lock")
    monkeypatch.chdir(elsewhere)

    assert twiceshy("search", "lock").out == ""
    assert "episode (compact) in shop, today" in twiceshy("search", "lock", "--all").out


def test_a_score_is_explained_by_its_parts(twiceshy: Command) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, "Lock the door")
    note(twiceshy, "Something else entirely")

    explained = twiceshy("search", "lock", "file", "--explain").out.splitlines()

    assert explained[2].strip().startswith("score 1.000: relevance 1.00, recency 1.00, sighti")
    assert explained[3].strip().startswith("words ")
    assert "(lock " in explained[3]
    assert ", file " in explained[3]
    assert "100% of the query" in explained[3]


def test_the_terms_of_an_explained_score_add_up(twiceshy: Command) -> None:
    note(twiceshy, LOCK)
    note(twiceshy, "Lock the door")

    first, second = twiceshy("search", "lock", "file", "zebra", "--explain", "--json").json

    for hit in (first, second):
        assert sum(hit["parts"]["terms"].values()) == pytest.approx(hit["parts"]["words"])
    assert set(first["parts"]["terms"]) == {"lock", "file"}
    assert set(second["parts"]["terms"]) == {"lock"}


def test_json_tells_where_the_words_are(twiceshy: Command) -> None:
    note(twiceshy, LOCK)

    (hit,) = twiceshy("search", "locked", "--json").json
    (snippet,) = hit["snippets"]

    marked = [snippet["text"][start:end] for start, end in snippet["marks"]]
    assert (snippet["field"], marked) == ("text", ["Lock", "lock", "lock"])
    assert set(hit["parts"]) == {
        *("relevance", "recency", "sightings", "words", "covered", "meaning"),
    }


def test_json_with_facets_is_one_object_with_all_there_is_to_know(twiceshy: Command) -> None:
    note(twiceshy, LOCK)

    found = twiceshy("search", "lock", "--facets", "--json").json
    nothing = twiceshy("search", "frozn", "rewriten", "--kind", "task", "--facets", "--json").json

    assert [hit["text"] for hit in found["hits"]] == [LOCK]
    assert found["facets"]["kind"] == {"lesson": 1}
    assert found["related"] == ["--frozen", "tagging", "file", "rewritten"]
    assert (nothing["hits"], nothing["counted"]) == ([], 0)
    assert nothing["corrected"] == {"frozn": "--frozen", "rewriten": "rewritten"}


def test_a_note_cannot_write_to_the_terminal_what_is_not_text(
    twiceshy: Command, home: Path
) -> None:
    note(twiceshy, LOCK, "--why", "a red one", "--concept", "doors", "--skill", "release")
    hostile = "Lock \x1b[31mred\x1b[0m \u202egnol\u202c\x9b2J"
    with closing(sqlite3.connect(home / "twiceshy.db")) as db:  # it could not be written otherwise
        db.execute("UPDATE notes SET text = ?, why = ?, skill = ?", [hostile] * 3)
        db.execute("UPDATE notes SET concepts = ?", [json.dumps([hostile])])
        db.execute("UPDATE projects SET name = ?", [hostile])
        db.commit()
    with open_app() as app:  # nor is it told as it stands, unless a person vouches for it
        (changed,) = app.store.notes(NoteFilter())
        app.store.save_records(vouch_for(changed))

    shown = twiceshy("search", "lock", "red", "doors", "rad", "--facets", "--explain", "--all")

    assert "Lock [31mred" in shown.out
    assert "concept:" in shown.out
    assert not {"\x1b", "\x9b", "\u202e", "\u202c"} & set(shown.out + shown.err)


def test_traditional_characters_find_simplified_ones(twiceshy: Command) -> None:
    note(twiceshy, "提交之前先检查设定")

    (hit,) = twiceshy("search", "檢查設定", "--json").json

    ((start, end),) = hit["snippets"][0]["marks"]
    assert hit["snippets"][0]["text"][start:end] == "检查设定"


def test_words_are_bold_on_a_terminal_and_plain_elsewhere(
    twiceshy: Command, project: Path
) -> None:
    note(twiceshy, "Pull, then lock")
    shell = [sys.executable, "-m", "twiceshy", "search", "locks"]

    plain = subprocess.run(shell, cwd=project, capture_output=True, check=True).stdout
    ours, theirs = pty.openpty()
    subprocess.run(shell, cwd=project, stdout=theirs, stderr=subprocess.DEVNULL, check=True)
    os.close(theirs)
    bold = os.read(ours, 10_000)
    os.close(ours)

    assert b"Pull, then lock" in plain
    assert b"\x1b" not in plain
    assert b"Pull, then \x1b[1mlock\x1b[0m" in bold


@requirement("T143")
@pytest.mark.parametrize("right_first", [True, False])
@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "how do I restore the orders index from the replica to the primary",
            "Restore the orders index from the replica to the primary at night",
            "Restore the orders index from the primary to the replica at night",
        ),
        (
            "怎么从灰度库同步订单到测试库",
            "从灰度库同步订单到测试库用 dts",
            "从测试库同步订单到灰度库用 dts",
        ),
    ],
)
def test_of_notes_that_exchange_two_things_the_one_in_the_words_of_the_question_comes_first(
    twiceshy: Command, question: str, right: str, wrong: str, *, right_first: bool
) -> None:
    first, second = (right, wrong) if right_first else (wrong, right)
    note(twiceshy, first)
    note(twiceshy, second)

    found = twiceshy("search", question, "--json").json
    told = twiceshy("recall", question, "--json").json["notes"]

    assert [one["text"] for one in found][:2] == [right, wrong]
    assert [one["text"] for one in told][:2] == [right, wrong]

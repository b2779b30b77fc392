"""The session format of memory-keeper's document, read as its users write it, and its files kept in a project."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.commands import run_command
from tests.older_systems import keeper_files as keeper
from tests.older_systems.keeper_files import SESSION, TYPES, KeeperFact
from tests.requirements import requirement

from twiceshy.app import load_settings

Fields = dict[str, object]


def extracted(twiceshy: Command, project: Path, text: str) -> list[Fields]:
    """Return the facts of a session file, as they are kept."""
    keeper.write_files(project, {f"sessions/{SESSION}.md": text})
    ran = twiceshy("extract-facts", SESSION, "--json")
    return [one["note"] for one in ran.json["kept"]]


@requirement("K15")
@pytest.mark.parametrize("indent", ["", "  "])
def test_the_session_file_of_the_document_gives_each_of_its_facts_whole(
    twiceshy: Command, project: Path, indent: str
) -> None:
    text = keeper.DOCUMENT.replace("\n- files:", f"\n{indent}- files:")
    text = text.replace("\n- concepts:", f"\n{indent}- concepts:")

    decision, pattern, issue = extracted(twiceshy, project, text)

    told = ("kind", "subtype", "text", "why", "state", "files", "concepts")
    assert [[one[name] for name in told] for one in (decision, pattern, issue)] == [
        [
            *("decision", "architecture", "Use CLI", "Reliable", "current"),
            ["src/cli.ts", "src/main.ts"],
            ["authentication", "state-management"],
        ],
        [
            *("pattern", "convention", "Run tests before commit", "", "current"),
            [],
            ["testing", "workflow"],
        ],
        [
            *("issue", "performance", "Query takes 3s", "", "resolved"),
            ["src/db.ts"],
            ["performance"],
        ],
    ]
    assert {one["origin_session"] for one in (decision, pattern, issue)} == {SESSION}


@requirement("K20", "K21", "K22")
@pytest.mark.parametrize(
    ("section", "type_"), [(name, each) for name in TYPES for each in (*TYPES[name], "house-rule")]
)
def test_each_type_is_kept_and_another_one_becomes_other(
    twiceshy: Command, project: Path, section: str, type_: str
) -> None:
    fact = KeeperFact(section, "The text of it", type_, "the reason of it", "resolved")

    [kept] = extracted(twiceshy, project, keeper.session([fact]))

    assert kept["kind"] == section.removesuffix("s")
    assert kept["subtype"] == (type_ if type_ in TYPES[section] else "other")
    assert kept["text"] == "The text of it"


@requirement("K20")
@pytest.mark.parametrize(
    ("line", "text", "why"),
    [
        ("Use https://x.example/api: it is REST", "Use https://x.example/api", "it is REST"),
        ("Deploy at 10:30: fewer users", "Deploy at 10:30", "fewer users"),
        ("Keep src/a:b.ts: old name", "Keep src/a:b.ts", "old name"),
        ("改用命令列:比較可靠", "改用命令列", "比較可靠"),
        ("One reason: it has: colons", "One reason", "it has: colons"),
    ],
)
def test_the_reason_begins_behind_the_first_colon_with_a_blank(
    twiceshy: Command, project: Path, line: str, text: str, why: str
) -> None:
    line = line.replace(":比", "：比")  # the full-width colon needs no blank

    [kept] = extracted(twiceshy, project, f"## Decisions\n- [approach] {line}\n")

    assert (kept["text"], kept["why"]) == (text, why)


@requirement("K22")
@pytest.mark.parametrize(
    ("ending", "state"),
    [(": open", "open"), (": resolved", "resolved"), (": RESOLVED.", "resolved"), ("", "open")],
)
def test_an_issue_is_open_or_resolved_however_its_state_is_written(
    twiceshy: Command, project: Path, ending: str, state: str
) -> None:
    [kept] = extracted(twiceshy, project, f"## Issues\n- [bugfix] Login fails{ending}\n")

    assert (kept["text"], kept["state"]) == ("Login fails", state)


@requirement("K23")
@pytest.mark.parametrize(
    "below",
    [
        "  - files: a.ts, b.ts\n  - concepts: x, y\n",
        "  - concepts: x,y\n  - files: a.ts , b.ts,\n",
        "- Files: a.ts, b.ts\n- CONCEPTS: x, y\n",
        "    * concepts: x, y\n    * files: a.ts, b.ts\n",
    ],
)
def test_files_and_concepts_belong_to_the_item_above_them(
    twiceshy: Command, project: Path, below: str
) -> None:
    text = f"## Decisions\n- [other] First: so\n{below}- [other] Second: so\n"

    first, second = extracted(twiceshy, project, text)

    assert (first["files"], first["concepts"]) == (["a.ts", "b.ts"], ["x", "y"])
    assert (second["files"], second["concepts"]) == ([], [])


@requirement("K28")
def test_facts_are_printed_in_the_shape_of_facts_json(twiceshy: Command, project: Path) -> None:
    extracted(twiceshy, project, keeper.DOCUMENT)

    told = twiceshy("facts", "--json").json

    assert list(told) == ["_meta", "decisions", "patterns", "issues", "concepts"]
    own = {name: told["decisions"][0][name] for name in ("id", "type", "content", "reason")}
    assert own == {
        "id": "d001",
        "type": "architecture",
        "content": "Use CLI",
        "reason": "Reliable",
    }
    assert told["decisions"][0]["files"] == ["src/cli.ts", "src/main.ts"]
    assert (told["patterns"][0]["id"], told["issues"][0]["status"]) == ("p001", "resolved")
    assert told["concepts"]["state-management"] == ["d001"]


@requirement("K29")
@pytest.mark.parametrize(
    ("words", "section"),
    [
        (("add-decision", "Use CLI", "Reliable"), "decisions"),
        (("add-pattern", "Use CLI"), "patterns"),
        (("add-issue", "Use CLI", "open"), "issues"),
    ],
)
def test_each_verb_takes_type_files_and_concepts_and_the_same_twice_is_one(
    twiceshy: Command, words: tuple[str, ...], section: str
) -> None:
    more = (TYPES[section][1], "src/a.ts,src/b.ts", "cli,tools")

    ran = [twiceshy(*words, *more, "--json").json["note"] for _ in range(2)]

    assert ran[0]["subtype"] == TYPES[section][1]
    assert (ran[0]["files"], ran[0]["concepts"]) == (["src/a.ts", "src/b.ts"], ["cli", "tools"])
    assert (ran[1]["id"], ran[1]["sightings"]) == (ran[0]["id"], 2)


@requirement("K06")
def test_the_whole_folder_is_kept_in_the_project_on_request(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_VIEWS_PROJECT", "true")
    keeper.write_files(
        project, {"memory.md": keeper.log([(SESSION, "Moved it.")]), f"sessions/{SESSION}.md": ""}
    )
    keeper.write_files(project, {f"sessions/{SESSION}.md": keeper.DOCUMENT})
    twiceshy("import", "memory-keeper")
    for path in (project / keeper.FOLDER).rglob("*.md"):
        path.unlink()
    for name in ("project", "architecture", "conventions"):
        twiceshy("memory-set", name, f"About the {name}.")

    twiceshy("views", "write")

    files = keeper.read_files(project)
    assert {"project.md", "architecture.md", "conventions.md", "facts.json"} <= files.keys()
    assert "## 2025-12-21_0300\n" in files["memory.md"]
    assert "- [architecture] Use CLI: Reliable" in files[f"sessions/{SESSION}.md"]
    assert json.loads(files["facts.json"])["decisions"][0]["id"] == "d001"


@requirement("K07")
def test_an_edit_by_hand_comes_back_and_nobodys_own_line_is_lost(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_VIEWS_PROJECT", "true")
    twiceshy("memory-set", "conventions", "Tabs.")
    twiceshy("add-decision", "Use CLI", "Reliable")
    twiceshy("views", "write")
    folder = project / keeper.FOLDER
    (folder / "conventions.md").write_text("Tabs, and lines of 100.\n")
    told = json.loads((folder / "facts.json").read_text())
    told["decisions"][0]["reason"] = "Fast"
    (folder / "facts.json").write_text(json.dumps(told | {"team": {"lead": "Kim"}}, indent=2))

    twiceshy("views", "write")

    assert twiceshy("memory-get", "conventions").out == "Tabs, and lines of 100.\n"
    [decision] = twiceshy("list", "--kind", "decision", "--json").json
    assert decision["why"] == "Fast"
    assert json.loads((folder / "facts.json").read_text())["team"] == {"lead": "Kim"}


@requirement("K08")
def test_a_save_interval_of_memory_keeper_is_honoured_the_projects_first(
    twiceshy: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = Path.home() / ".claude/memory-keeper/config.json"
    user.parent.mkdir(parents=True)
    user.write_text('{"saveInterval": 3}')
    every = [twiceshy("keeper", "check", "--json").json["interval"]]
    keeper.write_files(project, {"config.json": '{"saveInterval": 2}'})

    every.append(twiceshy("keeper", "check", "--json").json["interval"])

    assert every == [3, 2]
    assert load_settings().integer("keeper.save_interval") == 2


@requirement("K44")
def test_clearing_facts_asks_first_keeps_the_rest_and_is_taken_back(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    for words in (
        ("add-decision", "Use CLI", "Reliable"),
        ("add-issue", "It is slow", "open"),
        ("memory-set", "project", "A shop."),
        ("note", "Lock before tagging"),
    ):
        twiceshy(*words)
    asked = run_command("clear", "facts", cwd=project, env={}, stdin="n\n")
    before = twiceshy("facts").out

    cleared = twiceshy("clear", "facts", "--yes")
    left = sorted(note["kind"] for note in twiceshy("list", "--json").json)
    twiceshy("undo")

    assert "Retire 2 notes of " in asked.err
    assert "decisions: 1" in before
    assert cleared.out == "2\n"
    assert left == ["lesson", "page"]
    assert twiceshy("facts").out == before


@requirement("K25")
@settings(max_examples=15)
@given(
    opening=st.sampled_from(("<private>", "<PRIVATE>", "<private >")),
    closing=st.sampled_from(("</private>", "</Private>", "")),
    place=st.sampled_from(("reason", "text", "files", "concepts")),
)
def test_no_private_word_reaches_the_store(opening: str, closing: str, place: str) -> None:
    import tempfile

    hidden = f"{opening}zanzibarword{closing}"
    fact = KeeperFact(
        "decisions",
        f"Use it {hidden if place == 'text' else ''}",
        "other",
        f"so {hidden if place == 'reason' else 'it is'}",
        files=[hidden] if place == "files" else ["a.ts"],
        concepts=[hidden] if place == "concepts" else ["cli"],
    )
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "shop"
        keeper.write_files(project, {f"sessions/{SESSION}.md": keeper.session([fact])})
        env = {"HOME": folder, "TWICESHY_HOME": f"{folder}/home"}

        said = run_command("extract-facts", cwd=project, env=env)

        stored = b"".join(
            path.read_bytes() for path in (Path(folder) / "home").rglob("*") if path.is_file()
        )
        assert b"zanzibarword" not in stored
        assert "zanzibarword" not in f"{said.out}{said.err}"

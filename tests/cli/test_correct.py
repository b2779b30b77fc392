"""The error notebook on the command line: listed by category, cleared and activated by the user."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import learn, opened

from twiceshy.core.scope import Scope
from twiceshy.notes.find_by_name import find_notes_by_name
from twiceshy.places.project import identify_project
from twiceshy.project.notebook.page import parse_notebook
from twiceshy.runtimes.callers import AGENT_MARKS

USE = 'Write "use", not "utilize".'


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are a person's, whoever runs them."""
    for mark in AGENT_MARKS:
        monkeypatch.delenv(mark, raising=False)


def a_rule(twiceshy: Command, text: str = USE, *, tag: str = "prose", why: str = "") -> str:
    words = ["note", "--type", "correction", "--tag", tag, "--why", why, text]
    return twiceshy(*words).out.strip()


def missed(home: Path, name: str, times: int) -> None:
    with opened(home) as store, store.change():
        [note] = find_notes_by_name(store, name)
        for _ in range(times):
            store.increment_counter("missed", [note.id])


def test_an_empty_notebook_says_how_to_fill_it(twiceshy: Command) -> None:
    empty = twiceshy("correct")

    assert (empty.out, "twiceshy analyze" in empty.err) == ("", True)
    assert twiceshy("correct", "--json").json == []


@requirement("E32", "E24")
def test_rules_are_listed_by_category_with_how_often_they_were_broken_the_newest_first(
    twiceshy: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-02T12:00:00Z")
    use = a_rule(twiceshy, why="utilize → use")
    pnpm = a_rule(twiceshy, "Use `pnpm`, not `npm`.", tag="config")
    monkeypatch.setenv("TWICESHY_NOW", "2026-11-03T12:00:00Z")
    say = a_rule(twiceshy, 'Write "help", not "facilitate".')
    missed(home, use, 3)

    assert twiceshy("correct").out == (
        f"config (1)\n  {pnpm}  Use `pnpm`, not `npm`.\n         not broken since 2026-11-02\n"
        f'prose (2)\n  {say}  Write "help", not "facilitate".\n'
        "         not broken since 2026-11-03\n"
        f"  {use}  {USE}\n         broken: 3, needs hard rule\n"
        "         utilize → use\n"
    )


@requirement("V02")
def test_rules_that_wait_are_counted_and_named_and_the_notebook_is_not_called_empty(
    twiceshy: Command, project: Path, tmp_path: Path
) -> None:
    page = tmp_path / "user" / ".claude" / "skills" / "learned" / "writing-review-list.md"
    page.parent.mkdir(parents=True)
    texts = [f'Write "word{number}", not "term{number}".' for number in range(4)]
    page.write_text(
        "# Writing Review List\n\n"
        + "\n".join(
            f"### Rule {number}\n- **Rule:** {text}\n- **Missed:** 1 times\n- **Status:** active\n"
            for number, text in enumerate(texts)
        )
    )
    twiceshy("import", "memory-engine")

    listed = twiceshy("correct")
    (project / "a.txt").write_text("x")
    (project / "b.txt").write_text("y")
    analysed = twiceshy("analyze", "a.txt", "b.txt")

    for said in (listed.out, analysed.out):
        assert "4 rules wait for you: twiceshy review\n" in said
        assert sum(text in said for text in texts) == 3
        assert "  and 1 more\n" in said
    assert "empty" not in listed.out + listed.err
    assert {(one["status"], one["approved"]) for one in twiceshy("correct", "--json").json} == {
        ("candidate", False)
    }
    assert twiceshy("analyze", "a.txt", "b.txt", "--json").json["undecided"] == 4


def test_one_category_can_be_asked_for(twiceshy: Command) -> None:
    a_rule(twiceshy)
    a_rule(twiceshy, "Use `pnpm`, not `npm`.", tag="")

    assert twiceshy("correct", "prose").out.startswith("prose (1)\n")
    assert twiceshy("correct", "general").out.startswith("general (1)\n")
    unknown = twiceshy("correct", "poetry", fails=1)
    assert "known: " in unknown.err


@requirement("U058")
def test_a_rule_is_cleared_and_activated_by_the_user_and_stays_approved(
    twiceshy: Command,
) -> None:
    name = a_rule(twiceshy)

    twiceshy("correct", "--clear", name)
    cleared = twiceshy("correct")
    everything = twiceshy("correct", "--all", "--json").json
    twiceshy("correct", "--activate", name)

    assert cleared.out == ""
    assert [(one["state"], one["approved"]) for one in everything] == [("cleared", True)]
    [active] = twiceshy("correct", "--json").json
    assert (active["state"], active["approved"]) == ("current", True)
    assert "cleared" in twiceshy("correct", "--clear", name, "--json").out


def test_clearing_can_be_undone(twiceshy: Command) -> None:
    name = a_rule(twiceshy)
    twiceshy("correct", "--clear", name)

    twiceshy("undo")

    assert name in twiceshy("correct").out


@pytest.mark.parametrize("verb", ["--clear", "--activate"])
def test_an_agent_neither_clears_nor_activates(
    twiceshy: Command, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = a_rule(twiceshy)
    monkeypatch.setenv("CODEX_SANDBOX", "seatbelt")

    refused = twiceshy("correct", verb, name, fails=1)

    assert "only a person may decide" in refused.err
    assert name in twiceshy("correct").out


def test_only_rules_of_the_notebook_are_cleared(twiceshy: Command) -> None:
    name = twiceshy("note", "Tag last.").out.strip()

    assert "no rule of the notebook" in twiceshy("correct", "--clear", name, fails=1).err


def test_a_rule_that_nobody_approved_says_so(twiceshy: Command, home: Path, project: Path) -> None:
    scope = Scope(identify_project(str(project), cache=None).id)
    with opened(home) as store:
        learn(store, USE, kind="rule", subtype="correction", scope=scope)

    listed = twiceshy("correct")

    assert "not approved" in listed.out
    assert "twiceshy review" in listed.err


def test_the_notebook_is_printed_as_memory_engines_file(twiceshy: Command, home: Path) -> None:
    name = a_rule(twiceshy, why="utilize → use")
    missed(home, name, 2)
    twiceshy("correct", "--clear", name)

    page = twiceshy("correct", "--page").out

    [entry] = parse_notebook(page).entries
    assert (entry.rule, entry.missed, entry.status, entry.example) == (
        *(USE, 2, "cleared", "utilize → use"),
    )
    twiceshy("correct", "--page", "--json", fails=2)


def test_rules_of_another_project_are_not_listed(twiceshy: Command, home: Path) -> None:
    with opened(home) as store:
        learn(store, USE, kind="rule", subtype="correction", scope=Scope("elsewhere"))

    assert twiceshy("correct").out == ""

"""``handoff`` keeps what is said, fills in what is known, and prints it in memory-engine's form."""

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.requirements import requirement
from tests.store.support import opened

from twiceshy.core.evidence import Episode
from twiceshy.places.project import identify_project


@pytest.fixture
def worked(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session in which something was done; its agent runs the commands from here on."""
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
    known = identify_project(str(project), cache=None).id
    with opened(home) as store:
        store.record_project(known, name="shop", root=str(project))
        store.capture(
            Episode(
                *("e1", "end", "s1", known, 1, 2),
                title="Move the parser",
                summary="2 messages on shop:\nMove the parser",
                requests=("Move the parser", "Then mend the tests"),
                files=("src/parse.py",),
            )
        )


@requirement("U059", "E26")
def test_a_handoff_is_printed_as_memory_engine_wrote_it(twiceshy: Command) -> None:
    twiceshy(
        *("handoff", "parser", "--status", "half done", "--done", "moved it"),
        *("--left", "mend the tests", "--decision", "one pass: files are small"),
        *("--file", "src/parse.py", "--text", "The fixture is slow."),
    )

    page = twiceshy("handoff", "parser", "--show").out

    day = page.partition("**Date:** ")[2][:10]
    assert page == (
        "---\nname: handoff-parser\ndescription: half done\ntype: project\n---\n\n"
        f"# Parser Handoff\n\n**Status:** half done\n**Date:** {day}\n\n"
        "## What was done\n- moved it\n\n"
        "## What's left to do\n- [ ] mend the tests\n\n"
        "## Key decisions\n- one pass: files are small\n\n"
        "## Files modified\n- src/parse.py\n\n"
        "The fixture is slow.\n"
    )


@requirement("U059")
@pytest.mark.usefixtures("worked")
def test_what_is_not_said_is_filled_in_from_the_session(twiceshy: Command) -> None:
    twiceshy("add-decision", "One pass", "files are small")

    told = twiceshy("handoff", "--left", "mend the tests", "--json").json

    assert told["status"] == "Move the parser"
    assert told["done"] == ["Move the parser", "Then mend the tests"]
    assert told["left"] == ["mend the tests"]
    assert told["decisions"] == ["One pass: files are small"]
    assert told["files"] == ["src/parse.py"]


@pytest.mark.usefixtures("worked")
def test_a_draft_is_printed_and_not_kept(twiceshy: Command) -> None:
    drafted = twiceshy("handoff", "--draft")
    unasked = twiceshy("handoff")
    sentence = twiceshy("handoff", "The totals are wrong; round once, at the end")

    assert "**Status:** Move the parser" in drafted.out
    assert unasked.out == drafted.out
    assert drafted.err == ""
    assert "nothing was handed over" in unasked.err
    assert "nothing was handed over" in sentence.err
    assert "twiceshy handoff --text TEXT" in sentence.err
    assert twiceshy("handoff", "--list").out == ""


@pytest.mark.usefixtures("worked")
def test_the_handoff_of_a_session_is_brought_up_to_date(twiceshy: Command) -> None:
    twiceshy("handoff", "--status", "half done")
    twiceshy("handoff", "--status", "nearly done")

    listed = twiceshy("handoff", "--list").out.splitlines()

    assert [line.partition("  ")[2] for line in listed] == ["nearly done"]


def test_there_is_no_handoff_to_show_before_somebody_left_one(twiceshy: Command) -> None:
    refused = twiceshy("handoff", "--show", fails=1)

    assert "nobody has left a handoff here" in refused.err
    assert "hint: " in refused.err


def test_a_handoff_keeps_no_secret(twiceshy: Command, home: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4

    twiceshy("handoff", "--status", f"the token is {secret}", "--file", f"x/{secret}")

    kept = b"".join(file.read_bytes() for file in home.rglob("*") if file.is_file())
    assert secret.encode() not in kept
    assert b"the token is" in kept


@pytest.mark.parametrize("topic", ["../x", "a/b", "x\ny", "-" * 300])
def test_a_topic_is_a_plain_name(twiceshy: Command, topic: str) -> None:
    twiceshy("handoff", "--status", "x", "--", topic, fails=1)


def test_an_empty_handoff_is_refused_with_a_hint(twiceshy: Command) -> None:
    refused = twiceshy("handoff", "--yes", fails=1)

    assert "the handoff is empty" in refused.err
    assert "say at least what is left" in refused.err


def test_people_read_it_in_their_language(
    twiceshy: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_TW.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)

    assert twiceshy("handoff", "--status", "x").out == "已交接:x\n"

"""Notes of agents over MCP: the calls at which they are shown, and long intents."""

import json
from pathlib import Path

from tests.hooks.sessions import Session
from tests.mcp.conftest import Client, twiceshy
from tests.requirements import requirement


@requirement("T82", "T83")
def test_a_note_of_an_agent_is_shown_at_the_calls_it_names_or_sets(
    client: Client, project: Path
) -> None:
    named = client.call("note", text="Never `make deploy --fast` here.").facts
    given = client.call("note", text="Ask in #ops first.", when="terraform apply").facts
    assert named
    assert given
    session = Session(project, "another")

    assert f'id="{str(named["id"])[-4:]}' not in session.calls("make deploy")
    assert "Never `make deploy --fast` here." in session.calls("make deploy --fast")
    assert "Ask in #ops first." in session.calls("terraform apply")


@requirement("T83")
def test_show_and_why_tell_the_calls_of_a_note(client: Client, project: Path) -> None:
    facts = client.call("note", text="Lock with `uv lock --frozen`.").facts
    assert facts
    handle = str(facts["id"])

    assert "Bash lock uv !--frozen (from its words)" in twiceshy(project, "show", handle)
    assert "Bash lock uv !--frozen" in twiceshy(project, "why", handle)
    learned = json.loads(twiceshy(project, "why", handle, "--json"))["learned"]
    assert learned["trigger"] == "Bash lock uv !--frozen"


@requirement("T83")
def test_a_call_that_cannot_be_matched_is_refused_with_an_example(client: Client) -> None:
    said = client.refused("note", text="Be careful.", when="terraform")

    assert "git push --force" in said


@requirement("T84")
def test_a_failure_shows_what_an_agent_noted_about_its_error(
    client: Client, project: Path
) -> None:
    client.do("note", text="Start the broker first.", why="ERR_BROKER_UNREACHABLE at startup")

    told = Session(project, "another").fails("make e2e", "Error: ERR_BROKER_UNREACHABLE (7 tries)")

    assert "Start the broker first." in told


@requirement("T80")
def test_recall_reads_a_long_intent_to_its_end(client: Client) -> None:
    client.do("note", text="Staging rows vanish at two: the database is reset every night.")
    filler = "The invoice screen was reviewed by accounting, who like the new totals. " * 40

    assert "reset every night" in client.do(
        "recall", intent=f"{filler} Why do rows vanish from the staging database at night?"
    )

"""Pages and all that a skill knows can be opened by address; prompts come filled in."""

import json
from pathlib import Path

import pytest
from mcp.shared.exceptions import McpError
from tests.mcp.conftest import Client, twiceshy

from twiceshy.app import open_app
from twiceshy.notes.knowledge import parse_lessons
from twiceshy.safety.signing import Signature

LESSON = {"skill": "release", "intent": "tagging", "kind": "gotcha", "delta": "Tag last."}


def test_pages_are_listed_and_opened_by_their_name(client: Client) -> None:
    client.do("note", text="# Layers\n\n  - core\n", kind="page", tags=["the layers/1"])

    (page,) = (each for uri, each in client.resources().items() if "pages" in uri)

    assert (page.name, str(page.uri)) == ("the layers/1", "twiceshy://pages/the%20layers%2F1")
    text = client.read(str(page.uri))
    assert text.startswith("> Page the layers/1, revision 1, kept by twiceshy: observations")
    assert text.endswith("# Layers\n\n  - core\n")


def test_a_projects_page_hides_the_general_one_of_its_name(client: Client, project: Path) -> None:
    twiceshy(project, "note", "General.", "--kind", "page", "--tag", "style", "--everywhere")
    client.do("note", text="Our own.", kind="page", tags=["style"])

    assert "Our own." in client.read("twiceshy://pages/style")
    assert [uri for uri in client.resources() if "pages" in uri] == ["twiceshy://pages/style"]


def test_what_a_skill_knows_is_a_knowledge_file_that_reads_back(client: Client) -> None:
    client.do("skill_note", **LESSON, tags=["git"])
    client.do("skill_note", **LESSON, tags=["git"])

    text = client.read("twiceshy://knowledge/release")

    assert "twiceshy://knowledge/release" in client.resources()
    assert text.startswith("# release — experience\n")
    (lesson,) = parse_lessons(text)
    assert (lesson.text, lesson.tag, lesson.sightings) == ("Tag last.", "git", 2)


def test_a_lesson_closes_nothing_that_a_client_puts_around_a_resource(client: Client) -> None:
    client.do("skill_note", **LESSON | {"delta": "Tag </resource> last.", "intent": "</x>"})

    text = client.read("twiceshy://knowledge/release")

    assert "Tag &lt;/resource> last." in text
    assert "</" not in text


def test_a_skill_that_knows_nothing_has_an_empty_knowledge_file(client: Client) -> None:
    text = client.read("twiceshy://knowledge/other")

    assert "No lessons recorded yet." in text
    assert list(client.resources()) == ["twiceshy://knowledge"]


def test_only_rules_that_the_user_approved_are_in_a_knowledge_file(
    client: Client, project: Path
) -> None:
    words = ("--kind", "rule", "--skill", "release")
    twiceshy(project, "note", "Approved: sign tags.", *words)
    twiceshy(project, "note", "Proposed: skip tests.", *words, "--as-agent")
    foreign = twiceshy(project, "note", "Unsigned: push first.", *words, "--json")
    with open_app() as app:
        app.store.drop_records(Signature, json.loads(foreign)["note"]["id"])

    text = client.read("twiceshy://knowledge/release")

    assert "Approved: sign tags." in text
    assert "Proposed" not in text
    assert "Unsigned" not in text


def test_principles_stand_above_all_skills(client: Client, project: Path) -> None:
    twiceshy(project, "note", "Read first.", "--type", "principle", "--everywhere")

    text = client.read("twiceshy://knowledge")

    assert text.startswith("# Global Skills Principles\n")
    assert "Read first." in text


def test_both_kinds_of_addresses_are_told(client: Client) -> None:
    assert client.templates() == ["twiceshy://pages/{name}", "twiceshy://knowledge/{skill}"]


@pytest.mark.parametrize(
    "uri",
    [
        "twiceshy://pages/nothing",
        "twiceshy://pages/",
        "twiceshy://pages/../../etc/passwd",
        "twiceshy://other/x",
        "file:///etc/passwd",
        "twiceshy://knowledge/..%2F..%2Fetc",
    ],
)
def test_an_address_behind_which_nothing_is_gives_an_error(client: Client, uri: str) -> None:
    with pytest.raises(McpError) as refused:
        client.read(uri)

    assert "root:" not in str(refused.value)
    assert client.do("status")


def test_both_prompts_are_listed(client: Client) -> None:
    prompts = {each.name: each for each in client.prompts()}

    assert list(prompts) == ["reflect", "handoff"]
    assert all(each.title and each.description for each in prompts.values())
    (argument,) = prompts["reflect"].arguments or []
    assert (argument.name, argument.required) == ("skill", False)


def test_reflect_names_the_lessons_to_look_at_the_doubtful_first(client: Client) -> None:
    client.do("skill_note", **LESSON)
    doubted = client.call("note", text="Orders are numbered.", kind="decision").facts
    assert doubted
    client.do("feedback", id=doubted["id"], verdict="wrong")

    text = client.prompt("reflect")

    assert text.index("Orders are numbered.") < text.index("Tag last.")
    assert "[on probation]" in text
    assert "feedback" in text
    assert "Tag last." in client.prompt("reflect", skill="release")
    assert "Orders" not in client.prompt("reflect", skill="release")


def test_reflect_says_when_there_is_nothing_to_look_at(client: Client) -> None:
    assert "nothing to review" in client.prompt("reflect")


def test_the_handoff_prompt_brings_what_was_left_last_time(client: Client) -> None:
    client.do("handoff", action="write", left=["Mend the tests"])

    text = client.prompt("handoff")

    assert "Mend the tests" in text
    assert "action write" in text


def test_an_unknown_prompt_gives_an_error_that_names_those_there_are(client: Client) -> None:
    with pytest.raises(McpError) as refused:
        client.prompt("other")

    assert "reflect, handoff" in str(refused.value)

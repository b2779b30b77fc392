"""What we rely on of Claude Code is still so: what its hooks are told, and where their words go."""

import json
from typing import Any

import pytest
from tests.journeys.lab.claude_code import ClaudeCode
from tests.journeys.lab.rehearsal import PAYLOADS, SCENES, Scene, rehearse
from tests.journeys.lab.script import calls

pytestmark = pytest.mark.journey


def shape(node: Any) -> Any:
    """Reduce JSON to its keys and kinds, in order."""
    if isinstance(node, dict):
        return [(key, shape(part)) for key, part in node.items()]
    if isinstance(node, list):
        return [shape(part) for part in node]
    return "number" if isinstance(node, float) else type(node).__name__


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_the_client_still_sends_what_was_recorded(claude: ClaudeCode, scene: Scene) -> None:
    sent = rehearse(claude, scene)

    recorded = {name: json.loads((PAYLOADS / f"{name}.json").read_text()) for name in sent}
    changed = {name: sent[name] for name in sent if shape(sent[name]) != shape(recorded[name])}
    assert sent
    assert changed == {}


def test_the_client_still_puts_the_words_of_hooks_where_they_should_go(claude: ClaudeCode) -> None:
    places = {
        "SessionStart": "messages[0].content[0].text",
        "UserPromptSubmit": "messages[0].content[",
        "PostToolUse": "messages[2].content[0].content",
        "PostToolUseFailure": "messages[4].content[0].content",
    }
    project = claude.lab.project("shop")
    claude.skill(project, "pack")
    claude.record(list(places), {event: f"MARK-{event}." for event in places})

    claude.ask(
        "pack it",
        calls("Skill", skill="pack"),
        calls("Bash", command="exit 3", description="Lift"),
        project=project,
    )

    for event, path in places.items():
        found = claude.lab.find(f"MARK-{event}.")
        assert found, event
        assert {place.path.startswith(path) for place in found} == {True}, (event, found)
    assert claude.lab.broken_prefix() == ""

"""What the recordings say of a client is still so: the same events, with the same fields."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.journeys.lab import sessions_codex, sessions_gemini, sessions_opencode, sessions_pi
from tests.journeys.lab.client import Client
from tests.journeys.lab.codex import Codex
from tests.journeys.lab.gemini import Gemini
from tests.journeys.lab.opencode import OpenCode
from tests.journeys.lab.pi import Pi
from tests.journeys.lab.sessions import PAYLOADS, Kind, Scene, rehearse

pytestmark = pytest.mark.journey


def name(scene: Scene[Client]) -> str:
    return scene.__name__


def shape(node: Any) -> Any:
    """Reduce JSON to its keys and kinds, in order."""
    if isinstance(node, dict):
        return [(key, shape(part)) for key, part in node.items()]
    if isinstance(node, list):
        return [shape(part) for part in node]
    return "number" if isinstance(node, int | float) else type(node).__name__


def changed(client: Kind, scene: Scene[Kind], recordings: Path) -> list[str]:
    """Play a scene again and name the payloads that look different; transcripts vary in length."""
    played = {name: sent for name, sent in rehearse(client, scene).items() if "/" not in name}
    assert played
    return [
        name
        for name, sent in played.items()
        if shape(sent) != shape(json.loads((recordings / f"{name}.json").read_text()))
    ]


@pytest.mark.parametrize("scene", sessions_codex.SCENES, ids=name)
def test_codex_still_sends_what_was_recorded(codex: Codex, scene: Scene[Codex]) -> None:
    assert changed(codex, scene, PAYLOADS / "codex") == []


@pytest.mark.parametrize("scene", sessions_gemini.SCENES, ids=name)
def test_gemini_still_sends_what_was_recorded(gemini: Gemini, scene: Scene[Gemini]) -> None:
    assert changed(gemini, scene, PAYLOADS / "gemini") == []


@pytest.mark.parametrize("scene", sessions_opencode.SCENES, ids=name)
def test_opencode_still_calls_what_was_recorded(
    opencode: OpenCode, scene: Scene[OpenCode]
) -> None:
    assert changed(opencode, scene, PAYLOADS / "opencode") == []


@pytest.mark.parametrize("scene", sessions_pi.SCENES, ids=name)
def test_pi_still_tells_what_was_recorded(pi: Pi, scene: Scene[Pi]) -> None:
    recordings = PAYLOADS / "pi" / ("old" if pi.flavour == "old" else "")

    assert changed(pi, scene, recordings) == []

"""Adapters translate into these events and no others."""

import ast
import inspect

from hypothesis import given
from hypothesis import strategies as st
from tests.core.builders import NOW

from twiceshy.core import event
from twiceshy.core.event import Occurrence

EVENTS = {
    "SessionStarted", "PromptGiven", "SkillLoaded", "SkillRead", "CallPending", "CallSucceeded",
    "CallFailed", "Compacting", "Compacted", "TurnEnded", "SubagentStarted", "SubagentEnded",
    "SessionEnded",
}  # fmt: skip


def union_of_events() -> set[str]:
    """Read the names in ``Event``, which exists for type checkers only."""
    assigned = [
        node.value
        for node in ast.walk(ast.parse(inspect.getsource(event)))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "Event"
    ]
    return {name.id for name in ast.walk(assigned[0]) if isinstance(name, ast.Name)}


def declared() -> dict[str, type[Occurrence]]:
    """Return every class of the module that could be sent."""
    return {
        name: value
        for name, value in vars(event).items()
        if isinstance(value, type) and issubclass(value, Occurrence) and value is not Occurrence
    }


def test_the_union_of_events_is_closed_over_exactly_these() -> None:
    assert union_of_events() == EVENTS
    assert set(declared()) == EVENTS


def test_no_adapter_has_invented_an_event_of_its_own() -> None:
    assert {kind.__name__ for kind in Occurrence.__subclasses__()} == EVENTS


@given(st.sampled_from(sorted(EVENTS)))
def test_every_event_says_which_session_where_and_when_and_needs_no_more(name: str) -> None:
    happened = declared()[name]("session-1", "/work", NOW)

    assert (happened.session, happened.cwd, happened.at) == ("session-1", "/work", NOW)
    assert list(happened.fields())[:4] == ["session", "cwd", "at", "transcript"]

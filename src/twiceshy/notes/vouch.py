"""Who speaks and who is told: a person's own words are vouched for, and agents are told what the gate lets pass."""

from __future__ import annotations

from contextlib import contextmanager

from twiceshy.app import App, is_started_by_agent

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def vouch_for_changes(app: App, *, by_person: bool = True) -> Iterator[None]:
    """Vouch for the words of every change made meanwhile, unless an agent makes the change."""
    before = app.store.vouching
    app.store.vouching = before or (by_person and not is_started_by_agent())
    try:
        yield
    finally:
        app.store.vouching = before


@contextmanager
def answer_as(app: App, *, agent: bool) -> Iterator[None]:
    """Read meanwhile as an agent does, without what the gate holds; or as a person does, with it."""
    before = app.store.for_agents
    app.store.for_agents = agent
    try:
        yield
    finally:
        app.store.for_agents = before

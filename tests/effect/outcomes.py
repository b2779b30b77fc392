"""Outcomes for tests: nothing came of them unless it is said."""

from typing import Any

from tests.core.builders import NOW, an_id

from twiceshy.core.moment import DAY
from twiceshy.core.outcome import FLAGS, Outcome


def an_outcome(number: int = 1, *came: str, **fields: Any) -> Outcome:
    """Return what came of the first note in the ``number``-th session, one a day."""
    note, channel = fields.get("note", an_id()), fields.get("channel", "start")
    usual: dict[str, Any] = {
        "key": f"s{number}//0/{channel}/{note}",
        "note": note,
        "session": f"s{number}",
        "project": "demo",
        "channel": channel,
        "withheld": False,
        "tokens": 30,
        "calls_lost": 0,
        "at": NOW + number * DAY,
    }
    assert set(came) <= set(FLAGS)
    flags = {name: name in came or (bool(came) and name == "opportunity") for name in FLAGS}
    return Outcome.of(usual | flags | fields)


def sessions(count: int, *came: str, first: int = 1, **fields: Any) -> list[Outcome]:
    """Return the same for so many sessions."""
    return [an_outcome(number, *came, **fields) for number in range(first, first + count)]

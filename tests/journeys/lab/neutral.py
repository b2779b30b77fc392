"""Take out of JSON what belongs to one run on one machine: ids, paths, measured numbers."""

import re
from typing import Any

from tests.journeys.lab.bench import Lab

NUMBERS = {"duration_ms": 12, "seconds_since_last_response": 1, "context_tokens": 1020}
UUID = "00000000-0000-4000-8000-"
# A session or prompt by its UUID; a tool call, an agent, a background task by their prefix.
ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\b(toolu_)[0-9a-f]{20}\b|\b(a)[0-9a-f]{16}\b"
    r"|(?:(?<=<task-id>)|(?<=/tasks/)|^)(b)[0-9a-z]{8}(?=<|\.output|$)"
)


def neutral(lab: Lab, node: Any) -> Any:
    """Return the same JSON as another run in another lab would give it; ids are numbered."""
    return Neutral(lab).of(node)


class Neutral:
    """One piece of JSON being made neutral: the same id gets the same number all through it."""

    def __init__(self, lab: Lab) -> None:
        home, temporary = str(lab.home), str(lab.root / "tmp")
        slug = re.sub(r"[^A-Za-z0-9]", "-", home)  # the client names folders after paths
        self._places = {home: "/home/u", slug: "-home-u", temporary: "/tmp"}
        self._ids: dict[str, str] = {}

    def of(self, node: Any, key: str = "") -> Any:
        if isinstance(node, dict):
            return {name: self.of(part, name) for name, part in node.items()}
        if isinstance(node, list):
            return [self.of(part) for part in node]
        if isinstance(node, str):
            return self._text(node)
        return NUMBERS.get(key, node)

    def _text(self, text: str) -> str:
        for place, name in self._places.items():
            text = text.replace(place, name)
        return ID.sub(self._number, text)

    def _number(self, found: re.Match[str]) -> str:
        prefix = next(filter(None, found.groups()), UUID)
        number = str(len(self._ids) + 1).zfill(len(found[0]) - len(prefix))
        return self._ids.setdefault(found[0], prefix + number)

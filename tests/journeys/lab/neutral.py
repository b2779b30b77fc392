"""Take out of JSON what belongs to one run on one machine: ids, paths, times, measured numbers."""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.journeys.lab.bench import Lab

NUMBERS = {
    "context_tokens": 1020,
    "duration_ms": 12,
    "nanos": 7000,
    "seconds_since_last_response": 1,
    "time_to_first_token_ms": 3,
}
TEXTS = {"process_id": "4321", "projectHash": "0" * 64, "slug": "quiet-box"}
UUID = "00000000-0000-4000-8000-"
# A session or prompt by its UUID; a tool call, an agent, a background task, a message by their prefix; a
# commit and an entry of a session by being nothing but hexadecimal.
ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|\b(toolu_)[0-9a-f]{20}\b|\b(a)[0-9a-f]{16}\b"
    r"|(?:(?<=<task-id>)|(?<=/tasks/)|^)(b)[0-9a-z]{8}(?=<|\.output|$)"
    r"|\b(call_|chatcmpl-|ctc_|fc_|msg_|resp_)[0-9a-f]{20}\b"
    r"|\b(evt_|msg_|prt_|ses_)[0-9A-Za-z]{26}\b"
    r"|\b[0-9a-f]{40}\b|^[0-9a-f]{32}$|^[0-9a-f]{8}$|(?<=-)[0-9a-f]{8}(?=\.jsonl)"
)
MEASURED = re.compile(
    r"(?<=PGID: )\d+|(?<=chunk_id\":\")\w{6}|(?<=Chunk ID: )\w{6}"
    r"|\b\d\.\d+(?= sec)|(?<=wall_time_seconds\":)[\d.]+"
)
# As clients write a moment: 2026-11-15T18:05:36.483Z, with dashes in the names of files, or in part.
MOMENT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d)[:-](\d\d)(?:[:-](\d\d)(?:[.-](\d{3,9}))?)?(?=Z|\b)"
)
DAY = re.compile(r"\b20\d\d/\d\d/\d\d\b|\b20\d\d-\d\d-\d\d\b(?!T)")
IN_A_NAME = re.compile(r"(?<=_)1[6-9]\d{11}(?=_)")
BEGINNING = datetime(2026, 1, 5, 9, tzinfo=UTC)


def neutral(lab: Lab, node: Any) -> Any:
    """Return the same JSON as another run in another lab would give it; ids are numbered."""
    return Neutral(lab).of(node)


class Neutral:
    """Some JSON being made neutral: the same id gets the same number all through it."""

    def __init__(self, lab: Lab, *, scene: int = 0) -> None:
        home, temporary = str(lab.home), str(lab.root / "tmp")
        slug = re.sub(r"[^A-Za-z0-9]", "-", home)  # clients name folders after paths
        self._places = {
            home: "/home/u",
            slug: "-home-u",
            home[1:].replace("/", "-"): "home-u",
            temporary: "/tmp",
            str(lab.root): "/lab",
            str(Path(__file__).parent): "/lab",
            sys.executable: "/usr/bin/python3",
        }
        self._ids: dict[str, str] = {}
        self._first = scene * 1000 + 1
        self._began = BEGINNING + timedelta(hours=scene)
        self._moments: list[datetime] = []

    def learn(self, node: Any) -> None:
        """Note all moments beforehand, so that they stay in order."""
        self._moments = sorted({*self._moments, *moments(node)})

    def of(self, node: Any, key: str = "") -> Any:
        """Return JSON without what belongs to one run."""
        if isinstance(node, dict):
            return {self.text(name): self.of(part, name) for name, part in node.items()}
        if isinstance(node, list):
            return [self.of(part, key) for part in node]
        if isinstance(node, str):
            return TEXTS.get(key) or self.text(node)
        if isinstance(node, bool) or not (at := moment(node)):
            return NUMBERS.get(key, node)
        return round(self._time(at).timestamp() * (1000 if node > 1e12 else 1))

    def text(self, text: str) -> str:
        """Return a text without what belongs to one run."""
        for place, name in self._places.items():
            text = text.replace(place, name)
        text = MEASURED.sub(measured, IN_A_NAME.sub("1767603600000", ID.sub(self._number, text)))
        return MOMENT.sub(self._moment, DAY.sub(self._day, text)) if self._moments else text

    def _number(self, found: re.Match[str]) -> str:
        prefix = next(filter(None, found.groups()), UUID if "-" in found[0] else "")
        number = str(len(self._ids) + self._first).zfill(len(found[0]) - len(prefix))
        return self._ids.setdefault(found[0], prefix + number)

    def _time(self, at: datetime) -> datetime:
        """Return a moment of the neutral day: one second a moment, in the order they happened."""
        return self._began + timedelta(seconds=self._moments.index(at))

    def _moment(self, found: re.Match[str]) -> str:
        shape = [place for place in found.regs[1:] if place != (-1, -1)]
        digits = iter(self._time(read(found)).strftime("%Y %m %d %H %M %S %f").split())
        text = found.string
        for begins, ends in shape:
            text = (
                text[:begins]
                + next(digits).ljust(ends - begins, "0")[: ends - begins]
                + text[ends:]
            )
        return text[found.start() : found.end()]

    def _day(self, found: re.Match[str]) -> str:
        return self._began.strftime("%Y/%m/%d" if "/" in found[0] else "%Y-%m-%d")


def measured(found: re.Match[str]) -> str:
    """Return a number in place of one that was measured."""
    return "0.1" if "." in found[0] else "4321"


def moments(node: Any) -> Iterator[datetime]:
    """Yield every moment that some JSON speaks of."""
    if isinstance(node, dict):
        for name, part in node.items():
            yield from moments(name)
            yield from moments(part)
    elif isinstance(node, list):
        for part in node:
            yield from moments(part)
    elif isinstance(node, str):
        yield from map(read, MOMENT.finditer(node))
    elif (at := moment(node)) and not isinstance(node, bool):
        yield at


def read(found: re.Match[str]) -> datetime:
    """Return the moment that was written; what is finer than a millisecond does not count."""
    year, month, day, hour, minute, second, fraction = found.groups("0")
    whole = datetime(int(year), int(month), int(day), int(hour), int(minute), tzinfo=UTC)
    return whole + timedelta(seconds=int(second), milliseconds=int(fraction[:3]))


def moment(number: Any) -> datetime | None:
    """Return the moment a number stands for, in seconds or milliseconds; None if for none."""
    for unit in (1, 1000):
        if isinstance(number, int | float) and 1.6e9 < number / unit < 2.1e9:
            milliseconds = round(number / unit * 1000)
            return datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=milliseconds)
    return None

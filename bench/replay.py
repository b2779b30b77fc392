"""What twiceshy would have shown in recorded sessions, beside simpler ways to remember.

    python -m bench.replay --data FOLDER [--set NAME ...] [--json FILE]

FOLDER holds ``*.jsonl.gz``, one session a line: ``session``, ``start`` and ``events``, where an event is a ``user`` or
``asst`` text, a ``call`` or its ``res``. They are written as Claude Code writes transcripts into a folder that is removed
afterwards, and replayed by the same code as ``twiceshy replay``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import sys
import tempfile
import time
import uuid
from typing import TYPE_CHECKING, Any

from twiceshy.core.moment import format_stamp, parse_stamp
from twiceshy.core.prices import Prices
from twiceshy.places.project import identify_project
from twiceshy.replay.histories import find_histories
from twiceshy.replay.play import replay_projects
from twiceshy.replay.policies import BASELINES
from twiceshy.replay.story import tell_story
from twiceshy.replay.table import render_table, result_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.replay.play import Replayed

PRICES = Prices()
_FIRST = parse_stamp("2026-01-01T00:00:00Z")  # for what has no time of its own
_CLIENT = "2.1.325"
_SUFFIX = ".jsonl.gz"
_CONTINUED = "This session is being continued"
_WHOLE = frozenset("limit offset -A -B -C head_limit timeout".split())
_TEXTS = frozenset("command content old_string new_string pattern".split())
# how the folder of a project is called where it is not called like its set
_FOLDERS = {"entire-cli": "cli", "context-evaluator": "agents-md-evaluator"}
_CHECKOUT = r"(?:/(?:Users|home)/(?:[\w.@+-]+/)*?|[A-Z]:[\\/]+(?:[\w.@+-]+[\\/]+)*?){}(?![\w.-])"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--set", dest="sets", action="append", help="only this one; repeatable")
    parser.add_argument("--json", help="write all figures into this file")
    given = parser.parse_args()
    figures = {}
    for name in given.sets or names_of(given.data):
        begin = time.monotonic()
        replayed = measure(os.path.join(given.data, name + _SUFFIX))
        print(
            f"\n{name}: {replayed.own_score.sessions} sessions, {time.monotonic() - begin:.0f} s\n"
        )
        print("\n".join(tell_story(replayed, PRICES, names={})), end="\n\n")
        print("\n".join(render_table(replayed.scores, PRICES)), flush=True)
        figures[name] = result_to_json(replayed, PRICES)
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


def names_of(folder: str) -> list[str]:
    return sorted(
        name.removesuffix(_SUFFIX) for name in os.listdir(folder) if name.endswith(_SUFFIX)
    )


def measure(path: str) -> Replayed:
    """Replay one set; nothing of it stays."""
    with tempfile.TemporaryDirectory(prefix="twiceshy-bench-") as folder:
        transcripts, cwd = (
            os.path.join(folder, "transcripts"),
            os.path.join(folder, "work", "project"),
        )
        os.makedirs(transcripts)
        os.makedirs(cwd)
        checkout = checkout_of(os.path.basename(path).removesuffix(_SUFFIX))
        for session in read(path):
            Transcript(session, cwd, checkout).write(transcripts)
        found = find_histories(
            [transcripts], lambda place: identify_project(place, cache=None, home=folder)
        )
        done = 0

        def progress() -> None:
            nonlocal done
            done += 1
            print(f"\r{done}/{found.session_count}", end="", file=sys.stderr, flush=True)

        return replay_projects(
            found, os.path.join(folder, "memory"), baselines=BASELINES, progress=progress
        )


def read(path: str) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def checkout_of(name: str) -> re.Pattern[str]:
    """Return what finds the project's folder in paths, wherever each developer keeps it."""
    return re.compile(_CHECKOUT.format(re.escape(_FOLDERS.get(name, name))))


class Transcript:
    """A session as the lines that Claude Code would have written."""

    def __init__(self, session: dict[str, Any], cwd: str, checkout: re.Pattern[str]) -> None:
        self.session = session
        self.name = session_id(session["session"])
        self.cwd = cwd
        self.lines: list[str] = []
        self.places: dict[str, int] = {}  # of the event that a record or a call is from
        self._checkout = checkout
        self._now = _moment(session["start"]) or _FIRST
        self._parent: str | None = None

    def write(self, folder: str) -> str:
        """Write the session into a file that is named after it; return its path."""
        events = self.session["events"]
        for at, event in enumerate(events):
            if not event.get("side"):
                self._event(at, event, events)
                if self._parent:
                    self.places[self._parent] = at
        path = os.path.join(folder, f"{self.name}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in self.lines)
        return path

    def _event(self, at: int, event: dict[str, Any], events: list[dict[str, Any]]) -> None:
        match event["k"]:
            case "user":
                self._user(event)
            case "asst":
                self._agent(event, {"type": "text", "text": self._here(event["text"])})
            case "call":
                self.places[call_id(at, event)] = at
                block = {"type": "tool_use", "id": call_id(at, event), "name": event["tool"]}
                self._agent(event, block | {"input": self._here(typed(event["in"]))})
            case "res" if event.get("of") is not None:
                self._result(event, call_id(event["of"], events[event["of"]]))

    def _user(self, event: dict[str, Any]) -> None:
        text = self._here(event["text"])
        marks: dict[str, object] = {"isMeta": True} if event.get("meta") else {}
        if event.get("compact") or text.startswith(_CONTINUED):
            boundary = {"subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}
            self._line("system", event, **boundary)
            marks = {"isCompactSummary": True}
        self._line("user", event, message={"role": "user", "content": text}, **marks)

    def _agent(self, event: dict[str, Any], block: dict[str, Any]) -> None:
        message = {"role": "assistant", "type": "message", "content": [block]}
        self._line("assistant", event, message=message)

    def _result(self, event: dict[str, Any], call: str) -> None:
        text, failed = self._here(event["text"]), bool(event["err"])
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        block |= {"is_error": True} if failed else {}
        whole = (
            f"Error: {text}" if failed else {"stdout": text, "stderr": "", "interrupted": False}
        )
        message = {"role": "user", "content": [block]}
        self._line("user", event, message=message, toolUseResult=whole)

    def _line(self, kind: str, event: dict[str, Any], **fields: object) -> None:
        self._now = max(self._now + 7, _moment(event.get("ts")))
        name = f"{self.name}/{len(self.lines)}"
        own = str(uuid.uuid5(uuid.NAMESPACE_OID, name))
        record = {
            "parentUuid": self._parent,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.name,
            "version": _CLIENT,
            "type": kind,
            "uuid": own,
            "timestamp": format_stamp(self._now),
            **fields,
        }
        self._parent = own
        self.lines.append(json.dumps(record, ensure_ascii=False))

    def _here(self, value: Any) -> Any:
        return move_project(value, self._checkout, self.cwd)


def move_project(value: Any, checkout: re.Pattern[str], cwd: str) -> Any:
    """Return a value with the project in the folder where a replay has it."""
    match value:
        case str():
            return checkout.sub(lambda _: cwd, value)
        case dict():
            return {key: move_project(each, checkout, cwd) for key, each in value.items()}
        case list():
            return [move_project(each, checkout, cwd) for each in value]
        case _:
            return value


def session_id(name: str) -> str:
    """Return the id of a session; a set may call it by something that no client would."""
    plain = name.isascii() and name.replace("-", "").isalnum()
    return name if plain else str(uuid.uuid5(uuid.NAMESPACE_OID, name))


def call_id(at: int, call: dict[str, Any]) -> str:
    return f"toolu_{call.get('id') or f'{at:012d}'}"


def typed(given: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with the types that the client gives them; the sets hold texts alone."""
    return {name: _value(name, value) for name, value in given.items()}


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _TEXTS:
        return value
    if value in ("true", "false"):
        return value == "true"
    if name in _WHOLE and value.isdecimal():
        return int(value)
    if value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _moment(text: object) -> int:
    """Read when something happened, as a stamp or in milliseconds; 0 if it does not say."""
    if str(text).isdecimal():
        number = int(str(text))
        return number if number > 10**11 else number * 1000
    try:
        return parse_stamp(str(text or ""))
    except ValueError:
        return 0


if __name__ == "__main__":
    main()

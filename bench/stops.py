"""False stops and false alarms per 1,000 calls, by client.

    python -m bench.stops --data FOLDER [--set NAME ...] [--client NAME ...] [--sessions N] [--late] [--json FILE]

The recorded sessions of ``bench.replay`` go through the hooks in the words of each client: its events, its tools, its
transcripts, of which is learned after each session, with default settings, a private home and the clock of the
recording. A *stop* keeps a call from running, an *alarm* is a text beside a pending call; either is false if the call
worked in the recording, and no pipe hid that it failed. A *repair* is a text beside a failure; *guards* warn of what a
call does, whether or not it works, and are counted apart. Recordings say when a call was made, not when its result came: a call takes no time, or
with ``--late`` all the time until the next event, the model's thoughts included, so that more calls look dear. What
Claude Code refused by itself, before any hook, is left out for every client.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from bench.client_events import TAPES
from bench.replay import call_id, checkout_of, move_project, names_of, read, session_id, typed

from twiceshy.core.filter import NoteFilter
from twiceshy.core.moment import parse_stamp
from twiceshy.replay.hook_home import HookReply, ReplayHome
from twiceshy.shell.failure import find_hidden_failure

if TYPE_CHECKING:
    from bench.client_events import ClientTape, Fired, RecordedCall

    Event = dict[str, Any]

STOPS = ("deny", "ask")
_FIRST = parse_stamp("2026-01-01T00:00:00Z")
_MACHINE = re.compile(
    r"\s*(<command-|<local-command|<system-reminder|<task-notification|Caveat:|\[Request interrupted)"
)
_CONTINUED = "This session is being continued"
_UNHEARD = re.compile(
    r"The user doesn't want to proceed|\[Request interrupted|.{0,300}(Sibling tool call errored|Cancelled: parallel)",
    re.DOTALL,
)
_REFUSED = "<tool_use_error>"
_GUARD = "<twiceshy-guard"
COLUMNS = (
    "sessions calls failed notes repairs guards stops false_stops alarms false_alarms".split()
)


class PlayedSet:
    """The sessions of one recorded project in the words of one client."""

    def __init__(
        self, home: ReplayHome, folder: str, name: str, client: str, *, late: bool
    ) -> None:
        self._late = late
        self.counts: Counter[str] = Counter()
        self.examples: list[dict[str, object]] = []
        self._home, self._folder, self._client = home, folder, client
        self._cwd = os.path.join(folder, "work", name)
        self._checkout = checkout_of(name)
        os.makedirs(self._cwd)

    def play_session(self, session: Event) -> None:
        """Fire the events of a session, and learn from its transcript."""
        events = session["events"]
        results = {each["of"]: each for each in events if each["k"] == "res" and "of" in each}
        began = _read_time(session["start"]) or _FIRST
        name = session_id(session["session"])
        tape = TAPES[self._client](self._folder, name, self._cwd, began)
        self.counts["sessions"] += 1
        self._home.enter_directory(self._cwd)
        self._fire(tape, tape.start("startup"))
        calls: dict[int, RecordedCall] = {}
        ends = _find_latest_ends(events) if self._late else {}
        for at, event in enumerate(events):
            if event.get("side"):
                continue
            tape.at = max(tape.at + 7, _read_time(event.get("ts")), ends.get(at, 0))
            if event["k"] == "call" and at in results:
                self._make_call(tape, at, event, results[at], calls)
            elif event["k"] == "res" and event.get("of") in calls:
                self._end_call(tape, calls[event["of"]], event)
            elif event["k"] in ("user", "asst"):
                self._speak(tape, event)
        tape.finish()
        self._home.learn_session(tape.path, name)

    def _make_call(
        self,
        tape: ClientTape,
        at: int,
        event: Event,
        result: Event,
        calls: dict[int, RecordedCall],
    ) -> None:
        call = tape.translate(call_id(at, event), event["tool"], self._move(typed(event["in"])))
        if call is None or result["text"].startswith(_REFUSED):
            return
        calls[at] = call
        hidden = find_hidden_failure(str(call.given.get("command", "")), result["text"])
        worked = not (result["err"] or hidden)
        self.counts["calls"] += 1
        self.counts["failed"] += not worked
        reply = self._fire(tape, tape.pend(call))
        if reply.text.startswith(_GUARD):
            self.counts["guards"] += 1
        elif reply.text:
            kind = "stops" if reply.ruling in STOPS else "alarms"
            self.counts[kind] += 1
            self.counts[f"false_{kind}"] += worked
            shown = json.dumps(call.given, ensure_ascii=False)[:300]
            self.examples.append(
                {"kind": kind, "worked": worked, "call": shown, "text": reply.text}
            )

    def _end_call(self, tape: ClientTape, call: RecordedCall, event: Event) -> None:
        text = self._move(event["text"])
        fired = tape.end(call, text, failed=bool(event["err"]))
        if not _UNHEARD.match(text):
            reply = self._fire(tape, fired)
            self.counts["repairs"] += bool(reply.text and event["err"])

    def _speak(self, tape: ClientTape, event: Event) -> None:
        text = self._move(event["text"])
        summary = bool(event.get("compact")) or text.startswith(_CONTINUED)
        if event["k"] == "asst" or summary or event.get("meta") or _MACHINE.match(text):
            tape.say(text, by_user=event["k"] == "user", summary=summary)
        elif text.strip():
            self._fire(tape, tape.prompt(text))

    def _fire(self, tape: ClientTape, fired: Fired) -> HookReply:
        if fired is None:
            return HookReply()
        name, fields = fired
        return self._home.fire_event(name, tape.at, self._cwd, {**tape.common, **fields})

    def _move(self, value: Any) -> Any:
        return move_project(value, self._checkout, self._cwd)


def play_set(path: str, client: str, sessions: int = 0, *, late: bool = False) -> dict[str, Any]:
    """Play a recorded project with a client, and return what was counted."""
    name = os.path.basename(path).partition(".")[0]
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    recorded = sorted(read(path), key=lambda each: (str(each["start"] or ""), each["session"]))
    with (
        tempfile.TemporaryDirectory(prefix="twiceshy-stops-", dir=memory) as folder,
        ReplayHome(folder, {}, client) as home,
    ):
        played = PlayedSet(home, folder, name, client, late=late)
        for session in recorded[: sessions or None]:
            played.play_session(session)
        played.counts["notes"] = home.store.count_notes(NoteFilter())
    return {
        "set": name,
        "client": client,
        "counts": dict(played.counts),
        "told": played.examples,
        "faults": dict(Counter(home.faults)),
    }


def render(counts: Counter[str], label: str) -> str:
    """Return a row of the table."""
    rate = 1_000 / max(1, counts["calls"])
    rates = (f"{counts[each] * rate:.2f}" for each in ("false_stops", "false_alarms"))
    return f"{label:32}" + "".join(
        f"{each:>13}" for each in (*(f"{counts[each]:,}" for each in COLUMNS), *rates)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--data", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--set", dest="sets", action="append", help="only this one; repeatable")
    parser.add_argument("--client", dest="clients", action="append", choices=TAPES)
    parser.add_argument("--sessions", type=int, default=0, help="only the first so many of a set")
    parser.add_argument(
        "--late", action="store_true", help="results as late as they can have come"
    )
    parser.add_argument("--workers", type=int, default=1, help="processes that share the sets")
    parser.add_argument("--json", help="write all figures into this file")
    given = parser.parse_args()
    begin, total, rows = time.monotonic(), dict[str, Counter[str]](), []
    clients, names = given.clients or list(TAPES), given.sets or names_of(given.data)
    heads = (*COLUMNS, "per 1,000", "per 1,000")
    print(f"{'':32}" + "".join(f"{each:>13}" for each in heads), flush=True)
    jobs = list(product(clients, names))
    paths = [os.path.join(given.data, f"{name}.jsonl.gz") for _, name in jobs]
    with ProcessPoolExecutor(given.workers) as pool:
        each_client = [client for client, _ in jobs]
        play = partial(play_set, sessions=given.sessions, late=given.late)
        for row in pool.map(play, paths, each_client):
            rows.append(row)
            counts = Counter(row["counts"])
            total.setdefault(row["client"], Counter()).update(counts)
            print(render(counts, f"{row['client']} {row['set']}"), row["faults"] or "", flush=True)
    print()
    for client, counts in total.items():
        print(render(counts, client))
    print(f"{time.monotonic() - begin:.0f} s")
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1, ensure_ascii=False)


def _find_latest_ends(events: list[Event]) -> dict[int, int]:
    """Return when each result can have come at the latest: before the next event with a time."""
    ends, after = {}, 0
    for at in range(len(events) - 1, -1, -1):
        after = _read_time(events[at].get("ts")) or after
        if events[at]["k"] == "res" and after:
            ends[at] = after - 1
    return ends


def _read_time(text: object) -> int:
    try:
        return parse_stamp(str(text or ""))
    except ValueError:
        return 0


if __name__ == "__main__":
    main()

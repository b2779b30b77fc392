"""How often a detector is right, on transcripts whose events people have looked at.

    python -m bench.detectors --data FOLDER corrections|fixes|loops|thrash [--texts]

FOLDER holds ``*.jsonl.gz``, one session a line: ``session`` and ``events``, where an event is a ``user`` or ``asst``
text, a ``call`` or its ``res``. A detector is one function below that yields what it finds in a session, and one file
in bench/labels; its README says what a row is.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from collections import defaultdict
from datetime import datetime
from math import sqrt
from typing import TYPE_CHECKING, Any

from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.core.value import Value
from twiceshy.learning.detect.correction import parse_prompt, parse_rejection
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.loop import WINDOW, find_loop, find_thrash, list_changes
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.runtimes.claude_code.transcript_records import (
    INTERRUPTED,
    classify_refusal,
    extract_user_words,
)
from twiceshy.shell.tool_call import ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.learning.detect.loop import FileEdit
    from twiceshy.learning.detect.watch import Finding

    Key = tuple[str, str, int]

LABELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "labels")
_Z = 1.96  # of a two-sided interval of 95 %


class Session(Value):
    """One session: the file it is in, its name, and its events."""

    file: str
    name: str
    events: list[dict[str, Any]]


class Found(Value):
    """What a detector reports: the place of the event, the kind of evidence, and what it read."""

    event: int
    tier: str
    text: str


class Label(Value):
    """What somebody said about an event."""

    right: bool
    tier: str


def corrections(session: Session) -> Iterator[Found]:
    """Yield where the user corrects the agent: reasons of refusals, and prompts."""
    first, acted, interrupted = True, False, False
    for place, event in enumerate(session.events):
        text = str(event.get("text", ""))
        acted |= event["k"] == "call" and not event.get("side")
        if event["k"] == "res" and event["err"]:
            how, reason = classify_refusal(text, "")
            interrupted |= how in ("rejected", "interrupted") and not reason
            if reason and (found := parse_rejection(reason)):
                yield Found(place, found.tier, found.text)
        if event["k"] != "user" or any(event.get(flag) for flag in ("meta", "compact", "side")):
            continue
        interrupted |= text.startswith(INTERRUPTED)
        if said := extract_user_words(text):
            found = parse_prompt(said, first=first, acted=acted, interrupted=interrupted)
            if found:
                yield Found(place, found.tier, found.text)
            first = acted = interrupted = False


def fixes(session: Session) -> Iterator[Found]:
    """Yield mistakes for which a later call is said to have put them right, by how it did."""
    for finding in followed(session):
        if isinstance(finding, MistakeLesson) and finding.fix is not None:
            failed = finding.failed
            way = "variant" if failed.command else "path" if failed.path else "argument"
            tier = "ran" if finding.fix.mistake else way
            yield Found(int(failed.id), tier, finding.text)


def loops(session: Session) -> Iterator[Found]:
    """Yield the failures that complete a loop."""
    acts = [finding for finding in followed(session) if isinstance(finding, ToolCall)]
    for place, act in enumerate(acts, start=1):
        if loop := find_loop(acts[:place][-WINDOW:]):
            tier = "stuck" if loop.stuck else "alike"
            yield Found(int(act.id), tier, f"{loop.head}: {loop.line}")


def thrash(session: Session) -> Iterator[Found]:
    """Yield the edits that complete a turn back and forth."""
    changes: list[FileEdit] = []
    for call, result in called(session):
        if result["err"]:
            continue
        event = session.events[call]
        for change in list_changes(ToolCall(str(call), event["tool"], event["in"], call)):
            changes.append(change)
            if found := find_thrash(changes):
                yield Found(call, "edits", found.file)


DETECTORS: dict[str, Callable[[Session], Iterable[Found]]] = {
    "corrections": corrections,
    "fixes": fixes,
    "loops": loops,
    "thrash": thrash,
}


def followed(session: Session) -> Iterator[Finding]:
    """Yield what is found in the calls of a session when it is followed step by step."""
    watch = TranscriptWatch()
    where = {"session": session.name, "cwd": ""}
    for place, result in called(session):
        call, text = session.events[place], str(result["text"])
        shared = {"id": str(place), **where, "at": moment(call.get("ts"), place)}
        given = json.dumps(call["in"])
        why, _ = classify_refusal(text, "") if result["err"] else ("", "")
        yield from watch.feed_step(
            CallStep.of({**shared, "tool": call["tool"], "arguments": given})
        )
        ended = {"text": text, "failed": bool(result["err"]), "refusal": why}
        yield from watch.feed_step(ResultStep.of({**shared, **ended}))
    yield from watch.close()


def called(session: Session) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the place of every call of the session's own agent, and what came of it."""
    for event in session.events:
        place = event.get("of") if event["k"] == "res" else None
        if place is not None and not session.events[place].get("side"):
            yield place, event


def moment(stamp: object, place: int) -> int:
    """Return when a call was made; where the data does not say, a minute after the one before."""
    try:
        return int(datetime.fromisoformat(str(stamp)).timestamp() * 1000)
    except ValueError:
        return 60_000 * place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("detector", choices=sorted(DETECTORS))
    parser.add_argument("--data", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--texts", action="store_true", help="show what has no label yet")
    given = parser.parse_args()
    found = {
        (session.file, session.name, each.event): each
        for session in sessions(given.data)
        for each in DETECTORS[given.detector](session)
    }
    print("\n".join(report(found, labels(given.detector), texts=given.texts)))


def report(
    found: dict[Key, Found], known: dict[Key, Label], *, texts: bool = False
) -> Iterator[str]:
    """Yield the table: precision by tier and in all, what was missed, and what nobody looked at."""
    tiers: dict[str, list[bool]] = defaultdict(list)
    for key, each in found.items():
        if key in known:
            tiers[each.tier].append(known[key].right)
    yield f"{'tier':<12}{'hits':>6}{'labelled':>10}{'right':>7}{'precision':>11}  95 % interval"
    everything = [right for rights in tiers.values() for right in rights]
    for name, rights in (*sorted(tiers.items()), ("all", everything)):
        hits = sum(name in ("all", each.tier) for each in found.values())
        yield _row(name, hits, rights)
    passed = [label.right for key, label in known.items() if key not in found]
    yield f"passed over: {sum(passed)} of {len(passed)} labelled events should have been reported"
    unlabelled = sorted(key for key in found if key not in known)
    yield f"without a label: {len(unlabelled)}"
    for file, session, event in unlabelled:
        text = f"  {found[file, session, event].text}" if texts else ""
        yield f"  {file} {session} {event} {found[file, session, event].tier}{text}"


def wilson(right: int, total: int) -> tuple[float, float]:
    """Return the interval in which the true share lies with 95 % confidence."""
    if not total:
        return 0.0, 1.0
    share, spread = right / total, _Z * _Z / total
    middle = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(share * (1 - share) / total + spread / (4 * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def sessions(folder: str) -> Iterator[Session]:
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl.gz"):
            continue
        with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as file:
            for line in file:
                session = json.loads(line)
                yield Session(
                    name.removesuffix(".jsonl.gz"), session["session"], session["events"]
                )


def labels(detector: str) -> dict[Key, Label]:
    with open(os.path.join(LABELS, f"{detector}.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {
        (row["file"], row["session"], row["event"]): Label(bool(row["label"]), row.get("tier", ""))
        for row in rows
    }


def _row(name: str, hits: int, rights: list[bool]) -> str:
    low, high = wilson(sum(rights), len(rights))
    share = sum(rights) / len(rights) if rights else 0.0
    return (
        f"{name:<12}{hits:>6}{len(rights):>10}{sum(rights):>7}{share:>11.3f}"
        f"  {low:.3f} to {high:.3f}"
    )


if __name__ == "__main__":
    main()

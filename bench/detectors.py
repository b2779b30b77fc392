"""How often a detector is right, on transcripts whose events people have looked at.

    python -m bench.detectors --data FOLDER DETECTOR [--sample NUMBER] [--texts]

FOLDER holds ``*.jsonl.gz``, one session a line: ``session`` and ``events``, where an event is a ``user`` or ``asst``
text, a ``call`` or its ``res``. A session is written as Claude Code writes it, read and followed as learning does. A
detector is one function below that yields what it finds in a session, and one file in bench/labels; its README says
what a row is. A sample is drawn with a fixed seed, over all files.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import tempfile
from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING, Any

from bench.replay import Transcript, checkout_of

from twiceshy.core.transcript import InterruptStep, ResultStep
from twiceshy.core.value import Value
from twiceshy.learning.detect.correction import Correction
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.watch import CallPattern, TranscriptWatch
from twiceshy.runtimes.claude_code.transcript import read_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.learning.detect.watch import Finding

    Key = tuple[str, str, int, int]  # file, session, event, and the fix of it or -1

LABELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "labels")
ROOT = "/srv/project"
ASKING_TOOLS = frozenset(("AskUserQuestion", "ExitPlanMode"))  # no is an answer to them
SEED = 17
_Z = 1.96  # of a two-sided interval of 95 %


class Session(Value):
    """One session: the file it is in, its name, and its events."""

    file: str
    name: str
    events: list[dict[str, Any]]
    start: str = ""


class Found(Value):
    """What a detector reports: the place of the event, the kind of evidence, and what it read.

    ``fix`` is the place of the call that is said to have put it right.
    """

    event: int
    tier: str
    text: str
    fix: int = -1


def corrections(session: Session) -> Iterator[Found]:
    """Yield where the user corrects the agent: reasons of refusals, and prompts."""
    for place, finding in followed(session):
        if isinstance(finding, Correction):
            yield Found(place, finding.tier, finding.text)


def fixes(session: Session) -> Iterator[Found]:
    """Yield mistakes for which a later call is said to have put them right, by how it did."""
    places = {step.id: place for place, step in steps(session)}
    for place, finding in followed(session):
        if isinstance(finding, MistakeLesson) and finding.fix is not None:
            failed = finding.failed
            way = "variant" if failed.command else "path" if failed.path else "argument"
            tier = "ran" if finding.fix.mistake else way
            yield Found(place, tier, finding.text, places[finding.fix.id])


def interrupts(session: Session) -> Iterator[Found]:
    """Yield where the user stopped the agent, while a call ran or between two."""
    for place, step in steps(session):
        match step:
            case InterruptStep():
                yield Found(place, "between", "")
            case ResultStep(refusal="interrupted"):
                yield Found(place, "running", step.text)
            case _:
                continue


def loops(session: Session) -> Iterator[Found]:
    """Yield the failures that complete a loop."""
    for place, finding in followed(session):
        if isinstance(finding, CallPattern) and finding.kind == "retry":
            yield Found(place, "calls", f"{finding.target}: {finding.excerpt}")


def rejections(session: Session) -> Iterator[Found]:
    """Yield the calls that the user refused, by what came with it."""
    for place, step in steps(session):
        if isinstance(step, ResultStep) and step.refusal == "rejected":
            asked = session.events[place].get("tool") in ASKING_TOOLS
            yield Found(
                place, "asked" if asked else "reason" if step.reason else "silent", step.reason
            )


def thrash(session: Session) -> Iterator[Found]:
    """Yield the edits that complete a turn back and forth."""
    for place, finding in followed(session):
        if isinstance(finding, CallPattern) and finding.kind == "thrash":
            yield Found(place, "edits", finding.target)


DETECTORS: dict[str, Callable[[Session], Iterable[Found]]] = {
    "corrections": corrections,
    "fixes": fixes,
    "interrupts": interrupts,
    "loops": loops,
    "rejections": rejections,
    "thrash": thrash,
}


def followed(session: Session) -> Iterator[tuple[int, Finding]]:
    """Yield what learning finds in a session, and the place of the event that it is about."""
    watch = TranscriptWatch(root=ROOT)
    places: dict[str, int] = {}
    for place, step in steps(session):
        places[step.id] = place
        for finding in watch.feed_step(step):
            yield places[_id_of(finding)], finding
    for finding in watch.close():
        yield places[_id_of(finding)], finding


def steps(session: Session) -> Iterator[tuple[int, Step]]:
    """Yield the steps of a session as Claude Code's transcript gives them, and their places.

    What becomes of a call stands at the call.
    """
    plain = {"session": session.name, "start": session.start, "events": session.events}
    with tempfile.TemporaryDirectory() as folder:
        transcript = Transcript(plain, ROOT, checkout_of(session.file))
        for step in read_transcript(transcript.write(folder)):
            if (place := transcript.places.get(step.id)) is not None:  # else a sub-agent's
                yield place, step


def _id_of(finding: Finding) -> str:
    match finding:
        case MistakeLesson():
            return finding.failed.id
        case CallPattern():
            return finding.call.id
        case _:
            return finding.id


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("detector", choices=sorted(DETECTORS))
    parser.add_argument("--data", required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--sample", type=int, default=0, help="also count so many, at random")
    parser.add_argument("--texts", action="store_true", help="show what has no label yet")
    given = parser.parse_args()
    found = {
        (session.file, session.name, each.event, each.fix): each
        for session in sessions(given.data)
        for each in DETECTORS[given.detector](session)
    }
    known = labels(given.detector)
    print("\n".join(report(found, known, sample=given.sample, texts=given.texts)))


def report(
    found: dict[Key, Found], known: dict[Key, bool | None], *, sample: int = 0, texts: bool = False
) -> Iterator[str]:
    """Yield the table: precision by file, tier and in all, what was missed, and what has no label."""
    yield f"{'':<20}{'hits':>6}{'labelled':>10}{'right':>7}{'precision':>11}  95 % interval"
    groups: dict[str, list[Key]] = defaultdict(list)
    for key in sorted(found):
        groups[key[0]].append(key)
    for key in sorted(found):
        groups[f"by {found[key].tier}"].append(key)
    groups["all"] = sorted(found)
    if sample:
        groups[f"{sample} at random"] = choose_sample(groups["all"], sample)
    for name, keys in groups.items():
        yield _row(name, [known[key] for key in keys if key in known], len(keys))
    yield f"unclear, in no figure above: {sum(known.get(key, True) is None for key in found)}"
    events = {key[:3] for key in found}
    passed = [right for key, right in known.items() if key[:3] not in events]
    yield f"passed over: {sum(map(bool, passed))} of {len(passed)} labelled events should have been reported"
    unlabelled = [key for key in sorted(found) if key not in known]
    yield f"without a label: {len(unlabelled)}"
    for key in unlabelled:
        text = f"  {found[key].text}" if texts else ""
        yield f"  {key[0]} {key[1]} {key[2]} {found[key].tier}{text}"


def choose_sample(keys: list[Key], size: int) -> list[Key]:
    """Choose so many events; the same ones every time."""
    return random.Random(SEED).sample(keys, min(size, len(keys)))


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
                plain = session["session"], session["events"], str(session.get("start") or "")
                yield Session(name.removesuffix(".jsonl.gz"), *plain)


def labels(detector: str) -> dict[Key, bool | None]:
    """Return what somebody said: right, wrong, or None where nobody can tell."""
    with open(os.path.join(LABELS, f"{detector}.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {
        (row["file"], row["session"], row["event"], row.get("fix", -1)): (
            None if row["label"] is None else bool(row["label"])
        )
        for row in rows
    }


def _row(name: str, judged: list[bool | None], hits: int) -> str:
    clear = [right for right in judged if right is not None]
    low, high = wilson(sum(clear), len(clear))
    share = sum(clear) / len(clear) if clear else 0.0
    figures = f"{hits:>6}{len(clear):>10}{sum(clear):>7}{share:>11.3f}"
    return f"{name:<20}{figures}  {low:.3f} to {high:.3f}"


if __name__ == "__main__":
    main()

"""Fit the chance that a mistake comes back, and report leave-one-project-out.

    python -m bench.chance --yardstick FOLDER --data FOLDER

The yardstick is a folder with ``score.py`` and ``gold.json``, the data are recorded sessions. Mistakes
are found, worded and valued by our own functions, in memory; what one process per event shows is
measured with the yardstick itself. The weights need no labels: did the same mistake come back in
the next session? For each project they are fitted on the others.
"""

import argparse
import importlib
import json
import math
import random
import re
import sys
from pathlib import Path
from typing import Any

from twiceshy.core.draft import Draft
from twiceshy.core.lesson_value import (
    SHIPPED,
    ChanceWeights,
    choose_lessons,
    list_features,
)
from twiceshy.core.note import MISTAKE, Note
from twiceshy.core.prices import Prices
from twiceshy.core.scope import Scope
from twiceshy.core.transcript import CallStep, ResultStep, Step
from twiceshy.core.trigger import (
    FILES,
    TriggerMatch,
    error_matches_quote,
    failing_share,
    may_still_fail,
)
from twiceshy.learning.detect.gate import is_worth_noting
from twiceshy.learning.detect.lesson import MistakeLesson
from twiceshy.learning.detect.watch import TranscriptWatch
from twiceshy.recall.choose_timely import choose_after_failure
from twiceshy.runtimes.claude_code.transcript_records import classify_refusal
from twiceshy.shell.tool_call import ToolCall

ROOT = "/srv/project"
_ROUNDS, _PACE, _DAMPING, _FIRST = 6, 0.05, 1e-4, -4.0
_MASK = (1 << 31) - 1
_MOSTLY = 0.5  # as learning counts: see learning.state
_FIGURES = ("net_tokens", "saved_turns", "tokens_per_session", "tokens_idle_session", "PER_prev")


class Lesson:
    """A lesson in memory, with the counts of a store."""

    def __init__(self, found: MistakeLesson, number: int) -> None:
        self.found, self.first, self.sessions = found, number, {number}
        self.failed = self.worked = 0
        self.lost = found.lost_calls
        self.is_worthy = is_worth_noting(found, seen_before=False)

    def match_at(self, number: int) -> TriggerMatch:
        """Return the note of the lesson with its counts before a session."""
        recent = sum(1 << (number - 1 - one) for one in self.sessions if number - 1 - one < 31)
        note = _build_note(self.found, len(self.sessions))
        return TriggerMatch(
            note,
            self.found.trigger,
            failed_calls=self.failed,
            succeeded_calls=self.worked,
            age=number - self.first,
            recent=recent & _MASK,
            lost_calls=self.lost,
        )


class Memory:
    """The lessons of a project, session by session."""

    def __init__(self) -> None:
        self.lessons: dict[str, Lesson] = {}

    def learn(self, number: int, calls: list[ToolCall], found: list[MistakeLesson]) -> None:
        """Count the calls of a session for known lessons, and add its own."""
        failing = {lesson.failed.id: lesson for lesson in found}
        for lesson in list(self.lessons.values()):
            trigger, general = lesson.found.trigger, _is_general(lesson.found)
            before = lesson.match_at(number)
            for call in calls:
                own = failing.get(call.id)
                if own and own.key == lesson.found.key:
                    continue
                if general and trigger.matches(call.family, call.parts):
                    same = (
                        own
                        and trigger.tool != FILES
                        and _category(own) == _category(lesson.found)
                        and _reports_same(before, own)
                    )
                    lesson.worked += call.mistake is None
                    if same:
                        lesson.failed += 1
                        lesson.sessions.add(number)
        for one in found:
            known = self.lessons.setdefault(one.key, Lesson(one, number))
            known.is_worthy |= number not in known.sessions and is_worth_noting(
                one, seen_before=True
            )
            known.failed += 1
            known.lost += one.lost_calls if number not in known.sessions else 0
            known.sessions.add(number)
            if known.found.fix is None and one.fix is not None:
                known.found = one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--yardstick", required=True, help="folder with score.py and gold.json")
    parser.add_argument("--data", required=True, help="folder with *.jsonl.gz")
    given = parser.parse_args()
    sys.path.insert(0, given.yardstick)
    score: Any = importlib.import_module("score")
    gold = json.loads((Path(given.yardstick) / "gold.json").read_text())["recurrences"]
    corpus, projects = (
        score.Corpus(Path(given.data)),
        list(dict.fromkeys(e["project"] for e in gold)),
    )
    weight = score.Weight(corpus, projects)
    sessions = {name: [_read(raw) for raw in corpus(name).values()] for name in projects}
    rows = {name: _list_rows(sessions[name]) for name in projects}
    everything = [fit([row for name in projects for row in rows[name]])]
    print("weights of all projects:", everything[0])
    left_out = _each_left_out(projects, rows)
    for name, weights in left_out:
        print(f"weights without {name}:", weights)
    for margin in (1.0, 2.0, 3.0, 5.0):
        for name, weights in left_out:
            prices = Prices(margin=margin)
            shown = {
                (name, one[0].id): told for one, told in _tell(sessions[name], prices, weights)
            }
            entries = [entry for entry in gold if entry["project"] == name]
            result = score.evaluate(shown, entries, corpus, [name], "today", weight)
            figures = next(iter(score.report(result)["sets"].values()))
            told = " ".join(f"{key}={figures[key]:.2f}" for key in _FIGURES)
            print(f"margin {margin:g}  left out {name:18s} {told}")


def _each_left_out(
    projects: list[str], rows: dict[str, list[Any]]
) -> list[tuple[str, ChanceWeights]]:
    return [
        (name, fit([row for other in projects if other != name for row in rows[other]]))
        for name in projects
    ]


def fit(rows: list[tuple[tuple[float, ...], str, bool]]) -> ChanceWeights:
    """Fit the weights by descent over shuffled rows; the same rows give the same weights."""
    kinds = list(SHIPPED.categories)
    weights = [_FIRST, *[0.0] * (len(SHIPPED.features) - 1 + len(kinds))]
    squares, order, lots = [1e-3] * len(weights), list(range(len(rows))), random.Random(0)
    for _ in range(_ROUNDS):
        lots.shuffle(order)
        for at in order:
            features, kind, came = rows[at]
            row = (*features, *(float(kind == each) for each in kinds))
            odds = sum(one * other for one, other in zip(weights, row, strict=True))
            off = 1 / (1 + math.exp(-max(-30, min(30, odds)))) - came
            for place, value in enumerate(row):
                if value:
                    step = off * value + _DAMPING * weights[place]
                    squares[place] += step * step
                    weights[place] -= _PACE * step / math.sqrt(squares[place])
    size = len(SHIPPED.features)
    return ChanceWeights(
        tuple(round(one, 2) for one in weights[:size]),
        {kind: round(one, 2) for kind, one in zip(kinds, weights[size:], strict=True)},
    )


def _list_rows(sessions: list[Any]) -> list[tuple[tuple[float, ...], str, bool]]:
    rows, memory = [], Memory()
    for number, (_, calls, found) in enumerate(sessions):
        now = {key: (one.match_at(number), one.found) for key, one in memory.lessons.items()}
        before = {
            key: (list_features(match, failing_share(match)), _category(found))
            for key, (match, found) in now.items()
        }
        memory.learn(number, calls, found)
        rows += [
            (features, kind, number in memory.lessons[key].sessions)
            for key, (features, kind) in before.items()
        ]
    return rows


def _tell(sessions: list[Any], prices: Prices, weights: ChanceWeights) -> list[Any]:
    """Return what each session would have been shown at its start and at its failures."""
    shown, memory = [], Memory()
    for number, (session, calls, found) in enumerate(sessions):
        notes = [one.match_at(number) for one in memory.lessons.values() if one.is_worthy]
        chosen = [match for match, _ in choose_lessons(notes, prices, weights)]
        told = [("SessionStart", -1, f"- {match.note.text}") for match in chosen]
        done = {match.note.tag for match in chosen}
        for lesson in found:
            call = lesson.failed
            about = [one for one in notes if one.note.tag not in done and _is_about(one, lesson)]
            for match in choose_after_failure(about, call.parts, lesson.evidence):
                done.add(match.note.tag)
                at = int(call.id.rpartition("/")[2])
                told.append(("PostToolUseFailure", at, f"- {match.note.text}"))
        shown.append(((session, calls, found), told))
        memory.learn(number, calls, found)
    return shown


def _is_about(match: TriggerMatch, lesson: MistakeLesson) -> bool:
    call = lesson.failed
    if lesson.trigger.category == "rejected" or not may_still_fail(match):
        return False
    if match.note.tag == f"{MISTAKE}{lesson.key}":
        return True
    return match.trigger.category == _category(lesson) and match.trigger.matches(
        call.family, call.parts
    )


def _read(raw: Any) -> tuple[Any, list[ToolCall], list[MistakeLesson]]:
    """Return a recorded session with its calls and the lessons of its mistakes."""
    watch, calls, found = TranscriptWatch(root=ROOT), [], []
    for step in _list_steps(raw):
        for finding in watch.feed_step(step):
            calls += [finding] if isinstance(finding, ToolCall) else []
            found += [finding] if isinstance(finding, MistakeLesson) else []
    found += [one for one in watch.close() if isinstance(one, MistakeLesson)]
    return raw, calls, found


def _list_steps(raw: Any) -> list[Step]:
    steps: list[Step] = []
    for at, event in enumerate(raw.events):
        if event.get("side"):
            continue
        shared = {"session": raw.id, "cwd": ROOT, "at": 1_000 * at}
        if event["k"] == "call" and at in raw.calls:
            given = {key: _move(value) for key, value in event["in"].items()}
            call = {"tool": event["tool"], "arguments": json.dumps(given)}
            steps.append(CallStep.of({**shared, **call, "id": f"{raw.id}/{at}"}))
        elif event["k"] == "res" and event.get("of") in raw.calls:
            text = _move(event["text"])
            why, reason = classify_refusal(text, "") if event["err"] else ("", "")
            result = {"text": text, "failed": bool(event["err"]), "refusal": why, "reason": reason}
            steps.append(ResultStep.of({**shared, **result, "id": f"{raw.id}/{event['of']}"}))
    return steps


def _move(value: Any) -> Any:
    """Return a value with folders of users' machines taken out of its paths."""
    return (
        re.sub(r"/(?:Users|home)/[\w.-]+(?:/[\w.-]+)*?/(?=[\w.-]+/)", f"{ROOT}/", value)
        if isinstance(value, str)
        else value
    )


def _build_note(found: MistakeLesson, sightings: int) -> Note:
    draft = Draft(kind="lesson", text=found.text, scope=Scope("p"), source="detector")
    fields = dict.fromkeys(Note.__fields__, "") | draft.fields()
    return Note.of(
        {name: value for name, value in fields.items() if name in Note.__fields__}
        | {
            "id": found.key,
            "tag": f"{MISTAKE}{found.key}",
            "why": found.evidence,
            "subtype": "fix" if found.fix else "gotcha",
            "sightings": sightings,
        }
    )


def _category(lesson: MistakeLesson) -> str:
    return lesson.trigger.category


def _reports_same(match: TriggerMatch, found: MistakeLesson) -> bool:
    """True unless work that mostly succeeds failed for another reason than a lesson quotes."""
    line = found.failed.mistake.line if found.failed.mistake else ""
    if match.trigger.category != "outcome" or failing_share(match) >= _MOSTLY:
        return True
    return error_matches_quote(match.note, line)


def _is_general(lesson: MistakeLesson) -> bool:
    kind = _category(lesson)
    return kind != "folder" and (lesson.fix is not None or kind in ("usage", "missing"))


if __name__ == "__main__":
    main()

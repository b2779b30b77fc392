"""LongMemEval and LoCoMo as retrieval sets, for those who have the files: sessions or single turns.

LongMemEval gives two sets, since people quote two conventions: every question, and any evidence session
counts (as MemPalace counts); and, as its own script does, without the questions that have no answer,
and evidence only where the user said it. Documents are what the user said, as in both.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bench.retrieval_sets import Doc, Haystack, Query, Task

from twiceshy.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Turn = dict[str, Any]
    Entry = dict[str, Any]

UNITS = ("session", "turn")
_UNANSWERABLE = "_abs"
_DIALOG_ID = re.compile(r"D(\d+):(\d+)")
# The numbers in LoCoMo's files, by what the paper calls them.
_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def longmemeval(path: str, *, unit: str) -> list[Task]:
    """Return both conventions of a LongMemEval file."""
    entries = _loaded(path, "haystack_sessions")
    if unit == "turn":
        stacks = [_stack(entry, number, "turn") for number, entry in enumerate(entries)]
        return [Task("longmemeval turn, official", _pooled(entries, stacks), official=True)]
    every = [_stack(entry, number, "any") for number, entry in enumerate(entries)]
    said = [_stack(entry, number, "session") for number, entry in enumerate(entries)]
    return [
        Task("longmemeval session, any", _pooled(entries, every)),
        Task("longmemeval session, official", _pooled(entries, said), official=True),
    ]


def locomo(path: str, *, unit: str) -> list[Task]:
    """Return a LoCoMo file: one haystack a conversation."""
    stacks: list[Haystack] = []
    line = 0
    for sample in _loaded(path, "conversation"):
        docs = tuple(_told(sample["conversation"], unit))
        known = {doc.id for doc in docs}
        queries: list[Query] = []
        for asked in sample["qa"]:
            rel = tuple(dict.fromkeys(one for one in _evidence(asked, unit) if one in known))
            if rel:
                group = _CATEGORIES.get(asked.get("category"), "")
                name = f"{sample['sample_id']}-{len(queries)}"
                queries.append(Query(name, asked["question"], rel, group, line))
                line += 1
        stacks.append(Haystack(docs, tuple(queries)))
    return [Task(f"locomo {unit}", tuple(stacks))]


def _loaded(path: str, key: str) -> list[Entry]:
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)
    except (OSError, ValueError) as why:
        raise ConfigError(f"cannot read {path}: {why}", hint="is it the JSON file?") from why
    if not isinstance(entries, list) or not entries or key not in entries[0]:
        raise ConfigError(f"{path} has no {key!r}", hint="is it the file of another benchmark?")
    return entries


def _stack(entry: Entry, line: int, gold: str) -> Haystack:
    """Return one question with its own haystack; without a question where the convention drops it."""
    docs: list[Doc] = []
    rel: list[str] = []
    for name, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True):
        made = list(_user_docs(name, turns, by_turn=gold == "turn"))
        docs += [doc for doc, _ in made]
        if name in entry["answer_session_ids"]:
            rel += [doc.id for doc, answers in made if answers or gold == "any"]
    asked = Query(
        entry["question_id"], entry["question"], tuple(rel), entry["question_type"], line
    )
    official = gold != "any"
    dropped = not rel or (official and _UNANSWERABLE in entry["question_id"])
    return Haystack(tuple(docs), () if dropped else (asked,))


def _user_docs(name: str, turns: Sequence[Turn], *, by_turn: bool) -> Iterator[tuple[Doc, bool]]:
    """Yield what the user said, whole or turn by turn, and whether the evidence is in it."""
    said = [(at, turn) for at, turn in enumerate(turns, start=1) if turn["role"] == "user"]
    if by_turn:
        for at, turn in said:
            yield Doc(f"{name}_{at}", turn["content"]), bool(turn.get("has_answer"))
    else:
        text = " ".join(turn["content"] for _, turn in said)
        yield Doc(name, text), any(turn.get("has_answer") for _, turn in said)


def _pooled(entries: Sequence[Entry], stacks: Sequence[Haystack]) -> tuple[Haystack, ...]:
    """Make one haystack of all where each would hold nothing but evidence, as in the oracle file."""
    trivial = all(
        set(entry["haystack_session_ids"]) <= set(entry["answer_session_ids"]) for entry in entries
    )
    if not trivial:
        return tuple(stack for stack in stacks if stack.queries)
    docs = {doc.id: doc for stack in stacks for doc in stack.docs}
    queries = tuple(query for stack in stacks for query in stack.queries)
    return (Haystack(tuple(docs.values()), queries),)


def _told(conversation: Entry, unit: str) -> Iterator[Doc]:
    """Yield a conversation's sessions or turns, with date, speaker and what a picture shows."""
    numbers = sorted(int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        when = conversation.get(f"session_{number}_date_time", "")
        turns = [(turn["dia_id"], _line(turn)) for turn in conversation[f"session_{number}"] or []]
        if unit == "turn":
            yield from (Doc(name, f"{when} {text}") for name, text in turns)
        elif turns:
            yield Doc(f"D{number}", "\n".join([when, *(text for _, text in turns)]))


def _line(turn: Turn) -> str:
    seen = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn['speaker']}: {turn['text']}{seen}"


def _evidence(asked: Entry, unit: str) -> Iterator[str]:
    """Yield where the evidence stands; some entries name several places in one string."""
    for number, turn in _DIALOG_ID.findall(" ".join(asked.get("evidence") or [])):
        yield f"D{int(number)}" if unit == "session" else f"D{int(number)}:{int(turn)}"

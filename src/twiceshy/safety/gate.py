"""The gate: decides whether a stored text may be told to an agent, by its words and their origin.

Everything that an agent may be told later passes here once, when it is written or when it
arrives; the store keeps the verdict. Of an episode, which is long, only the dangerous parts are
withheld: sentences and lines. What is dangerous only as a whole is held as a whole.
"""

from __future__ import annotations

import re

from twiceshy.core.evidence import TOLD_LISTS, TOLD_TEXTS, WITHHELD_PART, read_spans
from twiceshy.core.memo import memoise
from twiceshy.core.verdict import OWN, GateVerdict, write_spans
from twiceshy.safety.danger import find_danger_for, has_instruction
from twiceshy.safety.danger.reasons import INSTRUCTION
from twiceshy.safety.gate_rules import ELSEWHERE, GATE_RULES, LEARNED, ORDERED, SAID

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.core.evidence import Episode, Span
    from twiceshy.core.note import Note

_MOST_LINES = 3  # that an order may be spread over
_LINE = re.compile(r"[^\n]+")
_MARKS = re.compile(r"(?:[-*+•>#]+[ \t]+|\d{1,3}[.)][ \t]+|\[[ xX]\][ \t]+|Status: |Ended: )*")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？；;]|$)")
_GAP = " … "
_MOST_WORDS = 6  # of a label, or of the name of a file or a tool
_NAMES = ("tools", "files")


def find_reason(text: str, origin: str) -> str:
    """Return why a text of an origin may not be told; empty if it may."""
    return "" if origin == OWN or not text.strip() else _find_reason_in((text, origin))


@memoise(512)  # an episode says a line twice and is judged again as it grows; each takes 0.7 ms
def _find_reason_in(said: tuple[str, str]) -> str:
    text, origin = said
    if origin == LEARNED:
        return INSTRUCTION if has_instruction(text) else ""
    if origin == ORDERED:
        return find_danger_for(text, "user")
    return find_danger_for(text, "assistant" if origin == SAID else "output")


def judge_note(note: Note, origin: str) -> GateVerdict:
    """Judge a note: it is told whole or not at all."""
    reason = find_reason(f"{note.text}\n{note.why}", origin)
    labels = (note.tag, note.scope.skill, *note.concepts, *note.files, note.trigger)
    if not reason and origin != OWN:
        reason = _judge_labels([label for label in labels if label], origin)
    return GateVerdict(note.id, note.told_content, reason, "", origin, GATE_RULES)


def _judge_labels(labels: Sequence[str], origin: str) -> str:
    """Return why labels may not be told: they name files and commands, and are no sentences."""
    if has_instruction("\n".join(labels)):
        return INSTRUCTION
    long = (label for label in labels if len(label.split()) > _MOST_WORDS)
    return next((reason for label in long if (reason := find_reason(label, origin))), "")


def withhold_dangers(text: str, origin: str = ELSEWHERE) -> str:
    """Return a text with a mark in the place of each dangerous part, or only the mark."""
    if not find_reason(text, origin):
        return text
    for first, end in reversed(find_dangerous_parts(text, origin)):
        text = f"{text[:first]}{WITHHELD_PART}{text[end:]}"
    return WITHHELD_PART if find_reason(text.replace(WITHHELD_PART, _GAP), origin) else text


def judge_episode(episode: Episode, origin: str = ELSEWHERE) -> GateVerdict:
    """Judge an episode: its dangerous parts are withheld, or all of it if none explains the danger."""
    spans: list[Span] = []
    left: list[str] = []
    for name, number, text in _list_texts(episode):
        parts = find_dangerous_parts(text, origin)
        if name in _NAMES and len(text.split()) > _MOST_WORDS:  # that is the name of no file
            parts = [(0, len(text))]
        spans += [(name, number, first, end) for first, end in parts]
        left.append(_blank_parts(text, parts))
    whole = next(
        (why for text in (*left, "\n".join(left)) if (why := find_reason(text, origin))), ""
    )
    withheld = "" if whole else write_spans(spans)
    return GateVerdict(episode.id, episode.told_content, whole, withheld, origin, GATE_RULES)


def list_withheld(episode: Episode, verdict: GateVerdict) -> Iterator[str]:
    """Yield the parts of an episode that are withheld."""
    for name, number, first, end in read_spans(verdict.withheld):
        value = getattr(episode, name)
        yield (value if isinstance(value, str) else value[number])[first:end]


def find_dangerous_parts(text: str, origin: str) -> list[tuple[int, int]]:
    """Return the dangerous sentences of a text, else its lines, else runs of lines."""
    lines = [line.span() for line in _LINE.finditer(text)]
    found: list[tuple[int, int]] = []
    clean: list[tuple[int, int]] = []
    for first, end in lines:
        parts = _find_in_line(text, first, end, origin)
        found += parts
        clean += [] if parts else [(first, end)]
    return sorted(found + _find_in_runs(text, clean, origin))


def _find_in_line(text: str, first: int, end: int, origin: str) -> list[tuple[int, int]]:
    if not find_reason(text[first:end], origin):
        return []
    marks = _MARKS.match(text, first, end)
    begin = marks.end() if marks and marks.end() < end else first
    parts = [
        (begin + each.start(), begin + each.end())
        for each in _SENTENCE.finditer(text[begin:end])
        if find_reason(each[0], origin)
    ]
    rest = _blank_parts(text[first:end], [(one - first, two - first) for one, two in parts])
    return [(begin, end)] if find_reason(rest, origin) else parts


def _find_in_runs(
    text: str, lines: Sequence[tuple[int, int]], origin: str
) -> list[tuple[int, int]]:
    """Return lines that are harmless one by one, and dangerous in a run."""
    if not find_reason("\n".join(text[first:end] for first, end in lines), origin):
        return []
    found: dict[tuple[int, int], None] = {}
    for count in range(2, _MOST_LINES + 1):
        for at in range(len(lines) - count + 1):
            run = lines[at : at + count]
            if found.keys().isdisjoint(run) and find_reason(
                "\n".join(text[first:end] for first, end in run), origin
            ):
                found |= dict.fromkeys(run)
    return list(found)


def _list_texts(episode: Episode) -> Iterator[tuple[str, int, str]]:
    for name in TOLD_TEXTS:
        yield name, 0, getattr(episode, name)
    for name in TOLD_LISTS:
        for number, text in enumerate(getattr(episode, name)):
            yield name, number, text


def _blank_parts(text: str, parts: Sequence[tuple[int, int]]) -> str:
    for first, end in sorted(parts, reverse=True):
        text = f"{text[:first]}{_GAP}{text[end:]}"
    return text

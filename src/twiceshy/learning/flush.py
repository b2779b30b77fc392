"""Find the lessons written down by a session and make notes of them; their sources stay unchanged.

Lessons are items and short lines under a heading that announces lessons. A session stored as
JSON holds many separate texts: a heading in one text says nothing about the next. Tool output
is marked, for it may be quoted but is never trusted.
"""

from __future__ import annotations

import re

from twiceshy.core.admit import Refused, SeenAgain
from twiceshy.core.errors import NoteError
from twiceshy.core.jsontext import parse_json
from twiceshy.core.moment import parse_day
from twiceshy.core.note import SHOWN
from twiceshy.core.trust import ORIGINS
from twiceshy.core.value import Value
from twiceshy.notes import knowledge
from twiceshy.notes.take_note import take_note
from twiceshy.safety.danger import find_danger

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    from twiceshy.app import App
    from twiceshy.core.admit import Admitted, Revised, Superseding
    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Signal
    from twiceshy.core.note import Note

    Became = Literal["noted", "seen", "waiting"]

SHORTEST_LINE, LONGEST_LINE = 12, 220  # of a line that is no item; items are as long as they are

_HEADING_WORDS = (
    *("lesson", "takeaway", "insight"),
    *("经验", "教训", "沉淀", "总结", "經驗", "教訓", "沉澱", "總結"),
)
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,9}[.)])\s+(?=\S)")
_FENCES = ("```", "~~~")
_COLONS = (":", "：")
_PLACEHOLDERS = frozenset("none n/a nothing - -- 无 無 暂无 暫無".split())

_PRINTED_ROLES = frozenset(("tool", "function"))
_PRINTED_KEYS = frozenset(
    "stdout stderr aggregated_output formatted_output tool_output tool_response tooluseresult".split()
)


class Passage(Value):
    """A text, with a mark for tool output."""

    text: str
    printed: bool = False


class FlushedLesson(Value):
    """A lesson and its result: noted, seen before, or waiting."""

    became: Became
    note: Note


class FlushResult(Value):
    """Kept and refused lessons; ``left`` counts lessons beyond the limit."""

    kept: tuple[FlushedLesson, ...]
    refused: tuple[tuple[str, str], ...]  # lesson and reason
    left: int
    closed: tuple[str, ...]  # the checkpoints that are not taken again


def keep_lessons(
    app: App,
    passages: Sequence[Passage],
    checkpoints: Iterable[Signal],
    *,
    draft: Draft,
    most: int,
    close: bool = True,
) -> FlushResult:
    """Keep the first lessons as a single change: own passages, checkpoints, then printed ones.

    ``draft`` gives the skill and the source. ``close`` pairs a checkpoint with the note it
    became once every lesson of the checkpoint is kept, and such a checkpoint is not used again.
    """
    raw = {one.key: parse_checkpoint(one.excerpt) for one in checkpoints if not one.pair}
    ordered = _order_lessons(passages, raw.values())
    kept: dict[str, FlushedLesson] = {}
    refused: list[tuple[str, str]] = []
    with app.store.change():
        for lesson in ordered[:most]:
            try:
                outcome = take_note(app, _build_draft(draft, lesson, now=app.store.now()))
            except NoteError as error:
                outcome = Refused(str(error), error.hint)
            if isinstance(outcome, Refused):
                refused.append((lesson.text, outcome.reason))
            else:
                kept[lesson.text.casefold()] = FlushedLesson(
                    _classify_outcome(outcome), outcome.note
                )
        closed = [
            one.key
            for one in checkpoints
            if one.key in raw
            and _attest_checkpoint(
                app, one, [kept.get(text.casefold()) for text in raw[one.key]], close=close
            )
        ]
    return FlushResult(
        kept=tuple(kept.values()),
        refused=tuple(refused),
        left=max(0, len(ordered) - most),
        closed=tuple(closed),
    )


def _order_lessons(passages: Sequence[Passage], raw: Iterable[Sequence[str]]) -> list[Passage]:
    """Return each lesson once; a placeholder (a list without lessons) is skipped."""
    written = [Passage(text) for texts in raw for text in texts]
    first = [one for one in passages if not one.printed]
    last = [one for one in passages if one.printed]
    once: dict[str, Passage] = {}
    for one in (*first, *written, *last):
        if knowledge.parse_lessons(f"- {one.text}"):
            once.setdefault(one.text.casefold(), one)
    return list(once.values())


def _build_draft(draft: Draft, lesson: Passage, *, now: int) -> Draft:
    """Return the draft for a lesson, with its optional month and tag as in KNOWLEDGE.md."""
    (read,) = knowledge.parse_lessons(f"- {lesson.text}")
    return draft.but(
        text=read.text,
        tag=read.tag,
        learned_at=min(now, parse_day(read.month)) if read.month else 0,
        # a risky lesson is the session's word, whoever hands it in, and waits as an agent's does
        source="agent" if find_danger(read.text) else draft.source,
        trust=ORIGINS["output"] if lesson.printed else draft.trust,
    )


def _classify_outcome(outcome: Admitted | SeenAgain | Revised | Superseding) -> Became:
    if outcome.note.status not in SHOWN:
        return "waiting"
    return "seen" if isinstance(outcome, SeenAgain) else "noted"


def _attest_checkpoint(
    app: App, checkpoint: Signal, kept: Sequence[FlushedLesson | None], *, close: bool
) -> bool:
    """Attest notes with their checkpoint; True if the checkpoint is closed now."""
    notes = [one.note for one in kept if one]
    for note in notes:
        app.store.record_evidence(note.id, checkpoint.key, checkpoint.key, at=app.store.now())
    if not close or not notes or len(notes) < len(kept):
        return False
    app.store.save_records(checkpoint.but(pair=notes[0].id))
    return True


def split_passages(text: str, *, suffix: str = "") -> Iterator[Passage]:
    """Yield the texts in a file by its suffix; anything but JSON is a single text."""
    match suffix.lower():
        case ".json":
            yield from _split_json(text)
        case ".jsonl":
            yield from _split_json_lines(text)
        case _:
            yield Passage(text)


def find_lessons(found: Iterable[Passage], *, redact: Callable[[str], str] = str) -> list[Passage]:
    """Return each lesson once, in the order of the texts, lessons in tool output last.

    A secret of several lines is recognised only while complete, so a text is redacted before it
    is split; most texts hold no lesson, and are not redacted.
    """
    told: dict[str, Passage] = {}
    printed: dict[str, Passage] = {}
    for passage in found:
        group = printed if passage.printed else told
        text = redact(passage.text) if any(_find_section_items(passage.text)) else ""
        for lesson in _find_section_items(text):
            group.setdefault(lesson.casefold(), passage.but(text=lesson))
    return [*told.values(), *(one for key, one in printed.items() if key not in told)]


def parse_checkpoint(text: str) -> list[str]:
    """Return the lessons of a checkpoint: its lesson sections, else items, else the whole text."""
    lines = text.splitlines()
    listed = any(_ITEM.match(line.lstrip()) for line in lines)
    found = [*_find_section_items(text)] or [
        *_join_items(_select_lesson_lines(lines, promises=listed))
    ]
    once: dict[str, str] = {}
    for lesson in found or _flatten_item(lines):
        once.setdefault(lesson.casefold(), lesson)
    return list(once.values())


def _find_section_items(text: str) -> Iterator[str]:
    return _join_items(_select_lesson_lines(text.splitlines(), promises=False))


def _select_lesson_lines(lines: Iterable[str], *, promises: bool) -> Iterator[str]:
    """Yield the lines under lesson headings, and an empty line where a section ends."""
    fenced = False
    for line in lines:
        bare = line.strip()
        heading = None if fenced else _HEADING.match(bare)
        if bare.startswith(_FENCES):
            fenced = not fenced
            yield ""
        elif heading:
            promises = any(word in heading[1].casefold() for word in _HEADING_WORDS)
            yield ""
        elif promises and not fenced:
            yield line


def _join_items(lines: Iterable[str]) -> Iterator[str]:
    """Yield items with their indented continuation lines, and other lines of fitting length."""
    item: list[str] = []
    for line in (*lines, ""):
        bare = line.strip()
        begins = _ITEM.match(bare)
        if item and not begins and bare and line[0].isspace():
            item.append(bare)
            continue
        yield from _flatten_item(item)
        item = [bare[begins.end() :]] if begins else []
        if not begins and not bare.endswith(_COLONS):
            flat = " ".join(bare.split())
            yield from [flat] if SHORTEST_LINE <= len(flat) <= LONGEST_LINE else []


def _flatten_item(item: list[str]) -> Iterator[str]:
    flat = " ".join(" ".join(item).split())
    if flat and flat.rstrip(".。").casefold() not in _PLACEHOLDERS:
        yield flat


def _split_json(text: str) -> Iterator[Passage]:
    try:
        value = parse_json(text)
    except (ValueError, RecursionError):
        yield Passage(text)
        return
    yield from _list_strings(value)


def _split_json_lines(text: str) -> Iterator[Passage]:
    """Yield the texts of JSON records in turn; consecutive other lines stay together."""
    plain: list[str] = []
    for line in text.split("\n"):
        try:
            value = parse_json(line)
        except (ValueError, RecursionError):
            plain.append(line)
            continue
        if plain:
            yield Passage("\n".join(plain))
            plain = []
        yield from _list_strings(value)
    if plain:
        yield Passage("\n".join(plain))


def _list_strings(value: object) -> Iterator[Passage]:
    """Yield every string in a value, in order; a list of only strings is a single text."""
    waiting: list[tuple[object, bool]] = [(value, False)]
    while waiting:
        value, printed = waiting.pop()
        match value:
            case str():
                yield Passage(value, printed)
            case list() if value and all(isinstance(each, str) for each in value):
                yield Passage("\n".join(value), printed)
            case list():
                waiting += [(each, printed) for each in reversed(value)]
            case dict():
                printed = printed or _is_tool_record(value)
                waiting += [
                    (each, printed or _is_output_field(key, each))
                    for key, each in reversed(value.items())
                ]
            case _:
                pass  # numbers say nothing


def _is_tool_record(record: Mapping[str, object]) -> bool:
    """True if a session record holds tool output."""
    kind = record.get("type")
    if record.get("role") in _PRINTED_ROLES:
        return True
    if not isinstance(kind, str) or kind == "output_text":  # so Codex calls what its model says
        return False
    return kind.endswith(("output", "result", "_end"))


def _is_output_field(key: str, value: object) -> bool:
    # OpenAI keeps what its model says in a list of this name
    return key.lower() in _PRINTED_KEYS or (key == "output" and isinstance(value, str))

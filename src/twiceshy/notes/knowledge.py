"""KNOWLEDGE.md: what a skill knows as a list that people read, edit, and hand to other programs.

    - [2026-11] [release] Lock with `uv lock --frozen` before tagging.  [HIT:4]
      why: the lock file is rewritten otherwise

Everything but a bullet and the lines below it is prose. A note is written as it is, on one line, so
that it begins no section; only what frames notes for agents escapes ``<``.
"""

import re
from collections.abc import Iterable, Iterator

from twiceshy.core import moment
from twiceshy.core.note import Note
from twiceshy.core.text import strip_unsafe
from twiceshy.core.value import Value

NOTHING = "- [placeholder] No lessons recorded yet."

_BULLET = re.compile(r"\s*[-*]\s+(?=\S)")
_MONTH = re.compile(r"\[(\d{4}-(?:0[1-9]|1[0-2]))\]\s*")
_HITS = re.compile(r"\s*\[HIT:(\d{1,9})\]", re.IGNORECASE)
# "[x]" is a checkbox, "[ -f x ]" is shell and "[x](y)" is a link
_TAG = re.compile(r"\[(?!\s|[xX]\])([^\][]{1,40})\](?!\()\s*(?=\S)")
_WHY = "why: "
_PLACEHOLDER = "placeholder"


class KnowledgeItem(Value):
    """A bullet of the list; a missing month is empty, a missing count 0."""

    text: str
    tag: str = ""
    month: str = ""
    sightings: int = 0
    why: str = ""


def render_knowledge(skill: str, notes: Iterable[Note], day: str) -> str:
    """Return the whole file of a skill, notes in given order; without a skill, principles."""
    bullets = [render_bullet(note) for note in notes] or [NOTHING]
    return "\n".join((*_render_heading(skill, day), "", *bullets, ""))


def render_bullet(note: Note) -> str:
    """Render a note as a bullet, with its reason on a line below."""
    flat = _flatten_text(note.text)
    begins = _BULLET.match(flat)
    text = _HITS.sub("", flat[begins.end() :] if begins else flat)
    tag = _flatten_text(note.tag).replace("[", "(").replace("]", ")")
    if tag and not text.startswith(f"[{tag}]"):
        text = f"[{tag}] {text}"
    if not _MONTH.match(text):
        text = f"[{moment.format_day(note.learned_at)[:7]}] {text}"
    why = f"\n  {_WHY}{_flatten_text(note.why)}" if note.why else ""
    return f"- {text}  [HIT:{note.sightings}]{why}"


def parse_lessons(text: str) -> list[KnowledgeItem]:
    """Parse the lessons of a list, in order; the placeholder of an empty list is skipped."""
    read = (_parse_lesson(block) for block in _split_blocks(text.splitlines()))
    return [lesson for lesson in read if lesson.text and lesson.tag.lower() != _PLACEHOLDER]


def _render_heading(skill: str, day: str) -> tuple[str, ...]:
    if skill:
        name = _flatten_text(skill)
        title, section = f"{name} — experience", "Entries"
        about = f"What earlier sessions learned about `{name}`: observations, not instructions."
    else:
        title, section = "Global Skills Principles", "Principles"
        about = "What holds for every skill and every project."
    kept = f"> Kept by twiceshy. Last updated: {day}"
    return f"# {title}", "", f"> {about}", kept, "", f"## {section}"


def _split_blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield each bullet with its continuation lines."""
    block: list[str] = []
    for line in lines:
        begins = _BULLET.match(line)
        if block and (begins or not line.strip() or line.lstrip()[0] in "#>"):
            yield block
            block = []
        if begins:
            block = [line[begins.end() :]]
        elif block:
            block.append(line.strip())
    if block:
        yield block


def _parse_lesson(block: list[str]) -> KnowledgeItem:
    first, *below = block
    why = [line.removeprefix(_WHY) for line in below if line.startswith(_WHY)]
    lines = [first, *(line for line in below if not line.startswith(_WHY))]
    whole = " ".join(" ".join(lines).split())  # the patterns below are slow on long blanks
    month, hits = _MONTH.search(whole), _HITS.search(whole)
    text = _HITS.sub("", whole)
    if leading := _MONTH.match(text):
        text = text[leading.end() :]
    tag = _TAG.match(text)
    return KnowledgeItem(
        text=" ".join((text[tag.end() :] if tag else text).split()),
        tag=tag[1] if tag else "",
        month=month[1] if month else "",
        sightings=int(hits[1]) if hits else 0,
        why=" ".join(" ".join(why).split()),
    )


def _flatten_text(text: str) -> str:
    return " ".join(strip_unsafe(text).split())

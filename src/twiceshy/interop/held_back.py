"""Held-back texts in files of other programs: written with a mark, read without it.

An older system has no gate. Its file holds everything that it held before, and says of each text
that agents here are not told why they are not told it.
"""

from __future__ import annotations

import re

from twiceshy.core.evidence import TOLD_LISTS, TOLD_TEXTS, WITHHELD_PART
from twiceshy.safety.gate import find_dangerous_parts, find_reason, judge_episode
from twiceshy.safety.gate_rules import ELSEWHERE

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.evidence import Episode

_NOTICE = r"\(held back by twiceshy: [^()\n]{1,80}\)"
# Where no blank stands behind a mark, the blank before it is the mark's as well.
_MARK = re.compile(rf" {_NOTICE}(?! )|{_NOTICE}[ \n]?")
_BULLET = re.compile(r"[ \t]*[-*+] (?:\[[ xX]\] )?")
_UNKNOWN = "it waits for your review"


def mark_text(text: str, reason: str) -> str:
    """Return a text that says why it is held back; a longer one says so in its heading."""
    mark = f"(held back by twiceshy: {reason or _UNKNOWN})"
    heading, end, rest = text.partition("\n")
    if not end:
        return f"{mark} {text}"
    return f"{mark}\n{text}" if heading.startswith("---") else f"{heading} {mark}\n{rest}"


def _mark_inside(head: str, marked: str) -> str:
    """Return a marked part to follow ``head``, with a blank before a mark that stands in a word."""
    found = _MARK.match(marked)
    if not found or not head or head[-1].isspace():
        return marked
    return f" {found[0].rstrip()}{marked[found.end() :]}"


def mark_episode(episode: Episode) -> Episode:
    """Return an episode in which each withheld part is marked, or its first text if all is held."""
    whole = judge_episode(episode).reason
    texts = {name: mark_parts(getattr(episode, name)) for name in TOLD_TEXTS}
    lists = {name: tuple(map(mark_parts, getattr(episode, name))) for name in TOLD_LISTS}
    marked = episode.but(**texts, **lists)
    if not whole or marked != episode:
        return marked
    first = next((name for name in ("summary", "title") if getattr(episode, name)), "")
    return episode.but(**{first: mark_text(getattr(episode, first), whole)}) if first else episode


def strip_marks(text: str) -> str:
    """Return a text without the marks of held-back parts."""
    return _MARK.sub("", text)


def mark_item(lines: str, reason: str) -> str:
    """Return the lines of a list item that say why it is held back, behind its bullet."""
    found = _BULLET.match(lines)
    head = found[0] if found else ""
    return (
        head
        + mark_text(lines[len(head) :].removesuffix("\n"), reason)
        + lines[len(lines.rstrip("\n")) :]
    )


def withhold_parts(text: str) -> str:
    """Return a text without its dangerous parts, as agents may have it."""
    for first, end in reversed(find_dangerous_parts(text, ELSEWHERE)):
        text = f"{text[:first]}{WITHHELD_PART}{text[end:]}"
    return text


def mark_parts(text: str, reason: str = "") -> str:
    """Return a text in which each dangerous part says why it is held back, if need be by its note's reason."""
    for first, end in reversed(find_dangerous_parts(text, ELSEWHERE)):
        part = text[first:end].lstrip()
        why = reason or find_reason(text[first:end], ELSEWHERE)
        head = text[: end - len(part)]
        text = f"{head}{_mark_inside(head, mark_text(part, why))}{text[end:]}"
    return text

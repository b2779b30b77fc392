"""The part of a text worth keeping: whole lines of its head and its tail, never half a word.

A secret is known by its shape, and half of one has none. No cut goes through a word, so that a secret
of one word is there or not, but never in part. One of several lines has to be redacted before.
"""

from __future__ import annotations

_GAP = "…"


def shortened(text: str, limit: int) -> str:
    """Return at most ``limit`` characters: the text, or its head, a gap and its tail."""
    text = text.strip()
    if len(text) <= limit:
        return text
    lines = [line.rstrip() for line in text.split("\n")]
    room = limit - len(_GAP)
    head = _fitting(lines, room // 2)
    if not head:
        return "\n".join([words(lines[0], room // 2), *_tail(lines, room - room // 2)])
    return "\n".join([*head, _GAP, *_tail(lines, room - _cost(head))])


def words(text: str, limit: int) -> str:
    """Return whole words of the beginning, on one line of at most ``limit`` characters."""
    kept = " ".join(text.split())
    if len(kept) <= limit:
        return kept
    return kept[: kept.rfind(" ", 0, limit - len(_GAP)) + 1] + _GAP


def _tail(lines: list[str], room: int) -> list[str]:
    return _fitting(lines[::-1], room)[::-1]


def _fitting(lines: list[str], room: int) -> list[str]:
    """Return the first lines, as many as fit with a break before or behind each."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken


def _cost(lines: list[str]) -> int:
    return sum(map(len, lines)) + len(lines)

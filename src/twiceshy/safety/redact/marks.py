"""Redaction marks: inserted in place of removed text."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.contexts import CONTEXTS
from twiceshy.safety.redact.formats import FORMATS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Span: TypeAlias = tuple[int, int]
    Finding: TypeAlias = tuple[int, int, str]  # its start, its end, and the rule that found it

_MARK = r"\[(?:PRIVATE|REDACTED:([a-z0-9-]{1,40}))\]"
_WALL = "\x1f"  # white space that is neither blank, tab nor line break: every token ends at it
_GENERAL = frozenset(
    "assigned-secret high-entropy known-secret private-key unsettled url-credentials".split()
)


def build_mark(rule: str) -> str:
    """Return the mark of a rule."""
    return "[PRIVATE]" if rule == "private" else f"[REDACTED:{rule}]"


def find_marks(text: str) -> list[Span]:
    """Return positions of existing marks; a mark of an unknown rule is plain text."""
    if "[REDACTED:" not in text and "[PRIVATE]" not in text:
        return []
    rules = _GENERAL.union((rule[0] for rule in FORMATS), (rule[0] for rule in CONTEXTS))
    found = compile_pattern(_MARK).finditer(text)
    return [each.span() for each in found if each[1] is None or each[1] in rules]


def mask_marks(text: str) -> str:
    """Return the text with marks masked, so that no rule reads a mark as text."""
    return _replace_spans(
        text, [(start, end, _WALL * (end - start)) for start, end in find_marks(text)]
    )


def insert_marks(text: str, findings: Sequence[Finding]) -> str:
    """Return the text with a mark in place of each finding."""
    apart = _merge_findings(findings, find_marks(text))
    return _replace_spans(text, [(start, end, build_mark(rule)) for start, end, rule in apart])


def _replace_spans(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, instead in changes:
        pieces += text[at:start], instead
        at = end
    return "".join([*pieces, text[at:]])


def _merge_findings(findings: Sequence[Finding], old: Sequence[Span]) -> Iterator[Finding]:
    """Yield findings in order without overlap, each with the old marks touched."""
    spans = [(start, end, len(findings), "") for start, end in old]
    for rank, (start, end, rule) in enumerate(findings):
        before = bisect_right(old, start, key=itemgetter(0)) - 1
        if before < 0 or end > old[before][1]:  # else it lies inside a mark
            spans.append((start, end, rank, rule))
    spans.sort()
    start = end = rank = 0
    name = ""
    for further in [*spans, (1 << 62, 1 << 62, 0, "")]:  # one behind all closes the last group
        if further[0] >= end:
            if name:
                yield start, end, name
            start, end, rank, name = further
        else:
            end = max(end, further[1])
            rank, name = min((rank, name), further[2:])

"""Apply every redaction rule until nothing more is found, and mark what was removed."""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain

from twiceshy.safety.redact import scan
from twiceshy.safety.redact.contexts import PROGRAMS, TOLD
from twiceshy.safety.redact.encoded import find_encoded_secrets
from twiceshy.safety.redact.joints import ENDED, build_readings
from twiceshy.safety.redact.marks import build_mark, find_marks
from twiceshy.safety.redact.nameless import find_nameless_tokens
from twiceshy.safety.redact.names import CHOSEN, DRAWN, fold_case
from twiceshy.safety.redact.quick_check import split_words
from twiceshy.safety.redact.repeated import list_found_values

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from twiceshy.safety.redact.joints import JoinedText

    Span: TypeAlias = tuple[int, int]
    Finding: TypeAlias = tuple[int, int, str]  # its start, its end, and the rule that found it

_CODINGS = 2  # that are read one inside the other
_AS_IT_IS = -1
_PASSES = 8  # two are the rule: one that redacts, and one that finds nothing more
_WALL = "\x1f"  # white space that is neither blank, tab nor line break: every token ends at it


def redact_text(text: str, values: Sequence[str]) -> str:
    """Return the text without secrets; ``values`` are known secrets."""
    return redact_and_learn(text, values)[0]


def redact_and_learn(
    text: str, values: Sequence[str], *, depth: int = _CODINGS - 1
) -> tuple[str, list[str]]:
    """Return the text without secrets, and the secrets: what was found once goes wherever it stands."""
    learned: list[str] = []
    for _ in range(_PASSES):
        findings = list_findings(text, values, depth)
        learned += list_found_values(text, findings, known=learned)
        findings += _find_known_value(text, learned)
        cleared = insert_marks(text, findings) if findings else text
        if cleared == text:
            return text, learned
        text = cleared
    # made to uncover one secret with every pass: nothing of it is kept
    return build_mark("unsettled"), learned


def list_findings(text: str, known: Sequence[str], depth: int = _CODINGS - 1) -> list[Finding]:
    """Return the findings; of overlapping findings the first gives the name."""
    blanked, closed = build_readings(mask_marks(text))
    if passages := list(scan.find_private_passages(closed)):
        return passages  # the next pass does the rest: no rule looks across the edge of a passage
    torn = any(kind != ENDED for kind in closed.kinds[1:])
    views = (blanked, closed) if torn else (blanked,)

    def holds_secret(inside: str, *, decoded: bool) -> bool:
        further = depth - 1 if decoded else _AS_IT_IS
        return redact_and_learn(inside, known, depth=further)[0] != inside

    return [
        *scan.find_private_keys(closed),
        *scan.find_known_formats(closed),
        *scan.find_cut_formats(closed),
        *chain.from_iterable(map(scan.find_in_context, views)),
        *chain.from_iterable(map(_find_command_secrets, views)),
        *scan.find_url_credentials(closed),
        *chain.from_iterable(map(_find_assigned_secrets, views)),
        *chain.from_iterable(map(_find_said_passwords, views)),
        *(
            chain.from_iterable(find_encoded_secrets(view, holds_secret) for view in views)
            if depth > _AS_IT_IS
            else ()
        ),
        *_find_known_value(text, known),  # the name of a format tells more
        *chain.from_iterable(map(find_nameless_tokens, views)),
    ]


# The rules of these three need a word of a list; without one their modules are not loaded.


def _find_command_secrets(view: JoinedText) -> Iterable[Finding]:
    if PROGRAMS.keys().isdisjoint(split_words(fold_case(view.text))):
        return ()
    from twiceshy.safety.redact.command_lines import find_command_secrets  # noqa: PLC0415 - see above

    return find_command_secrets(view)


def _find_assigned_secrets(view: JoinedText) -> Iterable[Finding]:
    folded = fold_case(view.text)
    if not any(word in folded for word in (*CHOSEN, *DRAWN)):
        return ()
    from twiceshy.safety.redact.assigned import find_assigned_secrets  # noqa: PLC0415 - see above

    return find_assigned_secrets(view)


def _find_said_passwords(view: JoinedText) -> Iterable[Finding]:
    folded = fold_case(view.text)
    if "@" not in folded and not any(word in folded for word in TOLD):
        return ()
    from twiceshy.safety.redact.said import find_said_passwords  # noqa: PLC0415 - see above

    return find_said_passwords(view)


def _find_known_value(text: str, values: Sequence[str]) -> Iterator[Finding]:
    """Yield positions of a known value: plain, JSON-escaped, or cut into lines."""
    if not values:
        return
    _, view = build_readings(text)
    for value in values:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        for start, end in chain(_find_places(text, value), _find_places(text, quoted)):
            yield start, end, "known-secret"
        for start, end in _find_places(view.text, build_readings(value)[1].text):
            yield *view.original_span(start, end), "known-secret"


def _find_places(text: str, value: str) -> Iterator[Span]:
    at = text.find(value)
    while at >= 0 and value:
        yield at, at + len(value)
        at = text.find(value, at + len(value))


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


def _start_of(span: Span) -> int:
    return span[0]


def _merge_findings(findings: Sequence[Finding], old: Sequence[Span]) -> Iterator[Finding]:
    """Yield findings in order without overlap, each with the old marks touched."""
    spans = [(start, end, len(findings), "") for start, end in old]
    for rank, (start, end, rule) in enumerate(findings):
        before = bisect_right(old, start, key=_start_of) - 1
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

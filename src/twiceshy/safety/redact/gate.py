"""Apply every redaction rule until nothing more is found."""

from __future__ import annotations

from itertools import chain

from twiceshy.safety.redact import scan
from twiceshy.safety.redact.assigned import find_assigned_secrets
from twiceshy.safety.redact.joints import ENDED, build_readings
from twiceshy.safety.redact.marks import build_mark, insert_marks, mask_marks
from twiceshy.safety.redact.nameless import find_nameless_tokens

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.redact.marks import Finding, Span

_PASSES = 8  # two are the rule: one that redacts, and one that finds nothing more


def redact_text(text: str, values: Sequence[str]) -> str:
    """Return the text without secrets; ``values`` are known secrets."""
    for _ in range(_PASSES):
        findings = _list_findings(text, values)
        cleared = insert_marks(text, findings) if findings else text
        if cleared == text:
            return text
        text = cleared
    # made to uncover one secret with every pass: nothing of it is kept
    return build_mark("unsettled")


def _list_findings(text: str, known: Sequence[str]) -> list[Finding]:
    """Return the findings; of overlapping findings the first gives the name."""
    blanked, closed = build_readings(mask_marks(text))
    if passages := list(scan.find_private_passages(closed)):
        return passages  # the next pass does the rest: no rule looks across the edge of a passage
    torn = any(kind != ENDED for kind in closed.kinds[1:])
    views = (blanked, closed) if torn else (blanked,)
    return [
        *_find_known_value(text, known),
        *scan.find_private_keys(closed),
        *scan.find_known_formats(closed),
        *chain.from_iterable(map(scan.find_in_context, views)),
        *scan.find_url_credentials(closed),
        *chain.from_iterable(map(find_assigned_secrets, views)),
        *chain.from_iterable(map(find_nameless_tokens, views)),
    ]


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

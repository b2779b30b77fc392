"""Apply every redaction rule until nothing more is found."""

from __future__ import annotations

from itertools import chain

from twiceshy.safety.redact.assigned import assigned_secrets
from twiceshy.safety.redact.blocks import private_keys, private_passages
from twiceshy.safety.redact.joints import ENDED, readings
from twiceshy.safety.redact.marks import mark, marked, walled
from twiceshy.safety.redact.nameless import nameless_tokens
from twiceshy.safety.redact.scan import in_context, known_formats, url_credentials

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from twiceshy.safety.redact.marks import Finding, Span

_PASSES = 8  # two are the rule: one that redacts, and one that finds nothing more


def cleared(text: str, values: Sequence[str]) -> str:
    """Return the text without secrets; ``values`` are known secrets."""
    for _ in range(_PASSES):
        findings = _findings(text, values)
        cleared = marked(text, findings) if findings else text
        if cleared == text:
            return text
        text = cleared
    return mark("unsettled")  # made to uncover one secret with every pass: nothing of it is kept


def _findings(text: str, known: Sequence[str]) -> list[Finding]:
    """Return the findings; of overlapping findings the first gives the name."""
    blanked, closed = readings(walled(text))
    if passages := list(private_passages(closed)):
        return passages  # the next pass does the rest: no rule looks across the edge of a passage
    torn = any(kind != ENDED for kind in closed.kinds[1:])
    views = (blanked, closed) if torn else (blanked,)
    return [
        *_known(text, known),
        *private_keys(closed),
        *known_formats(closed),
        *chain.from_iterable(map(in_context, views)),
        *url_credentials(closed),
        *chain.from_iterable(map(assigned_secrets, views)),
        *chain.from_iterable(map(nameless_tokens, views)),
    ]


def _known(text: str, values: Sequence[str]) -> Iterator[Finding]:
    """Yield positions of a known value: plain, JSON-escaped, or cut into lines."""
    if not values:
        return
    _, view = readings(text)
    for value in values:
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        for start, end in chain(_places(text, value), _places(text, quoted)):
            yield start, end, "known-secret"
        for start, end in _places(view.text, readings(value)[1].text):
            yield *view.span(start, end), "known-secret"


def _places(text: str, value: str) -> Iterator[Span]:
    at = text.find(value)
    while at >= 0 and value:
        yield at, at + len(value)
        at = text.find(value, at + len(value))

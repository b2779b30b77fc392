"""Passages with an end mark: ``<private>`` and armoured private keys."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.values import is_placeholder

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

    from twiceshy.safety.redact.joints import JoinedText
    from twiceshy.safety.redact.marks import Finding

_TAG = r"(?i)(?:<|&lt;)\s{0,8}(/?)\s{0,8}private(?:\s{1,8}[a-z-]{1,20}=[^<>]{0,200})?\s{0,8}(?:>|&gt;)"
_BEGIN = r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_END = r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}"
_ARMOUR = r"[A-Za-z0-9+/=]{16,}"
_CUT_SHORT = (
    r"(?:\s{0,4}(?:Proc-Type|DEK-Info|Version|Comment)[A-Za-z0-9,:. ()-]{0,200}?(?=[A-Za-z0-9+/=]{32}))?"
    r"(?:[\s\"',+\\]{0,40}[A-Za-z0-9+/=]{16,}+)++(?:[\s\"',+\\]{0,40}[A-Za-z0-9+/]{1,15}={1,2})?"
)


def find_private_passages(view: JoinedText) -> Iterator[Finding]:
    """Yield outermost private passages; an unclosed passage hides the rest."""
    if "private" not in view.text.lower():
        return
    depth = start = 0
    for tag in compile_pattern(_TAG).finditer(view.text):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield *view.original_span(start, tag.end()), "private"
    if depth:
        yield view.original_span(start, start + 1)[0], view.size, "private"


def find_private_keys(view: JoinedText) -> Iterator[Finding]:
    """Yield armoured private keys, complete or cut; a mere mention does not count."""
    if "PRIVATE KEY" not in view.text:
        return
    begins = list(compile_pattern(_BEGIN).finditer(view.text))
    limits = [begin.start() for begin in begins[1:]] + [len(view.text)]
    for begin, limit in zip(begins, limits, strict=False):
        end = compile_pattern(_END).search(view.text, begin.end(), limit)
        if end is None:
            body = compile_pattern(_CUT_SHORT).match(view.text, begin.end(), limit)
            if body:
                yield *view.original_span(begin.start(), body.end()), "private-key"
        elif _has_key_body(view.text[begin.end() : end.start()]):
            yield *view.original_span(begin.start(), end.end()), "private-key"


def _has_key_body(body: str) -> bool:
    body = body.strip()
    if len(body) < 64 and is_placeholder(body):  # the shortest key, for ed25519, has 64 characters
        return False
    return " " not in body or compile_pattern(_ARMOUR).search(body) is not None

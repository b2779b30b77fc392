"""What redaction would take out of a text, for who must erase it elsewhere."""

from __future__ import annotations

from twiceshy.core.value import Value
from twiceshy.safety.redact.formats import FORMATS
from twiceshy.safety.redact.gate import insert_marks, list_findings
from twiceshy.safety.redact.quick_check import is_surely_harmless
from twiceshy.safety.redact.repeated import is_telling

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence

_PASSES = 8
_AROUND = 24  # characters taken along where the value alone is an ordinary word
_PUBLIC = 3


class FoundSecret(Value):
    """A secret and its rule; an ordinary word has its name before it, so that no other word is erased."""

    rule: str
    text: str


def find_secrets(text: str, known: Sequence[str] = ()) -> list[FoundSecret]:
    """Return what would be redacted, each once."""
    if is_surely_harmless(text, known):
        return []
    found: dict[FoundSecret, None] = {}
    for _ in range(_PASSES):
        findings = list_findings(text, known)
        for start, end, rule in findings:
            value = text[start:end].strip()
            if value and "[REDACTED:" not in value:
                whole = (
                    value
                    if is_telling(value) or rule == "private"
                    else _take_along(text, start, end)
                )
                found[FoundSecret(rule, whole)] = None
        cleared = insert_marks(text, findings) if findings else text
        if cleared == text:
            break
        text = cleared
    return list(found)


def show_public_part(found: FoundSecret) -> str:
    """Return the first letters of a secret where the format publishes them, and nothing else."""
    for rule, literals, *rest in FORMATS:
        if rule == found.rule and len(rest) == 1:
            for literal in literals.split():
                if len(literal) >= _PUBLIC and found.text.startswith(literal):
                    return f"{literal[:_PUBLIC]}…"
    return ""


def _take_along(text: str, start: int, end: int) -> str:
    """Return a value with what stands before it on its line."""
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    _, _, near = before.rpartition(" ")
    return (near if len(near) >= 3 else before) + text[start:end]

"""Marks in place of what was removed: ``[PRIVATE]`` and ``[REDACTED:<rule>]``."""

from __future__ import annotations

from twiceshy.safety.redact.contexts import CONTEXTS
from twiceshy.safety.redact.formats import FORMATS

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from typing import TypeAlias

    Span: TypeAlias = tuple[int, int]

_MARK = r"\[(?:PRIVATE|REDACTED:([a-z0-9-]{1,40}))\]"
_GENERAL = frozenset(
    """assigned-secret command-password cut-secret encoded-secret high-entropy known-secret private-key
    said-password unsettled url-credentials""".split()
)


def build_mark(rule: str) -> str:
    """Return the mark of a rule."""
    return "[PRIVATE]" if rule == "private" else f"[REDACTED:{rule}]"


def find_marks(text: str) -> list[Span]:
    """Return positions of existing marks; a mark of an unknown rule is plain text."""
    if "[REDACTED:" not in text and "[PRIVATE]" not in text:
        return []
    from twiceshy.core.patterns import compile_pattern  # noqa: PLC0415 - few texts have a mark

    found = compile_pattern(_MARK).finditer(text)
    return [each.span() for each in found if each[1] is None or _is_rule(each[1])]


def _is_rule(name: str) -> bool:
    if name in _GENERAL:
        return True
    return any(rule[0] == name for table in (FORMATS, CONTEXTS) for rule in table)

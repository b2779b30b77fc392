"""Values that were found once in a text: they go wherever they stand again."""

from __future__ import annotations

from twiceshy.core.patterns import compile_pattern
from twiceshy.safety.redact.values import is_placeholder, is_plain_word

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from twiceshy.safety.redact.gate import Finding

_SHORTEST, _LONGEST = 6, 512
_MOST = 256
_WHOLE = frozenset(("private", "unsettled"))  # they hide passages, whose words are ordinary
_CODE = frozenset("[](){}<>\n")
_ORDINARY = r"[\d.,:/-]+$|[A-Za-z]+$|[a-z]+[_-][a-z]+$"


def list_found_values(
    text: str, findings: Sequence[Finding], *, known: Collection[str]
) -> list[str]:
    """Return the values of findings that are unlike ordinary words, so that they can be looked for."""
    found: dict[str, None] = {}
    for start, end, rule in findings:
        if rule in _WHOLE or not _SHORTEST <= end - start <= _LONGEST:
            continue
        value = text[start:end].strip("\"'\\ \t\n")
        if value not in known and is_telling(value):
            found[value] = None
    return list(found)[: _MOST - len(known)]


def is_telling(value: str) -> bool:
    """True for a value that stands nowhere by chance."""
    if len(value) < _SHORTEST or not _CODE.isdisjoint(value) or is_placeholder(value):
        return False
    if value.startswith(("/", "./", "~/", "../")):
        return False
    return not (is_plain_word(value) or compile_pattern(_ORDINARY).match(value))

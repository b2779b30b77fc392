"""The redaction gate: every text written, shown, logged or exported passes ``redact``.

Findings become ``[REDACTED:<rule>]``, a private passage ``[PRIVATE]``. Redaction is
idempotent: the rules are applied until nothing is found.
"""

from __future__ import annotations

from twiceshy.safety.redact.quick_check import is_surely_harmless

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RULES_VERSION = 1  # rows carry it: when the rules change, raise it, and older rows pass again

_SHORTEST_KNOWN = 4  # a shorter text would be found everywhere


def redact(text: str, *, known: Iterable[str] = ()) -> str:
    """Return the text without secrets and private passages; ``known`` are secrets by value."""
    values = sorted({value for value in known if len(value.strip()) >= _SHORTEST_KNOWN})
    if is_surely_harmless(text, values):
        return text
    from twiceshy.safety.redact.gate import redact_text  # noqa: PLC0415 - the rules cost as much as Python

    return redact_text(text, values)


def list_secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the secret values of an environment, longest first."""
    from twiceshy.safety.redact import names  # noqa: PLC0415 - it needs the rules

    return names.list_secret_values(environ)

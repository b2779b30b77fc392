"""The redaction gate: every text written, shown, logged or exported passes ``redact``.

Redact first, then cut: half a secret has no shape for a rule to recognise. ``redact_ends`` and ``redact_head``
do both. Findings become ``[REDACTED:<rule>]``, a private passage ``[PRIVATE]``. Redaction is
idempotent: the rules are applied until nothing is found.
"""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

RULES_VERSION = 3  # rows carry it: when the rules change, raise it, and older rows pass again

_SHORTEST_KNOWN = 4  # a shorter text would be found everywhere
READ = 32_000  # characters of a text that are redacted, unless a caller can wait for more
_SEAM = 2_000  # dropped at a cut: longer than every format but keys of several lines
GAP = "\n\n…\n\n"


def redact(text: str, *, known: Iterable[str] = ()) -> str:
    """Return the text without secrets and private passages; ``known`` are secrets by value."""
    # not at the top: hooks load a package before what is in it
    from twiceshy.safety.redact.quick_check import is_surely_harmless  # noqa: PLC0415 - see above

    values = sorted({value for value in known if len(value.strip()) >= _SHORTEST_KNOWN})
    if is_surely_harmless(text, values):
        return text
    from twiceshy.safety.redact.gate import redact_text  # noqa: PLC0415 - the rules cost as much as Python

    return redact_text(text, values)


def list_secret_values(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the secret values of an environment, longest first."""
    from twiceshy.safety.redact import names  # noqa: PLC0415 - it needs the rules

    return names.list_secret_values(environ)


def redact_ends(text: str, redact: Callable[[str], str], *, read: int = READ) -> str:
    """Return the redacted text, of a longer one than ``read`` both ends."""
    if len(text) <= read:
        return redact(text)
    head, tail = redact(text[: read // 2]), redact(text[-(read // 2) :])
    head = _drop_last_word(head[:-_SEAM])
    if "private" in text.lower():
        return head  # the tail may be the end of a passage that nobody may see
    return f"{head}{GAP}{_drop_last_word(tail[_SEAM:][::-1])[::-1]}"


def redact_head(text: str, redact: Callable[[str], str], *, most: int) -> str:
    """Return the beginning of the redacted text, of at most ``most`` characters."""
    window = text[: most + 2 * _SEAM]
    safe = redact(window)
    return (safe if len(window) == len(text) else _drop_last_word(safe[:-_SEAM]))[:most]


def _drop_last_word(text: str) -> str:
    return text[: max(text.rfind(" "), text.rfind("\n"), 0)]

"""A verdict about a stored text: whether it may be told to an agent, and which parts are withheld.

A verdict holds for the content that it was made about: a text that was changed behind the store's
back has none.
"""

from __future__ import annotations

from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.evidence import Span

OWN = "own"  # the origin of what a person wrote or accepted here


class GateVerdict(Value):
    """Why an object is not told, or which parts of it; both are empty if all may be told.

    ``origin`` says whose words it was judged as, and ``rules`` by which version of the rules.
    """

    object: str
    content: str
    reason: str = ""
    withheld: str = ""
    origin: str = ""
    rules: int = 0


def write_spans(spans: Iterable[Span]) -> str:
    """Write spans as lines: field, number in a list, first character, end."""
    return "\n".join(" ".join(map(str, span)) for span in sorted(spans))

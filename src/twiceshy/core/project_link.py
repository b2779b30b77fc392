"""Another name of a project that somebody gave it: what the journal says last about the name holds.

A link is an object of the journal like a note, so it travels to other devices and can be undone. Names
that a folder shows by itself need none; the store learns them wherever a session begins.
"""

from __future__ import annotations

from twiceshy.core.history import in_order
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.history import Entry

LINK = "p"  # ids of links begin with it, as those of notes do with "n"
OP = "link"
HOLDS, GONE = "active", "retired"
FIELDS = frozenset(("alias", "project", "status"))
_HASH = 32  # hexadecimal digits kept of a SHA-256: 128 bits


class Link(Value):
    """A name, the project that goes by it, and whether that still holds."""

    alias: str
    project: str
    status: str = HOLDS


def link_id(alias: str) -> str:
    """Return the id under which the journal knows a name; on every device the same."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL, and no hook links anything

    digest = hashlib.sha256(alias.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{LINK}{digest[:_HASH]}"


def replay_link(entries: Iterable[Entry]) -> Link | None:
    """Add up what was said about a name; None if it was never linked."""
    fields: dict[str, object] = {}
    for entry in in_order(entries):
        fields.update(entry.after or ())
    if not fields.keys() >= FIELDS:
        return None
    return Link.of({name: str(fields[name]) for name in Link.__fields__})

"""A name given to a project by hand; the last journal entry decides.

A link is a journal object like a note: links travel to other devices and can be undone.
Names shown by a folder itself need no link; the store learns such names at the start of a
session.
"""

from __future__ import annotations

from twiceshy.core.history import sort_entries
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.history import JournalEntry

LINK = "p"  # ids of links begin with it, as those of notes do with "n"
OP = "link"
HOLDS, GONE = "active", "retired"
FIELDS = frozenset(("alias", "project", "status"))
_HASH = 32  # hexadecimal digits kept of a SHA-256: 128 bits


class ProjectLink(Value):
    """A name, its project, and whether the link still holds."""

    alias: str
    project: str
    status: str = HOLDS


def link_id(alias: str) -> str:
    """Return the journal id of a name, equal on every device."""
    import hashlib  # noqa: PLC0415 - 2.6 ms of OpenSSL, and no hook links anything

    digest = hashlib.sha256(alias.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{LINK}{digest[:_HASH]}"


def replay_link(entries: Iterable[JournalEntry]) -> ProjectLink | None:
    """Replay the entries of a link; None if never linked."""
    fields: dict[str, object] = {}
    for entry in sort_entries(entries):
        fields.update(entry.after or ())
    if not fields.keys() >= FIELDS:
        return None
    return ProjectLink.of({name: str(fields[name]) for name in ProjectLink.__fields__})

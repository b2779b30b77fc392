"""The part of the store port for those who write, change and forget notes."""

from __future__ import annotations

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from twiceshy.core.draft import Draft
    from twiceshy.core.erasure import ErasureReport
    from twiceshy.core.evidence import Episode
    from twiceshy.core.history import Fields, JournalEntry
    from twiceshy.core.note import Note
    from twiceshy.core.scope import Scope
    from twiceshy.core.store import Dropped
else:
    Protocol = object


class NoteStore(Protocol):
    """The part of the store port for writing notes and reading their history."""

    def note(self, note_id: str) -> Note | None:
        """Return the note with exactly this id."""

    def find_duplicate(self, draft: Draft) -> Note | None:
        """Return the duplicate of a draft in the same scope, or its replacement."""

    def find_near_duplicate(self, draft: Draft, *, threshold: float) -> Note | None:
        """Return the nearest near-duplicate of a draft in the same scope."""

    def is_forgotten(self, scope: Scope, fingerprint: str) -> bool:
        """True if a text with this fingerprint was forgotten on request."""

    def list_skills(self) -> list[str]:
        """Return the skills with notes."""

    def record_entry(
        self,
        op: str,
        note: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> Note | None:
        """Append an entry to the journal, and return the resulting note."""

    def history(
        self,
        object_id: str = "",
        *,
        batch: str = "",
        author: str = "",
        before: int | None = None,
        limit: int | None = None,
    ) -> list[JournalEntry]:
        """Return journal entries of an object, a batch or an author's session, oldest first.

        Without any of them, the whole journal is returned. ``before`` is a clock; with a ``limit``
        the newest entries are returned.
        """

    def forget(
        self, *gone: Note | Episode, strings: Sequence[str] = (), plan: bool = False
    ) -> ErasureReport:
        """Erase notes, episodes and strings with all that quotes them; with ``plan`` count it."""

    def drop_records(self, kind: type[Dropped], *keys: str) -> None:
        """Remove the records with these keys; an episode loses its history as well."""

"""Keep what was erased from coming back with another device that has not heard of it yet.

An erasure leaves digests of the runs of words that it looked for, and of no single word: who has the digest
of a secret could guess the secret. They stay in this store.
"""

from __future__ import annotations

from bisect import bisect_right

from twiceshy.core.clock import millisecond_of
from twiceshy.core.jsontext import write_json
from twiceshy.core.note import fingerprint_note
from twiceshy.language.quoted_words import HashedQuoteFinder, digest_needle, weigh_word
from twiceshy.store.clean_fields import clean_fields

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    import sqlite3

    from twiceshy.core.evidence import Signal
    from twiceshy.core.history import Fields, JournalEntry
    from twiceshy.language.quoted_words import QuotedWords

RUN = "run"  # in the table of erasures
_FEWEST, _MOST = 6, 4_000  # half words of a run that is kept; runs of one erasure
_NOTE = "n"  # ids of notes begin with it


def keep_digests(db: sqlite3.Connection, words: QuotedWords, *, at: int) -> None:
    """Keep digests of the runs that were erased."""
    runs = sorted(each for each in words.needles if sum(map(weigh_word, each)) >= _FEWEST)
    step = 1 + len(runs) // _MOST
    db.executemany(
        "INSERT OR REPLACE INTO erasures VALUES (?, ?, ?)",
        [(RUN, digest_needle(run), at) for run in runs[::step]],
    )


class ArrivalGate:
    """Cleans what arrives from elsewhere of words that were erased here."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        rows = db.execute("SELECT key, at FROM erasures WHERE what = ?", (RUN,)).fetchall()
        self._times: dict[str, int] = dict(rows)
        self._moments = sorted(set(self._times.values()))
        self._finders: dict[int, HashedQuoteFinder] = {}
        self.cleaned: dict[str, None] = {}

    def clean_entry(self, entry: JournalEntry) -> JournalEntry:
        """Return an entry without words erased before it; a note written after an erasure is a new one.

        Clocks tell, and no wall time: who has heard of the erasure writes with a later clock.
        """
        if not self._times:
            return entry
        is_note = entry.object.startswith(_NOTE)
        finder = self._find_after(millisecond_of(entry.clock) if is_note else -1)
        before, after = _clean(entry.before, finder), _clean(entry.after, finder)
        if (before, after) == (entry.before, entry.after) or self._is_tombstoned(entry.after):
            return entry  # what is forgotten word by word is known, and told as such
        self.cleaned[entry.object] = None
        return entry.but(before=before, after=after)

    def _find_after(self, written: int) -> HashedQuoteFinder:
        """Return a finder of what was erased after a moment."""
        place = bisect_right(self._moments, written)
        if place not in self._finders:
            keys = (key for key, at in self._times.items() if at > written)
            self._finders[place] = HashedQuoteFinder(keys)
        return self._finders[place]

    def holds(self, signal: Signal) -> bool:
        """True if a signal quotes what was erased."""
        texts = (signal.excerpt, signal.target, signal.mistake)
        return any(map(self._find_after(-1).holds, texts))

    def _is_tombstoned(self, fields: Fields | None) -> bool:
        if not fields or "text" not in fields:
            return False
        named = {name: str(fields.get(name, "")) for name in ("kind", "tag", "text")}
        place = (str(fields.get("project", "")), str(fields.get("skill", "")))
        asked = "SELECT 1 FROM tombstones WHERE project = ? AND skill = ? AND fingerprint = ?"
        row = self._db.execute(asked, (*place, fingerprint_note(**named))).fetchone()
        return row is not None


def _clean(fields: Fields | None, finder: HashedQuoteFinder) -> Fields | None:
    if not fields or not finder.holds(write_json(dict(fields))):
        return fields
    return clean_fields(fields, finder)

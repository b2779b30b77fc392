"""Names of the kinds of record in a bundle, and in a copy of the store."""

from __future__ import annotations

from twiceshy.core.evidence import Exposure, NoteEvidence, Signal
from twiceshy.core.history import JournalEntry
from twiceshy.core.outcome import Outcome
from twiceshy.core.outcome_sum import OutcomeSum
from twiceshy.core.store import Alias, KnownProject, NoteCounter, Tombstone

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from twiceshy.core.store import Record

RECORD_TYPES: dict[str, type[Record]] = {
    "project": KnownProject,
    "alias": Alias,
    "entry": JournalEntry,
    "signal": Signal,
    "exposure": Exposure,
    "evidence": NoteEvidence,
    "outcome": Outcome,
    "outcomes": OutcomeSum,
    "tally": NoteCounter,
    "tombstone": Tombstone,
}

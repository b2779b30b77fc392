"""The store port: protocols grouped by caller, and the records of a store.

A store finds records; the rules decide. Each write happens inside ``change``: a writing method
called outside a change is a change of its own.
"""

from __future__ import annotations

from twiceshy.core.store_learning import LearningStore
from twiceshy.core.store_notes import NoteStore
from twiceshy.core.store_upkeep import UpkeepStore
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Literal, Protocol, TypeAlias

    from twiceshy.core.erasure import ErasedRecord
    from twiceshy.core.evidence import Episode, Exposure, NoteEvidence, Signal
    from twiceshy.core.filter import NoteFilter, SearchHits
    from twiceshy.core.history import JournalEntry
    from twiceshy.core.maintenance import MaintenanceRun
    from twiceshy.core.model_ledger import ModelCall
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.outcome_sum import OutcomeSum
    from twiceshy.core.rescue_report import RescueReport
    from twiceshy.core.session import (
        ChangedNote,
        ContextFill,
        Intent,
        PromptCount,
        Session,
        SkillUse,
    )
    from twiceshy.core.transcript import TranscriptProgress
    from twiceshy.core.trigger import TriggerMatch
    from twiceshy.core.verdict import GateVerdict
    from twiceshy.core.view import ViewRecord
    from twiceshy.language.vector import NoteMeaning, QueryVector
    from twiceshy.safety.signing import Signature

    Acknowledged = Literal["stored", "spooled"]
    Derived = Literal["", "meanings", "verdicts"]
    Verdict = Literal["ok", "warning", "broken"]
    Which = Literal["", "unseen", "learned", "repeated", "stated"]
else:
    Protocol = object


class StoreSummary(Value):
    """Counts and facts about a store, as ``status`` and ``doctor`` report them."""

    notes: Mapping[str, int]  # status → number
    kinds: Mapping[str, int]
    skills: int
    projects: int
    pinned: int
    entries: int
    signals: int
    episodes: int
    spooled: int
    size: int
    schema: int
    device: str
    own_devices: tuple[str, ...]  # ids of this store at each of its places
    newest: int  # when the newest and the oldest note were learned
    oldest: int
    held: int = 0  # notes and texts of sessions that agents are not told, wholly or in parts
    digest: str = ""  # of all that is exported, if asked for


class HealthFinding(Value):
    """The result of checking a single part of the store."""

    what: str
    verdict: Verdict
    message: str
    hint: str = ""


class ProjectCounts(Value):
    """Counts of visible notes, sessions and episodes under a project id, with the last time."""

    project: str
    notes: int
    sessions: int
    episodes: int
    seen_at: int


class KnownProject(Value):
    """A project as a store remembers it."""

    id: str
    name: str
    root: str
    seen_at: int


class Alias(Value):
    """An alias of a project id."""

    alias: str
    project: str


class NoteCounter(Value):
    """A counter of a note on a single device."""

    note: str
    name: str
    device: str
    count: int


class Tombstone(Value):
    """The fingerprint of a forgotten note, its scope, and the time of forgetting."""

    project: str
    skill: str
    fingerprint: str
    at: int


if TYPE_CHECKING:
    Observed = Signal | Exposure | Episode | PromptCount | Session
    KeptByHooks = Session | SkillUse | Intent
    KeptByCommands: TypeAlias = (
        ContextFill
        | NoteMeaning
        | Outcome
        | TranscriptProgress
        | MaintenanceRun
        | Signal
        | ModelCall
        | GateVerdict
    )
    Kept: TypeAlias = KeptByHooks | KeptByCommands | Signature | ViewRecord
    Sideline: TypeAlias = KnownProject | Alias | NoteCounter | Tombstone
    Dropped = Episode | Signature | ViewRecord | Sideline
    AboutNote = Exposure | NoteEvidence | Outcome | OutcomeSum | NoteCounter
    Record: TypeAlias = (
        JournalEntry | Signal | AboutNote | KnownProject | Alias | Tombstone | ErasedRecord
    )


class OpenStore(Protocol):
    """An open store: its clock, device id, and write transaction."""

    author: str  # the session that writes, if one does
    runtime: str  # of that session, if whoever opened the store knows it
    read_only: str  # why nothing can be written, if that is so
    read_only_hint: str  # what to do about that
    older: bool  # waits to be converted; hooks leave records in the spool
    is_stand_in: bool  # empty, in place of a store that is busy or waits to be converted
    for_agents: bool  # whoever asks is an agent: nothing is returned that the gate holds
    vouching: bool  # a person makes these changes: the gate does not hold his own words
    rescued: RescueReport | None  # what was saved when it was opened and found damaged
    homes: tuple[str, ...]  # memory homes that an erasure sweeps, beside the folder of the store
    logs: tuple[str, ...]  # and logs outside of them
    is_learning: bool  # True if a job holds what it read while an erasure is made

    @property
    def device(self) -> str:
        """Return the id of this store among the stores exchanging journals."""

    def now(self, *, believed: bool = False) -> int:
        """Return the time by the clock given at opening.

        With ``believed``, return the time up to which ages count: no days of use attest more.
        """

    def new_id(self) -> str:
        """Return a new, unique note id."""

    def change(self, *, rehearsal: bool = False) -> AbstractContextManager[str]:
        """Begin an atomic change, and give its batch id.

        The changes become visible and durable together, or not at all. A rehearsal is rolled back at
        its end, and cannot be part of another change.
        """

    def close(self, *, in_haste: bool = False) -> bool:
        """Close files and connections; return True if closed.

        With ``in_haste`` close only if leaving them open would slow the next process down.
        """


class HookStore(OpenStore, Protocol):
    """The part of the store port for hooks; commands use the same methods."""

    def notes(self, which: NoteFilter, *, limit: int | None = 200) -> list[Note]:
        """Return notes, pinned first, then the newest."""

    def count_notes(self, which: NoteFilter) -> int:
        """Count the notes matching a filter."""

    def search_notes(
        self,
        terms: Sequence[str],
        which: NoteFilter,
        *,
        limit: int = 50,
        meaning: QueryVector | None = None,
        passages: Sequence[Sequence[str]] = (),
        exact: bool = False,
    ) -> SearchHits:
        """Return the notes most likely to match these terms, in no particular order.

        ``meaning`` is the query vector of a model whose vectors the notes have as well. With
        several ``passages``, a note matches by the passage that it fits best. With ``exact``
        only the terms themselves count: no meaning, and no other spelling.
        """

    def propose_quoting(
        self, projects: Sequence[str], words: Sequence[str], *, limit: int
    ) -> list[Note]:
        """Return shown notes of some projects that hold some of these words, rare words first."""

    def fingerprint_notes(self, which: NoteFilter) -> str:
        """Return a fingerprint of these notes: a change to their content changes the value."""

    def list_signatures(self) -> dict[str, Signature]:
        """Return the approvals by note id; the caller must verify each seal."""

    def increment_counter(self, name: str, note_ids: Iterable[str]) -> None:
        """Add 1 to a counter of each note; text, recency and indexes stay unchanged."""

    def match_triggers(
        self,
        projects: Sequence[str],
        tool: str | None = None,
        command_words: Sequence[str] | None = None,
        *,
        error: str = "",
        folder: str = "",
        which: Which = "",
        context: str = "",
    ) -> list[TriggerMatch]:
        """Return notes whose trigger may match a call with these command words, error or folder.

        ``command_words`` of a call of a tool are all its words, others are any words; without
        them, every trigger counts. With an ``error``, the notes quote a part of it, and share a
        word with the call or name a path; with a ``folder``, they are about a path in it.
        ``which`` restricts the result to mistakes unseen by hooks, to the lessons learned most
        often and lately, to lessons that repeated failures may let stop a call, or to rules and
        what people and agents wrote.
        """

    def list_projects(self) -> dict[str, tuple[str, str]]:
        """Return the name and the last known root of every project by id."""

    def list_project_ids(self, project: str, *, at_place: bool = False) -> tuple[str, ...]:
        """Return the project's ids, including aliases, the given id first.

        With ``at_place``, the project is given by the mark of a place on this device, and nothing
        is returned if nobody worked there. Such marks never come from elsewhere.
        """

    def record_project(
        self,
        project: str,
        *,
        name: str,
        root: str,
        aliases: Iterable[str] = (),
        places: Iterable[str] = (),
    ) -> None:
        """Record a project, its aliases, and the marks of a place where the user works on it."""

    def session(
        self,
        session: str = "",
        *,
        call: str | None = None,
        projects: Sequence[str] = (),
        at: int = 0,
    ) -> Session | None:
        """Return a session by id, the last one to announce a call a moment ago, or one that ran ``at`` a time."""

    def find_intent(self, session: str) -> str:
        """Return the known intent of a session; empty if unknown."""

    def list_skill_uses(self, session: str, agent: str, skill: str = "") -> list[SkillUse]:
        """Return the skill uses of an agent's conversation, newest first.

        With ``skill``, return only the use of that skill.
        """

    def list_exposures(
        self,
        *,
        session: str = "",
        note: str = "",
        key: str = "",
        channel: str = "",
        since: int = 0,
        limit: int | None = None,
        skip: int = 0,
    ) -> list[Exposure]:
        """Return exposures of a session, a note or a channel, or by key, since a time, newest first.

        Withheld notes are included, and so many of the newest are skipped.
        """

    def list_signals(
        self,
        project: str = "",
        kind: str = "",
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        notes: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """Return signals of a kind in a project, plus further signals, newest first.

        Further signals are those of ``sessions``, of ``mistakes``, with ``keys``, and those that
        taught these ``notes``.
        """

    def list_episodes(
        self,
        projects: Sequence[str] | None = None,
        *,
        kinds: Sequence[str],
        since: int = 0,
        limit: int | None = 20,
        held: bool = False,
        name: str = "",
    ) -> list[Episode]:
        """Return episodes of some projects ended since a time, newest first.

        Without ``projects``, the episodes of every project are returned; with ``held``, those of
        which agents are not told a part, or anything; with a ``name``, the one with this id.
        """

    def read_journal_clock(self) -> int:
        """Return this device's journal clock; later entries have a higher clock."""

    def list_changed_notes(
        self,
        projects: Sequence[str],
        *,
        since: int,
        excluded_session: str = "",
        kinds: Sequence[str],
    ) -> list[ChangedNote]:
        """Return notes written or edited since a clock, newest first.

        The changes of ``excluded_session`` are left out.
        """

    def save_records(self, *records: KeptByHooks) -> None:
        """Save records, replacing earlier versions."""

    def capture(self, *records: Observed) -> Acknowledged:
        """Store observations once by key; spool them while the store is busy."""


class Store(HookStore, NoteStore, LearningStore, UpkeepStore, Protocol):
    """The complete store port for commands."""

    def save_records(self, *records: Kept) -> None:
        """Save records, replacing earlier versions."""

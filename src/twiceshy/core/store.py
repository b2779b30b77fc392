"""The store port: protocols grouped by caller, and the records that a store keeps.

A store finds, the rules decide. Everything that writes happens inside ``change``: a method that is called
outside of one is a change of its own.
"""

from __future__ import annotations

from twiceshy.core.store_learning import LearningStore
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Literal, Protocol, TypeAlias

    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Episode, Exposure, Signal
    from twiceshy.core.filter import Filter, Found
    from twiceshy.core.history import Entry, Fields
    from twiceshy.core.maintenance import Run
    from twiceshy.core.model_ledger import Spending
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.retention import Retention
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import Changed, ContextFill, Intent, Prompt, Session, Use
    from twiceshy.core.transcript_progress import Reading
    from twiceshy.core.trigger import Match
    from twiceshy.core.view import View
    from twiceshy.language.vector import Meaning, NoteMeaning
    from twiceshy.safety.signing import Signature

    Acknowledged = Literal["stored", "spooled"]
    Derived = Literal["", "meanings"]
    Verdict = Literal["ok", "warning", "broken"]
    Which = Literal["", "unseen", "recurring"]
else:
    Protocol = object


class Standing(Value):
    """What ``status`` and ``doctor`` report about a store."""

    notes: Mapping[str, int]  # life → number
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
    newest: int


class Finding(Value):
    """One thing that was looked at, and whether it is as it should be."""

    what: str
    verdict: Verdict
    message: str
    hint: str = ""


class Standpoint(Value):
    """What stands under one id of a project: notes that are shown, sessions, episodes; and when last."""

    project: str
    notes: int
    sessions: int
    episodes: int
    seen_at: int


class Rescued(Value):
    """Where a damaged store was set aside, and how many rows of each table could be read from it."""

    path: str
    rows: Mapping[str, int]


class KnownProject(Value):
    """A project as a store remembers it."""

    id: str
    name: str
    root: str
    seen_at: int


class Alias(Value):
    """Another name of a project."""

    alias: str
    project: str


class Tally(Value):
    """How often one device counted something about a note."""

    note: str
    name: str
    device: str
    count: int


class Tombstone(Value):
    """The words of a forgotten note, as a fingerprint, and when they were forgotten."""

    project: str
    skill: str
    fingerprint: str
    at: int


if TYPE_CHECKING:
    Observed = Signal | Exposure | Episode | Prompt
    KeptByHooks = Session | Use | Intent
    KeptByCommands: TypeAlias = (
        ContextFill | NoteMeaning | Outcome | Reading | Run | Signal | Spending
    )
    Kept: TypeAlias = KeptByHooks | KeptByCommands | Signature | View
    Dropped = Episode | Signature | View
    Record = Entry | Signal | Exposure | KnownProject | Alias | Tally | Tombstone


class OpenStore(Protocol):
    """An open store: its clock, its device, and the block in which it may be changed."""

    author: str  # the session that writes, if one does
    runtime: str  # of that session, if whoever opened the store knows it
    read_only: str  # why nothing can be written, if that is so
    rescued: Rescued | None  # what was saved when it was opened and found damaged

    @property
    def device(self) -> str:
        """Return the id of this store among those that exchange journals."""

    def now(self) -> int:
        """Return the time by the clock this store was opened with."""

    def new_id(self) -> str:
        """Return an id that no note had or will have."""

    def change(self, *, rehearsal: bool = False) -> AbstractContextManager[str]:
        """Begin one change: all of it becomes visible and durable, or none; gives its batch id.

        A rehearsal is taken back at its end, and cannot be a part of another change.
        """

    def close(self, *, in_haste: bool = False) -> bool:
        """Let go of files and connections; in haste only if leaving them would slow the next one.

        Return whether that was done.
        """


class HookStore(OpenStore, Protocol):
    """The part of a store that hooks ask; commands ask it as well."""

    def notes(self, which: Filter, *, limit: int | None = 200) -> list[Note]:
        """Return notes, pinned first, then the ones learned last."""

    def count(self, which: Filter) -> int:
        """Return how many notes there are."""

    def matching(
        self,
        terms: Sequence[str],
        which: Filter,
        *,
        limit: int = 50,
        meaning: Meaning | None = None,
    ) -> Found:
        """Return the notes most likely to be about these terms, in no particular order.

        ``meaning`` is what the query means to a model whose vectors the notes have, too.
        """

    def state(self, which: Filter) -> str:
        """Sum up these notes, so that a change to what they say changes the sum."""

    def signatures(self) -> dict[str, Signature]:
        """Return every approval by the note it is for; whether its seal fits is for others to say."""

    def tally(self, name: str, note_ids: Iterable[str]) -> None:
        """Count once for each note; never touches its text, its recency or the indexes."""

    def about_call(
        self,
        projects: Sequence[str],
        tool: str | None = None,
        grams: Sequence[str] | None = None,
        *,
        error: str = "",
        which: Which = "",
        context: str = "",
    ) -> list[Match]:
        """Return the notes whose trigger may be about a call with these grams, or quote its error.

        ``which`` asks only for mistakes that no hook saw, or that keep being made.
        """

    def triggers(self, projects: Sequence[str]) -> list[str]:
        """Return every trigger of some projects as it stands in its note."""

    def projects(self) -> dict[str, tuple[str, str]]:
        """Return the name and the last known root of every project by id."""

    def same_project(self, project: str) -> tuple[str, ...]:
        """Return all ids under which this project's notes may stand, this one first."""

    def know_project(
        self, project: str, *, name: str, root: str, aliases: Iterable[str] = ()
    ) -> None:
        """Remember a project and by which other names it goes."""

    def session(
        self, session: str = "", *, call: str | None = None, projects: Sequence[str] = ()
    ) -> Session | None:
        """Return a session by its id, or the last one that announced a call a moment ago."""

    def intent(self, session: str, *, call: str = "") -> str:
        """Return what a session, or one of its calls, is about, as far as that is known."""

    def uses(self, session: str, agent: str, skill: str = "") -> list[Use]:
        """Return the skills of an agent's conversation, or one of them, the last one first."""

    def exposures(
        self, *, session: str = "", note: str = "", key: str = "", limit: int | None = None
    ) -> list[Exposure]:
        """Return what a session was shown or kept from, who was shown a note, or one by its key.

        The last comes first.
        """

    def episodes(
        self,
        projects: Sequence[str] | None = None,
        *,
        kinds: Sequence[str],
        since: int = 0,
        limit: int | None = 20,
    ) -> list[Episode]:
        """Return the stretches of work, of some projects or all, that ended since then, last first."""

    def mark(self) -> int:
        """Return how far the journal is by this device's clock; whatever comes later is above it."""

    def changed(
        self, projects: Sequence[str], *, since: int, but: str = "", kinds: Sequence[str]
    ) -> list[Changed]:
        """Return the notes that were written or edited since a mark, not by one session, last first."""

    def keep(self, *records: KeptByHooks) -> None:
        """Write records down as they are now, each in place of the one before."""

    def capture(self, *records: Observed) -> Acknowledged:
        """Keep what was observed, once by its key; while the store is busy, in a spool."""

    def set_down(self) -> None:
        """Leave what is being captured in the spool, because there is no time to wait."""


class NoteStore(Protocol):
    """The part of a store that writes notes, and tells their history."""

    def note(self, note_id: str) -> Note | None:
        """Return the note with exactly this id."""

    def twin(self, draft: Draft) -> Note | None:
        """Return the note in the same scope that says the same, or what took its place."""

    def near(self, draft: Draft, *, threshold: float) -> Note | None:
        """Return the note in the same scope that says nearly the same."""

    def forgotten(self, scope: Scope, fingerprint: str) -> bool:
        """Tell whether this was forgotten on request."""

    def skills(self) -> list[str]:
        """Return the skills that have notes."""

    def record(
        self,
        op: str,
        note: str,
        after: Fields | None,
        *,
        before: Fields | None = None,
        refers: str = "",
    ) -> Note | None:
        """Append to the journal, and return what the note has become."""

    def history(
        self,
        object_id: str = "",
        *,
        batch: str = "",
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Entry]:
        """Return the entries about an object or of a batch, else of the whole journal, oldest first.

        ``before`` is a clock; with a ``limit`` the newest are returned.
        """

    def forget(self, note: Note) -> list[str]:
        """Erase a note everywhere and leave a tombstone; return the places not yet clean."""

    def drop(self, kind: type[Dropped], *keys: str) -> None:
        """Remove what was kept under these keys; of an episode its history, too, without a trace."""


class UpkeepStore(Protocol):
    """The part of a store that keeps it in order, and exchanges it with others."""

    def lease(self, name: str, holder: str, *, seconds: int) -> bool:
        """Take some work, or keep it for longer, or for no time: give it back.

        False while somebody else does it.
        """

    def begin_run(self, what: str) -> Run:
        """Write down that work begins; the oldest runs of such work are let go."""

    def runs(self, what: str, *, limit: int = 20) -> list[Run]:
        """Return when work was done and what came of it, the last first."""

    def without_meaning(self, model: str = "", *, limit: int | None = 100) -> list[Note]:
        """Return notes of which a model, or else the table of words, has not said what they mean."""

    def rebuild(self, *, only: Derived = "") -> Iterator[str]:
        """Make what is derived anew, all or only missing meanings; gives the ids, to show progress."""

    def health(self) -> Iterable[Finding]:
        """Look everything over without changing it."""

    def standing(self) -> Standing:
        """Count what there is."""

    def standpoints(self) -> list[Standpoint]:
        """Return every id under which something of a project stands, in order."""

    def prune(self, rules: Retention, *, there: Callable[[str], bool]) -> Mapping[str, int]:
        """Remove what nobody can ask for any more; return how many records of which kind.

        ``there`` tells whether a transcript is still there.
        """

    def shrink(self) -> int:
        """Give room back that nothing takes up any more, if that pays; return how many bytes."""

    def views(self, path: str = "") -> list[View]:
        """Return what we wrote last to a file, or to every file, in the order of their paths."""

    def everything(
        self,
        *,
        only: Sequence[type[Record]] = (),
        projects: Sequence[str] | None = None,
        skill: str | None = None,
    ) -> Iterator[Record]:
        """Return all that another store must take in to become equal, always in the same order."""

    def take_in(self, records: Iterable[Record]) -> list[str]:
        """Keep what another store knew; return the notes and episodes it bears on, not settled."""

    def settle(self, objects: Iterable[str]) -> None:
        """Bring these to what the journal says; erase those that it says were forgotten."""


class Store(HookStore, NoteStore, LearningStore, UpkeepStore, Protocol):
    """A store as commands open it."""

    def keep(self, *records: Kept) -> None:
        """Write records down as they are now, each in place of the one before."""

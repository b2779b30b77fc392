"""What the domain needs from the outside world, and nothing more. A store finds; the core decides."""

from __future__ import annotations

from twiceshy.core.store_running import Running
from twiceshy.core.store_together import Together
from twiceshy.core.store_upkeep import Upkeep
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Literal, Protocol

    from twiceshy.core.draft import Draft
    from twiceshy.core.evidence import Episode, Exposure, Signal
    from twiceshy.core.filter import Filter, Found
    from twiceshy.core.history import Entry, Fields
    from twiceshy.core.model_ledger import Spending
    from twiceshy.core.note import Note
    from twiceshy.core.outcome import Outcome
    from twiceshy.core.scope import Scope
    from twiceshy.core.session import Prompt, Session, Usage, Use
    from twiceshy.core.transcript_progress import Reading
    from twiceshy.core.trigger import Match
    from twiceshy.language.vector import Meaning
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
    Record = Entry | Signal | Exposure | KnownProject | Alias | Tally | Tombstone


class HookStore(Together, Protocol):
    """Keeps notes and their history. Everything that writes happens inside ``change``."""

    @property
    def device(self) -> str:
        """Return the id of this store among those that exchange journals."""

    def change(self, *, rehearsal: bool = False) -> AbstractContextManager[str]:
        """Begin one change: all of it becomes visible and durable, or none; gives its batch id.

        A rehearsal is taken back at its end, and cannot be a part of another change.
        """

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

    def new_id(self) -> str:
        """Return an id that no note had or will have."""

    def now(self) -> int:
        """Return the time by the clock this store was opened with."""

    def note(self, note_id: str) -> Note | None:
        """Return the note with exactly this id."""

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

    def twin(self, draft: Draft) -> Note | None:
        """Return the note in the same scope that says the same, or what took its place."""

    def near(self, draft: Draft, *, threshold: float) -> Note | None:
        """Return the note in the same scope that says nearly the same."""

    def forgotten(self, scope: Scope, fingerprint: str) -> bool:
        """Tell whether this was forgotten on request."""

    def forget(self, note: Note) -> list[str]:
        """Erase a note everywhere and leave a tombstone; return the places not yet clean."""

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

    def capture(self, *records: Observed) -> Acknowledged:
        """Keep what was observed; when the store is busy, spool it for the next one to come."""

    def exposures(
        self, *, session: str = "", note: str = "", key: str = "", limit: int | None = None
    ) -> list[Exposure]:
        """Return what a session was shown or kept from, who was shown a note, or one by its key.

        The last comes first.
        """

    def signals_of(
        self,
        project: str = "",
        kind: str = "",
        *,
        sessions: Sequence[str] = (),
        mistakes: Sequence[str] = (),
        keys: Sequence[str] = (),
        limit: int = 50,
    ) -> list[Signal]:
        """Return what of one kind was observed in a project, and these other signals, last first.

        Others are those of some sessions, those of some mistakes, and those with some keys.
        """

    def sign(self, note_id: str, act: str, mac: str) -> None:
        """Keep what the user approved on this device, in place of what was approved before."""

    def unsign(self, note_id: str) -> None:
        """Take an approval back."""

    def signatures(self) -> dict[str, Signature]:
        """Return every approval by the note it is for; whether its seal fits is for others to say."""

    def tally(self, name: str, note_ids: Iterable[str]) -> None:
        """Count once for each note; never touches its text, its recency or the indexes."""

    def know_project(
        self, project: str, *, name: str, root: str, aliases: Iterable[str] = ()
    ) -> None:
        """Remember a project and by which other names it goes."""

    def same_project(self, project: str) -> tuple[str, ...]:
        """Return all ids under which this project's notes may stand, this one first."""

    def projects(self) -> dict[str, tuple[str, str]]:
        """Return the name and the last known root of every project by id."""

    def skills(self) -> list[str]:
        """Return the skills that have notes."""

    def without_meaning(self, model: str = "", *, limit: int | None = 100) -> list[Note]:
        """Return notes of which a model, or else the table of words, has not said what they mean."""

    def keep_meanings(self, meanings: Mapping[str, Mapping[str, Meaning]]) -> None:
        """Keep what fields of notes, by id, mean to a model."""

    def state(self, which: Filter) -> str:
        """Sum up these notes, so that a change to what they say changes the sum."""

    def session(
        self, session: str = "", *, call: str | None = None, projects: Sequence[str] = ()
    ) -> Session | None:
        """Return a session by its id, or the last one that announced a call a moment ago."""

    def keep_session(self, session: Session) -> None:
        """Write a session down as it is now."""

    def stash(self, session: str, intent: str, *, call: str = "") -> None:
        """Remember what a session is about, or for a minute what one of its calls is about."""

    def intent(self, session: str, *, call: str = "") -> str:
        """Return what was stashed, or nothing."""

    def uses(self, session: str, agent: str, skill: str = "") -> list[Use]:
        """Return the skills of an agent's conversation, or one of them, the last one first."""

    def keep_use(self, use: Use) -> None:
        """Write down that a skill was used, and what the agent was told about it."""

    def usage(self) -> list[Usage]:
        """Count the sessions that used each skill."""

    def episodes(
        self,
        projects: Sequence[str] | None = None,
        *,
        kinds: Sequence[str],
        since: int = 0,
        limit: int | None = 20,
    ) -> list[Episode]:
        """Return the stretches of work, of some projects or all, that ended since then, last first."""

    def spend(self, spending: Spending) -> None:
        """Write down that a model was asked, and what that took."""

    def spendings(self, *, since: int = 0) -> list[Spending]:
        """Return what models were asked for since then, the oldest first."""

    def reading(self, path: str) -> Reading | None:
        """Return how far a transcript was read."""

    def unfinished(self, *, before: int) -> list[Reading]:
        """Return the transcripts that were not read to their end, and not touched since then.

        Those of which nothing was read come last, from their beginning.
        """

    def keep_reading(self, reading: Reading) -> None:
        """Write down how far a transcript was read."""

    def copied(self, calls: Sequence[str], session: str, *, project: str) -> set[str]:
        """Return which calls of a session were met before; the others are its own from now on.

        A session of which nothing was read yet makes what happened in its project older.
        """

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

    def count_call(self, notes: Iterable[str], context: str, *, failed: bool) -> Mapping[str, int]:
        """Count that a call which these notes are about failed, or worked, in some context.

        Return how often such a call worked there, for each note, since it failed last.
        """

    def attest(
        self,
        note: str,
        signal: str,
        session: str,
        *,
        at: int,
        unseen: bool = False,
        lost_calls: int = 0,
        lost_ms: int = 0,
    ) -> bool:
        """Remember what a note was learned from; True if that, or another call of the session, was."""

    def amend_signal(self, key: str, *, mistake: str, pair: str = "") -> None:
        """Say of a signal which mistake it was, and which call put it right."""

    def evidence(self, note: str) -> list[tuple[str, str, int]]:
        """Return signal, session and time of all that a note was learned from, the newest first."""

    def keep_outcomes(self, outcomes: Iterable[Outcome]) -> None:
        """Write down what came of exposures, however often it is judged; counts each thing once."""

    def outcomes(self, *, since: int = 0, note: str = "") -> list[Outcome]:
        """Return what came of what was shown or withheld since then, the oldest first."""

    def sessions_of(self, scope: Scope) -> list[int]:
        """Return when each session began that could use notes of a scope, in order."""

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

    def health(self) -> Iterable[Finding]:
        """Look everything over without changing it."""

    def rebuild(self, *, only: Derived = "") -> Iterator[str]:
        """Make what is derived anew, all or only missing meanings; gives the ids, to show progress."""

    def standing(self) -> Standing:
        """Count what there is."""

    def close(self, *, in_haste: bool = False) -> bool:
        """Let go of files and connections; in haste only if leaving them would slow the next one.

        Return whether that was done.
        """


class Store(HookStore, Running, Upkeep, Protocol):
    """A store as commands open it: hooks have no time to keep it in order."""

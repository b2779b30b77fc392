"""Context for handling one hook event: its session, and the writes to flush before the reply."""

from __future__ import annotations

from twiceshy import app as wiring
from twiceshy.core.errors import BusyError, NewerStoreError, StoreError
from twiceshy.core.evidence import SHOWN_BEFORE_LOTS, Exposure, Signal
from twiceshy.core.moment import DAY, format_stamp
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.session import PromptCount, Session
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from twiceshy.app import HookApp
    from twiceshy.config.quick import QuickConfig
    from twiceshy.config.resolved import Config
    from twiceshy.core.event import Event
    from twiceshy.core.note import Note
    from twiceshy.core.store import Observed
    from twiceshy.places.identity import Identity
    from twiceshy.places.skill_folders import SkillSearchPath
    from twiceshy.recall.answer import Deadline
    from twiceshy.recall.brief import Brief

GIT_SECONDS = 1.0  # asked once for a repository, then it is known
REWRITE = "rewrite"  # the channel of notes that changed a call
OFFERED = "offer"  # the channel of texts that were about to be printed


class Intervention(Value):
    """A stop or rewrite of a pending call, which holds once it is on record.

    ``still_holds`` looks again inside the change that writes the record: of two equal calls at
    the same time one is stopped. ``command`` is the new command line of a rewritten call.
    """

    text: str
    exposure: Exposure
    ruling: str = ""
    command: str = ""
    still_holds: Callable[[], bool] = lambda: True


class EventContext:
    """The context of one event."""

    def __init__(
        self,
        event: Event,
        app: HookApp,
        runtime: str,
        *,
        record: Observed | None = None,
        deadline: Deadline | None = None,
    ) -> None:
        self.event = event
        self.record = record  # what is kept of the event itself
        self.deadline = deadline
        self.app = app
        self.runtime = runtime
        self.store = app.store
        self.store.author = event.session
        self.ruling = ""  # what a rule says about a pending call: ask, deny, or nothing
        self.intervention: Intervention | None = None
        self._exposures: list[Exposure] = []
        self._others: list[Exposure] = []  # what was shown that is no note
        self._shown: list[Exposure] = []  # what counts as shown only once it is printed
        self._later: list[Callable[[], object]] = []
        self._keeps_session = False  # True once the session is among what is written later
        self._visible: dict[str, tuple[str, ...]] = {}  # a failure asks several times
        self._known_exposures: list[Exposure] | None = None  # a start asks for every lesson
        self._answer_in_reach: bool | None = None
        self._lots: dict[str, int] = {}  # by note: what is told asks once more
        self.claimed = ""  # the project that an unknown checkout says to be
        known = self.store.session(event.session)
        self.session = known or self.identify_session()
        self.new = known is None

    def identify_session(self) -> Session:
        """Identify the project of a new or restarted session."""
        event, known = self.event, self.store.session(self.event.session)
        here = wiring.identify_project(event.cwd, self.app, patience=GIT_SECONDS)
        self.claimed = here.claimed
        session = Session(
            id=event.session,
            runtime=self.runtime,
            project=here.id,
            root=here.root,
            transcript=event.transcript,
            started_at=known.started_at if known else event.at,
            seen_at=event.at,
            prompts=known.prompts if known else 0,
            compactions=known.compactions if known else 0,
            changes_seen=known.changes_seen if known else 0,
        )
        self.keep_session(session)
        if here.places or self.store.list_projects().get(here.id) != (here.name, here.root):
            self._record_project(here)
        return session

    def _record_project(self, here: Identity) -> None:
        """Record a project later; at once in a place that is new, which may bring older names."""

        def record() -> None:
            self.store.record_project(
                here.id,
                name=here.name,
                root=here.root,
                aliases=here.aliases,
                places=here.places,
            )

        if not here.places or self.store.is_stand_in:
            self.defer_write(record)
            return
        try:
            record()
        except StoreError:
            self.defer_write(record)

    def keep_session(self, session: Session) -> None:
        """Continue with a changed session, and write it later, once."""
        self.session = session
        if not self._keeps_session:
            self._keeps_session = True
            self.defer_write(lambda: self.store.save_records(self.session))

    def mark_changes_seen(self) -> None:
        """Mark changes of other sessions as seen by this session."""
        self.keep_session(self.session.but(changes_seen=max(1, self.store.read_journal_clock())))

    def scope_of(self, skill: str = NO_SKILL) -> Scope:
        """Return the scope of this session, for a skill or the project."""
        return Scope(self.session.project, skill)

    def visible_projects(self) -> tuple[str, ...]:
        """Return project ids of visible notes, the global id included."""
        project = self.session.project
        if project not in self._visible:
            self._visible[project] = (*self.store.list_project_ids(project), EVERYWHERE)
        return self._visible[project]

    def skill_search_path(self) -> SkillSearchPath:
        """Return the skill search path, the runtime's own folders first."""
        return self.app.skill_search_path(self.session.root, prefer=self.runtime.partition("-")[0])

    def active_skill(self) -> str:
        """Return the skill invoked last."""
        uses = self.store.list_skill_uses(self.event.session, self.event.agent)
        return next((use.skill for use in uses if use.how == "active"), NO_SKILL)

    def start_background_job(self) -> None:
        """Start a background job that learns from this session and from unfinished ones."""
        from twiceshy.recall.background import start_background_job

        start_background_job(self.event.session)

    def defer_write(self, act: Callable[[], object]) -> None:
        """Defer a write until the reply is known; writes happen together or not at all."""
        self._later.append(act)

    def tell_brief(self, brief: Brief, *, channel: str) -> str:
        """Return the brief's text, and record its notes as shown."""
        from twiceshy.core.text import estimate_tokens

        for note in brief.notes:
            self._record_exposure(note, channel, tokens=estimate_tokens(note.text))
        return brief.text

    def complete_record(self, *, skill: str = NO_SKILL) -> None:
        """Add project and skill to the record of the event; the flush writes the record."""
        more: dict[str, object] = {"project": self.session.project}
        if isinstance(self.record, Signal):
            more["skill"] = skill
        elif isinstance(self.record, PromptCount):
            more |= {"root": self.session.root, "compactions": self.session.compactions}
        self.record = self.record.but(**more) if self.record else None

    def record_shown(self, key: str, what: str, *, channel: str, text: str) -> None:
        """Record a non-note text as shown, before the reply."""
        self._others.append(self._build_exposure(key, what, channel=channel, text=text))

    def offer_once(self, key: str, what: str, *, channel: str, text: str) -> None:
        """Record a text as offered before the reply, and as shown after the reply.

        A hook that ends in between has offered the text, and the next one offers it again.
        """
        offer = f"{OFFERED}/{key}/{self.event.session}/{self.event.at}"
        self._others.append(self._build_exposure(offer, what, channel=OFFERED, text=""))
        self._shown.append(self._build_exposure(key, what, channel=channel, text=text))

    def _build_exposure(self, key: str, what: str, *, channel: str, text: str) -> Exposure:
        from twiceshy.core.text import estimate_tokens

        tokens = estimate_tokens(text)
        return Exposure(key, what, self.event.session, channel, self.event.at, tokens)

    def tell_notes(
        self,
        notes: Sequence[Note],
        *,
        channel: str,
        tokens: int,
        again: Collection[str] = (),
    ) -> str:
        """Return notes about a call, each framed, within the budget.

        Notes told a moment ago are repeated (``again``) in few words.
        """
        from twiceshy.core.text import estimate_tokens
        from twiceshy.recall.brief import render_timely_note

        said: list[str] = []
        for note in notes:
            if self.is_withheld(note, channel):
                continue
            text = render_timely_note(note, channel, again=note.id in again, tokens=tokens)
            if not text and note.id in again:
                continue  # it names no more than the error does
            if not text:
                break
            cost = estimate_tokens(text)
            tokens -= cost
            said.append(text)
            self._record_exposure(note, channel, tokens=cost, again=f"/{self.event.at}")
        return "\n".join(said)

    def may_tell(self, note: Note) -> bool:
        """True if a note is trusted, welcome here, not over, and not just taught by this session."""
        from twiceshy.core.trust import INJECTABLE

        own = note.origin_session == self.event.session and note.sightings <= 1
        if note.trust < INJECTABLE or note.final_state or (own and note.source == "detector"):
            return False
        if note.scope.project == EVERYWHERE and note.tag and self._has_own_note(note):
            return False
        return self.app.is_welcome(note)

    def _has_own_note(self, note: Note) -> bool:
        """True if a project has a note of its own about the mistake of a global note."""
        from twiceshy.core.filter import NoteFilter
        from twiceshy.core.note import MISTAKE

        own = tuple(each for each in self.visible_projects() if each != EVERYWHERE)
        which = NoteFilter(projects=own, kinds=(note.kind,), tag=note.tag)
        return note.tag.startswith(MISTAKE) and bool(self.store.notes(which, limit=1))

    def is_withheld(self, note: Note, channel: str) -> bool:
        """True if this session goes without a note, to measure the note's worth.

        Call it only for a note that would be told now: the withheld exposure is recorded.
        """
        lot = self._draw_lot(note)
        if not lot:
            return False
        from twiceshy.effect.holdout import is_withheld

        if not is_withheld(self.event.session, note.id, lot):
            return False
        self._record_exposure(note, channel, withheld=True)
        return True

    def _draw_lot(self, note: Note) -> int:
        """Return the lot of this session for a note; the first exposure decides for all others."""
        if note.recalls < SHOWN_BEFORE_LOTS or not note.trigger or note.source == "user":
            return 0  # without loading the rules of lots
        lot = self._lots.get(note.id)
        if lot is None:
            lot = self._lots[note.id] = self._find_lot(note)
        return lot

    def _find_lot(self, note: Note) -> int:
        from twiceshy.effect.holdout import lot_for

        lot = lot_for(note, self.app.config.number("holdout.share"))
        if not lot:
            return 0
        known = (*self._exposures, *reversed(self.session_exposures()))
        first = next((shown for shown in known if shown.note == note.id), None)
        return first.lot if first else lot * self._has_answer_in_reach()

    def session_exposures(self) -> list[Exposure]:
        """Return the exposures of this session before this event, newest first."""
        if self._known_exposures is None:
            self._known_exposures = self.store.list_exposures(session=self.event.session)
        return self._known_exposures

    def _has_answer_in_reach(self) -> bool:
        """True if so much is told that lots would give an answer within a month."""
        if self._answer_in_reach is None:
            weekly = self.app.config.integer("holdout.weekly")
            oldest = self.store.list_exposures(skip=weekly - 1, limit=1) if weekly else ()
            since = self.event.at - 7 * DAY
            self._answer_in_reach = not weekly or any(one.at > since for one in oldest)
        return self._answer_in_reach

    def intervene(self, note: Note, text: str, *, channel: str, call: str, **how: object) -> None:
        """Stop or rewrite a pending call on the word of a note, if that can be recorded."""
        from twiceshy.core.text import estimate_tokens

        key = f"{self._key_prefix()}{channel}/{note.id}/{call}"
        about = (note.id, self.event.session, channel, self.event.at, estimate_tokens(text))
        known = {"text": text, "exposure": Exposure(key, *about, lot=self._draw_lot(note))}
        self.intervention = Intervention.of(known | how)

    def complete_text(self, text: str) -> str:
        """Return the text of a reply, the reason of a stop or rewrite first."""
        own = [self.intervention.text] if self.intervention else []
        return "\n".join(filter(None, [*own, text]))

    def _record_exposure(
        self, note: Note, channel: str, *, tokens: int = 0, withheld: bool = False, again: str = ""
    ) -> None:
        """Queue an exposure; ``again`` distinguishes repeats."""
        key = f"{self._key_prefix()}{channel}/{note.id}{again}"
        about = (note.id, self.event.session, channel, self.event.at)
        lot = self._draw_lot(note)
        self._exposures.append(Exposure(key, *about, tokens, withheld=withheld, lot=lot))

    def told_notes(
        self, *, channel: str = "", except_channel: str = "", since: int = 0
    ) -> set[str]:
        """Return notes in the agent's context, of some channels, or told since a moment."""
        known = [*self.session_exposures(), *self._exposures]
        begins = self._key_prefix() + (f"{channel}/" if channel else "")
        return {
            shown.note
            for shown in known
            if shown.key.startswith(begins)
            and shown.at >= since
            and not (shown.withheld or shown.channel == except_channel)
        }

    def _key_prefix(self) -> str:
        """Return the key prefix of exposures since the last compaction."""
        return f"{self.event.session}/{self.event.agent}/{self.session.compactions}/"

    def flush_writes(self) -> None:
        """Write queued records before the reply; with a busy store, spool them."""
        seen = (*([self.record] if self.record else ()), *self._exposures, *self._others)
        if not (self._later or seen or self.intervention):
            return
        try:
            with self.store.change():
                self._record_intervention()
                for act in self._later:
                    act()
                if self._exposures:
                    shown = [each.note for each in self._exposures if not each.withheld]
                    self.store.increment_counter("recalls", shown)
                if seen:
                    self.store.capture(*seen)
        except StoreError as error:
            if not (self.store.read_only or isinstance(error, BusyError | NewerStoreError)):
                raise
            self._drop_intervention()
            self.store.capture(*seen, *([self.session] if self.new else ()))

    def _drop_intervention(self) -> None:
        """Let the call run: what is not on record is not done, and `doctor` shows that."""
        if self.intervention:
            from twiceshy.recall.hook_log import log_unrecorded

            log_unrecorded(
                self.app.config.home, self.intervention.exposure.channel, at=self.event.at
            )
        self.intervention = None

    def _record_intervention(self) -> None:
        """Record the intervention, or drop it if it does not hold any more."""
        if self.intervention and not self.intervention.still_holds():
            self.intervention = None
        if self.intervention:
            self.store.increment_counter("recalls", [self.intervention.exposure.note])
            self.store.capture(self.intervention.exposure)

    def flush_shown(self) -> None:
        """Record what counts as shown only now that the reply is printed."""
        if self._shown:
            self.store.capture(*self._shown)


def log_run(config: Config | QuickConfig, line: str, *, at: int) -> None:
    """Log a line: time, runtime, session, event, characters told."""
    from twiceshy.files.log import append_lines

    most = config.integer("retention.log_kilobytes") << 10
    append_lines(config.run_log, [f"{format_stamp(at)[:19]}Z {line}"], most=most)

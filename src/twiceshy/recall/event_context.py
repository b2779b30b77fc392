"""Context for handling one hook event: its session, and the writes to flush after the reply."""

from __future__ import annotations

from twiceshy import app as wiring
from twiceshy.core.errors import BusyError
from twiceshy.core.evidence import Exposure
from twiceshy.core.moment import stamp
from twiceshy.core.scope import EVERYWHERE, NO_SKILL, Scope
from twiceshy.core.session import Prompt, Session

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from twiceshy.app import HookApp
    from twiceshy.config.quick import Quick
    from twiceshy.config.resolved import Config
    from twiceshy.core.event import Event
    from twiceshy.core.note import Note
    from twiceshy.places.skill import Around
    from twiceshy.recall.brief import Brief

# Times shown. It takes five sessions without a note to say what it is worth, and at a tenth of them
# that takes fifty: a note that is shown a few times in its life would be withheld for nothing.
_HELD_OUT_FROM = 20
GIT_SECONDS = 0.1  # asked once for a repository, then it is known


class Desk:
    """The context of one event."""

    def __init__(self, event: Event, app: HookApp, runtime: str) -> None:
        self.event = event
        self.app = app
        self.runtime = runtime
        self.store = app.store
        self.store.author = event.session
        self.ruling = ""  # what a rule says about a pending call: ask, deny, or nothing
        self._exposures: list[Exposure] = []
        self._others: list[Exposure] = []  # what was shown that is no note
        self._prompt: Prompt | None = None
        self._later: list[Callable[[], object]] = []
        known = self.store.session(event.session)
        self.session = known or self.meet()
        self.new = known is None

    def meet(self) -> Session:
        """Identify the project of a new or restarted session."""
        event, known = self.event, self.store.session(self.event.session)
        here = wiring.identify(event.cwd, self.app.config, patience=GIT_SECONDS)
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
        self.keep(session)
        if self.store.projects().get(here.id) != (here.name, here.root):
            self.later(
                lambda: self.store.know_project(
                    here.id, name=here.name, root=here.root, aliases=here.aliases
                )
            )
        return session

    def keep(self, session: Session) -> None:
        """Continue with a changed session, and write it later."""
        self.session = session
        self.later(lambda: self.store.keep(session))

    def look(self) -> None:
        """Mark changes of other sessions as seen by this session."""
        self.keep(self.session.but(changes_seen=max(1, self.store.mark())))

    def scope(self, skill: str = NO_SKILL) -> Scope:
        """Return the scope of this session, for a skill or the project."""
        return Scope(self.session.project, skill)

    def projects(self) -> tuple[str, ...]:
        """Return project ids of visible notes, the global id included."""
        return (*self.store.same_project(self.session.project), EVERYWHERE)

    def around(self) -> Around:
        """Return the skill search path, the runtime's own folders first."""
        return self.app.around(self.session.root, prefer=self.runtime.partition("-")[0])

    def active_skill(self) -> str:
        """Return the skill invoked last."""
        uses = self.store.uses(self.event.session, self.event.agent)
        return next((use.skill for use in uses if use.how == "active"), NO_SKILL)

    def learn_later(self) -> None:
        """Start a background job that learns from this session and from unfinished ones."""
        from twiceshy.recall.background import learn_later

        learn_later(self.event.session)

    def later(self, act: Callable[[], object]) -> None:
        """Defer a write until after the reply; writes happen together or not at all."""
        self._later.append(act)

    def tell(self, brief: Brief, *, channel: str) -> str:
        """Return the brief's text, and record its notes as shown."""
        from twiceshy.core.text import token_estimate

        for note in brief.notes:
            self._expose(note, channel, tokens=token_estimate(note.text))
        return brief.text

    def count_prompt(self) -> None:
        """Count a user prompt, even with a busy store."""
        session, at = self.session, self.event.at
        place = (session.id, session.runtime, session.project, session.root, session.transcript)
        key = self.store.new_id()  # the same words twice in a moment are two prompts
        self._prompt = Prompt(key, *place, at=at, compactions=session.compactions)

    def shown(self, key: str, what: str, *, channel: str, text: str) -> None:
        """Record a non-note text as shown, after the reply."""
        from twiceshy.core.text import token_estimate

        tokens = token_estimate(text)
        told = Exposure(key, what, self.event.session, channel, self.event.at, tokens)
        self._others.append(told)

    def tell_now(
        self,
        notes: Sequence[Note],
        *,
        channel: str,
        tokens: int,
        again: Collection[str] = (),
        settled: Collection[str] = (),
    ) -> str:
        """Return notes about a call, each framed, within the budget.

        Notes told a moment ago are repeated (``again``) in few words; ``settled`` notes need no
        hold-out.
        """
        from twiceshy.core.text import token_estimate
        from twiceshy.recall.brief import timely

        said: list[str] = []
        for note in notes:
            if note.id not in settled and self.withholds(note, channel):
                continue
            failed = channel == "failure"
            text = timely(note, failed=failed, again=note.id in again, tokens=tokens)
            if not text:
                break
            cost = token_estimate(text)
            tokens -= cost
            said.append(text)
            self._expose(note, channel, tokens=cost, again=f"/{self.event.at}")
        return "\n".join(said)

    def withholds(self, note: Note, channel: str) -> bool:
        """True if this session goes without a note, to measure the note's worth."""
        if note.recalls < _HELD_OUT_FROM:
            return False
        from twiceshy.effect.holdout import withheld

        share = self.app.config.number("holdout.share")
        if not withheld(self.event.session, note, share, shown=note.recalls):
            return False
        self._expose(note, channel, withheld=True)
        return True

    def _expose(
        self, note: Note, channel: str, *, tokens: int = 0, withheld: bool = False, again: str = ""
    ) -> None:
        """Queue an exposure; ``again`` distinguishes repeats."""
        key = f"{self._conversation()}{channel}/{note.id}{again}"
        about = (note.id, self.event.session, channel, self.event.at)
        self._exposures.append(Exposure(key, *about, tokens, withheld=withheld))

    def told(self, *, channel: str = "", since: int = 0) -> set[str]:
        """Return notes in the agent's context, or told since a moment."""
        known = [*self.store.exposures(session=self.event.session), *self._exposures]
        begins = self._conversation() + (f"{channel}/" if channel else "")
        return {
            shown.note
            for shown in known
            if shown.key.startswith(begins) and shown.at >= since and not shown.withheld
        }

    def _conversation(self) -> str:
        """Return the key prefix of exposures since the last compaction."""
        return f"{self.event.session}/{self.event.agent}/{self.session.compactions}/"

    def clear(self) -> None:
        """Write queued records; with a busy store, spool them."""
        seen = (*self._exposures, *self._others, *([self._prompt] if self._prompt else ()))
        if not (self._later or seen):
            return
        try:
            with self.store.change():
                for act in self._later:
                    act()
                if self._exposures:
                    shown = [each.note for each in self._exposures if not each.withheld]
                    self.store.tally("recalls", shown)
                if seen:
                    self.store.capture(*seen)
        except BusyError:
            self.store.capture(*seen)


def log_run(config: Config | Quick, line: str, *, at: int) -> None:
    """Log a line: time, runtime, session, event, characters told."""
    from twiceshy.files.log import append_lines

    most = config.integer("retention.log_kilobytes") << 10
    append_lines(config.run_log, [f"{stamp(at)[:19]}Z {line}"], most=most)

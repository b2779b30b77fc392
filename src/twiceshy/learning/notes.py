"""From findings to notes: a mistake that is known is counted, a new one is written down on probation."""

from __future__ import annotations

from collections import Counter

from twiceshy.core.admit import Admitted, Refused, Superseding
from twiceshy.core.draft import Draft
from twiceshy.core.errors import NoteError
from twiceshy.core.evidence import Signal
from twiceshy.core.filter import Filter
from twiceshy.core.note import SHOWN
from twiceshy.core.scope import EVERYWHERE, Scope
from twiceshy.core.text import one_line
from twiceshy.core.trigger import Match, Trigger, parsed, quotes_of
from twiceshy.core.trust import ORIGINS
from twiceshy.core.value import Value
from twiceshy.language.similar import words_of
from twiceshy.learning.detect.correction import durable
from twiceshy.learning.detect.mistake import skeleton
from twiceshy.learning.detect.watch import WINDOW, Looped, Reached, Thrashed
from twiceshy.learning.lookout import Lookout
from twiceshy.learning.renewal import overtaken, renew
from twiceshy.safety.danger import danger
from twiceshy.shell.failure import excerpt
from twiceshy.shell.form import form, relative

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from twiceshy.core.admit import Revised, Seen
    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.note import Note
    from twiceshy.core.store import Store
    from twiceshy.learning.detect.watch import Corrected, Taught
    from twiceshy.shell.tool_call import Act

    Outcome = Admitted | Seen | Revised | Superseding | Refused

_MOST_NEW = 3  # of a session and skill
_RULE_SIGHTINGS = 3
_RULE_DAYS = 3
_MOST_RULES = 1_000
_LONGEST_ALSO = 60
_ATTESTED = 20  # the last times that a note was learned, of which signals may be left
_TELLING = 24  # characters of an error that tell it from another
_ECHO = 0.65  # share of words by which what was printed is what we said
_COUNTED = frozenset(("usage", "missing", "outcome"))


class Ways(Value):
    """How notes may be changed: written, seen again, or some of their fields set."""

    write: Callable[[Draft], Outcome]
    see: Callable[[Note, Draft], Note]
    change: Callable[..., Note]
    sum_up: Callable[[str], object] = lambda _: None


class Where(Value):
    """Whose transcript it is: the session, its project, and that one's root."""

    session: str
    project: str
    root: str


class Notebook:
    """What one session teaches, put into the store finding by finding."""

    def __init__(
        self, store: Store, where: Where, ways: Ways, *, lately: Iterable[Act] = ()
    ) -> None:
        self.where = where
        self._store = store
        self._session, self._project, self._root = where.session, where.project, where.root
        self._ways = ways
        self._lately = list(lately)
        projects = (*store.same_project(where.project), EVERYWHERE)
        self._lookout = Lookout(store.about_call(projects))
        began = Filter(kinds=("lesson",), lives=(), taught_by=where.session)
        self._new = Counter(note.scope.skill for note in store.notes(began, limit=None))
        self._shown: list[str] | None = None

    def count(self, act: Act) -> None:
        """Keep the error that a call ended with, and count the triggers that are about the call."""
        self._lately = [*self._lately, act][-WINDOW:]
        if act.mistake:
            self._store.keep(self._error(act))
        about = list(self._lookout.about(act))
        if about and _tells(act):
            notes = [match.note.id for match in about]
            self._store.count_call(notes, act.place, failed=act.mistake is not None)
            renew(self._store, self._ways, about, act, self._root)

    def teach(self, taught: Taught) -> tuple[bool, bool]:
        """Learn from a mistake; tell whether that made a new note, or counted for one."""
        failed, lesson = taught.failed, taught.lesson
        if taught.fix:
            self._store.keep(self._error(failed).but(pair=taught.fix.id))
        if self._echoed(failed):
            return False, False
        draft = self._draft(taught)
        if old := overtaken(self._lookout.all(), failed, self._root):
            draft = self._in_place_of(old, draft, taught)
        known = self._lookout.known(lesson.trigger, failed)
        note = known.note if known else self._same(draft)
        if note is None:
            return self._begin(taught, draft), False
        again = self._attest(note, taught)
        if not again and note.origin_session != self._session:
            note = self._ways.see(note, draft)
            self._propose(note)
        if known:
            self._lookout.put(known.but(note=note))
            self._refine(note, draft, taught)
        return False, not again

    def _begin(self, taught: Taught, draft: Draft) -> bool:
        """Write a note down that nobody had; tell whether that is one now."""
        if not self._worth_a_note(taught) or (note := self._write(draft)) is None:
            return False
        note = self._quarantine(note, _danger(taught))
        if note.life in SHOWN:
            self._lookout.put(match := Match(note, taught.lesson.trigger))
            self._look_back(match)
        self._attest(note, taught)
        return True

    def _in_place_of(self, old: Note, draft: Draft, taught: Taught) -> Draft:
        """Let a lesson take the place of the note whose advice was followed and failed."""
        if taught.fix and not _danger(taught):
            return draft.but(supersedes=old.id)
        if old.life == "active":
            reason = f"its advice failed: {taught.lesson.why}"
            self._ways.change("doubt", old, life="candidate", reason=reason)
        return draft

    def _same(self, draft: Draft) -> Note | None:
        """Return the note that says the very same, although it is not shown."""
        twin = self._store.twin(draft)
        return twin if twin and twin.fingerprint == draft.fingerprint else None

    def _echoed(self, failed: Act) -> bool:
        """Tell whether what was printed is what we said: a memory must not learn from itself.

        A note quotes the error of its mistake, so an error that equals the quote is the mistake itself.
        """
        if self._shown is None:
            told = {
                one.note
                for one in self._store.exposures(session=self._session)
                if not one.withheld
            }
            notes = (self._store.note(each) for each in sorted(told))
            self._shown = [note.text for note in notes if note]
        line = failed.mistake.line if failed.mistake else ""
        words = words_of(line)
        for text in self._shown if words else ():
            said = words_of(text)
            alike = len(words & said) >= _ECHO * len(words | said)
            if alike and not any(line in quote or quote in line for quote in quotes_of(text)):
                return True
        return False

    def correct(self, corrected: Corrected) -> tuple[bool, bool]:
        """Learn from what the user put right; most of it concerns that moment only."""
        correction = corrected.correction
        key = f"said:{corrected.id}"
        signal = Signal(
            key=key,
            kind="correction",
            session=self._session,
            project=self._project,
            at=corrected.at,
            skill=corrected.skill,
            tool=corrected.call.tool if corrected.call else "",
            target=form(corrected.call, self._root) if corrected.call else "",
            mistake=f"{correction.tier}|{correction.sort}",
            excerpt=correction.text,
            call=corrected.call.id if corrected.call else "",
        )
        self._store.capture(signal)
        if not durable(correction):
            return False, False
        trigger = ""
        if (
            correction.avoid
            and " " not in correction.avoid
            and correction.avoid != correction.prefer
        ):
            trigger = Trigger("Bash", (correction.avoid,)).written()
        draft = Draft(
            kind="preference",
            text=correction.text,
            scope=Scope(self._project, corrected.skill),
            source="detector",
            trigger=trigger,
            trust=ORIGINS["user"],
            origin_project=self._project,
            origin_session=self._session,
            learned_at=corrected.at,
        )
        outcome = self._taken(draft)
        if outcome is None:
            return False, False
        note = outcome.note
        self._store.attest(note.id, key, self._session, at=corrected.at)
        if isinstance(outcome, Admitted | Superseding):
            note = self._quarantine(note, danger(correction.text))
            watched = parsed(note.trigger)
            if watched and note.life in SHOWN:
                self._lookout.put(Match(note, watched))
            return True, False
        self._propose(note)
        return False, True

    def observe(self, finding: Looped | Thrashed | Reached) -> None:
        """Keep what happened as evidence: it tells where time went, and is no lesson by itself."""
        act = finding.act
        kind, about, said = _observed(finding)
        self._store.capture(
            Signal(
                key=f"{kind}:{act.id}",
                kind=kind,
                session=self._session,
                project=self._project,
                at=act.at,
                skill=act.skill,
                tool=act.tool,
                target=relative(about, self._root),
                mistake=act.mistake.signature if act.mistake else "",
                excerpt=excerpt(said),
                call=act.id,
            )
        )

    def sum_up(self, summary: str) -> None:
        """Take over what a compaction's summary says about skills."""
        self._ways.sum_up(summary)

    def _look_back(self, match: Match) -> None:
        """Count the calls right before a note was written that it would have been about."""
        for act in self._lately:
            if _tells(act) and match.trigger.matches(act.family, act.parts):
                failed = act.mistake is not None
                self._store.count_call([match.note.id], act.place, failed=failed)

    def _worth_a_note(self, taught: Taught) -> bool:
        skill, sort = taught.failed.skill, taught.lesson.trigger.sort
        concrete = taught.lesson.fixed or sort in ("usage", "missing")
        return concrete and self._new.get(skill, 0) < _MOST_NEW

    def _draft(self, taught: Taught) -> Draft:
        failed, lesson = taught.failed, taught.lesson
        return Draft(
            kind="lesson",
            subtype="fix" if lesson.fixed else "gotcha",
            text=lesson.text,
            scope=Scope(self._project, failed.skill),
            source="detector",
            trigger=lesson.trigger.written(),
            trust=ORIGINS["command"],
            origin_project=self._project,
            origin_session=self._session,
            learned_at=failed.at,
        )

    def _write(self, draft: Draft) -> Note | None:
        outcome = self._taken(draft)
        if not isinstance(outcome, Admitted | Superseding):
            return None
        self._new[draft.scope.skill] = self._new.get(draft.scope.skill, 0) + 1
        return outcome.note

    def _taken(self, draft: Draft) -> Admitted | Seen | Revised | Superseding | None:
        """Propose a note; None if it is not wanted, or cannot be kept."""
        try:
            outcome = self._ways.write(draft)
        except NoteError:  # too long, or not fit to be read; there is more to learn behind it
            return None
        return None if isinstance(outcome, Refused) else outcome

    def _quarantine(self, note: Note, why: str) -> Note:
        """Let a note wait for a person whose advice could do damage."""
        if note.life not in SHOWN or not why:
            return note
        return self._ways.change("quarantine", note, life="quarantined", reason=why)

    def _refine(self, note: Note, draft: Draft, taught: Taught) -> None:
        """Say what to do in a note that only knew what fails, or what else programs say to it."""
        quotes = quotes_of(note.text)
        if note.source != "detector" or note.life not in SHOWN or note.pinned or not quotes:
            return  # it is somebody's own words, or waits for somebody
        if note.subtype != "fix" and taught.fix and not _danger(taught):
            changed = {"text": draft.text, "trigger": draft.trigger, "subtype": draft.subtype}
            note = self._ways.change("edit", note, **changed)
            self._lookout.put(Match(note, taught.lesson.trigger))
            return
        new = skeleton(taught.lesson.why)[:_TELLING]
        lately = [each.split("|", 2)[-1][:_TELLING] for each in self._wordings(note)]
        known = [skeleton(quote)[:_TELLING] for quote in quotes]
        if len(quotes) == 1 and new not in known and lately == [new, new]:
            also = f'"{quotes[0]}" or "{one_line(taught.lesson.why, limit=_LONGEST_ALSO)}"'
            said, failed, rest = note.text.partition("` failed: ")
            text = said + failed + rest.replace(f'"{quotes[0]}"', also, 1)
            self._ways.change("edit", note, text=text)

    def _wordings(self, note: Note) -> list[str]:
        """Return in which wordings its mistake taught a note the last two times, the last first."""
        keys = [key for key, *_ in self._store.evidence(note.id)][:_ATTESTED]
        said = {one.key: one.mistake for one in self._store.signals_of(keys=keys)}
        return [said[key] for key in keys if key in said][:2]

    def _attest(self, note: Note, taught: Taught) -> bool:
        return self._store.attest(
            note.id,
            f"call:{taught.failed.id}",
            self._session,
            at=taught.failed.at,
            unseen=taught.failed.refusal == "invalid",
            lost_calls=taught.lost_calls,
            lost_ms=taught.lost_ms,
        )

    def _propose(self, note: Note) -> None:
        """Propose a rule for what was learned again and again on different days."""
        often = note.sightings >= _RULE_SIGHTINGS and note.days >= _RULE_DAYS
        if not often or note.life not in SHOWN or note.kind == "rule":
            return
        rule = Draft(
            kind="rule",
            subtype="hard",
            text=note.text,
            scope=note.scope,
            source="detector",
            trigger=note.trigger,
            tag=note.id,
            trust=note.trust,
            origin_project=self._project,
            origin_session=self._session,
            learned_at=note.learned_at,
        )
        rules = Filter(projects=(note.scope.project,), kinds=("rule",), lives=())
        if not any(each.tag == note.id for each in self._store.notes(rules, limit=_MOST_RULES)):
            self._ways.write(rule)

    def _error(self, act: Act) -> Signal:
        line = act.mistake.line if act.mistake else ""
        return Signal(
            key=f"call:{act.id}",
            kind="error",
            session=self._session,
            project=self._project,
            at=act.at,
            skill=act.skill,
            tool=act.tool,
            target=form(act, self._root),
            mistake=act.mistake.signature if act.mistake else "",
            excerpt=excerpt(line),
            call=act.id,
        )


def _observed(finding: Looped | Thrashed | Reached) -> tuple[SignalKind, str, str]:
    """Return the kind of what happened, what it was about, and what it says."""
    match finding:
        case Looped(loop=loop):
            return "retry", loop.head, loop.line
        case Thrashed(thrash=thrash):
            return "thrash", thrash.file, ""
        case Reached(workflow=workflow):
            return "workflow", workflow.goal, workflow.written()


def _tells(act: Act) -> bool:
    """Tell whether a call says something about calls like it: guards and the weather do not."""
    return act.mistake is None or act.mistake.sort in _COUNTED


def _danger(taught: Taught) -> str:
    """Return why what was done must wait for a person; also what failed, for it may have been planted.

    Calls are looked at as they were made: what a note leaves out, such as where output went, counts.
    """
    calls = (taught.fix, taught.failed)
    return next((why for act in calls if act and (why := danger(act.command or form(act)))), "")

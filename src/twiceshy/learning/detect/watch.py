"""Follow a transcript step by step and yield findings; open state can be serialised.

One pass over any number of steps equals many short ones: between two passes the watch is a
text. The watch holds only the last few calls, so a transcript of any length fits.
"""

from __future__ import annotations

from twiceshy.core.jsontext import listed, mapping, whole, write
from twiceshy.core.transcript import Called, Interrupted, Result, Summarised, UserSaid
from twiceshy.core.trigger import family
from twiceshy.core.value import Value
from twiceshy.learning.detect import kept
from twiceshy.learning.detect.attribution import from_text
from twiceshy.learning.detect.correction import of_prompt, of_rejection
from twiceshy.learning.detect.lesson import lesson_of
from twiceshy.learning.detect.loop import loop_at_end
from twiceshy.learning.detect.mistake import mistake_of
from twiceshy.learning.detect.pair import REACH, fix_among
from twiceshy.learning.detect.thrash import changes_of, thrash_at_end
from twiceshy.learning.detect.workflow import onward
from twiceshy.shell.failure import hidden_failure
from twiceshy.shell.grams import place_of
from twiceshy.shell.summary import NOISY_TOOLS
from twiceshy.shell.tool_call import EDITS, Act

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.transcript import Step
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.lesson import MistakeLesson
    from twiceshy.learning.detect.thrash import Change

WINDOW = 40
_MOST_OPEN = 64
_MOST_CHANGES = 60
_LEARNABLE = frozenset(("usage", "missing", "outcome"))


class CallPattern(Value):
    """Loop, thrash or workflow in the calls of a session, and the completing call."""

    kind: SignalKind
    target: str
    excerpt: str
    call: Act


if TYPE_CHECKING:
    Finding = Act | MistakeLesson | Correction | CallPattern | Summarised


class Watch:
    """State of a transcript needed to interpret the next step."""

    def __init__(self, state: str = "", *, root: str = "") -> None:
        known = mapping(state)
        self.root = root
        self.closed = known.get("closed") is True  # nothing is open that was not told of
        calls = map(kept.call_of, listed(known, "calls"))
        self._calls = {step.id: (step, beside) for step, beside in calls if step.id}
        self._acts = [kept.act_of(each) for each in listed(known, "acts")]
        made = {act.id for act in self._acts}
        pending = (str(each) for each in listed(known, "pending"))
        self._pending = [each for each in pending if each in made]
        self._changes = _changes(listed(known, "changes"))
        self._changing: dict[str, list[Change]] = {}
        for change in _changes(listed(known, "changing")):
            self._changing.setdefault(change.id, []).append(change)
        self._taken = tuple(str(each) for each in listed(known, "taken"))
        self._skills = from_text(str(known.get("skills", "")))
        self._prompts = whole(known.get("prompts"))
        # those of summaries that are no notes yet: see learning.session
        self.observations = [*filter(None, map(kept.observation_of, listed(known, "observed")))]
        self._acted = known.get("acted") is True
        self._stopped = known.get("stopped") is True

    def state(self) -> str:
        """Serialise the state for the next pass."""
        calls = [kept.plain_call(step, beside=beside) for step, beside in self._calls.values()]
        changing = [change for some in self._changing.values() for change in some]
        return write(
            {
                "closed": self.closed,  # first, so that a store can look for it: see core.learning
                "calls": calls,
                "acts": [kept.plain_act(act) for act in self._acts],
                "pending": self._pending,
                "changes": [list(change.fields().values()) for change in self._changes],
                "changing": [list(change.fields().values()) for change in changing],
                "taken": list(self._taken),
                "skills": self._skills.to_text(),
                "prompts": self._prompts,
                "observed": [list(one.fields().values()) for one in self.observations],
                "acted": self._acted,
                "stopped": self._stopped,
            }
        )

    @property
    def lately(self) -> list[Act]:
        """Return the last finished calls."""
        return list(self._acts)

    def feed(self, step: Step) -> Iterator[Finding]:
        """Process a step, and yield its findings."""
        self.closed = False
        self._skills = self._skills.after(step)
        match step:
            case Called():
                self._open(step)
            case Result():
                yield from self._ended(step)
            case UserSaid():
                yield from self._said(step)
            case Interrupted():
                self._stopped = True
            case Summarised() if not step.agent:
                yield step
            case _:
                return

    def close(self) -> Iterator[Finding]:
        """Yield the lessons of open mistakes: no further step is expected."""
        self.closed = True
        for call in list(self._pending):
            yield from self._taught(call)

    def _open(self, step: Called) -> None:
        beside = any(other.agent == step.agent for other, _ in self._calls.values())
        if step.tool in EDITS:  # what it changes is known by sums; the text itself is not kept
            whole = Act(step.id, step.tool, mapping(step.arguments), step.at)
            self._changing[step.id] = changes_of(whole)
        self._calls[step.id] = (step.but(arguments=write(kept.short(step.arguments))), beside)
        while len(self._calls) > _MOST_OPEN:
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._changing.pop(oldest, None)

    def _ended(self, step: Result) -> Iterator[Finding]:
        call, beside = self._calls.pop(step.id, (None, False))
        changes = self._changing.pop(step.id, [])
        if call is None or call.tool in NOISY_TOOLS:
            return
        step = step.from_tool(call.tool)
        skill = step.skill or call.skill or self._skills.skill_at(call.agent)
        act = _made(call, step, skill=skill, place=place_of(step.cwd, self.root))
        if step.refusal in ("rejected", "interrupted", "cancelled"):
            yield from self._refused(step, act)
            return
        self._acted = True
        act = act.but(beside=beside)
        yield act
        yield from self._make_room()
        self._acts = [*self._acts, act]
        yield from self._went_on(act, changes)
        if act.mistake and act.mistake.sort in _LEARNABLE:
            self._pending.append(act.id)
        for pending in list(self._pending):
            if self._behind(pending) >= REACH:
                yield from self._taught(pending)

    def _make_room(self) -> Iterator[Finding]:
        """Drop the oldest call; a waiting mistake becomes a lesson without further search."""
        while len(self._acts) >= WINDOW:
            if self._acts[0].id in self._pending:
                yield from self._taught(self._acts[0].id)
            self._acts = self._acts[1:]

    def _refused(self, step: Result, act: Act) -> Iterator[Finding]:
        """Handle a call stopped by the user or by a parallel call."""
        if step.refusal == "cancelled":
            return
        self._stopped = self._stopped or not step.reason
        correction = of_rejection(step.reason) if step.reason else None
        if correction:
            yield correction.but(id=step.id, at=step.at, skill=act.skill, call=act)

    def _went_on(self, act: Act, changes: list[Change]) -> Iterator[Finding]:
        if loop := loop_at_end(self._acts):
            yield CallPattern("retry", loop.head, loop.line, act)
        self._taken, workflow = onward(self._taken, act)
        if workflow:
            yield CallPattern("workflow", workflow.goal, workflow.written(), act)
        for change in changes if act.mistake is None else ():
            self._changes = [*self._changes, change][-_MOST_CHANGES:]
            if thrash := thrash_at_end(self._changes):
                yield CallPattern("thrash", thrash.file, "", act)

    def _said(self, step: UserSaid) -> Iterator[Finding]:
        self._prompts += 1
        correction = of_prompt(
            step.text, first=self._prompts == 1, acted=self._acted, interrupted=self._stopped
        )
        self._acted = self._stopped = False
        if correction:
            yield correction.but(id=step.id, at=step.at, skill=self._skills.skill_at())

    def _behind(self, call: str) -> int:
        """Count the calls of the same agent after a mistake."""
        at = self._place(call)
        return sum(act.agent == self._acts[at].agent for act in self._acts[at + 1 :])

    def _place(self, call: str) -> int:
        return next(at for at, act in enumerate(self._acts) if act.id == call)

    def _taught(self, call: str) -> Iterator[Finding]:
        self._pending.remove(call)
        at = self._place(call)
        failed = self._acts[at]
        later = [act for act in self._acts[at + 1 :] if act.agent == failed.agent]
        lesson = lesson_of(failed, fix_among(failed, later), root=self.root)
        if lesson and lesson.fix:
            lost = max(0, lesson.fix.at - failed.at)
            lesson = lesson.but(lost_calls=later.index(lesson.fix) + 1, lost_ms=lost)
        if lesson:
            yield lesson


def acts_of(steps: Iterable[Step], *, since: int, root: str) -> Iterator[Act]:
    """Yield the calls of a transcript finished since a time, with their results."""
    watch = Watch(root=root)
    for step in steps:
        for finding in watch.feed(step):
            if isinstance(finding, Act) and finding.at >= since:
                yield finding


def _made(call: Called, result: Result, *, skill: str, place: str) -> Act:
    """Build a tool call from a call step and its result."""
    act = Act(
        id=call.id,
        tool=call.tool,
        arguments=mapping(call.arguments),
        at=result.at or call.at,
        refusal=result.refusal,
        agent=call.agent,
        skill=skill,
        place=place,
    )
    error = result.text if result.failed else ""
    if not result.failed and act.command:
        error = hidden_failure(act.command, result.text)
    if not error.strip():
        return act
    mistake = mistake_of(
        family(act.tool), act.parts, error, refusal=result.refusal, command=bool(act.command)
    )
    return act.but(mistake=mistake)


def _changes(plain: list[object]) -> list[Change]:
    return [change for each in plain if (change := kept.change_of(each))]

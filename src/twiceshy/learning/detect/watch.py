"""Follow a transcript step by step and yield findings; open state can be serialised.

One pass over any number of steps equals many short ones: between two passes the watch is a
text. The watch holds only the last few calls, so a transcript of any length fits.
"""

from __future__ import annotations

from twiceshy.core.jsontext import get_integer, get_list, parse_mapping_or_empty, write_json
from twiceshy.core.transcript import CallStep, InterruptStep, ResultStep, SummaryStep, UserMessage
from twiceshy.core.trigger import tool_family
from twiceshy.core.value import Value
from twiceshy.learning.detect import watch_state
from twiceshy.learning.detect.attribution import parse_attribution
from twiceshy.learning.detect.correction import parse_prompt, parse_rejection
from twiceshy.learning.detect.fix import REACH, find_fix
from twiceshy.learning.detect.gate import may_come_back
from twiceshy.learning.detect.lesson import build_lesson, build_refusal
from twiceshy.learning.detect.loop import CHANGE_WINDOW, find_loop, find_thrash, list_changes
from twiceshy.learning.detect.mistake import classify_mistake
from twiceshy.learning.detect.workflow import advance_workflow
from twiceshy.safety.redact import redact_ends
from twiceshy.shell.call_summary import relative_to_root
from twiceshy.shell.call_words import path_pairs, relative_directory
from twiceshy.shell.failure import find_hidden_failure
from twiceshy.shell.summary import NOISY_TOOLS
from twiceshy.shell.tool_call import EDITS, ToolCall

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from twiceshy.core.evidence import SignalKind
    from twiceshy.core.transcript import Step
    from twiceshy.learning.detect.correction import Correction
    from twiceshy.learning.detect.lesson import MistakeLesson
    from twiceshy.learning.detect.loop import FileEdit

WINDOW = 40
_MOST_OPEN = 64
_READ_OUTPUT = 64_000  # characters of an output that are redacted
_LEARNABLE = frozenset(("usage", "missing", "folder", "large", "outcome", "transient"))
_OPENING = EDITS | {"Read"}  # they work on a file that is there
_ASKING_TOOLS = frozenset("ExitPlanMode AskUserQuestion".split())  # no is an answer to them


class CallPattern(Value):
    """Loop, thrash or workflow in the calls of a session, and the completing call."""

    kind: SignalKind
    target: str
    excerpt: str
    call: ToolCall


if TYPE_CHECKING:
    Finding = ToolCall | MistakeLesson | Correction | CallPattern | SummaryStep


class TranscriptWatch:
    """State of a transcript needed to interpret the next step."""

    def __init__(
        self,
        state: str = "",
        *,
        root: str = "",
        redact: Callable[[str], str] = str,
        corrections: Sequence[str] = (),
    ) -> None:
        known = parse_mapping_or_empty(state)
        self._corrections = corrections
        self.root, self._redact = root, redact
        self.closed = known.get("closed") is True  # nothing is open that was not told of
        calls = map(watch_state.parse_open_call, get_list(known, "calls"))
        self._calls = {step.id: (step, beside) for step, beside in calls if step.id}
        self._acts = [watch_state.parse_call(each) for each in get_list(known, "acts")]
        made = {act.id for act in self._acts}
        pending = (str(each) for each in get_list(known, "pending"))
        self._pending = [each for each in pending if each in made]
        self._changes = _parse_changes(get_list(known, "changes"))
        self._changing: dict[str, list[FileEdit]] = {}
        for change in _parse_changes(get_list(known, "changing")):
            self._changing.setdefault(change.id, []).append(change)
        self._taken = tuple(str(each) for each in get_list(known, "taken"))
        self._skills = parse_attribution(str(known.get("skills", "")))
        self._prompts = get_integer(known.get("prompts"))
        # those of summaries that are no notes yet: see learning.session
        self.observations = [
            *filter(None, map(watch_state.parse_observation, get_list(known, "observed")))
        ]
        self._acted = known.get("acted") is True
        self._stopped = known.get("stopped") is True

    def serialise_state(self) -> str:
        """Serialise the state for the next pass."""
        calls = [
            watch_state.serialise_open_call(step, beside=beside)
            for step, beside in self._calls.values()
        ]
        changing = [change for some in self._changing.values() for change in some]
        return write_json(
            {
                "closed": self.closed,  # first, so that a store can look for it: see core.learning
                "calls": calls,
                "acts": [watch_state.serialise_call(act) for act in self._acts],
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
    def recent_calls(self) -> list[ToolCall]:
        """Return the last finished calls."""
        return list(self._acts)

    def feed_step(self, step: Step) -> Iterator[Finding]:
        """Process a step, and yield its findings."""
        self.closed = False
        self._skills = self._skills.apply_step(step)
        match step:
            case CallStep():
                self._open_call(step)
            case ResultStep():
                yield from self._end_call(step)
            case UserMessage():
                yield from self._handle_prompt(step)
            case InterruptStep():
                self._stopped = True
            case SummaryStep() if not step.agent:
                yield step
            case _:
                return

    def close(self) -> Iterator[Finding]:
        """Yield the lessons of open mistakes: no further step is expected."""
        self.closed = True
        for call in list(self._pending):
            yield from self._learn_mistake(call)

    def _open_call(self, step: CallStep) -> None:
        beside = any(other.agent == step.agent for other, _ in self._calls.values())
        if step.tool in EDITS:  # what it changes is known by sums; the text itself is not kept
            whole = ToolCall(step.id, step.tool, parse_mapping_or_empty(step.arguments), step.at)
            self._changing[step.id] = list_changes(whole)
        self._calls[step.id] = (
            step.but(arguments=write_json(watch_state.shorten_arguments(step.arguments))),
            beside,
        )
        while len(self._calls) > _MOST_OPEN:
            oldest = next(iter(self._calls))
            del self._calls[oldest]
            self._changing.pop(oldest, None)

    def _end_call(self, step: ResultStep) -> Iterator[Finding]:
        call, beside = self._calls.pop(step.id, (None, False))
        changes = self._changing.pop(step.id, [])
        if call is None or call.tool in NOISY_TOOLS:
            return
        step = step.from_tool(call.tool)
        skill = step.skill or call.skill or self._skills.find_skill(call.agent)
        place = relative_directory(step.cwd, self.root)
        act = _build_call(call, step, skill=skill, place=place, redact=self._redact)
        if step.refusal in ("rejected", "interrupted", "cancelled"):
            yield from self._handle_refusal(step, act)
            return
        self._acted = True
        act = act.but(beside=beside)
        yield act
        yield from self._make_room()
        self._acts = [*self._acts, act]
        yield from self._find_patterns(act, changes)
        if act.mistake and act.mistake.category in _LEARNABLE and may_come_back(act.mistake):
            self._pending.append(act.id)
        for pending in list(self._pending):
            if self._count_later_calls(pending) >= REACH:
                yield from self._learn_mistake(pending)

    def _make_room(self) -> Iterator[Finding]:
        """Drop the oldest call; a waiting mistake becomes a lesson without further search."""
        while len(self._acts) >= WINDOW:
            if self._acts[0].id in self._pending:
                yield from self._learn_mistake(self._acts[0].id)
            self._acts = self._acts[1:]

    def _handle_refusal(self, step: ResultStep, act: ToolCall) -> Iterator[Finding]:
        """Handle a call stopped by the user or by a parallel call."""
        if step.refusal == "cancelled":
            return
        self._stopped = self._stopped or not step.reason
        if step.refusal == "rejected" and act.tool not in _ASKING_TOOLS:
            lesson = build_refusal(act, step.reason, root=self.root)
            yield from [lesson] if lesson else ()
        correction = parse_rejection(step.reason) if step.reason else None
        if correction:
            yield correction.but(id=step.id, at=step.at, skill=act.skill, call=act)

    def _find_patterns(self, act: ToolCall, changes: list[FileEdit]) -> Iterator[Finding]:
        if loop := find_loop(self._acts):
            yield CallPattern("retry", loop.head, loop.line, act)
        self._taken, workflow = advance_workflow(self._taken, act)
        if workflow:
            yield CallPattern("workflow", workflow.goal, workflow.to_line(), act)
        for change in changes if act.mistake is None else ():
            self._changes = [*self._changes, change][-CHANGE_WINDOW:]
            if thrash := find_thrash(self._changes):
                yield CallPattern("thrash", thrash.file, "", act)

    def _handle_prompt(self, step: UserMessage) -> Iterator[Finding]:
        self._prompts += 1
        correction = parse_prompt(
            step.text,
            first=self._prompts == 1,
            acted=self._acted,
            interrupted=self._stopped,
            words=self._corrections,
        )
        self._acted = self._stopped = False
        if correction:
            yield correction.but(id=step.id, at=step.at, skill=self._skills.find_skill())

    def _count_later_calls(self, call: str) -> int:
        """Count the calls of the same agent after a mistake."""
        at = self._find_index(call)
        return sum(act.agent == self._acts[at].agent for act in self._acts[at + 1 :])

    def _find_index(self, call: str) -> int:
        return next(at for at, act in enumerate(self._acts) if act.id == call)

    def _learn_mistake(self, call: str) -> Iterator[Finding]:
        self._pending.remove(call)
        at = self._find_index(call)
        failed = self._acts[at]
        later = [act for act in self._acts[at + 1 :] if act.agent == failed.agent]
        lesson = build_lesson(
            failed, find_fix(failed, later), root=self.root, known_paths=self._list_known_paths()
        )
        if lesson:
            calls = [act.id for act in later].index(lesson.fix.id) + 1 if lesson.fix else 1
            yield lesson.but(lost_calls=calls, lost_ms=_measure_loss(failed, lesson.fix))

    def _list_known_paths(self) -> set[str]:
        """Return neighbours in the paths of files that were read or written."""
        paths = (act.path for act in self._acts if act.mistake is None and act.tool in _OPENING)
        return {pair for path in paths for pair in path_pairs(relative_to_root(path, self.root))}


def list_calls(steps: Iterable[Step], *, since: int, root: str) -> Iterator[ToolCall]:
    """Yield the calls of a transcript finished since a time, with their results."""
    watch = TranscriptWatch(root=root)
    for step in steps:
        for finding in watch.feed_step(step):
            if isinstance(finding, ToolCall) and finding.at >= since:
                yield finding


def _measure_loss(failed: ToolCall, fix: ToolCall | None) -> int:
    """Return the milliseconds of a failing run, and those until its fix had ended."""
    return failed.ran_ms + (max(0, fix.at - failed.at) if fix else 0)


def _build_call(
    call: CallStep, result: ResultStep, *, skill: str, place: str, redact: Callable[[str], str]
) -> ToolCall:
    """Build a tool call from a call step and its result.

    The error is redacted before it is told by its words: without its numbers, a secret is not known.
    """
    act = ToolCall(
        id=call.id,
        tool=call.tool,
        arguments=parse_mapping_or_empty(call.arguments),
        at=result.at or call.at,
        ran_ms=max(0, result.at - call.at) if result.at and call.at else 0,
        refusal=result.refusal,
        agent=call.agent,
        skill=skill,
        place=place,
    )
    error = result.text if result.failed else ""
    if not result.failed and act.command and find_hidden_failure(act.command, result.text):
        error = find_hidden_failure(
            act.command, redact_ends(result.text, redact, read=_READ_OUTPUT)
        )
    if not error.strip():
        return act
    mistake = classify_mistake(
        tool_family(act.tool),
        act.parts,
        redact(error),
        refusal=result.refusal,
        command=bool(act.command),
    )
    return act.but(mistake=mistake)


def _parse_changes(plain: list[object]) -> list[FileEdit]:
    return [change for each in plain if (change := watch_state.parse_change(each))]

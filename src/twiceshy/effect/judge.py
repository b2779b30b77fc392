"""Judge the outcome of exposures by the calls that followed.

An agent reads a note together with the result of the call that fired it. So the firing call
tells whether the note was relevant, and only later calls tell whether the note was heeded.
The first later call about the same work decides; a remedy found later by the agent alone is
not credited. A withheld note is judged the same way, but cannot help: ``harmed`` then means
that the advised form went wrong without anyone advising it. Both sides of a comparison must
count the same events.
"""

from __future__ import annotations

from twiceshy.core.grouping import group_by
from twiceshy.core.outcome import FLAGS, Outcome
from twiceshy.core.value import Value
from twiceshy.effect.advice import NoteAdvice, parse_advice

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from twiceshy.core.evidence import Exposure
    from twiceshy.core.note import Note
    from twiceshy.shell.call_words import Part
    from twiceshy.shell.tool_call import ToolCall

REACH = 8  # calls behind the one that decides, in which the mistake must not be made
_SOON = 2
_AT_A_CALL = ("call", "failure", "stop")
# Transient errors, and what the user did not want, say nothing about how a call was written.
_CHANCE = ("transient", "rejected")
_WRONGLY_CALLED = ("usage", "missing")
_UNWANTED = ("rejected", "interrupted")


class _Call(Value):
    act: ToolCall
    parts: list[Part]

    @property
    def is_mistake(self) -> bool:
        """True if the call failed by its own fault, not by chance."""
        mistake = self.act.mistake
        return mistake is not None and mistake.category not in _CHANCE

    @property
    def has_worked(self) -> bool:
        """True if the call neither failed nor was refused."""
        return self.act.mistake is None and not self.act.refusal

    @property
    def form(self) -> tuple[str, list[Part]]:
        """Tool family and words, by which an advice knows the call."""
        return self.act.family, self.parts


def judge_exposures(
    exposures: Iterable[Exposure],
    notes: Mapping[str, Note],
    acts: Iterable[ToolCall],
    *,
    project: str = "",
    over: bool = False,
) -> list[Outcome]:
    """Judge each exposure of a session, given its later calls in order.

    Until the session is ``over``, a note has helped only after enough calls without the mistake.
    """
    calls = group_by((_Call(act, act.parts) for act in acts), lambda call: call.act.agent)
    shown = [exposure for exposure in exposures if exposure.note in notes]
    advice = {note: parse_advice(notes[note]) for note in {exposure.note for exposure in shown}}
    return [
        _judge_exposure(
            exposure, advice[exposure.note], calls.get(_agent_of_key(exposure), []), over=over
        ).but(project=project)
        for exposure in shown
    ]


def _judge_exposure(
    exposure: Exposure, advice: NoteAdvice | None, calls: Sequence[_Call], *, over: bool
) -> Outcome:
    if advice is None:
        return _build_outcome(exposure)
    fired, heard = None, _find_first_call(exposure, calls)
    if exposure.channel in _AT_A_CALL:
        fired = _find_firing_call(exposure, advice, calls)
        if fired is None:
            return _build_outcome(exposure)  # that call has not come to its end
        heard = fired + 1
    behind = range(heard, len(calls))
    decided = next((at for at in behind if advice.concerns_call(*calls[at].form)), None)
    failed = next((at for at in behind if _repeats_mistake(advice, calls[at])), None)
    choice = {} if decided is None else _judge_choice(exposure, advice, calls, decided, over=over)
    lost = fired if fired is not None and calls[fired].is_mistake else failed
    if choice.get("harmed") and lost is None:
        lost = decided
    return _build_outcome(
        exposure,
        opportunity=fired is not None or decided is not None,
        false_alarm=fired is not None and _is_false_alarm(exposure, calls, fired),
        failed=failed is not None,
        calls_lost=0 if lost is None else _count_lost_calls(advice, calls, lost),
        **choice,
    )


def _is_false_alarm(exposure: Exposure, calls: Sequence[_Call], fired: int) -> bool:
    """True if a call worked that a note warned of, or that a note stopped and the agent repeated."""
    if exposure.channel == "call":
        return calls[fired].has_worked
    stopped = calls[fired]
    repeated = (
        call
        for call in calls[fired + 1 :]
        if call.act.tool == stopped.act.tool and call.parts == stopped.parts
    )
    first = next(repeated, None)
    return exposure.channel == "stop" and first is not None and first.has_worked


def _judge_choice(
    exposure: Exposure, advice: NoteAdvice, calls: Sequence[_Call], at: int, *, over: bool
) -> dict[str, bool]:
    """Judge the deciding call and its consequences."""
    if not advice.is_heeded_by(*calls[at].form):
        # or the work was done in a third way
        return {"violated": advice.is_violated_by(*calls[at].form)}
    if _advice_harmed(advice, calls, at):
        return {"followed": True, "harmed": True}
    helped = not exposure.withheld and _went_well(advice, calls, at, over=over)
    return {"followed": True, "helped": helped}


def _build_outcome(exposure: Exposure, *, calls_lost: int = 0, **flags: bool) -> Outcome:
    known = exposure.fields() | {"project": "", "calls_lost": calls_lost}
    return Outcome.of(dict.fromkeys(FLAGS, False) | known | flags)


def _agent_of_key(exposure: Exposure) -> str:
    """Return the agent in an exposure key: session/agent/compactions/channel/note…"""
    rest = exposure.key.removeprefix(exposure.session + "/")
    return rest.partition(f"/{exposure.channel}/{exposure.note}")[0].rpartition("/")[0]


def _find_firing_call(
    exposure: Exposure, advice: NoteAdvice, calls: Sequence[_Call]
) -> int | None:
    """Return the call that fired the note: the next finished call; some failures only sound alike."""
    failure = exposure.channel == "failure"
    for at in range(_find_first_call(exposure, calls), len(calls)):
        call = calls[at]
        alike = call.is_mistake and call.act.family == advice.trigger.tool
        if alike if failure else advice.is_violated_by(*call.form):
            return at
    return None


def _find_first_call(exposure: Exposure, calls: Sequence[_Call]) -> int:
    """Return the first call finished after the exposure."""
    return sum(1 for call in calls if call.act.at < exposure.at)


def _repeats_mistake(advice: NoteAdvice, call: _Call) -> bool:
    return call.is_mistake and advice.is_violated_by(*call.form)


def _went_well(advice: NoteAdvice, calls: Sequence[_Call], at: int, *, over: bool) -> bool:
    behind = calls[at + 1 : at + 1 + REACH]
    return (over or len(behind) == REACH) and not any(
        _repeats_mistake(advice, call) for call in behind
    )


def _advice_harmed(advice: NoteAdvice, calls: Sequence[_Call], at: int) -> bool:
    """True if following the note failed in a new way, or was refused by the user."""
    mistake = calls[at].act.mistake
    if mistake is not None and mistake.category in _WRONGLY_CALLED:
        known = {call.act.mistake.signature for call in calls[:at] if call.act.mistake}
        if mistake.signature not in known:
            return True
    soon = (call for call in calls[at : at + 1 + _SOON] if advice.is_heeded_by(*call.form))
    return any(call.act.refusal in _UNWANTED for call in soon)


def _count_lost_calls(advice: NoteAdvice, calls: Sequence[_Call], at: int) -> int:
    """Count calls from a failure until the work succeeded; without a known remedy, any success."""
    remedy = advice.remedies or advice.work
    for behind, call in enumerate(calls[at + 1 : at + 1 + REACH], start=1):
        family = call.act.family == advice.trigger.tool
        if (advice.concerns_call(*call.form) if remedy else family) and not call.is_mistake:
            return behind
    return min(REACH, len(calls) - at)

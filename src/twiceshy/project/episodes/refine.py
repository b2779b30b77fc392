"""Reduce a transcript to messages, tool calls with targets, and call results."""

from __future__ import annotations

import os

from twiceshy.core.moment import format_stamp
from twiceshy.core.text import fold_to_line, strip_unsafe
from twiceshy.core.transcript import AgentMessage, CallStep, ResultStep, SummaryStep, UserMessage
from twiceshy.safety.redact import redact_ends
from twiceshy.shell.summary import summarise_redacted

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.transcript import Step

    RefinedStep = dict[str, object]

TRANSCRIPTS = "transcripts"  # folder of the memory home for refined copies
_MAX_TEXT = 2_000  # characters of what somebody said
_MAX_TARGET = 200
_MAX_READ = 64_000  # a secret is known only while it is whole, so much more is redacted than kept


def locate_refined_copy(home: str, episode_id: str) -> str:
    """Return where the refined copy of an episode lies, if there is one."""
    return os.path.join(home, TRANSCRIPTS, f"{episode_id}.jsonl")


def refine_transcript(
    steps: Iterable[Step], *, redact: Callable[[str], str]
) -> Iterator[RefinedStep]:
    """Yield messages and tool calls in order; unfinished calls come last.

    A call appears at the time of its result.
    """
    calls: dict[str, CallStep] = {}
    for step in steps:
        match step:
            case UserMessage(text=text):
                yield _build_message(step, "user", redact_ends(text, redact, read=_MAX_READ))
            case AgentMessage(text=text):
                yield _build_message(step, "assistant", redact_ends(text, redact, read=_MAX_READ))
            case SummaryStep(summary=text):
                yield _build_message(step, "summary", redact_ends(text, redact, read=_MAX_READ))
            case CallStep():
                calls[step.id] = step
            case ResultStep(failed=failed, refusal=refusal) if step.id in calls:
                yield _build_call(calls.pop(step.id), redact, ok=not (failed or refusal))
            case _:
                continue
    for call in calls.values():
        yield _build_call(call, redact, ok=None)


def _build_message(step: Step, speaker: str, text: str) -> RefinedStep:
    return _step_time(step) | {"said": speaker, "text": strip_unsafe(text)[:_MAX_TEXT]}


def _build_call(call: CallStep, redact: Callable[[str], str], *, ok: bool | None) -> RefinedStep:
    target = summarise_redacted(call.tool, call.arguments, redact)
    return _step_time(call) | {
        "tool": strip_unsafe(redact(call.tool)),
        "target": fold_to_line(strip_unsafe(target), limit=_MAX_TARGET),
        "ok": ok,
    }


def _step_time(step: Step) -> RefinedStep:
    when: RefinedStep = {"at": format_stamp(step.at) if step.at else ""}
    return when | ({"agent": step.agent} if step.agent else {})

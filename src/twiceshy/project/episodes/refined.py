"""Reduce a transcript to messages, tool calls with targets, and call results."""

from __future__ import annotations

from twiceshy.core.moment import stamp
from twiceshy.core.text import clean, one_line
from twiceshy.core.transcript import AgentSaid, Called, Result, Summarised, UserSaid
from twiceshy.shell.summary import target_of

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from twiceshy.core.transcript import Step

    Refined = dict[str, object]

TRANSCRIPTS = "transcripts"  # folder of the memory home for refined copies that were asked for
_LONGEST = 2_000  # characters of what somebody said
_LONGEST_TARGET = 200
_LONGEST_READ = (
    64_000  # a secret is known only while it is whole, so much more is redacted than kept
)


def refined(steps: Iterable[Step], *, redact: Callable[[str], str]) -> Iterator[Refined]:
    """Yield messages and tool calls in order; unfinished calls come last.

    A call appears at the time of its result.
    """
    calls: dict[str, Called] = {}
    for step in steps:
        match step:
            case UserSaid(text=text):
                yield _said(step, "user", redact(text[:_LONGEST_READ]))
            case AgentSaid(text=text):
                yield _said(step, "assistant", redact(text[:_LONGEST_READ]))
            case Summarised(summary=text):
                yield _said(step, "summary", redact(text[:_LONGEST_READ]))
            case Called():
                calls[step.id] = step
            case Result(failed=failed, refusal=refusal) if step.id in calls:
                yield _done(calls.pop(step.id), redact, ok=not (failed or refusal))
            case _:
                continue
    for call in calls.values():
        yield _done(call, redact, ok=None)


def _said(step: Step, who: str, text: str) -> Refined:
    return _at(step) | {"said": who, "text": clean(text)[:_LONGEST]}


def _done(call: Called, redact: Callable[[str], str], *, ok: bool | None) -> Refined:
    target = redact(target_of(call.tool, call.arguments))
    return _at(call) | {
        "tool": clean(call.tool),
        "target": one_line(clean(target), limit=_LONGEST_TARGET),
        "ok": ok,
    }


def _at(step: Step) -> Refined:
    when: Refined = {"at": stamp(step.at) if step.at else ""}
    return when | ({"agent": step.agent} if step.agent else {})

"""Decide whether to ask a model: enough calls, a failure, and material not paid for."""

from __future__ import annotations

from twiceshy.core.transcript import CallStep, ResultStep
from twiceshy.core.value import Value

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from twiceshy.core.evidence import Signal
    from twiceshy.core.transcript import Step

_STRUCTURAL = frozenset(("error", "fix", "retry", "correction", "thrash"))


class Evidence(Value):
    """Counts of a session's calls and signals; no text is part of the evidence."""

    calls: int  # of tools
    signals: int = 0  # failures, fixes, retries, corrections
    seeds: int = 0  # signals of earlier sessions that wait for this skill


class Allowance(Value):
    """Model calls left today, and the minimum of tool calls in a session."""

    daily_calls: int
    spent_today: int
    min_tool_calls: int

    @property
    def calls_left(self) -> int:
        """Return the number of model calls left."""
        return max(0, self.daily_calls - self.spent_today)


def count_evidence(
    steps: Iterable[Step], *, signals: Iterable[Signal] = (), seeds: int = 0
) -> Evidence:
    """Count calls and structural failures: by flags and signals, never by text."""
    known = list(steps)
    failures = sum(
        isinstance(step, ResultStep) and step.failed and not step.refusal for step in known
    )
    observed = sum(signal.kind in _STRUCTURAL for signal in signals)
    return Evidence(
        calls=sum(isinstance(step, CallStep) for step in known),
        signals=failures + observed,
        seeds=seeds,
    )


def find_refusal(evidence: Evidence, allowance: Allowance, *, skill: str, known: bool) -> str:
    """Return the reason against asking a model, or nothing. ``known``: material paid before."""
    reasons = {
        "this project is not shown to a model": allowance.daily_calls == 0,
        f"{evidence.calls} tool calls are too few": evidence.calls < allowance.min_tool_calls,
        "nothing went wrong": not evidence.signals and not (skill and evidence.seeds),
        "this was distilled before": known,
        f"all {allowance.daily_calls} calls of today are spent": not allowance.calls_left,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")

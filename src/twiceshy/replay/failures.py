"""Failures of a session, and recurrences of failures from earlier sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twiceshy.core.value import Value
from twiceshy.replay.words import (
    call_to_line,
    identifying_words,
    recognisable_words,
    shared_word_ratio,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twiceshy.replay.words import Words
    from twiceshy.shell.tool_call import ToolCall

PREVENTABLE = frozenset(("usage", "missing"))  # called wrongly, or aimed at what is not there
_REACH = 6  # calls behind a failure among which its fix is looked for
_NEAR = 0.3
_SAME_CALL = _SAME_LINE = 0.5
_FIX_REACH = 12  # calls behind a failure among which the calls lost are counted
_MOST_EXAMPLES = 6  # of one signature
_LONGEST_CALL, _LONGEST_LINE = 160, 110
NOWHERE: frozenset[str] = frozenset()


class FinishedCall(Value):
    """A finished call: position in the session, and whether a hook saw its end."""

    place: int
    act: ToolCall
    heard: bool


class Failure(Value):
    """A failed call with its fix, as far as calls tell.

    ``lost`` counts calls until one that put the failure right, at least the failing call itself;
    ``heard`` tells whether a hook saw the failure.
    """

    place: int
    tool: str
    family: str
    sort: str
    signature: str
    wrong: Words
    right: Words
    error: Words
    called: str
    fixed: str
    line: str
    target: str = ""  # the name of the file it was about, if it was about one
    lost: int = 1
    heard: bool = True

    @property
    def is_preventable(self) -> bool:
        """True if the call itself was wrong, so that a note can help."""
        return self.sort in PREVENTABLE


class Recurrence(Value):
    """A failure known from an earlier session; ``earlier`` are examples.

    ``mistake`` is equal for all recurrences of one mistake.
    """

    failure: Failure
    earlier: tuple[Failure, ...]
    mistake: str = ""


def find_failures(calls: Sequence[FinishedCall]) -> list[Failure]:
    """Return the failures of a session, in order."""
    return [
        _build_failure(made, calls[at + 1 :]) for at, made in enumerate(calls) if made.act.mistake
    ]


class PastFailures:
    """Failures of past sessions; a session is compared before being added.

    A failure without words equals every other, so it is never matched.
    """

    def __init__(self) -> None:
        self._same: dict[str, list[Failure]] = {}
        self._near: dict[tuple[str, str], dict[str, None]] = {}
        self._first: dict[str, str] = {}  # signature → the first one of the same mistake

    def find_recurrences(self, failures: Sequence[Failure]) -> list[Recurrence]:
        """Return recurrences among a session's failures, each once."""
        found: list[Recurrence] = []
        signatures: set[str] = set()
        for failure in failures:
            known = failure.signature in signatures or not failure.error
            earlier = () if known else self._find_earlier(failure)
            signatures.add(failure.signature)
            if earlier:
                first = earlier[0].signature
                mistake = self._first.setdefault(failure.signature, self._first.get(first, first))
                found.append(Recurrence(failure, earlier, mistake))
        return found

    def add_session(self, failures: Sequence[Failure]) -> None:
        """Add the failures of a session."""
        for failure in failures:
            examples = self._same.setdefault(failure.signature, [])
            examples.append(failure)
            if len(examples) > _MOST_EXAMPLES:
                examples.remove(next((old for old in examples if not old.right), examples[0]))
            self._near.setdefault((failure.sort, failure.family), {})[failure.signature] = None

    def _find_earlier(self, failure: Failure) -> tuple[Failure, ...]:
        if same := self._same.get(failure.signature):
            return tuple(same)
        alikes = self._near.get((failure.sort, failure.family), {})
        return tuple(
            old for name in alikes for old in self._same[name] if _is_same_failure(old, failure)
        )[-_MOST_EXAMPLES:]


def _is_same_failure(old: Failure, new: Failure) -> bool:
    """True if two failures have similar calls and similar errors."""
    return (
        old.target == new.target
        and shared_word_ratio(old.error, new.error) >= _SAME_LINE
        and shared_word_ratio(old.wrong, new.wrong) >= _SAME_CALL
    )


def _build_failure(made: FinishedCall, later: Sequence[FinishedCall]) -> Failure:
    act = made.act
    assert act.mistake is not None  # noqa: S101 - whoever calls has looked
    fix = _find_fix(act, [each.act for each in later[:_REACH]])
    return Failure(
        place=made.place,
        tool=act.tool,
        family=act.family,
        sort=act.mistake.category,
        signature=act.mistake.signature,
        wrong=identifying_words(act.tool, act.arguments),
        right=identifying_words(fix.tool, fix.arguments) if fix else NOWHERE,
        error=recognisable_words(act.mistake.line),
        called=call_to_line(act.tool, act.arguments)[:_LONGEST_CALL],
        fixed=call_to_line(fix.tool, fix.arguments)[:_LONGEST_CALL] if fix else "",
        line=act.mistake.line[:_LONGEST_LINE],
        target="" if act.command else act.path.rpartition("/")[2],
        lost=_count_lost_calls(act, [each.act for each in later[:_FIX_REACH]]),
        heard=made.heard,
    )


def _find_fix(failed: ToolCall, later: Sequence[ToolCall]) -> ToolCall | None:
    """Return the next similar but different call that worked."""
    wrong = identifying_words(failed.tool, failed.arguments)
    for act in later:
        if act.mistake is None and act.tool == failed.tool and not act.refusal:
            words = identifying_words(act.tool, act.arguments)
            if words != wrong and shared_word_ratio(wrong, words) >= _NEAR:
                return act
    return None


def _count_lost_calls(failed: ToolCall, later: Sequence[ToolCall]) -> int:
    """Count calls until the fix, the failing call included; 1 if there is no fix."""
    fix = _find_fix(failed, later)
    return 1 + next((at for at, act in enumerate(later) if act is fix), 0)

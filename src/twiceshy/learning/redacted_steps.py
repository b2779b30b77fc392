"""Redact the steps of a transcript where they come in: nothing that learns sees more of a secret than it may keep.

What is learned is quoted, cut, folded and compared in many places, and half a secret has no shape. So texts
are redacted whole, before any of this. The result of a call that worked is left as it is: few are read, and
who reads one redacts what it takes.
"""

from __future__ import annotations

from twiceshy.core.jsontext import parse_mapping_or_empty, write_json
from twiceshy.core.transcript import (
    AgentMessage,
    CallStep,
    ResultStep,
    SummaryStep,
    UserMessage,
)
from twiceshy.safety.redact import redact_ends
from twiceshy.shell.summary import redact_strings

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from twiceshy.core.transcript import Step
    from twiceshy.runtimes.transcripts import ReaderPass

_READ = 256_000  # characters of one text; of a longer one both ends are learned from


class RedactedPass:
    """A pass over a transcript that yields redacted steps."""

    def __init__(self, steps: ReaderPass, redact: Callable[[str], str]) -> None:
        self._steps, self._redact = steps, redact
        self.path = steps.path

    @property
    def unusable(self) -> int:
        """Return the number of lines that could not be read."""
        return self._steps.unusable

    @unusable.setter
    def unusable(self, count: int) -> None:
        self._steps.unusable = count

    @property
    def position(self) -> str:
        """Return the position of the pass."""
        return self._steps.position

    @property
    def is_fresh(self) -> bool:
        """True if the last step is new since the earlier pass."""
        return self._steps.is_fresh

    def __iter__(self) -> Iterator[Step]:
        """Yield the steps, redacted."""
        for step in self._steps:
            yield redact_step(step, self._redact)


def redact_step(step: Step, redact: Callable[[str], str]) -> Step:
    """Return a step with redacted texts."""
    match step:
        case UserMessage(text=text) | AgentMessage(text=text):
            return _replace_text(step, text, redact_ends(text, redact, read=_READ))
        case ResultStep(text=text, failed=True):
            return _replace_text(step, text, redact_ends(text, redact, read=_READ))
        case SummaryStep(summary=text):
            safe = redact_ends(text, redact, read=_READ)
            return step if safe == text else step.but(summary=safe)
        case CallStep(arguments=text):
            safe = redact_arguments(text, redact)
            return step if safe == text else step.but(arguments=safe)
        case _:
            return step


def redact_arguments(arguments: str, redact: Callable[[str], str]) -> str:
    """Return the arguments of a call as JSON, every text in them redacted."""
    if redact(arguments) == arguments:
        return arguments
    given = parse_mapping_or_empty(arguments)
    safe = redact_strings(given, redact)
    # a name tells about the value beside it, which only the whole shows
    whole = redact(write_json(safe))
    return write_json(parse_mapping_or_empty(whole) or safe) if given else redact(arguments)


def _replace_text(step: Step, before: str, after: str) -> Step:
    return step if before == after else step.but(text=after)
